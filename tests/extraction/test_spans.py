"""The algebra of spans, against sets of characters as the plain truth."""

from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.documents.document import Document
from extraction.spans import (
    LABEL_SETS,
    Span,
    SpanError,
    bridge,
    check,
    clip,
    intersect,
    label_set,
    normalise,
    relevant,
    subtract,
    text_of,
    union,
)

ONE_LABEL = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda p: Span(p[0], p[0] + p[1], "body")),
    max_size=8,
)


def characters(spans: list[Span]) -> set[tuple[int, str]]:
    return {(index, span.label) for span in spans for index in range(span.start, span.end)}


@given(ONE_LABEL)
def test_normalise_keeps_every_character_and_leaves_no_neighbours(spans: list[Span]) -> None:
    result = normalise(spans)
    assert characters(result) == characters(spans)
    assert all(a.end < b.start for a, b in pairwise(result))


@given(ONE_LABEL, ONE_LABEL)
def test_union_intersect_and_subtract_are_those_of_sets(a: list[Span], b: list[Span]) -> None:
    assert characters(union(a, b)) == characters(a) | characters(b)
    assert characters(intersect(a, b)) == characters(a) & characters(b)
    assert characters(subtract(a, b)) == characters(a) - characters(b)


def test_subtract_goes_by_position_not_by_label() -> None:
    assert subtract([Span(0, 10, "body")], [Span(3, 5, "comments")]) == [
        Span(0, 3, "body"),
        Span(5, 10, "body"),
    ]


def test_normalise_keeps_touching_labels_apart() -> None:
    assert normalise([Span(3, 6, "body"), Span(0, 3, "headline")]) == [
        Span(0, 3, "headline"),
        Span(3, 6, "body"),
    ]


@pytest.mark.parametrize(
    "spans", [[Span(0, 4, "body"), Span(3, 6, "headline")], [Span(4, 2, "body")], [Span(-1, 2, "body")]]
)
def test_normalise_refuses_what_cannot_be(spans: list[Span]) -> None:
    with pytest.raises(SpanError):
        normalise(spans)


TEXT = "One two\n\nthree  four\n\n five"
BLOCKS = [(0, 7), (9, 20), (22, 27)]


def test_clip_cuts_to_blocks_and_trims_blanks() -> None:
    assert clip([Span(3, 26, "body")], BLOCKS, TEXT) == [
        Span(4, 7, "body"),
        Span(9, 20, "body"),
        Span(23, 26, "body"),
    ]


def test_clip_drops_a_span_of_separators() -> None:
    assert clip([Span(7, 9, "body"), Span(14, 16, "body")], BLOCKS, TEXT) == []


def test_bridge_joins_over_blanks_of_one_block_only() -> None:
    spans = [Span(4, 7, "body"), Span(9, 14, "body"), Span(16, 20, "body")]
    assert bridge(spans, BLOCKS, TEXT) == [Span(4, 7, "body"), Span(9, 20, "body")]


def test_bridge_keeps_different_labels_and_gaps_with_text() -> None:
    spans = [Span(9, 14, "body"), Span(16, 20, "headline"), Span(0, 1, "body"), Span(4, 7, "body")]
    assert bridge(spans, BLOCKS, TEXT) == sorted(spans)


def test_relevant_counts_content_in_every_set() -> None:
    spans = [Span(0, 3, "headline"), Span(3, 6, "comments"), Span(6, 9, "content")]
    assert relevant(spans, LABEL_SETS["main"]) == [(0, 3), (6, 9)]
    assert relevant(spans, LABEL_SETS["any"]) == [(0, 9)]


def test_label_set_names_the_known_ones_when_it_refuses() -> None:
    assert label_set("article") == {"headline", "body", "supplemental"}
    with pytest.raises(SpanError, match="main, article, any, body"):
        label_set("everything")


# No more of a document is looked at.
DOCUMENT = cast(Document, SimpleNamespace(text=TEXT, blocks=BLOCKS))


def test_check_accepts_normal_form() -> None:
    check([Span(0, 7, "body"), Span(9, 20, "comments")], DOCUMENT)


@pytest.mark.parametrize(
    "spans",
    [
        [Span(9, 12, "body"), Span(0, 7, "body")],
        [Span(0, 3, "body"), Span(3, 7, "body")],
        [Span(0, 9, "body")],
        [Span(0, 4, "body")],
        [Span(22, 27, "body")],
        [Span(23, 40, "body")],
        [Span(0, 0, "body")],
    ],
    ids=["unsorted", "unmerged", "separator", "blank end", "blank start", "past the end", "empty"],
)
def test_check_refuses(spans: list[Span]) -> None:
    with pytest.raises(SpanError):
        check(spans, DOCUMENT)


def test_text_of_takes_a_label_set_and_separates_blocks() -> None:
    spans = [Span(0, 3, "headline"), Span(9, 14, "body"), Span(16, 20, "content"), Span(23, 27, "comments")]
    assert text_of(DOCUMENT, spans) == "One\n\nthree four"
    assert text_of(DOCUMENT, spans, labels="body") == "three four"
    assert text_of(DOCUMENT, spans, labels={"comments"}) == "four\n\nfive"
