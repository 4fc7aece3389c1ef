"""Scores by corpus size: the figures on the first n gold pages, for growing n; no database.

Each point is computed from today's gold and extractions of those pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from annotator.scoring.leaderboard.averages import MicroAverage, average_of
from extraction.metrics.averages import PageAverages
from extraction.metrics.bootstrap import MIN_PAGES, draws, middle
from extraction.metrics.pages import PageScore

FIGURES = ("f1", "precision", "recall")
FIRST_POINT = 3  # pages
# Fewer pages give too few points for a chart.
MIN_CHART_PAGES = 5
MAX_POINTS = 24
# Intervals are computed at every fourth point: each costs a thousand resamples.
POINTS_PER_INTERVAL = 4
MAX_LINES = 5

Interval = tuple[float, float]


@dataclass(frozen=True)
class CurveLine:
    """One extractor: for each figure its value at each point, None where none of its pages counts yet.

    `bands` maps the indices of some points to the interval there.
    """

    title: str
    values: dict[str, list[float | None]]
    bands: dict[str, dict[int, Interval]]


@dataclass(frozen=True)
class ScoreBySize:
    """`counts`: gold pages at each point. `days`: when each page became gold, in order."""

    counts: list[int]
    days: list[datetime]
    lines: list[CurveLine]


@dataclass(frozen=True)
class ScoreSeries:
    """One extractor's scores in the order in which pages became gold, and their positions in that order."""

    title: str
    scores: Sequence[PageScore]
    positions: Sequence[int]
    weights: Sequence[float]


def score_by_size(
    days: Sequence[datetime], series: Sequence[ScoreSeries], *, pooled: bool, by_page: bool
) -> ScoreBySize | None:
    """Return the lines of the first extractors, the first with its interval; None below five pages."""
    counts = points(len(days))
    if not counts or not series:
        return None
    lines = [
        _line(each, counts, pooled=pooled, by_page=by_page, with_band=not number)
        for number, each in enumerate(series[:MAX_LINES])
    ]
    return ScoreBySize(counts, list(days), lines)


def points(pages: int) -> list[int]:
    """Return the page counts of the points: every count from three on, or 24 evenly spaced ones."""
    if pages < MIN_CHART_PAGES:
        return []
    return sorted(
        {round(each) for each in np.linspace(FIRST_POINT, pages, min(MAX_POINTS, pages - FIRST_POINT + 1))}
    )


def _line(each: ScoreSeries, counts: list[int], *, pooled: bool, by_page: bool, with_band: bool) -> CurveLine:
    means = average_of(each.scores, each.weights, pooled=pooled, by_page=by_page)
    until = scores_until(each, counts)
    values: dict[str, list[float | None]] = {name: [] for name in FIGURES}
    bands: dict[str, dict[int, Interval]] = {name: {} for name in FIGURES}
    for point, pages in enumerate(until):
        weights = first_pages(means.everywhere, pages)
        for name in FIGURES:
            values[name].append(getattr(means, name)(weights) if pages else None)
        if with_band and (len(until) - 1 - point) % POINTS_PER_INTERVAL == 0:
            for name, bounds in _bands(means, pages).items():
                bands[name][point] = bounds
    return CurveLine(each.title, values, bands)


def scores_until(each: ScoreSeries, counts: Sequence[int]) -> list[int]:
    """Return how many scores of the series are on the first n gold pages, for each n."""
    found: list[int] = np.searchsorted(np.array(each.positions), counts, side="left").tolist()
    return found


def first_pages(weights: np.ndarray, pages: int) -> np.ndarray:
    """Return the weights with those after the first pages set to zero."""
    found = np.zeros_like(weights)
    found[:pages] = weights[:pages]
    return found


def _bands(means: PageAverages | MicroAverage, pages: int) -> dict[str, Interval]:
    """Return the intervals of all figures on the first pages, from the same resamples; none below 30."""
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
