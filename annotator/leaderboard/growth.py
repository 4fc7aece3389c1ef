"""How figures moved as pages became gold, one after the other; no database.

A point is what the board would say of the pages up to there, by the gold and the extractions of today.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from annotator.leaderboard.pooled import Pooled
from extraction.metrics.averages import Averages
from extraction.metrics.bootstrap import MIN_PAGES, draws, middle
from extraction.metrics.pages import PageScore

FIGURES = ("f1", "precision", "recall")
# The first point, and the fewest pages that have more than two: with fewer there is nothing to follow.
FEWEST = 3
LEAST = 5
MOST_POINTS = 24
# The interval is worked out at every fourth point: each costs a thousand resamples.
EVERY = 4
LINES = 5

Interval = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """One extractor: figure by figure its value at each point, None where no page of it counts yet.

    `bands` has an interval at some of the points, by their places.
    """

    title: str
    values: dict[str, list[float | None]]
    bands: dict[str, dict[int, Interval]]


@dataclass(frozen=True)
class Growth:
    """`counts`: pages of gold at each point. `days`: when each page became gold, in order."""

    counts: list[int]
    days: list[datetime]
    lines: list[Line]


@dataclass(frozen=True)
class Course:
    """One extractor's scores in the order in which their pages became gold, with the pages' places in it."""

    title: str
    scores: Sequence[PageScore]
    places: Sequence[int]
    weights: Sequence[float]


def growth_of(
    days: Sequence[datetime], courses: Sequence[Course], *, pooled: bool, by_page: bool
) -> Growth | None:
    """The courses of the first extractors, the first one with its interval; None below five pages."""
    counts = points(len(days))
    if not counts or not courses:
        return None
    lines = [
        _line(course, counts, pooled=pooled, by_page=by_page, with_band=not number)
        for number, course in enumerate(courses[:LINES])
    ]
    return Growth(counts, list(days), lines)


def points(pages: int) -> list[int]:
    """At how many pages a figure is taken: at all from the third on, or at 24 evenly spread ones."""
    if pages < LEAST:
        return []
    return sorted({round(each) for each in np.linspace(FEWEST, pages, min(MOST_POINTS, pages - FEWEST + 1))})


def _line(course: Course, counts: list[int], *, pooled: bool, by_page: bool, with_band: bool) -> Line:
    means: Averages | Pooled = (
        Pooled(course.scores, weights=course.weights)
        if pooled
        else Averages(course.scores, by_page=by_page, weights=course.weights)
    )
    # How many of its own scores lie on the pages up to each point.
    until = np.searchsorted(np.array(course.places), counts, side="left").tolist()
    values: dict[str, list[float | None]] = {name: [] for name in FIGURES}
    bands: dict[str, dict[int, Interval]] = {name: {} for name in FIGURES}
    for point, pages in enumerate(until):
        weights = _first(means.everywhere, pages)
        for name in FIGURES:
            values[name].append(getattr(means, name)(weights) if pages else None)
        if with_band and (len(until) - 1 - point) % EVERY == 0:
            for name, bounds in _bands(means, pages).items():
                bands[name][point] = bounds
    return Line(course.title, values, bands)


def _first(weights: np.ndarray, pages: int) -> np.ndarray:
    found = np.zeros_like(weights)
    found[:pages] = weights[:pages]
    return found


def _bands(means: Averages | Pooled, pages: int) -> dict[str, Interval]:
    """The intervals of all figures of the first pages, from the same resamples; none below 30 pages."""
    if pages < MIN_PAGES:
        return {}
    rows = []
    weights = np.zeros_like(means.everywhere)
    for times in draws(pages):
        weights[:pages] = times * means.everywhere[:pages]
        rows.append([getattr(means, name)(weights) for name in FIGURES])
    found = {}
    for name, column in zip(FIGURES, zip(*rows, strict=True), strict=True):
        low, high = middle(column)
        if low is not None and high is not None:
            found[name] = (low, high)
    return found
