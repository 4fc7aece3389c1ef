"""Disputes: what becomes one segment, what resolves itself, and what each choice gives."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.agreement import Dispute, compare, resolve
from extraction.documents.document import Document
from extraction.parsing.parse import parse
from extraction.spans import Span, SpanError, check, clip, normalise

PAGE = parse(b"<h1>Alpha</h1><p>Bravo charlie, <b>delta</b>.</p><p>-- --</p><p>Echo foxtrot</p><p>Golf</p>")
ALPHA, BRAVO, DASHES, ECHO, GOLF = PAGE.blocks


def span(block: tuple[int, int], label: str = "body") -> Span:
    return Span(block[0], block[1], label)


def texts(disputes: list[Dispute]) -> list[str]:
    return [PAGE.text[dispute.start : dispute.end] for dispute in disputes]


def test_equal_annotations_have_no_disputes() -> None:
    marks = [span(ALPHA, "headline"), span(BRAVO)]
    assert compare([marks, marks], PAGE) == (marks, [])


def test_what_one_marks_is_a_dispute() -> None:
    agreed, disputes = compare([[span(ALPHA), span(GOLF)], [span(GOLF)]], PAGE)
    assert agreed == [span(GOLF)]
    assert texts(disputes) == ["Alpha"]
    assert disputes[0].pieces[0].labels == ("body", None)


def test_blocks_that_one_marks_in_a_row_are_one_dispute() -> None:
    _, disputes = compare([[span(ECHO), span(GOLF)], []], PAGE)
    assert texts(disputes) == ["Echo foxtrot\n\nGolf"]
    assert resolve(disputes[0], 0) == [span(ECHO), span(GOLF)]


def test_complementary_neighbours_are_one_dispute() -> None:
    _, disputes = compare([[span(ECHO)], [span(GOLF)]], PAGE)
    assert texts(disputes) == ["Echo foxtrot\n\nGolf"]
    assert disputes[0].can_take_both
    assert resolve(disputes[0], "both") == [span(ECHO), span(GOLF)]
    assert resolve(disputes[0], 0) == [span(ECHO)]
    assert resolve(disputes[0], 1) == [span(GOLF)]
    assert resolve(disputes[0], "neither") == []


def test_neighbours_marked_by_one_and_by_all_stay_apart() -> None:
    _, disputes = compare([[span(ECHO), span(GOLF)], [span(GOLF, "comments")]], PAGE)
    assert texts(disputes) == ["Echo foxtrot", "Golf"]


def test_agreed_text_between_keeps_disputes_apart() -> None:
    _, disputes = compare([[span(BRAVO), span(ECHO)], [span(ECHO), span(GOLF)]], PAGE)
    assert texts(disputes) == ["Bravo charlie, delta.", "Golf"]


def test_unmarked_dashes_between_keep_disputes_apart() -> None:
    _, disputes = compare([[span(BRAVO)], [span(ECHO)]], PAGE)
    assert texts(disputes) == ["Bravo charlie, delta.", "Echo foxtrot"]


def test_two_labels_on_one_text_cannot_take_both() -> None:
    _, (dispute,) = compare([[span(ALPHA, "headline")], [span(ALPHA)]], PAGE)
    assert not dispute.can_take_both
    assert resolve(dispute, 0) == [span(ALPHA, "headline")]
    assert resolve(dispute, 1) == [span(ALPHA)]
    with pytest.raises(ValueError, match="cannot take both"):
        resolve(dispute, "both")


def test_both_is_not_offered_where_it_equals_one() -> None:
    _, (dispute,) = compare([[span(ALPHA)], []], PAGE)
    assert not dispute.can_take_both


def test_resolve_refuses_an_annotator_who_is_not_there() -> None:
    _, (dispute,) = compare([[span(ALPHA)], []], PAGE)
    with pytest.raises(ValueError, match="no annotator 2"):
        resolve(dispute, 2)


def test_punctuation_alone_is_no_segment() -> None:
    start, end = BRAVO
    agreed, disputes = compare([[Span(start, end, "body")], [Span(start, end - 1, "body")]], PAGE)
    assert agreed == [Span(start, end - 1, "body")]
    assert disputes == []


def test_a_dispute_of_dashes_is_no_segment() -> None:
    assert compare([[span(DASHES)], []], PAGE) == ([], [])


def test_a_planted_word_is_found() -> None:
    start, end = BRAVO
    word = PAGE.text.index("charlie")
    without = [Span(start, word, "body"), Span(word + len("charlie"), end, "body")]
    agreed, disputes = compare([[span(BRAVO)], clip(without, PAGE.blocks, PAGE.text)], PAGE)
    assert texts(disputes) == ["charlie"]
    assert [PAGE.text[s.start : s.end] for s in agreed] == ["Bravo", ", delta."]


def test_three_annotators() -> None:
    _, disputes = compare([[span(ECHO)], [span(GOLF)], []], PAGE)
    (dispute,) = disputes
    assert resolve(dispute, 2) == []
    assert resolve(dispute, "both") == [span(ECHO), span(GOLF)]


def test_compare_refuses_overlapping_labels() -> None:
    with pytest.raises(SpanError):
        compare([[span(ALPHA), Span(0, 2, "headline")], []], PAGE)


WORDS = st.lists(
    st.sampled_from(["one", "two", "-", "…", "é", "😀", "<b>x</b>", "a.", "<br>"]), min_size=1, max_size=6
)
PAGES = st.lists(WORDS, min_size=1, max_size=6).map(
    lambda blocks: parse("".join(f"<p>{' '.join(words)}</p>" for words in blocks).encode())
)


@st.composite
def marks(draw: st.DrawFn, page: Document) -> list[Span]:
    ends = sorted(draw(st.lists(st.integers(0, len(page.text)), max_size=8)))
    labels = st.sampled_from(["headline", "body", "comments"])
    drawn = [Span(ends[i], ends[i + 1], draw(labels)) for i in range(0, len(ends) - 1, 2)]
    return clip(drawn, page.blocks, page.text)


def lettered(spans: list[Span], page: Document) -> dict[int, str]:
    """The label of each letter or digit that has one."""
    return {
        index: label
        for start, end, label in spans
        for index in range(start, end)
        if page.text[index].isalnum()
    }


@given(st.data())
def test_taking_one_annotator_throughout_gives_that_annotator(data: st.DataObject) -> None:
    page = data.draw(PAGES)
    annotators = [data.draw(marks(page)) for _ in range(data.draw(st.integers(2, 3)))]
    agreed, disputes = compare(annotators, page)
    for i, own in enumerate(annotators):
        resolved = normalise([*agreed, *(s for dispute in disputes for s in resolve(dispute, i))])
        assert lettered(resolved, page) == lettered(own, page)


@given(st.data())
def test_disputes_lie_apart_and_both_is_the_union(data: st.DataObject) -> None:
    page = data.draw(PAGES)
    a, b = data.draw(marks(page)), data.draw(marks(page))
    agreed, disputes = compare([a, b], page)
    check(agreed, page)
    assert all(first.end <= second.start for first, second in pairwise(disputes))
    for dispute in disputes:
        check(resolve(dispute, 0), page)
        if dispute.can_take_both:
            union = normalise([*resolve(dispute, 0), *resolve(dispute, 1)])
            assert resolve(dispute, "both") == union
            assert union not in (resolve(dispute, 0), resolve(dispute, 1))
