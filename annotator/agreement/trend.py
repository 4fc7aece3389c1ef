"""The chart of figures by week: SVG coordinates of its points, lines and ticks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from annotator.agreement.tables import AgreementFigureRow, Figure
from annotator.common.axis import Axis, axis_for
from annotator.common.dates import WEEK

WIDTH, HEIGHT = 640, 240
# Margins: the tick labels at the left, the dates below, half a point above and at the right.
LEFT, RIGHT, TOP, BOTTOM = 46, 18, 12, 30
# Between the ends of the grid and the outer points.
INSET = 12
MOST_DATES = 6


@dataclass(frozen=True)
class TrendPoint:
    """One week. `low` and `high` are the ends of its error bar; None where the interval is withheld."""

    x: str
    y: str
    low: str | None
    high: str | None
    # The Monday, and what is drawn.
    day: date
    figure: Figure


@dataclass(frozen=True)
class Trend:
    """A chart of WIDTH by HEIGHT. `ticks` are y coordinates with values, `dates` x coordinates with days.

    `lines` join the points of consecutive weeks; a week without pages interrupts them.
    """

    points: list[TrendPoint]
    lines: list[str]
    ticks: list[tuple[str, float]]
    dates: list[tuple[str, date]]
    first: date
    last: date

    width = WIDTH
    height = HEIGHT
    margin = LEFT - 8
    left = LEFT
    right = WIDTH - RIGHT
    top = TOP
    bottom = HEIGHT - BOTTOM
    # The baseline of the dates.
    below = HEIGHT - 8


def trend_of(rows: Sequence[AgreementFigureRow], mondays: Sequence[str]) -> Trend | None:
    """The chart of the rows of the weeks that begin on these days; None below two weeks with a figure."""
    known = [
        (date.fromisoformat(day), row.figure)
        for row, day in zip(rows, mondays, strict=True)
        if row.figure["value"] is not None
    ]
    if len(known) < 2:
        return None
    axis = axis_for((figure[name] for _day, figure in known for name in ("value", "low", "high")), reach=1.0)
    days = [day for day, _figure in known]
    points = [
        TrendPoint(
            _across(day, days),
            _up(figure["value"], axis),
            None if figure["low"] is None else _up(figure["low"], axis),
            None if figure["high"] is None else _up(figure["high"], axis),
            day,
            figure,
        )
        for day, figure in known
    ]
    return Trend(
        points,
        _lines(days, points),
        [(_up(tick, axis), tick) for tick in axis.ticks],
        [(_across(day, days), day) for day in _dated(days)],
        days[0],
        days[-1],
    )


def _across(day: date, days: Sequence[date]) -> str:
    share = (day - days[0]) / (days[-1] - days[0])
    return f"{LEFT + INSET + share * (WIDTH - RIGHT - LEFT - 2 * INSET):.1f}"


def _up(value: float, axis: Axis) -> str:
    return f"{TOP + (1 - axis.share(value)) * (HEIGHT - BOTTOM - TOP):.1f}"


def _lines(days: Sequence[date], points: Sequence[TrendPoint]) -> list[str]:
    runs: list[list[TrendPoint]] = []
    for number, point in enumerate(points):
        if not number or days[number] - days[number - 1] > WEEK:
            runs.append([])
        runs[-1].append(point)
    return [" ".join(f"{point.x},{point.y}" for point in run) for run in runs if len(run) > 1]


def _dated(days: Sequence[date]) -> list[date]:
    """The first, the last, and some between, far enough apart for their labels."""
    apart = (days[-1] - days[0]) / MOST_DATES
    found = [days[0]]
    for day in days[1:-1]:
        if day - found[-1] >= apart and days[-1] - day >= apart:
            found.append(day)
    return [*found, days[-1]]
