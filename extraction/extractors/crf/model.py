"""The weights of a conditional random field, and the likeliest labels by them. NumPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.extractors.crf.features import Ints
from extraction.extractors.learned.sequences import likeliest_labels
from extraction.extractors.learned.tensors import Tensors

Floats = NDArray[np.floating[Any]]


class Crf:
    """`symbols` in rising order, `weights` for either label of each, and of the pairs 00, 01, 10, 11."""

    def __init__(self, symbols: Ints, weights: Floats, transitions: Floats) -> None:
        self._symbols = symbols
        # What was never seen says nothing.
        self._weights = np.concatenate([weights, np.zeros((1, 2), np.float32)])
        self._transitions = transitions

    @classmethod
    def of(cls, tensors: Tensors) -> Crf:
        """The field of a file of weights."""
        return cls(tensors["symbols"], tensors["weights"], tensors["transitions"])

    def scores(self, rows: Ints) -> Floats:
        """The sums of the weights of either label for each text."""
        at = np.searchsorted(self._symbols, rows)
        known = np.append(self._symbols, -1)[at] == rows
        found: Floats = self._weights[np.where(known, at, len(self._symbols))].sum(axis=1)
        return found

    def labels(self, rows: Ints) -> list[bool]:
        """The likeliest labels of a page's texts."""
        pairs = np.broadcast_to(self._transitions, (max(len(rows) - 1, 0), 4))
        return likeliest_labels(self.scores(rows), pairs)
