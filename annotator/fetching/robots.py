"""What a site's robots.txt allows us (RFC 9309)."""

import re
from dataclasses import dataclass
from functools import lru_cache

from protego import Protego

# What programs are called in robots.txt, and how our user agent begins.
NAME = "Goldpan"
# Bytes that are read; the standard asks for at least so many.
MAX_BYTES = 500 * 1024
# Seconds for which an answer is kept, as long as the standard allows.
KEEP = 24 * 3600
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


@lru_cache(maxsize=128)
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
