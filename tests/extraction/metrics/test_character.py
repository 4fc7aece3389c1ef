"""Character scores: the matrix, the label sets, the empty cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.metrics.character import from_matrix
from extraction.metrics.character_labels import confusion
from extraction.spans import LABEL_SETS, Span

TEXT = "Title\n\nSome body text.\n\nReply here"
GOLD = [Span(0, 5, "headline"), Span(7, 22, "body"), Span(24, 34, "comments")]


def test_matrix_counts_non_whitespace_characters() -> None:
    found = confusion(GOLD, [Span(7, 16, "content"), Span(24, 29, "body")], TEXT)
    assert found == {
        "headline": {"": 5},
        "body": {"content": 8, "": 5},
        "comments": {"body": 5, "": 4},
    }


def test_matrix_counts_what_neither_marked() -> None:
    assert confusion([], [], TEXT) == {"": {"": 27}}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [("main", (8, 13, 18)), ("body", (8, 13, 13)), ("any", (13, 13, 27))],
)
def test_from_matrix_scores_any_label_set(labels: str, expected: tuple[int, int, int]) -> None:
    found = confusion(GOLD, [Span(7, 16, "content"), Span(24, 29, "body")], TEXT)
    score = from_matrix(found, LABEL_SETS[labels])
    assert (score.true, score.predicted, score.gold) == expected


def test_from_matrix_counts_content_of_gold_in_every_set() -> None:
    found = confusion([Span(7, 22, "content")], [Span(7, 22, "body")], TEXT)
    assert from_matrix(found, LABEL_SETS["body"]).f1 == 1.0


def test_a_label_outside_the_set_is_not_predicted() -> None:
    found = confusion([Span(7, 22, "body")], [Span(7, 22, "comments")], TEXT)
    score = from_matrix(found, LABEL_SETS["main"])
    assert (score.predicted, score.precision, score.recall) == (0, 0, 0)


def test_unplaced_gold_counts_in_recall_all_only() -> None:
    found = confusion([Span(7, 22, "body")], [Span(7, 22, "content")], TEXT)
    score = from_matrix(found, LABEL_SETS["body"], gold_unplaced=13)
    assert (score.recall, score.recall_all) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [([], [], (1, 1)), (GOLD, [], (0, 0)), ([], [Span(0, 5, "content")], (0, 1))],
)
def test_from_matrix_on_empty_sides(
    gold: list[Span], predicted: list[Span], expected: tuple[float, float]
) -> None:
    score = from_matrix(confusion(gold, predicted, TEXT), LABEL_SETS["any"])
    assert (score.precision, score.recall) == expected


def test_a_failure_scores_zero_even_where_there_is_no_gold() -> None:
    score = from_matrix({}, LABEL_SETS["any"], failed=True)
    assert (score.precision, score.recall, score.f1, score.failed) == (0, 0, 0, True)


SPANS = st.builds(
    lambda start, length, label: [Span(start, start + length, label)],
    st.integers(0, 20),
    st.integers(1, 14),
    st.sampled_from(["headline", "body", "content", "comments"]),
)


@given(SPANS, SPANS)
def test_from_matrix_equals_counting_one_by_one(gold: list[Span], predicted: list[Span]) -> None:
    wanted = LABEL_SETS["main"] | {"content"}

    def marked(spans: list[Span]) -> set[int]:
        return {
            index
            for span in spans
            for index in range(span.start, span.end)
            if span.label in wanted and not TEXT[index].isspace()
        }

    a, b = marked(gold), marked(predicted)
    score = from_matrix(confusion(gold, predicted, TEXT), LABEL_SETS["main"])
    assert (score.true, score.predicted, score.gold) == (len(a & b), len(b), len(a))
