"""The charts of what each round brought: SVG coordinates of loss and validation score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from annotator.common.axis import axis_for
from annotator.common.chart_frame import ChartFrame
from annotator.training.models import TrainingRound

MOST_TICKS = 6
# Between two counts of pages, for their digits.
APART = 60


@dataclass(frozen=True)
class CurvePoint:
    """One round: where it stands, its number and the value."""

    x: str
    y: str
    number: int
    value: float


@dataclass(frozen=True)
class Curve:
    """What each round brought. `numbers` are x coordinates with rounds."""

    frame: ChartFrame
    numbers: list[tuple[str, int]]
    points: list[CurvePoint]

    @property
    def line(self) -> str:
        """The points as those of a polyline."""
        return _joined(self.points)


@dataclass(frozen=True)
class PartCurves:
    """The curves of one part of a model; None below two rounds. `best` is the round that is kept."""

    part: str
    rounds: list[TrainingRound]
    best: TrainingRound
    loss: Curve | None
    score: Curve | None


def curves_of(rounds: Iterable[TrainingRound]) -> list[PartCurves]:
    """The curves by part, in the order in which they were trained."""
    return [_curves(part, list(of_part)) for part, of_part in groupby(rounds, key=lambda row: row.part)]


def _curves(part: str, rounds: list[TrainingRound]) -> PartCurves:
    rounds = sorted(rounds, key=lambda row: row.number)
    best = max(rounds, key=lambda row: (row.score, -row.number))
    numbers = [row.number for row in rounds]
    loss = _curve(numbers, [row.loss for row in rounds])
    return PartCurves(part, rounds, best, loss, _curve(numbers, [row.score for row in rounds]))


def _curve(numbers: Sequence[int], values: Sequence[float]) -> Curve | None:
    if len(numbers) < 2:
        return None
    frame = ChartFrame(axis_for(values, reach=max(values)))

    def across(number: int) -> str:
        return frame.across((number - numbers[0]) / (numbers[-1] - numbers[0]))

    return Curve(
        frame,
        numbers=[(across(number), number) for number in _numbered(numbers)],
        points=[
            CurvePoint(across(number), frame.up(value), number, value)
            for number, value in zip(numbers, values, strict=True)
        ],
    )


def _numbered(numbers: Sequence[int]) -> list[int]:
    """The first round, the last, and some between."""
    step = max(1, (len(numbers) - 1) // (MOST_TICKS - 1))
    between = [number for number in numbers[step:-1:step] if numbers[-1] - number >= step]
    return [numbers[0], *between, numbers[-1]]


# ---- the learning curve of a corpus ----


@dataclass(frozen=True)
class GrowthPoint:
    """F1 with so many pages: measured, or as it is expected with more. `low` and `high` end its error bar."""

    x: str
    y: str
    low: str | None
    high: str | None
    is_expected: bool
    figure: dict[str, Any]


@dataclass(frozen=True)
class GrowthChart:
    """Measured points, then those that the law expects. `numbers` are x coordinates with counts of pages."""

    frame: ChartFrame
    numbers: list[tuple[str, int]]
    measured: list[GrowthPoint]
    expected: list[GrowthPoint]

    @property
    def all_points(self) -> list[GrowthPoint]:
        """From the left to the right."""
        return [*self.measured, *self.expected]

    @property
    def measured_line(self) -> str:
        """The measured points as those of a polyline."""
        return _joined(self.measured)

    @property
    def expected_line(self) -> str:
        """From the last measured point on."""
        return _joined([self.measured[-1], *self.expected])


def _joined(points: Sequence[CurvePoint] | Sequence[GrowthPoint]) -> str:
    return " ".join(f"{point.x},{point.y}" for point in points)


def growth_chart(result: dict[str, Any]) -> GrowthChart:
    """The chart of a measured `LearningCurve`; the law's point of all gold stands between both lines."""
    measured, expected = result["parts"], [result["now"], result["next"]]
    figures = [*measured, *expected]
    axis = axis_for((figure[name] for figure in figures for name in ("f1", "low", "high")), reach=1.0)
    frame = ChartFrame(axis)
    most = expected[-1]["pages"]

    def point(figure: dict[str, Any], *, is_expected: bool) -> GrowthPoint:
        return GrowthPoint(
            frame.across(figure["pages"] / most),
            frame.up(figure["f1"]),
            None if figure["low"] is None else frame.up(figure["low"]),
            None if figure["high"] is None else frame.up(figure["high"]),
            is_expected,
            {**figure, "pages": round(figure["pages"])},
        )

    return GrowthChart(
        frame,
        numbers=_counts(frame, [figure["pages"] for figure in (*measured, expected[-1])]),
        measured=[point(figure, is_expected=False) for figure in measured],
        expected=[point(figure, is_expected=True) for figure in expected],
    )


def _counts(frame: ChartFrame, pages: Sequence[float]) -> list[tuple[str, int]]:
    """The x coordinates of those counts of pages that can stand beside each other, the largest first."""
    found: list[tuple[str, int]] = []
    for count in reversed(pages):
        x = frame.across(count / pages[-1])
        if not found or float(found[-1][0]) - float(x) >= APART:
            found.append((x, round(count)))
    return found
