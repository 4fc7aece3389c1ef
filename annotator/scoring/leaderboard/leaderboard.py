"""The leaderboard as a value: one ranked row per extractor, for one label set and one choice of gold."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from itertools import takewhile
from typing import Any

from annotator.common.axis import Axis, axis_for
from annotator.scoring.leaderboard.ranking import OWN, Ranking, SetFigures, Standing, figures_on
from annotator.scoring.leaderboard.score_by_size import ScoreBySize
from annotator.scoring.leaderboard.scored import bounds, paired_by_sample
from extraction.evaluation.page_metrics import METRICS
from extraction.metrics.bootstrap import MIN_PAGES
from extraction.metrics.statistics import PairedDifference
from extraction.metrics.summary import Micro

CSV_HEAD = (
    "metric", "labels", "gold", "mean", "page_set", "of", "extractor", "version", "parameters", "pages",
    "failures", "precision", "recall", "f1", "f1_low", "f1_high", "excluded", "seconds_per_page",
)  # fmt: skip


@dataclass(frozen=True)
class RowSummary:
    """The macro and micro averages of a row on the chosen gold, as `evaluate --json` has them."""

    n: int
    failures: int
    precision: float
    recall: float
    f1: float
    f1_page_mean: float
    f1_low: float | None
    f1_high: float | None
    micro: Micro


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
    summary: RowSummary
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
    # The pages that it is about, as `totals.slices.Selection` is written; "" for all.
    slice: str = ""
    # The mean annotator against gold, which is not independent of them.
    people_to_gold: LeaderboardFigures | None = None
    # Whether human agreement is of annotators who were shown nothing, not of all.
    are_people_blind: bool = False
    # The last days on which pages became gold.
    days: list[date] = field(default_factory=list)

    @property
    def by_page(self) -> bool:
        """Whether the usual F1 of the metric is the mean of page F1."""
        return METRICS[self.metric].by_page

    @property
    def axis(self) -> Axis:
        shown = [row.shown for row in self.rows]
        shown += [people for people in (self.people, self.people_to_gold) if people]
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


NOTHING = LeaderboardFigures(0, 0, None, None, None, None, None)


def shown_figures(pages: SetFigures, choice: Ranking) -> LeaderboardFigures:
    """The figures under the chosen average; all None without pages."""
    n = pages.sums.pages
    if not n:
        return NOTHING
    found = pages.averages
    precision, recall = found.precision, found.recall
    low, high = pages.macro
    if choice.pooled:
        precision, recall = found.micro_precision, found.micro_recall
        low, high = pages.micro
    failures = pages.sums.failures
    return LeaderboardFigures(
        n, failures, precision, recall, choice.of(pages.averages), low, high, pages.effective
    )


def _summary(pages: SetFigures, choice: Ranking) -> RowSummary:
    found = pages.averages
    low, high = pages.macro
    return RowSummary(
        n=pages.sums.pages,
        failures=pages.sums.failures,
        precision=found.precision,
        recall=found.recall,
        f1=choice.macro_of(found),
        f1_page_mean=found.f1_page_mean,
        f1_low=low,
        f1_high=high,
        micro=Micro(found.micro_precision, found.micro_recall, found.micro_f1),
    )


def rows_of(
    extractors: Sequence[Mapping[str, Any]], standings: Mapping[int, Standing], choice: Ranking
) -> list[LeaderboardRow]:
    """The rows of extractors, described by what `LeaderboardRow` has of them: ranked, the best first."""
    chosen = {pk: figures_on(standing, choice, blind=choice.blind) for pk, standing in standings.items()}
    with_rank = comparable(standings, chosen, choice)
    rows = []
    for extractor in extractors:
        pk = extractor["extractor_id"]
        pages = chosen[pk]
        other = figures_on(standings[pk], choice, blind=not choice.blind)
        shown = shown_figures(pages, choice)
        # The same pages give the same figures.
        beside = shown if other.pages == pages.pages else shown_figures(other, choice)
        all_pages = other if choice.blind else pages
        seconds = pages.sums.microseconds / 1_000_000 if pages.sums.timed else None
        rows.append(
            LeaderboardRow(
                **extractor,
                summary=_summary(pages, choice),
                shown=shown,
                all_gold=beside if choice.blind else shown,
                blind=shown if choice.blind else beside,
                tuned_on=_scored_pages(standings[pk], choice) - all_pages.sums.pages,
                seconds=seconds,
                seconds_per_page=None if seconds is None else seconds / pages.sums.timed,
                is_ranked=pk in with_rank,
            )
        )
    return _behind_best(ranked(rows), chosen, choice)


def _scored_pages(standing: Standing, choice: Ranking) -> int:
    """The pages on which it has a score, of common pages if those are chosen."""
    kinds = [kind for kind in standing.sums if choice.common is None or choice.common in kind]
    return standing.total(kinds).pages


def comparable(
    standings: Mapping[int, Standing], chosen: Mapping[int, SetFigures], choice: Ranking
) -> set[int]:
    """The extractors whose pages are those of most others: they alone can be ranked.

    What is compared are extractors with a score on every page on which one has. An extractor without a page
    that counts has no rank, unless none has one.
    """
    most = max((_scored_pages(standing, choice) for standing in standings.values()), default=0)
    sets = {
        pk: pages.pages
        for pk, pages in chosen.items()
        if most and _scored_pages(standings[pk], choice) == most
    }
    if not sets:
        return set()
    (reference, _times), *_rest = sorted(
        Counter(sets.values()).items(), key=lambda item: (not item[0][0], -item[1], -item[0][0], item[0][1])
    )
    return {pk for pk, pages in sets.items() if pages == reference}


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


def _behind_best(
    rows: Sequence[LeaderboardRow], chosen: Mapping[int, SetFigures], choice: Ranking
) -> list[LeaderboardRow]:
    """The ranked rows with the paired difference of each to the first one."""
    if not rows or not rows[0].is_ranked or rows[0].shown.value is None:
        return list(rows)
    best, *others = rows
    return [
        best,
        *(
            replace(row, behind=difference(chosen[row.extractor_id], chosen[best.extractor_id], choice))
            if row.is_ranked and row.shown.value is not None
            else row
            for row in others
        ),
    ]


def difference(first: SetFigures, second: SetFigures, choice: Ranking) -> PairedDifference:
    """By how much F1 is higher in the first, on the same pages; each resample is drawn for both."""
    value = choice.of(first.averages) - choice.of(second.averages)
    if first.resampled and second.resampled:
        drawn = first.resampled.of(pooled=choice.pooled) - second.resampled.of(pooled=choice.pooled)
        return PairedDifference(value, *bounds(drawn))
    if first.sums.pages < MIN_PAGES:
        return PairedDifference(value, None, None)
    options = {"pooled": choice.pooled, "by_page": choice.by_page}
    return paired_by_sample(first.scored, second.scored, value, first.sums.pages, **options)


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
    """Return the leaderboard in the shape of `evaluate --json`, and of which gold and pages it is.

    `n_effective` is there if pages are weighted.
    """
    return {
        "metric": board.metric,
        "labels": board.labels,
        "gold": board.gold,
        "page_set": board.page_set,
        "of": board.slice,
        "pages": board.pages,
        "results": [
            {
                "extractor": row.name,
                "version": row.version,
                "parameters": row.parameters,
                **asdict(row.summary),
                **({"n_effective": row.shown.effective} if row.shown.effective else {}),
                "seconds": row.seconds,
            }
            for row in board.rows
        ],
    }


def csv_rows(board: Leaderboard) -> Iterator[list[object]]:
    """Yield the lines under `CSV_HEAD`, in ranking order; `excluded` counts training pages."""
    for row in board.rows:
        shown = row.shown
        yield [
            board.metric,
            board.labels,
            board.gold,
            board.mean,
            board.page_set,
            board.slice,
            row.name,
            row.version,
            json.dumps(row.parameters, sort_keys=True),
            shown.n,
            shown.failures,
            *(shown.precision, shown.recall, shown.value, shown.low, shown.high),
            row.tuned_on,
            row.seconds_per_page,
        ]
