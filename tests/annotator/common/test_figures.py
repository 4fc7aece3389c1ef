"""The tags and filters that draw figures."""

import re
from datetime import UTC, datetime

import pytest
from django.utils import translation

from annotator.common.axis import axis_for
from annotator.common.templatetags import goldpan


@pytest.mark.parametrize(
    ("value", "shown"), [(0.9514, ".951"), (1.0, "1.000"), (0.0, ".000"), (-0.02, "−.020"), (None, "")]
)
def test_figure_has_three_decimals_and_a_true_minus(value: float | None, shown: str) -> None:
    assert goldpan.figure(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.9514, "0,951"), (1.0, "1,000"), (-0.02, "−0,020"), (None, "")]
)
def test_figure_is_written_as_the_language_does(value: float | None, shown: str) -> None:
    with translation.override("es"):
        assert goldpan.figure(value) == shown


def test_shares_and_times_have_the_mark_of_the_language() -> None:
    assert (goldpan.percent(0.0149), goldpan.percent(0.426), goldpan.milliseconds(0.00174)) == (
        "1.5 %",
        "43 %",
        "1.7",
    )
    with translation.override("es"):
        assert (goldpan.percent(0.0149), goldpan.milliseconds(0.00174)) == ("1,5 %", "1,7")


def test_axis_leaves_out_the_zero_in_english_alone() -> None:
    axis = axis_for([0.9, 0.95])
    assert ">.95<" in goldpan.axis_head(axis)
    with translation.override("es"):
        assert ">0,95<" in goldpan.axis_head(axis)


def test_figure_at_an_axis_is_as_short_as_it_can_be() -> None:
    assert [goldpan.tick_figure(tick) for tick in (-1.0, -0.5, 0.0, 0.85, 1.0)] == [
        "−1",
        "−.50",
        "0",
        ".85",
        "1",
    ]


def test_dates_are_written_as_the_language_does() -> None:
    day = datetime(2026, 11, 20, 9, 5, tzinfo=UTC)
    assert goldpan.date(day, "j M Y H:i") == "20 Nov 2026 09:05"
    assert goldpan.date(None, "j M Y") == ""
    with translation.override("es"):
        assert goldpan.date(day, "j M Y H:i") == "20 nov 2026 09:05"


def test_today_is_said_in_words() -> None:
    assert re.fullmatch(r"[A-Z][a-z]+day \d{1,2} [A-Z][a-z]+", goldpan.today())
    with translation.override("es"):
        assert re.fullmatch(r"\w+ \d{1,2} de \w+", goldpan.today())


def test_signed_says_nothing_about_no_difference() -> None:
    assert (goldpan.signed(0.011), goldpan.signed(-0.005), goldpan.signed(0.0001)) == ("+.011", "−.005", "")


def test_clock_rounds_to_seconds() -> None:
    assert (goldpan.clock(188.4), goldpan.clock(5)) == ("3:08", "0:05")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0 s"), (35, "35 s"), (89, "1 min"), (3570, "1 h 0 min"), (9660, "2 h 41 min"), (None, "")],
)
def test_duration_is_said_in_the_units_that_matter(seconds: int | None, shown: str) -> None:
    assert goldpan.duration(seconds) == shown


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
