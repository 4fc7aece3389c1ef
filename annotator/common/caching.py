"""What all processes know together, in Valkey."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from redis.exceptions import RedisError


def cached_count(key: str, count: Callable[[], int], *, seconds: int, recount: bool = False) -> int:
    """The count of the last `seconds`, or a new one where there is none or `recount` is set.

    Where Valkey cannot be reached, each process counts for itself.
    """
    found: int | None = None
    with suppress(RedisError):
        found = None if recount else cache.get(key)
    if found is None:
        found = count()
        with suppress(RedisError):
            cache.set(key, found, seconds)
    return found


@contextmanager
def needed_cache() -> Iterator[BaseCache]:
    """The cache, for work that cannot be done without it: raises OSError where Valkey cannot be reached."""
    try:
        yield cache
    except RedisError as error:
        raise ConnectionError(f"Valkey cannot be reached: {error}") from error
