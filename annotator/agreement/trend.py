"""The chart of figures by week: SVG coordinates of its points, lines and ticks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from annotator.agreement.tables import AgreementFigureRow, Figure
from annotator.common.axis import axis_for
from annotator.common.chart_frame import ChartFrame
from annotator.common.dates import WEEK

HEIGHT = 240
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
    """`lines` join the points of consecutive weeks; a week without pages interrupts them.

    `dates` are x coordinates with days.
    """

    frame: ChartFrame
    points: list[TrendPoint]
    lines: list[str]
    dates: list[tuple[str, date]]
    first: date
    last: date


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
    frame = ChartFrame(axis, HEIGHT)
    days = [day for day, _figure in known]

    def across(day: date) -> str:
        return frame.across((day - days[0]) / (days[-1] - days[0]))

    points = [
        TrendPoint(
            across(day),
            frame.up(figure["value"]),
            None if figure["low"] is None else frame.up(figure["low"]),
            None if figure["high"] is None else frame.up(figure["high"]),
            day,
            figure,
        )
        for day, figure in known
    ]
    dates = [(across(day), day) for day in _dated(days)]
    return Trend(frame, points, _lines(days, points), dates, days[0], days[-1])


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
