"""Matching blocks against Python's difflib."""

from difflib import SequenceMatcher
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from extraction.metrics.matching import POPULAR_FROM, MatchingBlock, matching_blocks

FEW = st.lists(st.integers(0, 5), max_size=30)
PARTS = st.lists(st.tuples(st.integers(0, 250), st.integers(0, 120)), max_size=5)
# Every third token is one of two popular ones.
TEXT = [number % 2 if number % 3 == 0 else number for number in range(370)]


def joined(blocks: list[MatchingBlock]) -> list[tuple[int, int, int]]:
    """In order, neighbours as one block, as difflib returns them."""
    found: list[tuple[int, int, int]] = []
    for a, b, size in sorted(blocks):
        if found and (found[-1][0] + found[-1][2], found[-1][1] + found[-1][2]) == (a, b):
            found[-1] = (*found[-1][:2], found[-1][2] + size)
        else:
            found.append((a, b, size))
    return found


def expected(a: list[int], b: list[int]) -> list[tuple[int, int, int]]:
    *blocks, _end = SequenceMatcher(None, a, b).get_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks]


@given(FEW, FEW)
def test_short_lists_of_few_tokens(a: list[int], b: list[int]) -> None:
    assert joined(matching_blocks(a, b)) == expected(a, b)


@given(PARTS, PARTS)
def test_parts_of_one_text(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    a, b = (
        [token for start, length in parts for token in TEXT[start : start + length]]
        for parts in (first, second)
    )
    assert joined(matching_blocks(a, b)) == expected(a, b)


def test_popular_tokens_are_no_anchors_but_extend_blocks() -> None:
    rare = [100, 101]
    b = [0] * POPULAR_FROM + rare
    assert joined(matching_blocks([0, 0, *rare, 0], b)) == expected([0, 0, *rare, 0], b) != []
    assert all(after.a > before.a for before, after in pairwise(sorted(matching_blocks(b, b))))
