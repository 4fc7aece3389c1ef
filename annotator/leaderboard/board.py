"""The board as a value: rows of extractors on one label set and one choice of gold, in order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotator.common.axis import Axis, axis_for
from annotator.common.errors import Conflict
from annotator.leaderboard.growth import Growth
from annotator.leaderboard.pooled import Pooled
from extraction.measures import METRICS
from extraction.metrics.bootstrap import interval
from extraction.metrics.pages import PageScore
from extraction.metrics.summary import Summary, summarise

MACRO, MICRO = "macro", "micro"
ALL, BLIND = "all", "blind"


@dataclass(frozen=True)
class Cell:
    """One extraction's score on one page. `weight` says for how many pages of the corpus the page stands.

    `page` is the place of the page in the order in which pages became gold.
    """

    score: PageScore
    blind: bool
    tuned_on: bool
    seconds: float | None
    weight: float = 1.0
    page: int = 0


@dataclass(frozen=True)
class Figures:
    """What the columns show of some pages: one kind of mean, with its interval.

    `effective` is how many pages drawn with equal odds would say as much, where pages are weighted.
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
class Row:
    """One extractor. `summary` and `shown` are of the chosen gold; `everywhere` and `blind` stand beside."""

    extractor_id: int
    name: str
    version: str
    parameters: dict[str, Any]
    title: str
    summary: Summary
    shown: Figures
    everywhere: Figures
    blind: Figures
    # Pages on which it was trained or tuned: counted, and left out of every figure above.
    tuned_on: int
    seconds: float | None
    seconds_a_page: float | None

    @property
    def head_start(self) -> float | None:
        """What it gains where its own output was shown; None where all gold was made blind to it."""
        if self.everywhere.n == self.blind.n or not self.blind.n:
            return None
        return (self.everywhere.value or 0.0) - (self.blind.value or 0.0)


@dataclass(frozen=True)
class Group:
    """Neighbouring rows; `first` to `last` is their rank. `tied`: their intervals reach the best one's."""

    rows: list[Row]
    first: int
    tied: bool

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


@dataclass(frozen=True)
class Board:
    metric: str
    labels: str
    gold: str
    mean: str
    pages: int
    rows: list[Row]
    people: Figures | None
    # Share of imported gold text that the documents do not have.
    unplaced: float
    # Scores that the metric could not be worked out for: a page that is too long, or a failure.
    unmeasured: int = 0
    # Scores that have the metric, and all, while older ones are filled in: there are no rows till then.
    waits: tuple[int, int] | None = None
    growth: Growth | None = None

    @property
    def by_page(self) -> bool:
        """Whether the metric is known by the mean of the pages' own F1."""
        return METRICS[self.metric].by_page

    @property
    def axis(self) -> Axis:
        shown = [row.shown for row in self.rows] + ([self.people] if self.people else [])
        return axis_for(value for each in shown for value in (each.value, each.low, each.high))

    @property
    def groups(self) -> list[Group]:
        return grouped(self.rows)

    @property
    def best(self) -> Row | None:
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
) -> Figures:
    """The figures of some pages under one kind of mean; without pages there is nothing to show."""
    if not scores:
        return Figures(0, 0, None, None, None, None, None)
    found = summary or summarise(scores, by_page=by_page, weights=weights)
    precision, recall, f1 = found.precision, found.recall, found.f1
    low, high = found.f1_low, found.f1_high
    if mean == MICRO:
        precision, recall, f1 = found.micro.precision, found.micro.recall, found.micro.f1
        low, high = micro_interval(scores, weights)
    return Figures(found.n, found.failures, precision, recall, f1, low, high, found.effective)


def micro_interval(
    scores: Sequence[PageScore], weights: Sequence[float] | None = None
) -> tuple[float | None, float | None]:
    """The 95 % interval of pooled F1, by resampling pages."""
    pooled = Pooled(scores, weights=weights)
    return interval(len(scores), lambda drawn: pooled.f1(drawn * pooled.everywhere))


def chosen_of(cells: Sequence[Cell], gold: str) -> list[Cell]:
    """The cells that count on the chosen gold; what it was tuned on counts apart (law 10)."""
    return [cell for cell in cells if not cell.tuned_on and (cell.blind or gold != BLIND)]


def row_of(
    extractor: dict[str, Any], cells: Sequence[Cell], *, gold: str, mean: str, by_page: bool = False
) -> Row:
    """An extractor's row from its cells. `by_page` says which F1 the metric is known by."""
    fair, blind = chosen_of(cells, ALL), chosen_of(cells, BLIND)
    chosen, other = (blind, fair) if gold == BLIND else (fair, blind)
    summary = summarise(_scores(chosen), by_page=by_page, weights=_weights(chosen))
    shown = figures_of(_scores(chosen), mean, summary, _weights(chosen))
    # The same cells give the same figures: the interval is worked out once.
    beside = shown if len(other) == len(chosen) else _figures_of(other, mean, by_page)
    timed = [cell.seconds for cell in chosen if cell.seconds is not None]
    return Row(
        **extractor,
        summary=summary,
        shown=shown,
        everywhere=beside if gold == BLIND else shown,
        blind=shown if gold == BLIND else beside,
        tuned_on=len(cells) - len(fair),
        seconds=sum(timed) if timed else None,
        seconds_a_page=sum(timed) / len(timed) if timed else None,
    )


def _figures_of(cells: Sequence[Cell], mean: str, by_page: bool) -> Figures:
    return figures_of(_scores(cells), mean, weights=_weights(cells), by_page=by_page)


def _scores(cells: Sequence[Cell]) -> list[PageScore]:
    return [cell.score for cell in cells]


def _weights(cells: Sequence[Cell]) -> list[float]:
    return [cell.weight for cell in cells]


def in_order(rows: Sequence[Row]) -> list[Row]:
    """The best first; by name where the figures are the same, and what has no figure last."""
    return sorted(rows, key=lambda row: (row.shown.value is None, -(row.shown.value or 0.0), row.title))


def grouped(rows: Sequence[Row]) -> list[Group]:
    """The rows whose interval reaches the best one's in one group, each of the others by itself.

    Overlapping intervals are no test; they only keep us from reading an order into what may be chance.
    """
    if not rows:
        return []
    tied = [row for row in rows if _reaches(row, rows[0])]
    first = list(rows[: len(tied)]) if list(rows[: len(tied)]) == tied else [rows[0]]
    groups = [Group(first, 1, tied=len(first) > 1)]
    return groups + [Group([row], len(first) + 1 + n, tied=False) for n, row in enumerate(rows[len(first) :])]


def _reaches(row: Row, best: Row) -> bool:
    if row is best:
        return True
    return row.shown.high is not None and best.shown.low is not None and row.shown.high >= best.shown.low


def complete(board: Board) -> Board:
    """The board, for what takes its figures away; raises Conflict while older scores are filled in."""
    if board.waits:
        done, wanted = board.waits
        said = _("By “%(metric)s” %(done)s of %(all)s scores are worked out so far. Try again in a while.")
        raise Conflict(said % {"metric": board.metric, "done": done, "all": wanted})
    return board


def to_json(board: Board) -> dict[str, Any]:
    """The board in the shape of `evaluate --json`; where pages are weighted, `n_effective` beside `n`."""
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
