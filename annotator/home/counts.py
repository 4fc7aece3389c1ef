"""Counts over all pages of a corpus: by state, and what home and the corpus's screen say beside it.

Those of a large corpus are kept: screens show the last ones, and have a worker count again.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from redis.exceptions import RedisError

from annotator import pipeline
from annotator.common import display_names
from annotator.corpora.models import Corpus
from annotator.gold.queries import current_gold
from annotator.home import home_counts
from annotator.home.home_counts import AdminCounts, HotSpot
from annotator.home.states import STATES, DisplayedState, unparseable, with_state
from annotator.pages.models import Page
from annotator.releases import queries as releasing
from annotator.releases.models import Release

# Counting so many pages takes longer than a screen may.
LARGE = 5_000
# How old kept counts get before they are counted again: so many seconds, or so many times what counting took,
# if that is longer. How long they are kept, in seconds.
FRESH, SHARE, KEPT = 10, 20, 30 * 24 * 3600
# Seconds until a worker is asked again that has not answered.
ASKED = 60


class PageCounts(NamedTuple):
    """Pages by the name of their state, sites; gold by its source and failed pages by refusal, most first."""

    states: Mapping[str, int]
    sites: int
    sources: Sequence[tuple[str, int]]
    refusals: Sequence[tuple[str, int]]
    counted_at: datetime
    # What counting took.
    seconds: float = 0.0
    # Of a large corpus, what screens count beside, and current gold that the newest release does not hold.
    admin: AdminCounts | None = None
    hot_spots: Sequence[HotSpot] | None = None
    gold_since: int | None = None

    @property
    def pages(self) -> int:
        return sum(self.states.values())

    @property
    def gold(self) -> int:
        return sum(n for _source, n in self.sources)

    @property
    def is_old(self) -> bool:
        """Whether kept counts are to be counted again."""
        age = (timezone.now() - self.counted_at).total_seconds()
        return age > max(FRESH, SHARE * self.seconds)

    @property
    def is_large(self) -> bool:
        """Whether the counts are kept."""
        return self.pages > LARGE


def counts_of(corpus: Corpus) -> PageCounts:
    """The counts of the corpus: as they are now, or, of a large one, the last ones."""
    kept: PageCounts | None = None
    with suppress(RedisError):
        kept = cache.get(_key(corpus))
        if kept and kept.is_old and cache.add(f"{_key(corpus)}:asked", 1, ASKED):
            pipeline.pages_to_be_counted(corpus.pk)
    return kept or recount(corpus)


def kept_counts(corpora: Iterable[Corpus]) -> dict[int, PageCounts]:
    """The kept counts of large corpora, by the keys of the corpora; without those that have none."""
    by_key = {_key(corpus): corpus.pk for corpus in corpora}
    with suppress(RedisError):
        return {by_key[key]: counts for key, counts in cache.get_many(by_key).items()}
    return {}


def gold_since(newest: Release, counts: PageCounts) -> int:
    """How much current gold the newest release of a corpus does not hold; of a large one as last counted."""
    return releasing.gold_since(newest) if counts.gold_since is None else counts.gold_since


def recount(corpus: Corpus) -> PageCounts:
    """Count now, and keep the counts if the corpus is large."""
    began = time.monotonic()
    counted = with_state(Page.objects.filter(corpus=corpus)).order_by().values("stage")
    found = PageCounts(
        states=dict(counted.annotate(n=Count("pk")).values_list("stage", "n")),
        sites=Page.objects.filter(corpus=corpus).exclude(site="").values("site").distinct().count(),
        sources=_by(current_gold(corpus), "source"),
        refusals=_by(unparseable(corpus), "refusal"),
        counted_at=timezone.now(),
    )
    if found.is_large:
        newest = releasing.finished(corpus).first()
        found = found._replace(
            admin=home_counts.for_admin(corpus),
            hot_spots=home_counts.hot_spots(corpus),
            gold_since=releasing.gold_since(newest) if newest else None,
            seconds=time.monotonic() - began,
        )
        with suppress(RedisError):
            cache.set(_key(corpus), found, KEPT)
            cache.delete(f"{_key(corpus)}:asked")
    return found


def _by(rows: QuerySet[Any], field: str) -> list[tuple[str, int]]:
    counted = rows.order_by().values_list(field).annotate(n=Count("pk")).order_by("-n")
    return [(name, n) for name, n in counted]


def _key(corpus: Corpus) -> str:
    return f"page-counts:{corpus.pk}"


# ---- as shown ----


@dataclass(frozen=True)
class StateShare:
    """One state's share of the corpus, with its position in the bar in per cent."""

    state: DisplayedState
    pages: int
    x: str
    width: str
    # The two most frequent kinds: how many pages, and the kind's title.
    kinds: tuple[tuple[int, str], ...] = ()


def progress(counts: PageCounts) -> list[StateShare]:
    """The pages in each state, from gold to taken down."""
    total = counts.pages or 1
    kinds = {
        "gold": _titled(counts.sources, display_names.SOURCES),
        "failed": _titled(counts.refusals, display_names.REFUSALS),
    }
    parts, before = [], 0
    for state in STATES:
        n = counts.states.get(state.name, 0)
        # A gap of 0.15 per cent between two parts; none where that would leave nothing.
        width = max(100 * n / total - 0.15, 0.1 if n else 0)
        x = f"{100 * before / total:.2f}%"
        parts.append(StateShare(state, n, x, f"{width:.2f}%", kinds.get(state.name, ())))
        before += n
    return parts


def _titled(counted: Iterable[tuple[str, int]], titles: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    """The two most frequent, which come first."""
    return tuple((n, str(titles.get(name, _("Failed")))) for name, n in islice(counted, 2))
