"""The growth of a board as a chart: where each line and word lies, as the drawing writes it; no database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from annotator.common.axis import Axis, axis_for
from annotator.leaderboard.growth import Growth, Line

WIDTH, HEIGHT = 900, 316
# Room for the figures at the left, the names at the right, the counts and days below.
LEFT, RIGHT, TOP, BOTTOM = 40, 240, 16, 50
# Names of lines, and of releases, closer to one another than this cannot be read.
LINE_APART, NOTES_APART = 17, 96
MOST_TICKS = 6


@dataclass(frozen=True)
class Course:
    """One line: its points as SVG has them, its name and last value, the heights of these and of a sample."""

    title: str
    path: str
    value: float | None
    name_y: str
    sample_y: str


@dataclass(frozen=True)
class Tick:
    """A number of pages, and the day on which there were so many; None where the tick before has it."""

    x: str
    pages: int
    day: datetime | None
    anchor: str


@dataclass(frozen=True)
class Mark:
    """A release: a line over all, and its number where there is room for it."""

    x: str
    number: int
    is_named: bool


@dataclass(frozen=True)
class Drawing:
    """A drawing of WIDTH by HEIGHT. `rows` are the same as a table: pages, day, and a value for each line."""

    lines: list[Course]
    band: str
    grid: list[tuple[str, float]]
    ticks: list[Tick]
    marks: list[Mark]
    ceiling: str | None
    ceiling_y: str
    first: datetime
    last: datetime
    rows: list[tuple[int, datetime, list[float | None]]] = field(default_factory=list)

    width = WIDTH
    height = HEIGHT
    left = LEFT
    margin = LEFT - 8
    right = WIDTH - RIGHT
    # A sample of each line stands before its name.
    samples = WIDTH - RIGHT + 10
    names = WIDTH - RIGHT + 40
    top = TOP
    bottom = HEIGHT - BOTTOM
    notes = HEIGHT - BOTTOM - 8
    counts = HEIGHT - BOTTOM + 22
    days = HEIGHT - BOTTOM + 40


def drawing_of(
    growth: Growth,
    figure: str,
    *,
    people: float | None = None,
    releases: Iterable[tuple[int, datetime]] = (),
) -> Drawing:
    """The chart of one figure, with the human ceiling, and releases by number and when they were made."""
    values = [value for line in growth.lines for value in line.values[figure]]
    axis = axis_for([*values, people])
    ends = [line.values[figure][-1] for line in growth.lines]
    heights = _spread([None if end is None else _up(end, axis) for end in [*ends, people]])
    lines = [
        Course(line.title, _path(line.values[figure], growth.counts, axis), end, *_heights(height))
        for line, end, height in zip(growth.lines, ends, heights, strict=False)
    ]
    return Drawing(
        lines=lines,
        band=_band(growth.lines[0], figure, growth.counts, axis),
        grid=[(_n(_up(tick, axis)), tick) for tick in axis.ticks],
        ticks=_ticks(growth),
        marks=_marks(growth, releases),
        ceiling=None if people is None else _n(_up(people, axis)),
        ceiling_y=_heights(heights[-1])[0],
        first=growth.days[0],
        last=growth.days[-1],
        rows=[
            (count, growth.days[count - 1], [line.values[figure][place] for line in growth.lines])
            for place, count in enumerate(growth.counts)
        ],
    )


def _n(place: float) -> str:
    return f"{place:.1f}"


def _across(pages: float, counts: Sequence[int]) -> float:
    share = (pages - counts[0]) / (counts[-1] - counts[0])
    return LEFT + min(1.0, max(0.0, share)) * (WIDTH - RIGHT - LEFT)


def _up(value: float, axis: Axis) -> float:
    share = min(1.0, max(0.0, (value - axis.low) / (axis.high - axis.low)))
    return TOP + (1 - share) * (HEIGHT - BOTTOM - TOP)


def _path(values: Sequence[float | None], counts: Sequence[int], axis: Axis) -> str:
    """A line through the values; it begins where the first is, and what is missing between breaks it."""
    path, is_drawn = [], False
    for value, pages in zip(values, counts, strict=True):
        if value is not None:
            path.append(f"{'L' if is_drawn else 'M'}{_n(_across(pages, counts))} {_n(_up(value, axis))}")
        is_drawn = value is not None
    return "".join(path)


def _band(line: Line, figure: str, counts: Sequence[int], axis: Axis) -> str:
    """The intervals as a closed shape; nothing below two of them."""
    known = sorted(line.bands[figure].items())
    if len(known) < 2:
        return ""
    there = [(counts[place], high) for place, (_low, high) in known]
    back = [(counts[place], low) for place, (low, _high) in reversed(known)]
    corners = (f"{_n(_across(pages, counts))} {_n(_up(value, axis))}" for pages, value in [*there, *back])
    return f"M{'L'.join(corners)}Z"


def _heights(height: float | None) -> tuple[str, str]:
    """Where a name's letters stand, and its sample; nowhere for what has no last value."""
    return ("", "") if height is None else (_n(height + 4), _n(height))


def _spread(heights: Sequence[float | None]) -> list[float | None]:
    """The heights of names, in the order of those of their lines, moved apart to be read."""
    placed = sorted((height, number) for number, height in enumerate(heights) if height is not None)
    found: list[float] = []
    for height, _number in placed:
        found.append(max(height, found[-1] + LINE_APART) if found else max(height, TOP))
    # What was pushed out below comes up again.
    lowest = float(HEIGHT - BOTTOM)
    for place in reversed(range(len(found))):
        found[place] = min(found[place], lowest)
        lowest = found[place] - LINE_APART
    spread: list[float | None] = [None] * len(heights)
    for (_height, number), place in zip(placed, found, strict=True):
        spread[number] = place
    return spread


def _ticks(growth: Growth) -> list[Tick]:
    counts = growth.counts
    named = _round_counts(counts[0], counts[-1])
    days = [growth.days[pages - 1] for pages in named]
    said = [days[0], *(day if day.date() != before.date() else None for before, day in pairwise(days))]
    anchors = ["first", *["mid"] * (len(named) - 2), "last"]
    return [
        Tick(_n(_across(pages, counts)), pages, day, anchor)
        for pages, day, anchor in zip(named, said, anchors, strict=True)
    ]


def _round_counts(first: int, last: int) -> list[int]:
    """The first and the last number of pages, and round ones between, so far apart that they can be read."""
    steps = (factor * 10**power for power in range(9) for factor in (1, 2, 5))
    step = next(step for step in steps if (last - first) / step <= MOST_TICKS - 1)
    apart = (last - first) / MOST_TICKS
    between = range(-(-first // step) * step, last, step)
    return [first, *(n for n in between if n - first >= apart and last - n >= apart), last]


def _marks(growth: Growth, releases: Iterable[tuple[int, datetime]]) -> list[Mark]:
    marks: list[Mark] = []
    free = float(LEFT)
    for number, made_at in releases:
        pages = sum(day <= made_at for day in growth.days)
        if pages < growth.counts[0]:
            continue
        x = _across(pages, growth.counts)
        # A name stands right of its line, and not over the next one's or that of a line of figures.
        fits = x >= free and x + NOTES_APART <= WIDTH - RIGHT
        free = x + NOTES_APART if fits else free
        marks.append(Mark(_n(x), number, fits))
    return marks
