"""Krippendorff's alpha with nominal labels, for any number of annotators a page."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from extraction.characters import joint, painted
from extraction.spans import Span

Table = NDArray[np.float64]


def coincidences(
    annotations: Sequence[Sequence[Span]], counts: NDArray[np.bool_], labels: Sequence[str]
) -> Table:
    """How often two labels meet on a character, each ordered pair of m annotators weighing 1 / (m - 1).

    Tables of pages are pooled by adding them. `labels` starts with "", the unlabelled; fewer than two
    annotators give a table of zeros.
    """
    size = len(labels)
    total = np.zeros((size, size))
    codes = [painted(spans, counts.size, labels)[counts] for spans in annotations]
    for a, b in combinations(codes, 2):
        table = joint(a, b, size)
        total += table + table.T
    return total / max(1, len(annotations) - 1)


def alpha(table: Table) -> float | None:
    """1 - observed / expected disagreement; None where only one label occurs at all (Krippendorff 2011)."""
    margins = table.sum(axis=1)
    pairable = margins.sum()
    expected = pairable**2 - (margins**2).sum()
    if expected <= 0:
        return None
    disagreed = pairable - np.trace(table)
    return float(1 - (pairable - 1) * disagreed / expected)
