"""A page as a few lines: where its text is long or short, and what is marked."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

LINES = 11
WIDEST = 26
# So many characters fill a line; a longer block has more lines.
FULL = 160

Block = Sequence[int]
Mark = tuple[int, int, int]


class Line(NamedTuple):
    y: int
    width: int
    number: int  # of the label that most of its text has; 0: none


def lines_of(blocks: Sequence[Block], marks: Sequence[Mark]) -> list[Line]:
    """LINES lines of the page, evenly chosen from all that its blocks would fill, marked as their text is."""
    every = [stretch for block in blocks for stretch in _stretches(block)]
    shown = min(LINES, len(every))
    chosen = [every[n * len(every) // shown] for n in range(shown)]
    return [
        Line(y=1 + 3 * n, width=_width(end - start), number=_mostly(marks, start, end))
        for n, (start, end) in enumerate(chosen)
    ]


def _stretches(block: Block) -> Iterator[tuple[int, int]]:
    """The parts of a block that each fill a line; the last may be shorter."""
    start, end = block
    return ((at, min(at + FULL, end)) for at in range(start, end, FULL))


def _width(length: int) -> int:
    return max(4, min(WIDEST, round(WIDEST * length / FULL)))


def _mostly(marks: Sequence[Mark], start: int, end: int) -> int:
    """The label with most characters in the part, if that is at least a third of them."""
    marked: dict[int, int] = {}
    for low, high, number in marks:
        inside = min(high, end) - max(low, start)
        if inside > 0:
            marked[number] = marked.get(number, 0) + inside
    most = max(marked, key=lambda number: marked[number], default=0)
    return most if most and 3 * marked[most] >= end - start else 0
