"""Intervals by leaving out one page at a time: pages are drawn, what is on one page is not independent.

How a figure moves when a page is left out gives its standard error, on a scale on which it is nearer to
normal and cannot leave its range. Pages are of very different lengths, so that a few may carry the figure:
Student's t has as many degrees of freedom as there are pages that move it, not as there are pages.
`benchmarks/research/interval_coverage.py` measures how often such intervals cover.

What is left out can only be a page that is there. Where a figure goes with cubes of lengths, a page longer
than any of the sample may outweigh them all; where the sample's own lengths say that such pages are to be
expected, there is no interval.

SciPy is imported where it is called: most commands never need it, and it takes a while. Its `stats`, which
has Student's t from the same function, would take 50 MB more.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.metrics.bootstrap import LEVEL, MIN_PAGES

Numbers = NDArray[np.float64]


#: With fewer pages on which two agree on a label, what agreement there is may as well have been missed.
MIN_AGREED = 5
#: On fewer pages than these the weight of a tail is estimated from a handful of values.
MIN_PAGES_OF_TAIL = 80
#: As heavy as the tail of what pages add may be at most; at 1 there is no mean that more pages would come to.
MAX_WEIGHT_OF_TAIL = 0.7


class Scale(NamedTuple):
    """A way from figures to a scale without limits, and back; figures lie between `lowest` and `highest`."""

    there: Callable[[Numbers], Numbers]
    back: Callable[[Numbers], Numbers]
    lowest: float
    highest: float = 1.0


#: Shares of something, from 0 to 1.
SHARE = Scale(lambda share: np.log(share) - np.log1p(-share), lambda logit: 1 / (1 + np.exp(-logit)), 0.0)
#: Agreement beyond chance: the logarithm of what the observed disagreement is to the expected one.
BEYOND_CHANCE = Scale(lambda value: -np.log1p(-value), lambda value: -np.expm1(-value), -1.0)
#: The difference of two shares.
DIFFERENCE = Scale(lambda value: value, lambda value: value, -1.0)
#: An amount, such as seconds.
AMOUNT = Scale(np.log, np.exp, 0.0, np.inf)


class Bounds(NamedTuple):
    """The limits at 95 %, or why there are none."""

    low: float | None
    high: float | None
    withheld: str | None


def jackknifed(values: Numbers) -> Numbers:
    """Of values with pages first: their sum, then their sum without each page in turn."""
    whole = values.sum(axis=0)
    return np.concatenate([whole[None], whole - values])


def bounds(
    estimates: Numbers,
    scale: Scale,
    *,
    used: int | None = None,
    agreed: int | None = None,
    added: Numbers | None = None,
) -> Bounds:
    """The interval of a figure, from its value on all pages and without each page in turn.

    `used` is on how many pages there is something that it speaks of, where that is not all of them; `agreed`
    on how many two agree on some of it, where the figure rests on that; `added` is what each page adds to a
    sum that the figure rests on, where the largest may decide it.
    """
    pages = len(estimates) - 1
    if pages < MIN_PAGES:
        return _withheld(f"no interval below {MIN_PAGES} pages")
    if used is not None and used < MIN_PAGES:
        return _withheld(f"no interval: {used} pages have it, {MIN_PAGES} are needed")
    if agreed is not None and agreed < MIN_AGREED:
        return _withheld(f"no interval: {agreed} pages have agreement on it, {MIN_AGREED} are needed")
    if np.isnan(estimates).any():
        return _withheld("no interval: undefined without one of the pages")
    if np.ptp(estimates) <= np.finfo(np.float64).eps * 4:
        return _withheld("no interval: it is the same whichever page is left out")
    if added is not None and few_decide(added):
        return _withheld("no interval: its longest spans may decide it")
    return _limits(estimates, scale)


def few_decide(added: Numbers) -> bool:
    """Whether larger pages than these may be expected, which would decide a sum of what pages add.

    The weight of the tail is Hill's estimate (Annals of Statistics 3, 1975): the mean logarithm of how much
    larger the largest are than the next. How many are taken, min(n / 5, 3 √n), and up to what weight a mean
    can be had from n values, 1 - 1 / log10 n and never more than .7, are those of Vehtari and others, "Pareto
    smoothed importance sampling" (JMLR 25, 2024). Pages that add nothing do not count, and of few nothing is
    known.
    """
    falling = np.sort(added[added > 0])[::-1]
    pages = len(falling)
    if pages < MIN_PAGES_OF_TAIL:
        return True
    largest = int(min(pages / 5, 3 * np.sqrt(pages)))
    weight = np.log(falling[:largest] / falling[largest]).mean()
    return bool(weight > min(1 - 1 / np.log10(pages), MAX_WEIGHT_OF_TAIL))


def _limits(estimates: Numbers, scale: Scale) -> Bounds:
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = scale.there(estimates)
    if np.isfinite(scaled).all():
        low, high = scale.back(_reach(scaled))
    else:  # all that disagrees, or all that agrees, is on one page: there is no such scale
        low, high = _reach(estimates)
    value = float(estimates[0])
    return Bounds(max(float(low), min(scale.lowest, value)), min(float(high), scale.highest), None)


def _reach(estimates: Numbers) -> Numbers:
    """The limits where figures are taken to be normal."""
    from scipy import special

    without = estimates[1:]
    moves = without - without.mean()
    pages = len(moves)
    moving = (moves**2).sum() ** 2 / (moves**4).sum()
    error = np.sqrt((pages - 1) / pages * (moves**2).sum())
    reach = special.stdtrit(min(pages - 1, moving), (1 + LEVEL) / 2) * error
    return np.array([estimates[0] - reach, estimates[0] + reach])


def _withheld(why: str) -> Bounds:
    return Bounds(None, None, why)
