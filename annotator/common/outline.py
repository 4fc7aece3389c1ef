"""The outline of a page: a few lines by the length of its blocks, coloured by their labels."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

LINES = 11
WIDEST = 26
# Characters in a full line; a longer block has more lines.
FULL = 160

Block = Sequence[int]
Mark = tuple[int, int, int]


class OutlineLine(NamedTuple):
    y: int
    width: int
    number: int  # of the most frequent label in its text; 0: none


def lines_of(blocks: Sequence[Block], marks: Sequence[Mark]) -> list[OutlineLine]:
    """Return at most LINES lines of the page, evenly chosen, each with the label of its text."""
    every = [stretch for block in blocks for stretch in _stretches(block)]
    shown = min(LINES, len(every))
    chosen = [every[n * len(every) // shown] for n in range(shown)]
    return [
        OutlineLine(y=1 + 3 * n, width=_width(end - start), number=_main_label(marks, start, end))
        for n, (start, end) in enumerate(chosen)
    ]


def _stretches(block: Block) -> Iterator[tuple[int, int]]:
    """The parts of a block that fill a line each; the last may be shorter."""
    start, end = block
    return ((at, min(at + FULL, end)) for at in range(start, end, FULL))


def _width(length: int) -> int:
    return max(4, min(WIDEST, round(WIDEST * length / FULL)))


def _main_label(marks: Sequence[Mark], start: int, end: int) -> int:
    """The label with the most characters in the part, if it has at least a third of them; else 0."""
    marked: dict[int, int] = {}
    for low, high, number in marks:
        inside = min(high, end) - max(low, start)
        if inside > 0:
            marked[number] = marked.get(number, 0) + inside
    most = max(marked, key=lambda number: marked[number], default=0)
    return most if most and 3 * marked[most] >= end - start else 0
