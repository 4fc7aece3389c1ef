"""What a site's robots.txt allows us (RFC 9309), kept in Valkey for all workers."""

import re
import time
from dataclasses import dataclass
from functools import lru_cache

from protego import Protego

from annotator.common.caching import needed_cache
from annotator.common.sites import site_of

# What programs are called in robots.txt, and how our user agent begins.
NAME = "Goldpan"
# Bytes that are read; the standard asks for at least so many.
MAX_BYTES = 500 * 1024
# Seconds for which an answer is kept, as long as the standard allows.
KEEP = 24 * 3600
# What is kept of one site: of so many hosts, so many characters together. Whoever has a domain has as many
# names of hosts as they like, and could fill the memory of all.
SITE_HOSTS = 1_000
SITE_CHARACTERS = MAX_BYTES
# A site's wish for longer pauses is met up to so many seconds.
LONGEST_DELAY = 30.0

# As generously as the parser reads it.
_PROGRAM = re.compile(r"\s*user[\s-]*agent\s*:?\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True)
class RobotsRules:
    """The rules of one robots.txt for us."""

    parsed: Protego

    def allow(self, url: str) -> bool:
        return bool(self.parsed.can_fetch(url, NAME))

    @property
    def pause(self) -> float:
        """The pause in seconds that the site wishes between two requests; 0 if it says nothing."""
        return min(self.parsed.crawl_delay(NAME) or 0.0, LONGEST_DELAY)


def kept(origin: str) -> str | None:
    """The robots.txt of a host that was kept; None where it is to be asked for."""
    text, until = _kept_of(site_of(origin)).get(origin, (None, 0.0))
    return text if until > time.time() else None


def keep(origin: str, text: str) -> None:
    """Keep the robots.txt of a host beside those of its site's other hosts, of which the oldest give way."""
    site, now = site_of(origin), time.time()
    found = {host: each for host, each in _kept_of(site).items() if host != origin and each[1] > now}
    found[origin] = (text, now + KEEP)
    size = sum(len(each) for each, _until in found.values())
    while len(found) > SITE_HOSTS or size > SITE_CHARACTERS:
        size -= len(found.pop(next(iter(found)))[0])
    with needed_cache() as cache:
        cache.set(_key(site), found, KEEP)


def _kept_of(site: str) -> dict[str, tuple[str, float]]:
    """By host its robots.txt and until when it holds, the oldest first."""
    with needed_cache() as cache:
        return cache.get(_key(site)) or {}


def _key(site: str) -> str:
    return f"goldpan:robots:{site}"


# A hostile one takes 15 MB when it is parsed; a worker asks eight sites at a time.
@lru_cache(maxsize=16)
def parse(text: str) -> RobotsRules:
    """Read a robots.txt. Nothing in it is an error; what cannot be understood is no rule."""
    return RobotsRules(Protego.parse(_for_us(text)))


def _for_us(text: str) -> str:
    """Merge the groups of all other programs: the parser copies each rule to every program of its group."""
    return "\n".join(_rename_program(line) for line in text.splitlines())


def _rename_program(line: str) -> str:
    found = _PROGRAM.match(line.partition("#")[0])
    if not found:
        return line
    name = found[1].strip().lower()
    if name != "*":
        name = NAME if name.startswith(NAME.lower()) else "others"
    return f"User-agent: {name}"
