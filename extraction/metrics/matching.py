"""Ratcliff and Obershelp's matching blocks of two lists of tokens: those of Python's `difflib`, sooner.

Where two texts are parts of one page, they have few, long runs of tokens in common. All runs are found at
once, by sorting; the recursion then asks for the longest run within a rectangle, not for one token after the
other.
"""

from collections.abc import Hashable, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Tokens = Sequence[Hashable]
Numbers = NDArray[np.int64]

# difflib's heuristic: in a second list of so many tokens, one that fills more than a hundredth is no anchor.
POPULAR_FROM = 200


class MatchingBlock(NamedTuple):
    """`size` tokens that both lists have from these indices on."""

    a: int
    b: int
    size: int


class _Runs(NamedTuple):
    """Where runs begin in both lists, and how many tokens they have."""

    a: Numbers
    b: Numbers
    sizes: Numbers


class _Rectangle(NamedTuple):
    """Tokens `[a_low, a_high)` of the first list and `[b_low, b_high)` of the second."""

    a_low: int
    a_high: int
    b_low: int
    b_high: int

    @property
    def has_tokens(self) -> bool:
        """Of both lists."""
        return self.a_low < self.a_high and self.b_low < self.b_high


def matching_blocks(a: Tokens, b: Tokens) -> list[MatchingBlock]:
    """The blocks of `SequenceMatcher(None, a, b).get_matching_blocks()`, in any order and not joined."""
    numbers = {token: number for number, token in enumerate(dict.fromkeys(b))}
    unknown = len(numbers)
    first = np.array(list(map(numbers.get, a, repeat(unknown))), dtype=np.int64)
    second = np.array(list(map(numbers.__getitem__, b)), dtype=np.int64)
    return _matching_blocks(first, second, unknown)


def _matching_blocks(a: Numbers, b: Numbers, unknown: int) -> list[MatchingBlock]:
    """`unknown` is a number above all in `b`: that of the tokens in `a` that `b` does not have."""
    found = []
    waiting = [(_Rectangle(0, len(a), 0, len(b)), _common_runs(a, b, unknown))]
    while waiting:
        rectangle, runs = waiting.pop()
        block, runs = _longest(rectangle, runs)
        block = _extended(block, rectangle, a, b)
        if not block.size:
            continue
        found.append(block)
        before = rectangle._replace(a_high=block.a, b_high=block.b)
        behind = rectangle._replace(a_low=block.a + block.size, b_low=block.b + block.size)
        waiting += [(rest, runs) for rest in (before, behind) if rest.has_tokens]
    return found


def _common_runs(a: Numbers, b: Numbers, unknown: int) -> _Runs:
    """All maximal runs that both lists have; popular tokens are in none."""
    counts = np.bincount(b, minlength=unknown + 1)
    starts = np.cumsum(counts) - counts
    usable = np.where(counts > len(b) // 100 + 1, 0, counts) if len(b) >= POPULAR_FROM else counts
    pairs = usable[a]
    i = np.repeat(np.arange(len(a)), pairs)
    nth = np.arange(len(i)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    j = np.argsort(b, kind="stable")[starts[a][i] + nth]
    return _runs_of(i, j, len(a), len(b))


def _runs_of(i: Numbers, j: Numbers, length_a: int, length_b: int) -> _Runs:
    """Join pairs of equal tokens that follow one another in both lists."""
    width = length_a + length_b + 1
    diagonals = np.sort((j - i + length_a) * width + i)
    heads = np.flatnonzero(np.diff(diagonals, prepend=-2) != 1)
    diagonal, i = np.divmod(diagonals[heads], width)
    return _Runs(i, i + diagonal - length_a, np.diff(heads, append=len(diagonals)))


def _longest(rectangle: _Rectangle, runs: _Runs) -> tuple[MatchingBlock, _Runs]:
    """The longest part of a run in the rectangle, of several the first in `a`, then in `b`.

    Beside it, the parts of all runs in the rectangle.
    """
    a_low, a_high, b_low, b_high = rectangle
    skipped = np.maximum(np.maximum(a_low - runs.a, b_low - runs.b), 0)
    ends = np.minimum(np.minimum(a_high - runs.a, b_high - runs.b), runs.sizes)
    sizes = ends - skipped
    kept = np.flatnonzero(sizes > 0)
    if not kept.size:
        return MatchingBlock(a_low, b_low, 0), runs
    skipped = skipped[kept]
    parts = _Runs(runs.a[kept] + skipped, runs.b[kept] + skipped, sizes[kept])
    longest = np.flatnonzero(parts.sizes == parts.sizes.max())
    best = longest[np.lexsort((parts.b[longest], parts.a[longest]))[0]]
    return MatchingBlock(int(parts.a[best]), int(parts.b[best]), int(parts.sizes[best])), parts


def _extended(block: MatchingBlock, rectangle: _Rectangle, a: Numbers, b: Numbers) -> MatchingBlock:
    """The block with the tokens beside it that are equal too: popular ones, and what stands between them."""
    i, j, size = block
    before = _equal(a[rectangle.a_low : i][::-1], b[rectangle.b_low : j][::-1]) if size else 0
    behind = _equal(a[i + size : rectangle.a_high], b[j + size : rectangle.b_high])
    return MatchingBlock(i - before, j - before, before + size + behind)


def _equal(a: Numbers, b: Numbers) -> int:
    """How many numbers both begin with."""
    length = min(len(a), len(b))
    differences = np.flatnonzero(a[:length] != b[:length])
    return int(differences[0]) if differences.size else length
