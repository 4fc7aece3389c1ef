"""The tags and filters that draw figures."""

import re

import pytest

from annotator.common.axis import axis_for
from annotator.common.templatetags import goldpan


@pytest.mark.parametrize(
    ("value", "shown"), [(0.9514, ".951"), (1.0, "1.000"), (0.0, ".000"), (-0.02, "−.020"), (None, "")]
)
def test_figure_has_three_decimals_and_a_true_minus(value: float | None, shown: str) -> None:
    assert goldpan.figure(value) == shown


def test_signed_says_nothing_about_no_difference() -> None:
    assert (goldpan.signed(0.011), goldpan.signed(-0.005), goldpan.signed(0.0001)) == ("+.011", "−.005", "")


def test_clock_rounds_to_seconds() -> None:
    assert (goldpan.clock(188.4), goldpan.clock(5)) == ("3:08", "0:05")


def test_interval_draws_low_value_and_high_in_attributes_only() -> None:
    svg = goldpan.interval(axis_for([0.8, 0.9]), 0.85, 0.82, 0.88)
    assert 'aria-label=".850, from .820 to .880"' in svg
    assert len(re.findall(r'class="span"', svg)) == 1
    assert "style" not in svg


def test_interval_that_is_withheld_draws_the_point_alone_and_says_so() -> None:
    svg = goldpan.interval(axis_for([0.85]), 0.85, None, None)
    assert 'class="span"' not in svg
    assert 'class="point"' in svg
    assert "interval withheld" in svg


def test_interval_off_the_axis_is_an_arrow() -> None:
    svg = goldpan.interval(axis_for([0.95, 0.9, 0.2]), 0.2, 0.1, 0.3)
    assert 'class="off"' in svg
    assert 'class="point"' not in svg


def test_silhouette_escapes_what_it_is_given() -> None:
    svg = goldpan.silhouette([[0, 100]], [[0, 100, "headline", "unanimous"]], {"headline": '1"><script>'})
    assert "<script>" not in svg


def test_menu_title_without_the_letter_has_it_behind() -> None:
    assert goldpan._underlined("Inicio", "h") == "Inicio <kbd>h</kbd>"
    assert goldpan._underlined("Home", "h") == "<u>H</u>ome"
