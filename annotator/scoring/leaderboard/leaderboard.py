"""The leaderboard as a value: one ranked row per extractor, for one label set and one choice of gold."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import takewhile
from typing import Any

from annotator.common.axis import Axis, axis_for
from annotator.scoring.leaderboard.averages import MicroAverage, paired
from annotator.scoring.leaderboard.score_by_size import ScoreBySize
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.bootstrap import interval
from extraction.metrics.pages import PageScore
from extraction.metrics.statistics import PairedDifference
from extraction.metrics.summary import Summary, summarise

MACRO, MICRO = "macro", "micro"
ALL, BLIND = "all", "blind"
# Each extractor on all pages that count for it, or all on the pages that count for every one.
OWN, COMMON = "own", "common"


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
    page: int = 0


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
    # False where its pages are not those of the others: a rank would compare different pages.
    is_ranked: bool = True
    # F1 less that of the best ranked row, on the pages of both; None for that row and for unranked ones.
    behind: PairedDifference | None = None
    # F1 at the end of each of the board's days.
    trend: list[float | None] = field(default_factory=list)
    # Whether its outputs were made elsewhere, and uploaded.
    is_uploaded: bool = False


@dataclass(frozen=True)
class RankGroup:
    """Rows that share the ranks `first` to `last`, or that have none (`first` is 0).

    `tied`: they cannot be told apart from the best row.
    """

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
    # OWN or COMMON.
    page_set: str = OWN
    # The last days on which pages became gold.
    days: list[date] = field(default_factory=list)

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
    def has_unranked(self) -> bool:
        return any(not row.is_ranked for row in self.rows)

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
    extractor: dict[str, Any],
    pages: Sequence[ScoredPage],
    *,
    gold: str,
    mean: str,
    by_page: bool = False,
    is_ranked: bool = True,
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
        is_ranked=is_ranked,
    )


def _figures_of(pages: Sequence[ScoredPage], mean: str, by_page: bool) -> LeaderboardFigures:
    return figures_of(_scores(pages), mean, weights=_weights(pages), by_page=by_page)


def _scores(pages: Sequence[ScoredPage]) -> list[PageScore]:
    return [page.score for page in pages]


def _weights(pages: Sequence[ScoredPage]) -> list[float]:
    return [page.weight for page in pages]


def on_common_pages(scored: Mapping[int, Sequence[ScoredPage]], gold: str) -> dict[int, list[ScoredPage]]:
    """Return the scores on the pages that count for every extractor which has run on all of them."""
    sets = _page_sets(scored, gold)
    common = set.intersection(*map(set, sets.values())) if sets else set()
    return {pk: [page for page in pages if page.page in common] for pk, pages in scored.items()}


def comparable(scored: Mapping[int, Sequence[ScoredPage]], gold: str) -> set[int]:
    """Return the extractors whose pages are those of most others: they alone can be ranked."""
    sets = _page_sets(scored, gold)
    if not sets:
        return set()
    (reference, _times), *_rest = sorted(
        Counter(sets.values()).items(), key=lambda item: (-item[1], -len(item[0]), sorted(item[0]))
    )
    return {pk for pk, pages in sets.items() if pages == reference}


def _page_sets(scored: Mapping[int, Sequence[ScoredPage]], gold: str) -> dict[int, frozenset[int]]:
    """Return the pages that count for each extractor that has a score on every page on which one has."""
    most = max(map(len, scored.values()), default=0)
    return {
        pk: frozenset(page.page for page in counted_pages(pages, gold))
        for pk, pages in scored.items()
        if len(pages) == most
    }


def ranked(rows: Sequence[LeaderboardRow]) -> list[LeaderboardRow]:
    """Return the rows by F1, the best first, ties by name; then the unranked, then those without a value."""
    return sorted(
        rows,
        key=lambda row: (
            row.shown.value is None,
            not row.is_ranked,
            -(row.shown.value or 0.0),
            row.title,
        ),
    )


def behind_best(
    rows: Sequence[LeaderboardRow],
    scored: Mapping[int, Sequence[ScoredPage]],
    *,
    gold: str,
    mean: str,
    by_page: bool,
) -> list[LeaderboardRow]:
    """Return the ranked rows with the paired difference of each to the first one."""

    def pages_of(row: LeaderboardRow) -> list[ScoredPage]:
        return sorted(counted_pages(scored[row.extractor_id], gold), key=lambda page: page.page)

    if not rows or not rows[0].is_ranked or rows[0].shown.value is None:
        return list(rows)
    best, *others = rows
    pages = pages_of(best)
    found = [best]
    for row in others:
        if row.is_ranked and row.shown.value is not None:
            scores = _scores(pages_of(row))
            difference = paired(
                scores, _scores(pages), _weights(pages), pooled=mean == MICRO, by_page=by_page
            )
            row = replace(row, behind=difference)
        found.append(row)
    return found


def grouped(rows: Sequence[LeaderboardRow]) -> list[RankGroup]:
    """Return the rows that cannot be told apart from the best as one group, and each other row as its own.

    They are those whose paired difference to the best may be zero, by its interval, and that follow it in
    the order. Rows without a rank come last, together.
    """
    with_rank = [row for row in rows if row.is_ranked]
    without = [row for row in rows if not row.is_ranked]
    first = list(takewhile(lambda row: row is with_rank[0] or _may_be_best(row), with_rank))
    groups = [RankGroup(first, 1, tied=len(first) > 1)] if first else []
    groups += [
        RankGroup([row], len(first) + 1 + n, tied=False) for n, row in enumerate(with_rank[len(first) :])
    ]
    return groups + ([RankGroup(without, 0, tied=False)] if without else [])


def _may_be_best(row: LeaderboardRow) -> bool:
    return row.behind is not None and row.behind.high is not None and row.behind.high >= 0


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
