"""Tables as one drawing, to be saved: a row each, in SVG coordinates; no database."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from annotator.common.axis import Axis
from annotator.scoring.leaderboard.error_causes import ErrorsByCause
from annotator.scoring.leaderboard.leaderboard import Leaderboard

WIDTH, ROW = 900, 28
# Where intervals are drawn, between names at the left and figures at the right.
LEFT, RIGHT = 300, 800
TOP, BOTTOM = 34, 40


class WithInterval(Protocol):
    """A figure with its interval at 95 %; None where it is withheld or unknown."""

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


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
class IntervalFigure:
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


def figure_of(board: Leaderboard) -> IntervalFigure:
    people = board.people if board.people and board.people.value is not None else None
    shown = [(f"{row.title} {row.version}", row.shown) for row in board.rows if row.shown.value is not None]
    return interval_figure(shown, board.axis, people)


def interval_figure(
    shown: Sequence[tuple[str, WithInterval]], axis: Axis, people: WithInterval | None = None
) -> IntervalFigure:
    """Return rows by their titles, below human agreement if there is any."""
    first = 1 if people else 0
    return IntervalFigure(
        rows=[_row(title, figures, axis, number) for number, (title, figures) in enumerate(shown, first)],
        ticks=[(_x(axis, tick), tick) for tick in axis.ticks],
        ceiling=_row("", people, axis, 0) if people else None,
    )


def _row(title: str, figures: WithInterval, axis: Axis, number: int) -> FigureRow:
    def place(value: float | None) -> str | None:
        return None if value is None or not axis.holds(value) else _x(axis, value)

    low = place(figures.low) if figures.low is None else place(max(figures.low, axis.low))
    x = place(figures.value)
    return FigureRow(title, TOP + ROW * number + ROW // 2, figures.value, x, low, place(figures.high))


def _x(axis: Axis, value: float) -> str:
    return f"{LEFT + axis.share(value) * (RIGHT - LEFT):.1f}"


class ErrorBar(NamedTuple):
    """The errors of one cause: the height of its row, and how wide the bars of both kinds are."""

    cause: str
    y: int
    missed: int
    missed_width: str
    wrong: int
    wrong_width: str


@dataclass(frozen=True)
class ErrorFigure:
    """A row for each cause: missed to the left of the names, wrong to the right."""

    rows: list[ErrorBar]

    width, top, row = WIDTH, TOP, ROW
    # Where the bars begin; the names are centred between.
    left, right, middle = 350, 550, 450
    room = 250

    @property
    def height(self) -> int:
        return TOP + ROW * len(self.rows) + BOTTOM

    @property
    def note(self) -> int:
        return self.height - 12


def figure_of_errors(errors: ErrorsByCause) -> ErrorFigure:
    def width(characters: int) -> str:
        return f"{characters / errors.largest * ErrorFigure.room:.1f}"

    return ErrorFigure(
        [
            ErrorBar(
                each.cause,
                TOP + ROW * number + ROW // 2,
                each.missed.characters,
                width(each.missed.characters),
                each.wrong.characters,
                width(each.wrong.characters),
            )
            for number, each in enumerate(errors.causes)
        ]
    )
