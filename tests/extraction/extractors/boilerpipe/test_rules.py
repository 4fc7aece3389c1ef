"""Boilerpipe's trees at their thresholds."""

import pytest

from extraction.extractors.boilerpipe.blocks import Blocks
from extraction.extractors.boilerpipe.rules import by_canola, by_text_density, by_word_count, everything
from extraction.extractors.boilerpipe.steps import Step
from tests.extraction.extractors.boilerpipe.rows import Row, page_of


def content(rule: Step, *rows: Row) -> list[bool]:
    page = page_of(*rows)
    rule(page)
    return page.content


@pytest.mark.parametrize(
    ("before", "words", "after", "expected"),
    [(4, 16, 15, False), (5, 16, 15, True), (4, 17, 15, True), (4, 16, 16, True)],
)
def test_word_tree_thresholds(before: int, words: int, after: int, expected: bool) -> None:
    assert content(by_word_count, Row(words=before), Row(words=words), Row(words=after))[1] is expected


@pytest.mark.parametrize(("words", "after", "expected"), [(40, 17, False), (41, 17, True), (40, 18, True)])
def test_word_tree_thresholds_after_links(words: int, after: int, expected: bool) -> None:
    rows = Row(words=9, linked=6), Row(words=words), Row(words=after)
    assert content(by_word_count, *rows)[1] is expected


@pytest.mark.parametrize(("linked", "expected"), [(33, True), (34, False)])
def test_a_third_of_linked_words_is_too_much(linked: int, expected: bool) -> None:
    assert content(by_word_count, Row(words=100, linked=linked)) == [expected]
    rows = Row(words=100, linked=linked, density=9), Row(words=11)
    assert content(by_text_density, *rows)[0] is expected


def test_density_tree_wants_a_next_block_after_a_dense_one() -> None:
    assert content(by_text_density, Row(words=20), Row(words=20)) == [True, False]


@pytest.mark.parametrize(
    ("before", "density", "after", "expected"),
    [(4, 9, 10, False), (5, 9, 10, True), (4, 9, 11, True), (0, 10, 1, True)],
)
def test_density_tree_thresholds(before: int, density: int, after: int, expected: bool) -> None:
    rows = Row(words=before), Row(words=density), Row(words=after), Row(words=1)
    assert content(by_text_density, *rows)[1] is expected


def test_density_tree_after_links_wants_a_dense_next_block() -> None:
    link, text = Row(words=2, linked=2), Row(words=20)
    assert not content(by_text_density, link, text, Row(words=11), Row(words=1))[1]
    assert content(by_text_density, link, text, Row(words=12), Row(words=1))[1]


@pytest.mark.parametrize(
    ("before", "now", "after", "expected"),
    [
        (Row(), Row(words=20), Row(), True),
        (Row(), Row(words=19), Row(), False),
        (Row(), Row(words=4, linked=1), Row(words=12, linked=9), True),
        (Row(), Row(words=4, linked=1), Row(words=11, linked=9), False),
        (Row(), Row(words=7), Row(words=7), True),
        (Row(words=8), Row(words=6), Row(words=7), True),
        (Row(words=7), Row(words=6), Row(words=7), False),
        (Row(), Row(words=6), Row(words=20), True),
        (Row(), Row(words=7), Row(words=6), False),
        (Row(), Row(words=7), Row(words=7, linked=1), False),
        (Row(words=8, linked=1), Row(words=7), Row(words=7), False),
    ],
)
def test_canola_thresholds(before: Row, now: Row, after: Row, expected: bool) -> None:
    assert content(by_canola, before, now, after)[1] is expected


def test_everything_is_content() -> None:
    assert content(everything, Row(), Row(words=9, linked=9)) == [True, True]


@pytest.mark.parametrize("rule", [by_word_count, by_text_density, by_canola, everything])
def test_a_page_of_no_blocks_has_no_content(rule: Step) -> None:
    assert content(rule) == []


def test_rules_read_merged_blocks_as_one() -> None:
    page = page_of(Row(words=10, linked=9), Row(words=30), Row(words=5))
    page.merge([False, True, False])
    by_word_count(page)
    assert page.content == [True, True]
    assert isinstance(page, Blocks)
