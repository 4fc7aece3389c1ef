"""Weights of pages that were not drawn with equal probability: each counts for the pages it stands for.

All figures are ratios of weighted sums (Hájek), so that only the proportions of the weights matter. Where all
pages count alike, every figure is the unweighted one, to the bit.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]


def weights_of(given: Sequence[float] | None, pages: int) -> Weights:
    """One weight a page; ones where there are none, or where all are alike. Raises ValueError for others."""
    if given is None:
        return np.ones(pages)
    weights = np.array(given, dtype=np.float64)
    if weights.shape != (pages,) or not (np.isfinite(weights) & (weights > 0)).all():
        raise ValueError(f"{pages} pages need as many weights, all of them positive")
    return np.ones(pages) if is_even(weights) else weights


def is_even(weights: Weights) -> bool:
    """Whether all count alike."""
    return not weights.size or bool((weights == weights[0]).all())


def effective(weights: Weights) -> float | None:
    """So many pages drawn with equal probability would be as good (Kish 1965); None where all count alike.

    It is (sum of the weights)² / sum of their squares.
    """
    if is_even(weights):
        return None
    return float(weights.sum() ** 2 / (weights**2).sum())
