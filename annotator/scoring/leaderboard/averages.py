"""Averages of a leaderboard: macro, or micro, over the text of all pages together; and their differences."""

from collections.abc import Sequence

import numpy as np

from extraction.metrics.averages import PageAverages, quotient
from extraction.metrics.bootstrap import Weights, interval
from extraction.metrics.page_weights import weights_of
from extraction.metrics.pages import PageScore, harmonic_mean
from extraction.metrics.statistics import PairedDifference


class MicroAverage:
    """Has the interface of `PageAverages` of `extraction.metrics`: each method takes a weight per page."""

    def __init__(self, scores: Sequence[PageScore], *, weights: Sequence[float] | None = None) -> None:
        amounts = [[score.true, score.predicted, score.gold] for score in scores]
        self._amounts = np.array(amounts, dtype=np.float64).reshape(len(scores), 3)
        self.everywhere = weights_of(weights, len(scores))

    def precision(self, weights: Weights) -> float:
        true, predicted, _gold = weights @ self._amounts
        return quotient(true, predicted)

    def recall(self, weights: Weights) -> float:
        true, _predicted, gold = weights @ self._amounts
        return quotient(true, gold)

    def f1(self, weights: Weights) -> float:
        return harmonic_mean(self.precision(weights), self.recall(weights))


def average_of(
    scores: Sequence[PageScore], weights: Sequence[float], *, pooled: bool, by_page: bool
) -> PageAverages | MicroAverage:
    """Return the micro average of pages, or the macro average whose F1 the metric is known by."""
    if pooled:
        return MicroAverage(scores, weights=weights)
    return PageAverages(scores, by_page=by_page, weights=weights)


def paired(
    first: Sequence[PageScore],
    second: Sequence[PageScore],
    weights: Sequence[float],
    *,
    pooled: bool,
    by_page: bool,
) -> PairedDifference:
    """Return by how much F1 is higher in the first, on the same pages; each resample is drawn for both."""
    a = average_of(first, weights, pooled=pooled, by_page=by_page)
    b = average_of(second, weights, pooled=pooled, by_page=by_page)
    everywhere = a.everywhere
    low, high = interval(len(first), lambda drawn: a.f1(drawn * everywhere) - b.f1(drawn * everywhere))
    return PairedDifference(a.f1(everywhere) - b.f1(everywhere), low, high)
