"""What practice measures, checked by counting by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.practice.measure import Measure, differences, is_passed, most_confused
from extraction.metrics.character_labels import confusion
from extraction.spans import Span

TEXT = "Title\nOne two three.\nFoot"
TITLE, BODY, FOOT = Span(0, 5, "headline"), Span(6, 20, "body"), Span(21, 25, "body")


def measured(own: list[Span], gold: list[Span]) -> Measure:
    return Measure.of(confusion(own, gold, TEXT))


def test_a_character_is_right_with_golds_label_only() -> None:
    found = measured([Span(0, 5, "body"), BODY], [TITLE, BODY])
    # Title has 5 characters, the sentence 12 without its spaces.
    assert (found.marked, found.expected, found.right) == (17, 17, 12)
    assert found.f1 == found.precision == found.recall == pytest.approx(12 / 17)


def test_what_is_missed_and_what_is_too_much() -> None:
    found = measured([BODY, FOOT], [TITLE, BODY])
    assert (found.marked, found.expected, found.right) == (16, 17, 12)
    assert found.f1 == pytest.approx(24 / 33)


def test_a_page_that_one_marks_counts_nothing_and_one_that_neither_marks_is_not_counted() -> None:
    assert measured([], [BODY]).f1 == measured([BODY], []).f1 == 0
    assert measured([], []).f1 is None
    assert measured([], [BODY]).precision is None


def test_differences_are_whole_stretches_of_one_kind() -> None:
    found = differences([Span(0, 5, "body"), FOOT], [TITLE, BODY], TEXT)
    assert [(each.kind, each.own, each.gold, each.size) for each in found] == [
        ("relabel", "body", "headline", 5),
        ("missed", "", "body", 12),
        ("extra", "body", "", 4),
    ]
    assert [TEXT[each.start : each.end] for each in found] == ["Title", "One two three.", "Foot"]


def test_an_empty_text_has_no_difference() -> None:
    assert differences([], [], " \n") == []


WORDS = [(0, 5), (6, 9), (10, 13), (14, 20), (21, 25)]
MARKED = st.tuples(*(st.sampled_from(["", "headline", "body"]) for _ in WORDS)).map(
    lambda labels: [Span(*word, label) for word, label in zip(WORDS, labels, strict=True) if label]
)


@settings(deadline=None)
@given(MARKED, MARKED)
def test_differences_and_what_is_right_make_up_all_that_is_marked(own: list[Span], gold: list[Span]) -> None:
    found, sizes = measured(own, gold), {"missed": 0, "extra": 0, "relabel": 0}
    for each in differences(own, gold, TEXT):
        sizes[each.kind] += each.size
    assert found.right + sizes["extra"] + sizes["relabel"] == found.marked
    assert found.right + sizes["missed"] + sizes["relabel"] == found.expected


@pytest.mark.parametrize(
    ("f1", "verdicts", "passed"),
    [(0.9, 4, True), (0.9 - 1e-12, 4, True), (0.89, 5, False), (1.0, 3, False), (None, 4, True)],
)
def test_the_pass_mark_is_both(f1: float | None, verdicts: int, passed: bool) -> None:
    assert is_passed(f1=f1, verdicts=verdicts, min_f1=0.9, min_verdicts=4) is passed


def test_what_to_look_at_is_the_most_first() -> None:
    pages = [{"": {"body": 9, "": 50}, "body": {"body": 7}}, {"": {"body": 1}, "related": {"": 12}}]
    assert most_confused(pages, most=2) == [("related", "", 12), ("", "body", 10)]
