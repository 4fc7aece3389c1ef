"""The geometry of small bar charts, in the units of their view box; no database."""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH = 320
BASE = 52
TALLEST = 36
# The part of its pitch that a bar fills.
FILL = 0.85


class ColumnBar(NamedTuple):
    """One bar on the baseline."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)

    @property
    def above(self) -> float:
        """The baseline of the number above it."""
        return self.y - 6


def columns(values: Sequence[int]) -> list[ColumnBar]:
    """Return a bar for each value, the largest `TALLEST` high; a zero is a line on the ground."""
    pitch = WIDTH / max(len(values), 1)
    largest = max(values, default=0) or 1
    found = []
    for index, value in enumerate(values):
        height = round(TALLEST * value / largest, 1) or 1
        found.append(ColumnBar(round(index * pitch, 1), BASE - height, round(pitch * FILL, 1), height))
    return found
