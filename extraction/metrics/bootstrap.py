"""Intervals by resampling pages. Characters of one page are not independent, pages are taken to be."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

MIN_PAGES = 30  # below, an interval says more about luck than about the system, and is withheld
RESAMPLES = 1000
SEED = 20101  # fixed, so that the same scores always give the same interval
LEVEL = 0.95
MAX_REMEMBERED = 1000  # pages: a megabyte or two, where more pages would take too many

Weights = NDArray[np.float64]
Interval = tuple[float | None, float | None]


def draws(pages: int) -> Iterator[Weights]:
    """For each resample, how often each page is in it."""
    drawn = _remembered(pages) if pages <= MAX_REMEMBERED else _drawn(pages)
    for times in drawn:
        yield times.astype(np.float64)


# All extractors of a board have figures on the same few numbers of pages.
@lru_cache(maxsize=16)
def _remembered(pages: int) -> NDArray[np.uint16]:
    return np.array(list(_drawn(pages)), dtype=np.uint16)


def _drawn(pages: int) -> Iterator[NDArray[Any]]:
    random = np.random.default_rng(SEED)
    for _ in range(RESAMPLES):
        yield np.bincount(random.integers(0, pages, pages), minlength=pages)


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
