"""How the spans of two annotators under one label meet on one page."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from extraction.spans import Interval


class Meeting(NamedTuple):
    """The spans of a first and a second annotator: how many, and how they lie to one another.

    `exact` spans are in both; `hits` overlap one of the other's by a character or more. `chance_exact` and
    `chance_hits` (of both) are what is expected if each span were put down anywhere on the page with equal
    probability, whatever the others. `squared` is Krippendorff's difference of the two unitizations, in
    squared characters.
    """

    first: int = 0
    second: int = 0
    exact: int = 0
    first_hits: int = 0
    second_hits: int = 0
    squared: int = 0
    chance_exact: float = 0.0
    chance_hits: float = 0.0


def meet(first: Sequence[Interval], second: Sequence[Interval], length: int) -> Meeting:
    """Compare sorted, disjoint intervals of two annotators on a page of `length` characters."""
    squared, hit_first, hit_second = _overlaps(first, second)
    exact, hits = _by_chance(first, second, length)
    return Meeting(
        len(first),
        len(second),
        len(set(first) & set(second)),
        len(hit_first),
        len(hit_second),
        squared,
        exact,
        hits,
    )


def _overlaps(first: Sequence[Interval], second: Sequence[Interval]) -> tuple[int, set[int], set[int]]:
    """Krippendorff's squared difference (1995), and which intervals overlap one of the other's.

    Two that overlap differ by the squares of what lies between their starts and between their ends; one that
    lies in a gap of the other annotator by the square of its length.
    """
    squared = i = j = 0
    hit_first: set[int] = set()
    hit_second: set[int] = set()
    while i < len(first) and j < len(second):
        (start, end), (other_start, other_end) = first[i], second[j]
        if start < other_end and other_start < end:
            squared += (start - other_start) ** 2 + (end - other_end) ** 2
            hit_first.add(i)
            hit_second.add(j)
        if end <= other_end:
            i += 1
        else:
            j += 1
    for intervals, hit in ((first, hit_first), (second, hit_second)):
        squared += sum((end - start) ** 2 for n, (start, end) in enumerate(intervals) if n not in hit)
    return squared, hit_first, hit_second


def _by_chance(first: Sequence[Interval], second: Sequence[Interval], length: int) -> tuple[float, float]:
    """How many pairs would be exact, and how many spans of both would be hit."""
    if not first or not second:
        return 0.0, 0.0
    one = np.array([end - start for start, end in first], dtype=np.float64)[:, None]
    other = np.array([end - start for start, end in second], dtype=np.float64)[None, :]
    positions = (length - one + 1) * (length - other + 1)
    apart = np.maximum(0, length - one - other + 1)  # positions for two side by side, in one order, in a line
    missed = apart * (apart + 1) / positions
    exact = float(((one == other) / (length - one + 1)).sum())
    hits = (1 - missed.prod(axis=1)).sum() + (1 - missed.prod(axis=0)).sum()
    return exact, float(hits)
