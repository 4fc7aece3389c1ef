"""Means over pages, under weights: ones for the figures themselves, counts of draws for their intervals."""

from collections.abc import Sequence

import numpy as np

from extraction.metrics.bootstrap import Weights
from extraction.metrics.page_weights import weights_of
from extraction.metrics.pages import PageScore, harmonic_mean


class PageAverages:
    """Precision, recall and F1 of some pages; pages that a metric leaves out of a mean weigh nothing in it.

    `by_page` says which F1 `f1` is: the mean of the pages' own, or else that of mean precision and recall.
    `weights` says how often each page counts; of a resample, its counts times these are to be given.
    """

    def __init__(
        self,
        scores: Sequence[PageScore],
        *,
        by_page: bool = False,
        weights: Sequence[float] | None = None,
    ) -> None:
        self._precision, self._has_precision = _column([s.precision for s in scores])
        self._recall, self._has_recall = _column([s.recall for s in scores])
        self._page_f1 = np.array([s.f1 for s in scores], dtype=np.float64)
        self.everywhere = weights_of(weights, len(scores))
        self._by_page = by_page

    def precision(self, weights: Weights) -> float:
        """Mean precision."""
        return quotient(float(weights @ self._precision), float(weights @ self._has_precision))

    def recall(self, weights: Weights) -> float:
        """Mean recall."""
        return quotient(float(weights @ self._recall), float(weights @ self._has_recall))

    def f1_of_means(self, weights: Weights) -> float:
        """The harmonic mean of mean precision and mean recall."""
        return harmonic_mean(self.precision(weights), self.recall(weights))

    def f1_page_mean(self, weights: Weights) -> float:
        """The mean of the pages' own F1."""
        return quotient(float(weights @ self._page_f1), float(weights.sum()))

    def f1(self, weights: Weights) -> float:
        """The one that the metric is known by."""
        return self.f1_page_mean(weights) if self._by_page else self.f1_of_means(weights)


def _column(values: list[float | None]) -> tuple[Weights, Weights]:
    present = np.array([value is not None for value in values], dtype=np.float64)
    return np.array([value or 0.0 for value in values], dtype=np.float64), present


def quotient(total: float, weight: float) -> float:
    """A mean; 0 where nothing weighs anything."""
    return total / weight if weight else 0.0
