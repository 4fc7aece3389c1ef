"""A researcher's home: what moved, what failed, what was released. It reads the stored leaderboard."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils import timezone

from annotator.common.axis import FEW_TICKS, Axis, axis_for
from annotator.common.dates import midnight, utc_day
from annotator.corpora.models import Corpus
from annotator.home.counts import PageCounts, gold_since
from annotator.home.home_counts import HotSpot, hot_spots
from annotator.releases import queries as releasing
from annotator.releases.models import Release
from annotator.releases.presentation import splits
from annotator.runs.models import Extraction
from annotator.scoring.leaderboard import queries as boards
from annotator.scoring.leaderboard.actions import leaderboard_of, request_leaderboard
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.leaderboard import Leaderboard, LeaderboardRow
from annotator.scoring.models import CountedPage, StoredLeaderboard

SHOWN_MOVED = 6
SHOWN_FAILURES = 5
# Differences below this are shown as none.
LEAST = 0.0005


class Moved(NamedTuple):
    """An extractor, and how much its F1 has changed since yesterday and in seven days."""

    row: LeaderboardRow
    # None where it was scored on other pages than the others.
    rank: int | None
    day: float | None
    week: float | None


class Failures(NamedTuple):
    """How many extractions of one extractor failed, and how many of them today."""

    name: str
    version: str
    n: int
    today: int


@dataclass(frozen=True)
class ResearcherSummary:
    stored: StoredLeaderboard
    board: Leaderboard | None
    moved: list[Moved]
    # Of the extractors, how many have not changed since yesterday.
    unmoved: int
    axis: Axis
    failures: list[Failures]
    failed: int
    hot_spots: Sequence[HotSpot]
    gold_today: int
    # Scores computed, and all of them.
    scored: tuple[int, int]
    release: Release | None
    splits: Sequence[tuple[object, int]]
    gold_since: int | None

    @property
    def is_scoring(self) -> bool:
        done, all_ = self.scored
        return done < all_


def summary_of(corpus: Corpus, counts: PageCounts) -> ResearcherSummary:
    today = midnight()
    # Where a worker has to compute it, the sweeper tells it.
    stored, _is_asked = request_leaderboard(corpus=corpus, filters=LeaderboardFilters())
    board = leaderboard_of(stored)
    every = moved(board, utc_day(timezone.now())) if board else []
    shown = every[:SHOWN_MOVED]
    values = [
        value for each in shown for value in (each.row.shown.value, each.row.shown.low, each.row.shown.high)
    ]
    failures = _failures(corpus, today)
    newest = releasing.finished(corpus).first()
    return ResearcherSummary(
        stored=stored,
        board=board,
        moved=shown,
        unmoved=sum(not each.day or abs(each.day) < LEAST for each in every),
        axis=axis_for(values, most=FEW_TICKS + 1),
        failures=failures[:SHOWN_FAILURES],
        failed=sum(each.n for each in failures),
        hot_spots=hot_spots(corpus) if counts.hot_spots is None else counts.hot_spots,
        gold_today=CountedPage.objects.filter(corpus=corpus.pk, finalised_at__gte=today).count(),
        scored=boards.progress(corpus),
        release=newest,
        splits=splits(newest.splits) if newest else [],
        gold_since=gold_since(newest, counts) if newest else None,
    )


def moved(board: Leaderboard, today: date) -> list[Moved]:
    """Return the extractors by how much their F1 has changed since yesterday, the most first."""
    found = [
        Moved(
            row,
            place if row.is_ranked else None,
            _change(row, board.days, today - timedelta(days=1)),
            _change(row, board.days, today - timedelta(days=7)),
        )
        for place, row in enumerate(board.rows, start=1)
        if row.shown.value is not None
    ]
    return sorted(found, key=lambda each: -abs(each.day or 0))


def _change(row: LeaderboardRow, days: Sequence[date], until: date) -> float | None:
    """How much F1 has changed since the end of that day; None where there was none."""
    before = [value for day, value in zip(days, row.trend, strict=False) if day <= until]
    if not before or before[-1] is None or row.shown.value is None:
        return None
    return row.shown.value - before[-1]


def _failures(corpus: Corpus, today: datetime) -> list[Failures]:
    failed = Extraction.objects.of_corpus(corpus).failed().order_by()
    counted = failed.values("extractor__name", "extractor__version").annotate(
        n=Count("pk"), today=Count("pk", filter=Q(finished_at__gte=today))
    )
    rows = counted.order_by("-n", "extractor__name")
    return [Failures(*row) for row in rows.values_list("extractor__name", "extractor__version", "n", "today")]
