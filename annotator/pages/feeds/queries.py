"""Named reads of followed feeds."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from annotator.corpora.models import Corpus
from annotator.pages.feeds.models import FeedEntry, FollowedFeed

DAY = timedelta(hours=24)


def feeds_of(corpus: Corpus) -> QuerySet[FollowedFeed]:
    """The corpus's feeds, with the number of entries that wait for the daily cap, and of those taken."""
    waiting = Count("entries", filter=Q(entries__taken_at=None))
    taken = Count("entries", filter=Q(entries__taken_at__isnull=False))
    return (
        FollowedFeed.objects.filter(corpus=corpus).annotate(n_waiting=waiting, n_taken=taken).order_by("url")
    )


def due_feeds(now: datetime) -> QuerySet[FollowedFeed]:
    """Feeds to be checked now; none of a corpus that is archived or deleted."""
    due = FollowedFeed.objects.filter(paused_at=None, finished_at__isnull=False, next_check_at__lte=now)
    return due.filter(corpus__archived_at=None, corpus__deleted_at=None)


def taken_today(corpus_id: int, sites: Iterable[str], now: datetime) -> dict[str, int]:
    """Site -> how many of its pages feeds of the corpus brought in the last 24 hours."""
    recent = FeedEntry.objects.filter(corpus=corpus_id, site__in=set(sites), taken_at__gt=now - DAY)
    return dict(recent.order_by().values_list("site").annotate(n=Count("pk")))
