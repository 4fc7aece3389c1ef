"""How fast a corpus is annotated, and when it is expected to be done."""

from datetime import date, timedelta

import pytest

from annotator.home.columns import BASE, TALLEST, columns
from annotator.home.pace import DAYS, Pace

TODAY = date(2026, 11, 20)


def pace(counts: list[int], *, to_go: int, today: int = 0) -> Pace:
    """The counts of the last full days, the last one yesterday."""
    days = {TODAY - timedelta(days=len(counts) - index): n for index, n in enumerate(counts)}
    return Pace(TODAY, {**days, TODAY: today}, to_go)


def test_end_is_what_is_left_over_the_mean_of_full_days() -> None:
    found = pace([10, 20, 30], to_go=41, today=500)
    assert found.per_day == 20
    assert found.expected == TODAY + timedelta(days=3)


def test_days_before_the_first_annotation_do_not_count_and_idle_days_do() -> None:
    assert pace([0, 0, 10, 0], to_go=5).per_day == 5


@pytest.mark.parametrize(("counts", "to_go"), [([], 10), ([0, 0], 10), ([5, 5, 5], 0), ([1], 10_000)])
def test_no_end_is_expected_without_work_or_a_pace(counts: list[int], to_go: int) -> None:
    found = pace(counts, to_go=to_go)
    assert (found.expected, found.range) == (None, None)


def test_range_holds_the_expected_day_and_is_withheld_below_three_days() -> None:
    assert pace([10, 20], to_go=100).range is None
    found = pace([18, 20, 22, 19, 21], to_go=200)
    assert found.range
    first, last = found.range
    assert first <= found.expected <= last
    assert pace([1, 40, 1], to_go=200).range is None  # the pace may be none at all


def test_last_week_and_today_are_shown() -> None:
    days = pace([7], to_go=1, today=2).days
    assert [day.day for day in days] == [TODAY - timedelta(days=back) for back in range(DAYS, -1, -1)]
    assert [day.submitted for day in days[-2:]] == [7, 2]


def test_bars_stand_on_the_ground_and_the_largest_is_the_tallest() -> None:
    found = columns([0, 2, 4])
    assert [each.height for each in found] == [1, TALLEST / 2, TALLEST]
    assert {each.y + each.height for each in found} == {BASE}
    assert columns([]) == []
