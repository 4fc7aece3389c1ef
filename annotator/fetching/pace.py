"""One request at a time per site, and a pause after it, shared by all workers in Valkey."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from annotator.common.caching import needed_cache
from annotator.fetching.errors import SiteBusy

# How long to sleep until the site is looked at again.
_LOOK_SECONDS = 0.1
# At most so long does a site's own wish keep all of us away from it.
LONGEST_PAUSE = 3600


@contextmanager
def turn(site: str, *, pause: float, patience: float, longest: float) -> Iterator[None]:
    """Wait until nobody asks this site, and keep the others away until `pause` seconds after.

    Raises SiteBusy where our turn would not come within `patience` seconds. `longest` is how long the others
    stay away at most if this process dies. A pause is counted in whole seconds, rounded up.
    """
    key = _key(site)
    until = time.monotonic() + patience
    while not _add(key, longest):
        ends = _read(key)
        if time.monotonic() >= until or (ends and ends - time.time() > patience):
            wait = max(1.0, ends - time.time()) if ends else 1.0
            raise SiteBusy(f"{site} is being asked or asked us to wait", retry_after=wait)
        time.sleep(_LOOK_SECONDS)
    try:
        yield
    finally:
        if _read(key) <= time.time():  # else it was put off in our turn
            _put_off(key, pause)


def put_off(site: str, seconds: float) -> None:
    """Let nobody ask this site for so long, as it wished; call it in our turn."""
    _put_off(_key(site), min(seconds, LONGEST_PAUSE))


def _key(site: str) -> str:
    return f"goldpan:fetching:{site}"


# The value is when the pause ends, in seconds since 1970; 0 while a request is under way.


def _add(key: str, seconds: float) -> bool:
    with needed_cache() as cache:
        return bool(cache.add(key, 0.0, math.ceil(seconds)))


def _read(key: str) -> float:
    with needed_cache() as cache:
        return float(cache.get(key) or 0.0)


def _put_off(key: str, seconds: float) -> None:
    with needed_cache() as cache:
        if seconds > 0:
            cache.set(key, time.time() + seconds, math.ceil(seconds))
        else:
            cache.delete(key)
