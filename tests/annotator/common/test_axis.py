from annotator.common.axis import MOST_TICKS, axis_for


def test_axis_holds_all_values_that_are_near() -> None:
    axis = axis_for([0.951, 0.944, 0.958, 0.883])
    assert all(axis.holds(value) for value in (0.883, 0.958))
    assert axis.low < 0.883
    assert axis.high > 0.958
    assert len(axis.ticks) <= MOST_TICKS + 1


def test_axis_leaves_out_what_lies_far_below_the_best() -> None:
    axis = axis_for([0.951, 0.883, 0.211])
    assert not axis.holds(0.211)
    assert axis.holds(0.883)


def test_axis_places_its_ends_at_the_edges() -> None:
    axis = axis_for([0.8, 0.9])
    assert axis.place(axis.low) == "0.0%"
    assert axis.place(axis.high) == "100.0%"
    assert axis.width(axis.low, axis.high) == "100.0%"


def test_axis_without_values_runs_from_nothing_to_all() -> None:
    assert axis_for([None]).ticks == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def test_axis_names_ticks_with_two_decimals() -> None:
    axis = axis_for([0.95, 1.0])
    assert axis.name(0.95) == "0.95"
    assert axis.name(1.0) == "1"
