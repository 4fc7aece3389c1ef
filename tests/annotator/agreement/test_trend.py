"""The chart of the weeks, as numbers."""

from datetime import date
from itertools import pairwise
from typing import Any

from annotator.agreement.tables import AgreementFigureRow
from annotator.agreement.trend import Trend
from annotator.agreement.trend import trend_of as drawn


def week(day: str, value: float | None, reach: float | None = None) -> AgreementFigureRow:
    known = value is not None and reach is not None
    figure: dict[str, Any] = {
        "value": value,
        "low": value - reach if known else None,
        "high": value + reach if known else None,
    }
    return AgreementFigureRow(day, figure, "")


def trend_of(rows: list[AgreementFigureRow]) -> Trend | None:
    return drawn(rows, [row.title for row in rows])


def test_one_week_is_no_trend() -> None:
    assert trend_of([]) is None
    assert trend_of([week("2026-01-05", 0.8, 0.1), week("2026-01-12", None)]) is None


def test_points_lie_by_day_and_figure_and_bars_around_them() -> None:
    found = trend_of([week("2026-01-05", 0.8, 0.1), week("2026-01-12", 0.7), week("2026-02-02", 0.9, 0.05)])
    one, two, three = found.points
    frame = found.frame
    assert frame.left < float(one.x) < float(two.x) < float(three.x) < frame.right
    assert (float(three.x) - float(two.x)) / (float(two.x) - float(one.x)) > 2.9
    assert 0 < float(three.y) < float(one.y) < float(two.y) < frame.height
    assert float(one.high) < float(one.y) < float(one.low)
    assert (two.low, two.high) == (None, None)
    assert (found.first, found.last) == (date(2026, 1, 5), date(2026, 2, 2))


def test_no_line_runs_through_a_week_without_pages() -> None:
    found = trend_of(
        [week(day, 0.8, 0.1) for day in ("2026-01-05", "2026-01-12", "2026-02-02", "2026-02-09")]
    )
    assert [len(line.split()) for line in found.lines] == [2, 2]


def test_days_are_named_so_far_apart_that_they_can_be_read() -> None:
    days = [date.fromordinal(date(2026, 1, 5).toordinal() + 7 * number) for number in range(60)]
    found = trend_of([week(day.isoformat(), 0.8, 0.1) for day in days])
    named = [float(position) for position, _day in found.dates]
    assert [day for _position, day in found.dates][:: len(named) - 1] == [days[0], days[-1]]
    assert min(after - before for before, after in pairwise(named)) > found.frame.width / 8
    assert len(found.points) == 60
