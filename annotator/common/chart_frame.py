"""The frame of a line chart, in SVG coordinates: its edges, grid and the places of points."""

from dataclasses import dataclass

from annotator.common.axis import Axis

# Margins: the tick labels at the left, those of the points below, half a point above and at the right.
LEFT, RIGHT, TOP, BOTTOM = 46, 18, 12, 30
# Between the ends of the grid and the outer points.
INSET = 12


@dataclass(frozen=True)
class ChartFrame:
    """A chart of `width` by `height` whose values stand by `axis`."""

    axis: Axis
    height: int = 200

    width = 640
    left = LEFT
    right = width - RIGHT
    top = TOP
    # Where the labels of the ticks end.
    margin = LEFT - 8

    @property
    def bottom(self) -> int:
        return self.height - BOTTOM

    @property
    def below(self) -> int:
        """The baseline of the labels of the points."""
        return self.height - 8

    @property
    def ticks(self) -> list[tuple[str, float]]:
        """The y coordinates of the grid with their values."""
        return [(self.up(tick), tick) for tick in self.axis.ticks]

    def across(self, share: float) -> str:
        """The x coordinate of a share of the way from the first to the last point."""
        return f"{self.left + INSET + share * (self.right - self.left - 2 * INSET):.1f}"

    def up(self, value: float) -> str:
        return f"{self.top + (1 - self.axis.share(value)) * (self.bottom - self.top):.1f}"
