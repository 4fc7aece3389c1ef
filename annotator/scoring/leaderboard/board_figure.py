"""The leaderboard as one drawing, to be saved: a row for each extractor, in SVG coordinates; no database."""

from dataclasses import dataclass

from annotator.common.axis import Axis
from annotator.scoring.leaderboard.leaderboard import Leaderboard, LeaderboardFigures

WIDTH, ROW = 900, 28
# Where intervals are drawn, between names at the left and figures at the right.
LEFT, RIGHT = 300, 800
TOP, BOTTOM = 34, 40


@dataclass(frozen=True)
class FigureRow:
    """One row: its name, the height of its middle, its figure, and where these stand; None off the axis."""

    title: str
    y: int
    value: float | None
    x: str | None
    low: str | None
    high: str | None


@dataclass(frozen=True)
class BoardFigure:
    """The rows from the top, human agreement first; `band` is that of human agreement, from left to right."""

    rows: list[FigureRow]
    ticks: list[tuple[str, float]]
    ceiling: FigureRow | None

    width, left, right, top = WIDTH, LEFT, RIGHT, TOP
    names = LEFT - 16
    figures = WIDTH - 10

    @property
    def bottom(self) -> int:
        return TOP + ROW * (len(self.rows) + bool(self.ceiling))

    @property
    def height(self) -> int:
        return self.bottom + BOTTOM

    @property
    def note(self) -> int:
        return self.height - 12


def figure_of(board: Leaderboard) -> BoardFigure:
    axis = board.axis
    people = board.people if board.people and board.people.value is not None else None
    shown = [(f"{row.title} {row.version}", row.shown) for row in board.rows if row.shown.value is not None]
    first = 1 if people else 0
    return BoardFigure(
        rows=[_row(title, figures, axis, number) for number, (title, figures) in enumerate(shown, first)],
        ticks=[(_x(axis, tick), tick) for tick in axis.ticks],
        ceiling=_row("", people, axis, 0) if people else None,
    )


def _row(title: str, figures: LeaderboardFigures, axis: Axis, number: int) -> FigureRow:
    def place(value: float | None) -> str | None:
        return None if value is None or not axis.holds(value) else _x(axis, value)

    low = place(figures.low) if figures.low is None else place(max(figures.low, axis.low))
    x = place(figures.value)
    return FigureRow(title, TOP + ROW * number + ROW // 2, figures.value, x, low, place(figures.high))


def _x(axis: Axis, value: float) -> str:
    share = float(axis.position(value).removesuffix("%")) / 100
    return f"{LEFT + share * (RIGHT - LEFT):.1f}"
