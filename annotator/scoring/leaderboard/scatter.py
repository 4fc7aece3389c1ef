"""The layout of the scatter plot of two extractors, in SVG coordinates; no database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.common.axis import axis_for
from annotator.scoring.leaderboard.pair import EQUAL, PagePair

WIDTH, HEIGHT = 620, 484
LEFT, RIGHT, TOP, BOTTOM = 48, 608, 12, 442


@dataclass(frozen=True)
class Tick:
    value: float
    x: str
    y: str


@dataclass(frozen=True)
class Scatter:
    """A dot for each page: F1 of the second extractor to the right, of the first upwards. Paths of dots."""

    ticks: list[Tick]
    equal: str
    better: str
    worse: str

    width, height = WIDTH, HEIGHT
    left, right, top, bottom = LEFT, RIGHT, TOP, BOTTOM


def scatter_of(pages: Sequence[PagePair]) -> Scatter:
    """Return the plot; both axes reach from below the lowest F1 to 1."""
    lowest = min(min(page.first, page.second) for page in pages)
    axis = axis_for([lowest, 1.0], reach=1.0)
    low = max(0.0, axis.ticks[0])

    def x(value: float) -> str:
        return f"{LEFT + (value - low) / (1 - low) * (RIGHT - LEFT):.0f}"

    def y(value: float) -> str:
        return f"{BOTTOM - (value - low) / (1 - low) * (BOTTOM - TOP):.0f}"

    def dots(some: Iterable[PagePair]) -> str:
        # A path of length 0 is drawn as a dot by its line's caps.
        return "".join(f"M{x(page.second)} {y(page.first)}h0" for page in some)

    return Scatter(
        ticks=[Tick(tick, x(tick), y(tick)) for tick in axis.ticks if low <= tick <= 1],
        equal=dots(page for page in pages if abs(page.difference) < EQUAL),
        better=dots(page for page in pages if page.difference >= EQUAL),
        worse=dots(page for page in pages if page.difference <= -EQUAL),
    )
