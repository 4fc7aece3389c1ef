"""Precision, recall and F1 of all text of some pages together, whatever page it stands on."""

from collections.abc import Sequence

import numpy as np

from extraction.metrics.averages import quotient
from extraction.metrics.bootstrap import Weights
from extraction.metrics.pages import PageScore, harmonic_mean
from extraction.weights import weights_of


class Pooled:
    """To be asked as `extraction.metrics.averages.Averages` is: with how often each page counts."""

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
