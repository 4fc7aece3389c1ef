"""Counts of features inside and outside of articles, and the stretch that they make likely. NumPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.extractors.learned.tensors import Tensors
from extraction.extractors.maximum_sum import maximum_sum
from extraction.extractors.mss_supervised.tokens import NO_NODE, TokenSequence

Floats = NDArray[np.floating[Any]]


class NaiveBayes:
    """`keys` are digests in rising order, `counts` how often each was outside and inside, `totals` all."""

    def __init__(self, keys: NDArray[np.uint64], counts: NDArray[Any], totals: NDArray[Any]) -> None:
        self._keys = keys
        both = totals.astype(np.float64)
        known = np.log((counts + 1.0) / (both + 2.0))
        # What was never seen speaks for neither.
        self._logs = np.concatenate([known, np.zeros((1, 2))])
        self._prior = np.log(both / both.sum())

    @classmethod
    def of(cls, tensors: Tensors) -> NaiveBayes:
        """The counts of a file of weights."""
        return cls(tensors["keys"], tensors["counts"], tensors["totals"])

    def scores(self, tokens: TokenSequence) -> Floats:
        """How likely each token is inside, less a half."""
        logs = self._prior + self._of(tokens.trigrams) + self._of(tokens.tags)
        found: Floats = 1 / (1 + np.exp(logs[:, 0] - logs[:, 1])) - 0.5
        return found

    def _of(self, keys: NDArray[np.uint64]) -> Floats:
        at = np.searchsorted(self._keys, keys)
        known = at < len(self._keys)
        known[known] = self._keys[at[known]] == keys[known]
        found: Floats = self._logs[np.where(known, at, len(self._keys))]
        return found

    def nodes(self, tokens: TokenSequence) -> list[int]:
        """The text nodes of which more than half of the words are in the best stretch."""
        segment = maximum_sum(self.scores(tokens)) if len(tokens.nodes) else None
        if segment is None:
            return []
        inside = tokens.nodes[segment.start : segment.end]
        size = int(tokens.nodes.max()) + 1
        counts = np.bincount(inside[inside != NO_NODE], minlength=size)
        words = np.bincount(tokens.nodes[tokens.nodes != NO_NODE], minlength=size)
        found: list[int] = np.flatnonzero(2 * counts > words).tolist()
        return found
