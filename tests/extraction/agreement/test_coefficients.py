"""The figures of one matrix, against independent libraries."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, f1_score

from extraction.agreement import cohen_kappa, confusion, f1
from extraction.metrics.character_labels import added
from extraction.spans import Span, normalise

TEXT = "One two  three\n\nfour five ab cdef ghij"
NAMES = ["", "headline", "body", "comments"]
# one label for each character, drawn in stretches so that spans are longer than one
EXPANDED = st.lists(
    st.tuples(st.sampled_from(NAMES), st.integers(1, 9)), min_size=len(TEXT), max_size=len(TEXT)
).map(lambda runs: [name for name, length in runs for _ in range(length)][: len(TEXT)])


def spans(labels: list[str]) -> list[Span]:
    return normalise(Span(i, i + 1, label) for i, label in enumerate(labels) if label)


def counted(labels: list[str]) -> list[str]:
    return [label for label, char in zip(labels, TEXT, strict=True) if not char.isspace()]


@given(EXPANDED, EXPANDED)
def test_cohen_kappa_is_that_of_scikit_learn(a: list[str], b: list[str]) -> None:
    ours = cohen_kappa(confusion(spans(a), spans(b), TEXT))
    if ours is None:
        assert len(set(counted(a)) | set(counted(b))) == 1
    else:
        assert ours == pytest.approx(cohen_kappa_score(counted(a), counted(b)))


@given(EXPANDED, EXPANDED)
def test_f1_is_that_of_marked_characters(a: list[str], b: list[str]) -> None:
    assume(any(counted(a)) or any(counted(b)))
    expected = f1_score([bool(x) for x in counted(a)], [bool(x) for x in counted(b)], zero_division=0)
    assert f1(confusion(spans(a), spans(b), TEXT)) == pytest.approx(expected)


def test_a_planted_disagreement_shows() -> None:
    a = [Span(0, 14, "body")]
    same = confusion(a, a, TEXT)
    other_label = confusion(a, [Span(0, 14, "comments")], TEXT)
    shifted = confusion(a, [Span(4, 20, "body")], TEXT)
    assert (cohen_kappa(same), f1(same)) == (1.0, 1.0)
    # 18 of 29 agree, all unlabelled; by chance that happens with (18 / 29)^2
    assert cohen_kappa(other_label) == pytest.approx((18 / 29 - (18 / 29) ** 2) / (1 - (18 / 29) ** 2))
    assert f1(other_label) == 1.0
    assert f1(shifted) == pytest.approx(2 * 8 / (11 + 12))


def test_kappa_is_undefined_when_nobody_marks() -> None:
    nothing = confusion([], [], TEXT)
    assert (cohen_kappa(nothing), f1(nothing)) == (None, None)


def test_added_pools_pages() -> None:
    first = {"body": {"": 3}, "": {"": 25}}
    second = {"": {"": 20, "body": 8}}
    assert added([first, second, first]) == {"body": {"": 6}, "": {"": 70, "body": 8}}
    assert first == {"body": {"": 3}, "": {"": 25}}
