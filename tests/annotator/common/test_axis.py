import math

import pytest

from annotator.common.axis import FEW_TICKS, MOST_TICKS, axis_for


def test_axis_holds_all_values_that_are_near() -> None:
    axis = axis_for([0.951, 0.944, 0.958, 0.883])
    assert all(axis.holds(value) for value in (0.883, 0.958))
    assert axis.low < 0.883
    assert axis.high > 0.958
    assert len(axis.ticks) <= MOST_TICKS + 1


@pytest.mark.parametrize("values", [(0.741, 0.864), (0.71, 0.951, 0.82), (0.9, 0.9), (0.99, 1.0)])
def test_axis_of_a_narrow_column_has_few_ticks(values: tuple[float, ...]) -> None:
    axis = axis_for(values, most=FEW_TICKS)
    assert len(axis.ticks) <= FEW_TICKS + 1
    assert all(axis.low < value < axis.high for value in values)


def test_axis_leaves_out_what_lies_far_below_the_best() -> None:
    axis = axis_for([0.951, 0.883, 0.211])
    assert not axis.holds(0.211)
    assert axis.holds(0.883)


def test_axis_places_its_ends_at_the_edges() -> None:
    axis = axis_for([0.8, 0.9])
    assert axis.position(axis.low) == "0.0%"
    assert axis.position(axis.high) == "100.0%"
    assert axis.width(axis.low, axis.high) == "100.0%"


def test_axis_without_values_runs_from_zero_to_one() -> None:
    assert axis_for([None]).ticks == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@pytest.mark.parametrize("values", [(0.9, 0.12), (0.6, -0.2), (1.0, -1.0), (0.3, -0.04)])
def test_axis_that_reaches_all_the_way_holds_every_value(values: tuple[float, float]) -> None:
    axis = axis_for(values, reach=math.inf, most=FEW_TICKS)
    assert all(axis.low < value < axis.high for value in values)
    assert len(axis.ticks) <= FEW_TICKS + 1


def test_axis_of_shares_has_no_negative_tick() -> None:
    assert axis_for([0.01, 0.02]).ticks[0] == 0
