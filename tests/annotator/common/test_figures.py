"""The tags and filters that draw figures."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import translation

from annotator.common.axis import axis_for
from annotator.common.templatetags import figures, layout


@pytest.mark.parametrize(
    ("value", "shown"), [(0.9514, ".951"), (1.0, "1.000"), (0.0, ".000"), (-0.02, "−.020"), (None, "")]
)
def test_figure_has_three_decimals_and_a_true_minus(value: float | None, shown: str) -> None:
    assert figures.figure(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.9514, "0,951"), (1.0, "1,000"), (-0.02, "−0,020"), (None, "")]
)
def test_figure_is_written_as_the_language_does(value: float | None, shown: str) -> None:
    with translation.override("es"):
        assert figures.figure(value) == shown


def test_shares_and_times_have_the_mark_of_the_language() -> None:
    assert (figures.percent(0.0149), figures.percent(0.426), figures.milliseconds(0.00174)) == (
        "1.5 %",
        "43 %",
        "1.7",
    )
    with translation.override("es"):
        assert (figures.percent(0.0149), figures.milliseconds(0.00174)) == ("1,5 %", "1,7")


def test_what_takes_little_time_takes_some() -> None:
    assert [figures.milliseconds(seconds) for seconds in (None, 0.0, 0.00003, 0.0001, 0.25)] == [
        "",
        "0.00",
        "0.03",
        "0.1",
        "250.0",
    ]


def test_axis_leaves_out_the_zero_in_english_alone() -> None:
    axis = axis_for([0.9, 0.95])
    assert ">.95<" in figures.axis_head(axis)
    with translation.override("es"):
        assert ">0,95<" in figures.axis_head(axis)


def test_figure_at_an_axis_is_as_short_as_it_can_be() -> None:
    assert [figures.tick_figure(tick) for tick in (-1.0, -0.5, 0.0, 0.85, 1.0)] == [
        "−1",
        "−.50",
        "0",
        ".85",
        "1",
    ]


def test_dates_are_written_as_the_language_does() -> None:
    day = datetime(2026, 11, 20, 9, 5, tzinfo=UTC)
    assert layout.date(day, "j M Y H:i") == "20 Nov 2026 09:05"
    assert layout.date(None, "j M Y") == ""
    with translation.override("es"):
        assert layout.date(day, "j M Y H:i") == "20 nov 2026 09:05"


def test_today_is_said_in_words() -> None:
    assert re.fullmatch(r"[A-Z][a-z]+day \d{1,2} [A-Z][a-z]+", layout.today())
    with translation.override("es"):
        assert re.fullmatch(r"\w+ \d{1,2} de \w+", layout.today())


def test_signed_says_nothing_about_no_difference() -> None:
    assert (figures.signed(0.011), figures.signed(-0.005), figures.signed(0.0001)) == ("+.011", "−.005", "")


def test_clock_rounds_to_seconds() -> None:
    assert (figures.clock(188.4), figures.clock(5)) == ("3:08", "0:05")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0 s"), (35, "35 s"), (89, "1 min"), (3570, "1 h"), (9660, "2 h 41 min"), (None, "")],
)
def test_duration_is_given_in_suitable_units(seconds: int | None, shown: str) -> None:
    assert figures.duration(seconds) == shown


def test_interval_draws_low_value_and_high_in_attributes_only() -> None:
    svg = figures.interval(axis_for([0.8, 0.9]), 0.85, 0.82, 0.88)
    assert 'aria-label=".850, from .820 to .880"' in svg
    assert len(re.findall(r'class="span"', svg)) == 1
    assert "style" not in svg


def test_interval_that_is_withheld_draws_the_point_alone_and_says_so() -> None:
    svg = figures.interval(axis_for([0.85]), 0.85, None, None)
    assert 'class="span"' not in svg
    assert 'class="point"' in svg
    assert "interval withheld" in svg


def test_interval_off_the_axis_is_an_arrow() -> None:
    svg = figures.interval(axis_for([0.95, 0.9, 0.2]), 0.2, 0.1, 0.3)
    assert 'class="off"' in svg
    assert 'class="point"' not in svg


def test_silhouette_escapes_what_it_is_given() -> None:
    hostile: Any = '1"><script>'
    svg = layout.silhouette([[0, 100]], [[0, 100, "headline", "unanimous"]], {"headline": hostile})
    assert "<script>" not in svg


def test_menu_title_without_the_letter_has_it_behind() -> None:
    assert layout._underlined("Inicio", "h") == "Inicio <kbd>h</kbd>"
    assert layout._underlined("Home", "h") == "<u>H</u>ome"
