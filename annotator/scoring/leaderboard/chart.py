"""The layout of the score by corpus size chart, in SVG coordinates; no database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import pairwise
from typing import NamedTuple

from annotator.common.axis import Axis, axis_for
from annotator.common.dates import utc_day
from annotator.scoring.leaderboard.score_by_size import CurveLine, ScoreBySize

WIDTH, HEIGHT = 900, 316
# Margins: tick labels at the left, names at the right, counts and days below.
LEFT, RIGHT, TOP, BOTTOM = 40, 240, 16, 50
# Minimum distances between the names of lines and between the labels of marks.
NAME_DISTANCE, MARK_DISTANCE = 17, 96
MAX_TICKS = 6


@dataclass(frozen=True)
class ChartLine:
    """One line: its SVG path, name and last value, and the y coordinates of its name and legend sample."""

    title: str
    path: str
    value: float | None
    name_y: str
    sample_y: str


@dataclass(frozen=True)
class ChartTick:
    """A number of pages, and the day on which it was reached; None if that is the day of the tick before."""

    x: str
    pages: int
    day: date | None
    anchor: str


@dataclass(frozen=True)
class ChartMark:
    """A vertical line at a release, or at a version of an extractor (0), labelled where there is room."""

    x: str
    number: int
    version: str
    pages: int
    is_named: bool


class ChartPoint(NamedTuple):
    """What the chart shows at one number of pages: each line's value, and marks since the last point."""

    x: str
    pages: int
    day: date
    values: list[tuple[str, float | None]]
    marks: list[ChartMark]


@dataclass(frozen=True)
class Chart:
    """A chart of WIDTH by HEIGHT; human agreement is its ceiling. `points` are the same data as a table."""

    lines: list[ChartLine]
    band: str
    grid: list[tuple[str, float]]
    ticks: list[ChartTick]
    marks: list[ChartMark]
    ceiling: str | None
    ceiling_y: str
    ceiling_sample_y: str
    first: date
    last: date
    points: list[ChartPoint] = field(default_factory=list)

    width = WIDTH
    height = HEIGHT
    left = LEFT
    margin = LEFT - 8
    right = WIDTH - RIGHT
    # The legend sample of each line is before its name.
    samples = WIDTH - RIGHT + 10
    names = WIDTH - RIGHT + 40
    top = TOP
    bottom = HEIGHT - BOTTOM
    notes = HEIGHT - BOTTOM - 8
    counts = HEIGHT - BOTTOM + 22
    days = HEIGHT - BOTTOM + 40


def chart_of(
    by_size: ScoreBySize,
    figure: str,
    *,
    people: float | None = None,
    releases: Iterable[tuple[int, datetime]] = (),
    versions: Iterable[tuple[str, datetime]] = (),
) -> Chart:
    """Return the chart of one figure, with human agreement, releases and versions with their dates."""
    values = [value for line in by_size.lines for value in line.values[figure]]
    axis = axis_for([*values, people])
    ends = [line.values[figure][-1] for line in by_size.lines]
    heights = _spread([None if end is None else _up(end, axis) for end in [*ends, people]])
    lines = [
        ChartLine(line.title, _path(line.values[figure], by_size.counts, axis), end, *_heights(height))
        for line, end, height in zip(by_size.lines, ends, heights, strict=False)
    ]
    marks = _marks(by_size, releases, versions)
    ceiling_y, ceiling_sample_y = _heights(heights[-1])
    return Chart(
        lines=lines,
        band=_band(by_size.lines[0], figure, by_size.counts, axis),
        grid=[(_n(_up(tick, axis)), tick) for tick in axis.ticks],
        ticks=_ticks(by_size),
        marks=marks,
        ceiling=None if people is None else _n(_up(people, axis)),
        ceiling_y=ceiling_y,
        ceiling_sample_y=ceiling_sample_y,
        first=utc_day(by_size.days[0]),
        last=utc_day(by_size.days[-1]),
        points=[
            ChartPoint(
                _n(_across(count, by_size.counts)),
                count,
                utc_day(by_size.days[count - 1]),
                [(line.title, line.values[figure][point]) for line in by_size.lines],
                [mark for mark in marks if before < mark.pages <= count],
            )
            for point, (before, count) in enumerate(pairwise([0, *by_size.counts]))
        ],
    )


def _n(coordinate: float) -> str:
    return f"{coordinate:.1f}"


def _across(pages: float, counts: Sequence[int]) -> float:
    share = (pages - counts[0]) / (counts[-1] - counts[0])
    return LEFT + min(1.0, max(0.0, share)) * (WIDTH - RIGHT - LEFT)


def _up(value: float, axis: Axis) -> float:
    return TOP + (1 - axis.share(value)) * (HEIGHT - BOTTOM - TOP)


def _path(values: Sequence[float | None], counts: Sequence[int], axis: Axis) -> str:
    """Return a path through the values; missing values break it."""
    path, is_drawn = [], False
    for value, pages in zip(values, counts, strict=True):
        if value is not None:
            path.append(f"{'L' if is_drawn else 'M'}{_n(_across(pages, counts))} {_n(_up(value, axis))}")
        is_drawn = value is not None
    return "".join(path)


def _band(line: CurveLine, figure: str, counts: Sequence[int], axis: Axis) -> str:
    """Return the intervals as a closed path; empty with fewer than two."""
    known = sorted(line.bands[figure].items())
    if len(known) < 2:
        return ""
    there = [(counts[point], high) for point, (_low, high) in known]
    back = [(counts[point], low) for point, (low, _high) in reversed(known)]
    corners = (f"{_n(_across(pages, counts))} {_n(_up(value, axis))}" for pages, value in [*there, *back])
    return f"M{'L'.join(corners)}Z"


def _heights(height: float | None) -> tuple[str, str]:
    """Return the y coordinates of a name's baseline and of its legend sample; empty without a last value."""
    return ("", "") if height is None else (_n(height + 4), _n(height))


def _spread(heights: Sequence[float | None]) -> list[float | None]:
    """Return the heights moved apart far enough for their names to be legible, in the same order."""
    placed = sorted((height, number) for number, height in enumerate(heights) if height is not None)
    found: list[float] = []
    for height, _number in placed:
        found.append(max(height, found[-1] + NAME_DISTANCE) if found else max(height, TOP))
    # Move names that now lie below the chart up again.
    lowest = float(HEIGHT - BOTTOM)
    for index in reversed(range(len(found))):
        found[index] = min(found[index], lowest)
        lowest = found[index] - NAME_DISTANCE
    spread: list[float | None] = [None] * len(heights)
    for (_height, number), height in zip(placed, found, strict=True):
        spread[number] = height
    return spread


def _ticks(by_size: ScoreBySize) -> list[ChartTick]:
    counts = by_size.counts
    counts_shown = _round_counts(counts[0], counts[-1])
    days = [utc_day(by_size.days[pages - 1]) for pages in counts_shown]
    labels = [days[0], *(day if day != before else None for before, day in pairwise(days))]
    anchors = ["first", *["mid"] * (len(counts_shown) - 2), "last"]
    return [
        ChartTick(_n(_across(pages, counts)), pages, day, anchor)
        for pages, day, anchor in zip(counts_shown, labels, anchors, strict=True)
    ]


def _round_counts(first: int, last: int) -> list[int]:
    """Return the first and last number of pages, and round numbers between them at a legible distance."""
    steps = (factor * 10**power for power in range(9) for factor in (1, 2, 5))
    step = next(step for step in steps if (last - first) / step <= MAX_TICKS - 1)
    apart = (last - first) / MAX_TICKS
    between = range(-(-first // step) * step, last, step)
    return [first, *(n for n in between if n - first >= apart and last - n >= apart), last]


def _marks(
    by_size: ScoreBySize, releases: Iterable[tuple[int, datetime]], versions: Iterable[tuple[str, datetime]]
) -> list[ChartMark]:
    dated = [(when, number, "") for number, when in releases] + [(when, 0, name) for name, when in versions]
    marks: list[ChartMark] = []
    free_from = float(LEFT)
    for when, number, version in sorted(dated):
        pages = sum(day <= when for day in by_size.days)
        if pages < by_size.counts[0]:
            continue
        x = _across(pages, by_size.counts)
        # The label is right of its line, and must not overlap the previous label or the names of lines.
        fits = x >= free_from and x + MARK_DISTANCE <= WIDTH - RIGHT
        free_from = x + MARK_DISTANCE if fits else free_from
        marks.append(ChartMark(_n(x), number, version, pages, fits))
    return marks
