"""The axis that all intervals of a table share."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

# Steps between ticks that read well, finest first.
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
MOST_TICKS = 6
# For narrow columns: 0,70 is wider than .70.
FEW_TICKS = 2
# Keeps .9 / .05 from being more than 18.
EPSILON = 1e-9


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`, with ticks; values below `low` are off the axis."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def holds(self, value: float) -> bool:
        return value >= self.low

    def position(self, value: float) -> str:
        """The position of the value, in per cent of the width."""
        return f"{100 * self.share(value):.1f}%"

    def width(self, low: float, high: float) -> str:
        return f"{100 * (self.share(high) - self.share(low)):.1f}%"

    def grid(self) -> list[str]:
        return [self.position(tick) for tick in self.ticks]

    def share(self, value: float) -> float:
        """How far from `low` to `high` the value lies, from 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def axis_for(values: Iterable[float | None], *, reach: float = 0.35, most: int = MOST_TICKS) -> Axis:
    """Return an axis that shows all values with at most `most` ticks, or one more where values fall between.

    One value far below the best would press the others into a corner: the axis reaches at most `reach` below
    the highest, and what lies lower is drawn as an arrow.
    """
    known = [value for value in values if value is not None]
    highest = max(known, default=1.0)
    lowest = min([value for value in known if value >= highest - reach], default=0.0)
    step = next((s for s in STEPS if (highest - lowest) / s <= most - 1), STEPS[-1])
    last = math.ceil(highest / step - EPSILON)
    first = min(math.floor(lowest / step + EPSILON), last - 2)
    # Below zero only where a value is: a share has no tick there.
    bottom = 0 if lowest >= 0 else first
    ticks = tuple(round(n * step, 2) for n in range(max(first, bottom), last + 1))
    # Half a step of air at both ends, so that no figure of the head is cut off.
    return Axis(low=ticks[0] - step / 2, high=ticks[-1] + step / 2, ticks=ticks)
