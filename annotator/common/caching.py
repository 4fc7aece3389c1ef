"""Counts that all processes cache together, in Valkey; where it cannot be reached, each counts for itself."""

from collections.abc import Callable
from contextlib import suppress

from django.core.cache import cache
from redis.exceptions import RedisError


def cached_count(key: str, count: Callable[[], int], *, seconds: int, recount: bool = False) -> int:
    """The count of the last `seconds`, or a new one where there is none or `recount` is set."""
    found: int | None = None
    with suppress(RedisError):
        found = None if recount else cache.get(key)
    if found is None:
        found = count()
        with suppress(RedisError):
            cache.set(key, found, seconds)
    return found
