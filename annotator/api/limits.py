"""How often the API may be asked. Counted in Valkey by the minute; without it, by each process."""

import time

from django.conf import settings
from django.core.cache import cache, caches
from django.core.cache.backends.base import BaseCache
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from annotator.common.errors import GoldpanError

WINDOW = 60  # seconds
# Requests without a valid token from one address.
MAX_FAILURES = 60
# Pages of a person on which an extractor is run in the request itself.
MAX_EXTRACTIONS = 30


class TooManyRequests(GoldpanError):
    """The person or address has asked too often. `retry_after` is in seconds."""

    status = 429

    def __init__(self, *, retry_after: int) -> None:
        super().__init__(_("Too many requests. Try again in %(n)d seconds.") % {"n": retry_after})
        self.retry_after = retry_after


def count_request(user: int) -> None:
    """Count a request of the person, with whichever token. Raises TooManyRequests."""
    _count(f"user:{user}", settings.API_REQUESTS_PER_MINUTE)


def count_extraction(user: int | None) -> None:
    """Count a page that the person has an extractor run on. Raises TooManyRequests."""
    _count(f"extractions:{user}", MAX_EXTRACTIONS)


def count_failure(address: str | None) -> None:
    """Count a request without a valid token. Raises TooManyRequests."""
    _count(f"failures:{address}", MAX_FAILURES)


def _count(key: str, most: int) -> None:
    now = int(time.time())
    key = f"goldpan:api:{key}:{now // WINDOW}"
    try:
        found = _next(cache, key)
    except RedisError:
        found = _next(caches["near"], key)
    if found > most:
        raise TooManyRequests(retry_after=WINDOW - now % WINDOW)


def _next(counts: BaseCache, key: str) -> int:
    counts.add(key, 0, 2 * WINDOW)
    try:
        return int(counts.incr(key))
    except ValueError:  # it has been evicted meanwhile
        return 1
