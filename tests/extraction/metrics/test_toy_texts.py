"""The worked figures of the metrics, and the rules for empty texts."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.metrics import char_lcs, shingle
from extraction.metrics.pages import PageScore

GOLD = "Bridge opens. The bridge will open in spring. It was very late."
FOUND = "Home The bridge will open in spring. More"


def figures(score: PageScore) -> tuple[float, float]:
    assert score.precision is not None
    assert score.recall is not None
    return round(score.precision, 4), round(score.recall, 4)


def test_char_lcs_of_the_toy_texts() -> None:
    score = char_lcs.compare(GOLD, FOUND)
    assert (score.true, score.predicted, score.gold) == (25, 33, 49)
    assert figures(score) == (0.7576, 0.5102)
    assert round(score.f1, 4) == 0.6098


def test_shingle_of_the_toy_texts() -> None:
    score = shingle.compare(GOLD, FOUND)
    assert figures(score) == (0.6, 0.3333)
    assert score.predicted / score.true == pytest.approx(5 / 3)


def test_char_lcs_ignores_case_and_punctuation() -> None:
    assert char_lcs.compare("The Bridge!", "the bridge").f1 == 1.0


def test_shingle_keeps_case() -> None:
    assert shingle.compare("The Bridge", "the bridge").f1 == 0.0


def test_shingle_of_a_short_text_is_one_run() -> None:
    assert shingle.shingles("two words") == Counter({("two", "words"): 1})
    assert shingle.shingles(" . ") == Counter()


TOKENS = st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"]), max_size=9)


def best_common_weight(a: list[str], b: list[str]) -> int:
    """The textbook recursion, as a table."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            matched = table[i][j] + len(x) if x == y else 0
            table[i + 1][j + 1] = max(matched, table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(TOKENS, TOKENS)
def test_common_weight_is_optimal(a: list[str], b: list[str]) -> None:
    assert char_lcs.common_weight(a, b) == best_common_weight(a, b)


@pytest.mark.parametrize(
    ("gold", "found", "expected"),
    [("", "", (1, 1)), ("word", "", (0, 0)), ("", "word", (0, 1)), ("word", "other", (0, 0))],
)
def test_char_lcs_of_empty_texts(gold: str, found: str, expected: tuple[float, float]) -> None:
    assert figures(char_lcs.compare(gold, found)) == expected


@pytest.mark.parametrize(
    ("gold", "found", "expected"),
    [("", "", (None, None)), ("word", "", (None, 0)), ("", "word", (0, None))],
)
def test_shingle_leaves_empty_texts_out(
    gold: str, found: str, expected: tuple[float | None, float | None]
) -> None:
    score = shingle.compare(gold, found)
    assert (score.precision, score.recall) == expected


@pytest.mark.parametrize("metric", [char_lcs.compare, shingle.compare], ids=["char-lcs", "shingle"])
def test_a_failure_is_nothing_found(metric: object) -> None:
    assert callable(metric)
    score = metric(GOLD, "", failed=True)
    assert (score.precision, score.recall, score.failed) == (0, 0, True)
    assert score.gold > 0


def test_char_lcs_takes_long_pages_in_reasonable_time() -> None:
    words = re.findall(r"\w+", GOLD) * 400
    assert char_lcs.common_weight(words, [*words[1:], "x"]) == sum(map(len, words)) - len(words[0])
