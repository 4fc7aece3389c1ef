"""Longest common subsequences against the textbook's table."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.metrics import lcs
from tests.extraction.metrics.test_toy_texts import GOLD

TOKENS = st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"]), max_size=9)


def table(a: list[str], b: list[str], *, weighted: bool) -> list[list[int]]:
    """The textbook recursion."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            matched = best[i][j] + (len(x) if weighted else 1) if x == y else 0
            best[i + 1][j + 1] = max(matched, best[i][j + 1], best[i + 1][j])
    return best


def way_back(a: list[str], b: list[str]) -> list[int]:
    """The textbook's way back through its table."""
    best = table(a, b, weighted=False)
    i, j = len(a), len(b)
    found = []
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            found.append(i)
        elif best[i][j - 1] > best[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return found


@given(TOKENS, TOKENS)
def test_weight_is_optimal(a: list[str], b: list[str]) -> None:
    assert lcs.weight(a, b) == table(a, b, weighted=True)[-1][-1]


@given(TOKENS, TOKENS)
def test_length_is_optimal_and_positions_are_of_that_length(a: list[str], b: list[str]) -> None:
    assert lcs.length(a, b) == table(a, b, weighted=False)[-1][-1] == len(lcs.finder(a)(b))


@given(TOKENS, TOKENS)
def test_positions_are_those_of_the_textbook(a: list[str], b: list[str]) -> None:
    assert lcs.finder(a)(b) == way_back(a, b)


@given(TOKENS, TOKENS)
def test_ratio_is_of_both_lengths(a: list[str], b: list[str]) -> None:
    both = len(a) + len(b)
    distance = both - 2 * table(a, b, weighted=False)[-1][-1]
    assert lcs.ratio(a, b) == pytest.approx(1 - distance / both if both else 1)


# Parts of one text, which have long runs in common, moved about and with tokens that each list has once.
PARTS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=4)
NUMBERED = [f"{'x' * (number % 5)}{number // 2 if number % 3 else number}" for number in range(80)]


@pytest.mark.parametrize("small", [0, lcs.SMALL])
@given(TOKENS, PARTS, PARTS)
def test_what_is_certain_is_part_of_an_optimum(
    small: int, more: list[str], first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    a, b = (
        [token for start, length in parts for token in NUMBERED[start : start + length]]
        for parts in (first, second)
    )
    b += more
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs, "SMALL", small)
        assert lcs.weight(a, b) == table(a, b, weighted=True)[-1][-1]
        assert lcs.length(a, b) == table(a, b, weighted=False)[-1][-1]


def test_weight_prefers_few_long_tokens_to_many_short_ones() -> None:
    assert lcs.weight(["a", "b", "long"], ["long", "a", "b"]) == 4
    assert lcs.length(["a", "b", "long"], ["long", "a", "b"]) == 2


def test_long_pages_take_reasonable_time() -> None:
    words = re.findall(r"\w+", GOLD) * 400
    moved = [*words[7:], "x", *words[:7]]
    lost = min(sum(map(len, words[:7])), sum(map(len, words[7:12])))
    assert lcs.weight(words, moved) == sum(map(len, words)) - lost
