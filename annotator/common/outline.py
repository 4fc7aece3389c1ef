"""A page as a few lines: where its text is long or short, and what is marked."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

LINES = 11
WIDEST = 26
# A block of this many characters fills the line.
FULL = 160


class Line(NamedTuple):
    y: int
    width: int
    number: int  # of the label that most of its text has; 0: none


def lines_of(blocks: Sequence[Sequence[int]], spans: Sequence[tuple[int, int, int]]) -> list[Line]:
    """Cut the page into LINES parts of equal length; a part is as wide as its longest block is long."""
    length = blocks[-1][1] if blocks else 0
    edges = [length * n // LINES for n in range(LINES + 1)]
    return [
        Line(y=1 + 3 * n, width=_width(blocks, start, end), number=_mostly(spans, start, end))
        for n, (start, end) in enumerate(pairwise(edges))
        if start < end
    ]


def _width(blocks: Sequence[Sequence[int]], start: int, end: int) -> int:
    first = bisect_right(blocks, start, key=lambda block: block[1])
    last = bisect_left(blocks, end, key=lambda block: block[0])
    longest = max((block[1] - block[0] for block in blocks[first:last]), default=0)
    return max(4, min(WIDEST, round(WIDEST * longest / FULL)))


def _mostly(spans: Sequence[tuple[int, int, int]], start: int, end: int) -> int:
    """The label with most characters in the part, if that is at least a third of them."""
    marked: dict[int, int] = {}
    for low, high, number in spans:
        inside = min(high, end) - max(low, start)
        if inside > 0:
            marked[number] = marked.get(number, 0) + inside
    most = max(marked, key=lambda number: marked[number], default=0)
    return most if most and 3 * marked[most] >= end - start else 0
