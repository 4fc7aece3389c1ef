"""Scores of many pages -> the figures of one row."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.metrics.bootstrap import interval
from extraction.metrics.pages import PageScore, harmonic_mean


@dataclass(frozen=True, slots=True)
class Micro:
    """Figures of pooled amounts: long pages count more."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of one extractor on `n` pages.

    `f1` is the harmonic mean of mean precision and mean recall, `f1_page_mean` the mean of the pages' own F1;
    `f1_low` and `f1_high` bound `f1` at 95 %, None below 30 pages. `unplaced` is the share of gold that could
    not be placed in the documents, and `recall_all` counts it as missed.
    """

    n: int
    failures: int
    precision: float
    recall: float
    f1: float
    f1_page_mean: float
    f1_low: float | None
    f1_high: float | None
    micro: Micro
    recall_all: float
    unplaced: float

    def figures(self) -> dict[str, Any]:
        """The figures as they are printed as JSON."""
        result = asdict(self)
        return {name: value for name, value in result.items() if name not in ("recall_all", "unplaced")}


def summarise(scores: Sequence[PageScore]) -> Summary:
    """Average the scores of pages; without any page all figures are 0."""
    means = _Means(scores)
    everywhere = np.ones(len(scores))
    precision, recall = means.precision_recall(everywhere)
    low, high = interval(len(scores), means.f1)
    gold, unplaced = sum(s.gold for s in scores), sum(s.gold_unplaced for s in scores)
    return Summary(
        n=len(scores),
        failures=sum(s.failed for s in scores),
        precision=precision,
        recall=recall,
        f1=harmonic_mean(precision, recall),
        f1_page_mean=_mean([s.f1 for s in scores]),
        f1_low=low,
        f1_high=high,
        micro=_micro(scores),
        recall_all=_mean([s.recall_all for s in scores]),
        unplaced=unplaced / (gold + unplaced) if gold + unplaced else 0.0,
    )


class _Means:
    """Means of precision and recall under weights of pages; pages that a metric leaves out weigh nothing."""

    def __init__(self, scores: Sequence[PageScore]) -> None:
        self.precision, self.has_precision = _column([s.precision for s in scores])
        self.recall, self.has_recall = _column([s.recall for s in scores])

    def precision_recall(self, weights: NDArray[np.float64]) -> tuple[float, float]:
        return (
            _weighted(float(weights @ self.precision), float(weights @ self.has_precision)),
            _weighted(float(weights @ self.recall), float(weights @ self.has_recall)),
        )

    def f1(self, weights: NDArray[np.float64]) -> float:
        return harmonic_mean(*self.precision_recall(weights))


def _column(values: list[float | None]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    present = np.array([value is not None for value in values], dtype=np.float64)
    return np.array([value or 0.0 for value in values], dtype=np.float64), present


def _weighted(total: float, weight: float) -> float:
    return total / weight if weight else 0.0


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _micro(scores: Sequence[PageScore]) -> Micro:
    true = sum(s.true for s in scores)
    predicted, gold = sum(s.predicted for s in scores), sum(s.gold for s in scores)
    precision, recall = _weighted(true, predicted), _weighted(true, gold)
    return Micro(precision, recall, harmonic_mean(precision, recall))
