"""Is one system better than another on the same pages? A paired interval and rank tests.

SciPy is imported where it is called: most commands never need it, and it takes a while.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from extraction.metrics.averages import PageAverages
from extraction.metrics.bootstrap import interval
from extraction.metrics.pages import PageScore

MIN_PAGES = 10  # below, a rank test of pages says nothing worth a number
# Two F1 that differ by less are equal, and their difference is the work of floating point.
_DIGITS = 12
# Of the normal distribution: the bound of 95 % on two sides, of 80 % on one, and of 80 % on two.
_BOUND, _POWER, _MIDDLE = 1.959964, 0.841621, 1.281552


class PairedDifference(NamedTuple):
    """How much better the first of two systems is, with the bounds at 95 %, None below 30 pages."""

    value: float
    low: float | None
    high: float | None


class RankTest(NamedTuple):
    """A test statistic and its two-sided p-value, None where there are too few pages for one."""

    statistic: float
    p: float | None


def paired_difference(
    first: Sequence[PageScore], second: Sequence[PageScore], *, by_page: bool = False
) -> PairedDifference:
    """The difference of F1 on the same pages in the same order, each resample drawn for both.

    `by_page` says which F1, as for `summarise`.
    """
    _check_paired(first, second)
    a, b = PageAverages(first, by_page=by_page), PageAverages(second, by_page=by_page)
    low, high = interval(len(first), lambda weights: a.f1(weights) - b.f1(weights))
    return PairedDifference(a.f1(a.everywhere) - b.f1(b.everywhere), low, high)


def pages_to_decide(difference: PairedDifference, pages: int) -> int | None:
    """How many more pages would show the difference at 95 % with a probability of 80 %, if it stays as it is.

    An interval shrinks with the root of the number of pages (Cohen, Statistical Power Analysis, 1988, 2.4).
    0 where it is shown already; None where nobody can say: no interval, or no difference.
    """
    value, low, high = difference
    if low is None or high is None or not value:
        return None
    if low > 0 or high < 0:
        return 0
    return _more_pages((high - low) / 2 / _BOUND, abs(value), pages)


def pages_to_decide_range(difference: PairedDifference, pages: int) -> tuple[int, int | None] | None:
    """Between which numbers of pages `pages_to_decide` lies in 80 % of cases, as the difference is not known.

    The true difference may be larger than the one seen, or smaller; None as the upper bound where it may as
    well be none at all. None where there is nothing to decide.
    """
    if not pages_to_decide(difference, pages):
        return None
    value, low, high = difference
    assert low is not None
    assert high is not None
    error = (high - low) / 2 / _BOUND
    largest, smallest = abs(value) + _MIDDLE * error, abs(value) - _MIDDLE * error
    most = _more_pages(error, smallest, pages) if smallest > 0 else None
    return _more_pages(error, largest, pages), most


def _more_pages(error: float, gain: float, pages: int) -> int:
    """How many more pages than these, which give a difference so large a standard error, would show it."""
    needed = pages * ((_BOUND + _POWER) * error / gain) ** 2
    return max(1, math.ceil(needed) - pages)


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> RankTest:
    """Mann and Whitney's U of the first sample, two-sided: the test of the tree-filter paper.

    It takes the samples for independent. Scores of the same pages are not, so it sees less than `wilcoxon`;
    it is here for comparison with that paper. No statistic for empty samples: 0, and no p.
    """
    if not first or not second:
        return RankTest(0.0, None)
    from scipy import stats

    found = stats.mannwhitneyu(first, second, alternative="two-sided")
    return RankTest(float(found.statistic), float(found.pvalue))


def wilcoxon(first: Sequence[float], second: Sequence[float], *, min_pages: int = MIN_PAGES) -> RankTest:
    """Wilcoxon's signed-rank test of paired values, two-sided; pages without a difference are dropped.

    No p for fewer pages than `min_pages`; where no page differs it is 1.
    """
    _check_paired(first, second)
    differences = np.round(np.subtract(first, second), _DIGITS)
    if not differences.any():
        return RankTest(0.0, 1.0 if len(first) >= min_pages else None)
    from scipy import stats

    found = stats.wilcoxon(differences, zero_method="wilcox")
    return RankTest(float(found.statistic), float(found.pvalue) if len(first) >= min_pages else None)


def holm(values: Sequence[float | None]) -> list[float | None]:
    """p-values of several tests, corrected as Holm does, in their order; None stays, and is not counted."""
    known = sorted((p, index) for index, p in enumerate(values) if p is not None)
    corrected: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (p, index) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - rank)))
        corrected[index] = largest
    return corrected


def _check_paired(first: Sequence[object], second: Sequence[object]) -> None:
    if len(first) != len(second):
        raise ValueError(f"pairs need as many pages on both sides, not {len(first)} and {len(second)}")
