"""The leaderboard as a value: one ranked row per extractor, for one label set and one choice of gold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.common.axis import Axis, axis_for
from annotator.scoring.leaderboard.micro_average import MicroAverage
from annotator.scoring.leaderboard.score_by_size import ScoreBySize
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.bootstrap import interval
from extraction.metrics.pages import PageScore
from extraction.metrics.summary import Summary, summarise

MACRO, MICRO = "macro", "micro"
ALL, BLIND = "all", "blind"


@dataclass(frozen=True)
class ScoredPage:
    """The score of one extraction on one page.

    `weight` is the number of pages of the corpus that the page represents. `position` is its index in the
    order in which pages became gold.
    """

    score: PageScore
    blind: bool
    tuned_on: bool
    seconds: float | None
    weight: float = 1.0
    position: int = 0


@dataclass(frozen=True)
class LeaderboardFigures:
    """Precision, recall and F1 over some pages under one kind of average, with the interval of F1.

    `effective` is the effective sample size where pages are weighted, None where they are not.
    """

    n: int
    failures: int
    precision: float | None
    recall: float | None
    value: float | None
    low: float | None
    high: float | None
    effective: float | None = None


@dataclass(frozen=True)
class LeaderboardRow:
    """One extractor. `summary` and `shown` are computed on the chosen gold, the others for comparison."""

    extractor_id: int
    name: str
    version: str
    parameters: dict[str, Any]
    title: str
    # Whether this Goldpan still has this version: otherwise no page is added to its figures.
    is_available: bool
    summary: Summary
    shown: LeaderboardFigures
    all_gold: LeaderboardFigures
    blind: LeaderboardFigures
    # Pages on which it was trained or tuned: excluded from every figure above.
    tuned_on: int
    seconds: float | None
    seconds_per_page: float | None


@dataclass(frozen=True)
class RankGroup:
    """Rows that share the ranks `first` to `last`. `tied`: their intervals overlap that of the best row."""

    rows: list[LeaderboardRow]
    first: int
    tied: bool

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


@dataclass(frozen=True)
class Leaderboard:
    metric: str
    labels: str
    gold: str
    mean: str
    pages: int
    rows: list[LeaderboardRow]
    people: LeaderboardFigures | None
    # Share of the imported gold text that could not be aligned to the documents.
    unplaced: float
    # Scores without a value by this metric: the page is too long, or the metric failed.
    unmeasured: int = 0
    by_size: ScoreBySize | None = None

    @property
    def by_page(self) -> bool:
        """Whether the usual F1 of the metric is the mean of page F1."""
        return METRICS[self.metric].by_page

    @property
    def axis(self) -> Axis:
        shown = [row.shown for row in self.rows] + ([self.people] if self.people else [])
        return axis_for(value for each in shown for value in (each.value, each.low, each.high))

    @property
    def groups(self) -> list[RankGroup]:
        return grouped(self.rows)

    @property
    def best(self) -> LeaderboardRow | None:
        return self.rows[0] if self.rows else None

    @property
    def has_tuned(self) -> bool:
        return any(row.tuned_on for row in self.rows)

    @property
    def is_weighted(self) -> bool:
        return any(row.shown.effective is not None for row in self.rows)


def figures_of(
    scores: Sequence[PageScore],
    mean: str,
    summary: Summary | None = None,
    weights: Sequence[float] | None = None,
    *,
    by_page: bool = False,
) -> LeaderboardFigures:
    """Return the figures of some pages under one kind of average; all None without pages."""
    if not scores:
        return LeaderboardFigures(0, 0, None, None, None, None, None)
    found = summary or summarise(scores, by_page=by_page, weights=weights)
    precision, recall, f1 = found.precision, found.recall, found.f1
    low, high = found.f1_low, found.f1_high
    if mean == MICRO:
        precision, recall, f1 = found.micro.precision, found.micro.recall, found.micro.f1
        low, high = micro_interval(scores, weights)
    return LeaderboardFigures(found.n, found.failures, precision, recall, f1, low, high, found.effective)


def micro_interval(
    scores: Sequence[PageScore], weights: Sequence[float] | None = None
) -> tuple[float | None, float | None]:
    """Return the 95 % interval of micro F1, by resampling pages."""
    average = MicroAverage(scores, weights=weights)
    return interval(len(scores), lambda drawn: average.f1(drawn * average.everywhere))


def counted_pages(pages: Sequence[ScoredPage], gold: str) -> list[ScoredPage]:
    """Return the pages that count on the chosen gold, without those it was tuned on (invariant 10)."""
    return [page for page in pages if not page.tuned_on and (page.blind or gold != BLIND)]


def row_of(
    extractor: dict[str, Any], pages: Sequence[ScoredPage], *, gold: str, mean: str, by_page: bool = False
) -> LeaderboardRow:
    """Return an extractor's row. `by_page`: the usual F1 of the metric is the mean of page F1."""
    every, blind = counted_pages(pages, ALL), counted_pages(pages, BLIND)
    chosen, other = (blind, every) if gold == BLIND else (every, blind)
    summary = summarise(_scores(chosen), by_page=by_page, weights=_weights(chosen))
    shown = figures_of(_scores(chosen), mean, summary, _weights(chosen))
    # The same pages give the same figures: the interval is computed once.
    beside = shown if len(other) == len(chosen) else _figures_of(other, mean, by_page)
    timed = [page.seconds for page in chosen if page.seconds is not None]
    return LeaderboardRow(
        **extractor,
        summary=summary,
        shown=shown,
        all_gold=beside if gold == BLIND else shown,
        blind=shown if gold == BLIND else beside,
        tuned_on=len(pages) - len(every),
        seconds=sum(timed) if timed else None,
        seconds_per_page=sum(timed) / len(timed) if timed else None,
    )


def _figures_of(pages: Sequence[ScoredPage], mean: str, by_page: bool) -> LeaderboardFigures:
    return figures_of(_scores(pages), mean, weights=_weights(pages), by_page=by_page)


def _scores(pages: Sequence[ScoredPage]) -> list[PageScore]:
    return [page.score for page in pages]


def _weights(pages: Sequence[ScoredPage]) -> list[float]:
    return [page.weight for page in pages]


def ranked(rows: Sequence[LeaderboardRow]) -> list[LeaderboardRow]:
    """Return the rows by F1, the best first, ties by name; rows without a value come last."""
    return sorted(rows, key=lambda row: (row.shown.value is None, -(row.shown.value or 0.0), row.title))


def grouped(rows: Sequence[LeaderboardRow]) -> list[RankGroup]:
    """Return the rows whose interval overlaps the best row's as one group, and each other row as its own.

    Overlapping intervals are no significance test; the group only says that the order may be due to chance.
    """
    if not rows:
        return []
    tied = [row for row in rows if _overlaps(row, rows[0])]
    first = list(rows[: len(tied)]) if list(rows[: len(tied)]) == tied else [rows[0]]
    groups = [RankGroup(first, 1, tied=len(first) > 1)]
    return groups + [
        RankGroup([row], len(first) + 1 + n, tied=False) for n, row in enumerate(rows[len(first) :])
    ]


def _overlaps(row: LeaderboardRow, best: LeaderboardRow) -> bool:
    if row is best:
        return True
    return row.shown.high is not None and best.shown.low is not None and row.shown.high >= best.shown.low


def to_json(board: Leaderboard) -> dict[str, Any]:
    """Return the leaderboard in the shape of `evaluate --json`; `n_effective` if pages are weighted."""
    return {
        "metric": board.metric,
        "labels": board.labels,
        "pages": board.pages,
        "results": [
            {
                "extractor": row.name,
                "version": row.version,
                "parameters": row.parameters,
                **row.summary.figures(),
                **({"n_effective": row.summary.effective} if row.summary.effective else {}),
                "seconds": row.seconds,
            }
            for row in board.rows
        ],
    }
