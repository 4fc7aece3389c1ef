from datetime import timedelta

import pytest
from django.utils import timezone, translation

from annotator.common.templatetags.layout import FULL, LINES, WIDEST, age, lines_of


def test_outline_has_a_line_for_each_short_block() -> None:
    lines = lines_of([[0, 20], [21, 181]], [])
    assert [line.width for line in lines] == [4, WIDEST]
    assert [line.y for line in lines] == [1, 4]


def test_outline_of_a_long_page_has_no_more_than_its_lines() -> None:
    assert len(lines_of([[0, 100 * FULL]], [])) == LINES


def test_outline_shows_the_label_that_most_of_a_line_has() -> None:
    lines = lines_of([[0, 40], [41, 81]], [(0, 40, 1), (41, 50, 2)])
    assert [line.number for line in lines] == [1, 0]


def test_outline_of_an_empty_page_is_empty() -> None:
    assert lines_of([], []) == []


@pytest.mark.parametrize(
    ("since", "english", "spanish"),
    [
        (timedelta(seconds=20), "less than a minute", "menos de un minuto"),
        (timedelta(seconds=70), "1\xa0minute", "1\xa0minuto"),
        (timedelta(days=2, hours=3), "2\xa0days", "2\xa0días"),
    ],
)
def test_age_is_in_its_largest_unit_and_never_nought(since: timedelta, english: str, spanish: str) -> None:
    assert age(timezone.now() - since) == english
    with translation.override("es"):
        assert age(timezone.now() - since) == spanish
