"""Intervals by resampling pages. Characters of one page are not independent, pages are taken to be."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

MIN_PAGES = 30  # below, an interval says more about luck than about the system, and is withheld
RESAMPLES = 1000
SEED = 20101  # fixed, so that the same scores always give the same interval
LEVEL = 0.95

Weights = NDArray[np.float64]
Interval = tuple[float | None, float | None]


def draws(pages: int) -> Iterator[Weights]:
    """For each resample, how often each page is in it."""
    random = np.random.default_rng(SEED)
    for _ in range(RESAMPLES):
        drawn = np.bincount(random.integers(0, pages, pages), minlength=pages)
        yield drawn.astype(np.float64)


def interval(pages: int, figure: Callable[[Weights], float | None]) -> Interval:
    """The 95 % percentile interval of a figure that is computed from weights of pages.

    (None, None) below 30 pages, and where a resample leaves the figure undefined in more than 5 % of draws.
    """
    if pages < MIN_PAGES:
        return None, None
    return middle(map(figure, draws(pages)))


def middle(figures: Iterable[float | None]) -> Interval:
    """The bounds of the middle 95 % of a figure's resamples; (None, None) where too many have none."""
    values = [value for value in figures if value is not None]
    if len(values) < LEVEL * RESAMPLES:
        return None, None
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
