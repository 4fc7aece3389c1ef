"""Searches for rows whose next step was never requested, as when the broker lost a message (invariant 8).

A search looks at what has changed since it last found nothing more to do, and once an hour at everything, so
that its cost does not grow with the corpus.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError, models
from django.utils import timezone

logger = logging.getLogger(__name__)

# A transaction may write a time and commit this much later.
OVERLAP = timedelta(minutes=20)
# What no time of a row tells, such as an extractor that has become available, is found after this long.
SEARCH_ALL_AFTER = timedelta(hours=1)

Row = TypeVar("Row")
Value = TypeVar("Value")


class Search(models.Model):
    """How far one search has come."""

    name = models.CharField(max_length=100, primary_key=True)
    # What changed before has its next step.
    searched_until = models.DateTimeField()
    searched_all_at = models.DateTimeField()


def search(find: Callable[[datetime | None], "models.QuerySet[Any, Row]"], *, at_once: int) -> Iterator[Row]:
    """Yield at most `at_once` rows that lack their next step, for the caller to request it.

    `find` gives those that changed since a time, or all of them for None. What a search did not come to is
    left for the next.
    """
    name = f"{find.__module__}.{find.__qualname__}"
    now = timezone.now()
    recent = Search.objects.filter(name=name, searched_all_at__gte=now - SEARCH_ALL_AFTER).first()
    found = list(find(recent.searched_until - OVERLAP if recent else None)[:at_once])
    yield from found
    if len(found) < at_once:
        done = {"searched_until": now} | ({} if recent else {"searched_all_at": now})
        Search.objects.update_or_create(name=name, defaults=done)


def each_by_itself(act: Callable[[Value], object], values: Iterable[Value]) -> None:
    """Call `act` with each; one that raises, which is logged, keeps none of the others back.

    A lost database and the time limit of the task end them all.
    """
    for value in values:
        try:
            act(value)
        except (SoftTimeLimitExceeded, InterfaceError, OperationalError):
            raise
        except Exception:
            logger.exception("failed for %s", value)
