"""The two networks of Web2Text, and the likeliest labels by both. NumPy alone.

A network is a row of convolutions over the leaves of a page, each as wide as its weights say, with nothing
beyond the ends of the page; all but the last are cut off at zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.extractors.learned.sequences import likeliest_labels, log_softmax
from extraction.extractors.learned.tensors import Tensors
from extraction.extractors.web2text.features import BLOCK_FEATURES, EDGE_FEATURES, BlockFeatures

Floats = NDArray[np.floating[Any]]


class Convolutions:
    """One network: weights of the shape (outputs, inputs, width) and biases, layer by layer."""

    def __init__(self, layers: list[tuple[Floats, Floats]]) -> None:
        # As one matrix for each layer, whose rows are those of its window.
        self._layers = [
            (weight.transpose(2, 1, 0).reshape(-1, weight.shape[0]), bias, weight.shape[2])
            for weight, bias in layers
        ]

    @classmethod
    def read(cls, tensors: Tensors, name: str) -> Convolutions:
        """The network of that name in a file of weights."""
        count = sum(key.startswith(f"{name}.") and key.endswith(".weight") for key in tensors.arrays)
        return cls([(tensors[f"{name}.{i}.weight"], tensors[f"{name}.{i}.bias"]) for i in range(count)])

    def __call__(self, rows: Floats) -> Floats:
        """The outputs of the last layer for each row."""
        values = rows
        for number, (weight, bias, width) in enumerate(self._layers):
            if number:
                values = np.maximum(values, 0)
            values = _windows(values, width) @ weight + bias
        return values


def _windows(rows: Floats, width: int) -> Floats:
    """Each row with its neighbours, zeros beyond the ends."""
    if width == 1:
        return rows
    padded = np.pad(rows, ((width // 2, width // 2), (0, 0)))
    return np.concatenate([padded[start : start + len(rows)] for start in range(width)], axis=1)


class Web2Text:
    """Both networks. `leaves` has 2 outputs, boilerplate and content; `pairs` 4: 00, 01, 10, 11."""

    def __init__(self, leaves: Convolutions, pairs: Convolutions) -> None:
        self.leaves, self.pairs = leaves, pairs

    @classmethod
    def of(cls, tensors: Tensors) -> Web2Text:
        """The networks of a file of weights."""
        return cls(Convolutions.read(tensors, "leaves"), Convolutions.read(tensors, "pairs"))

    def log_probabilities(self, page: BlockFeatures) -> tuple[Floats, Floats]:
        """Of the labels of each leaf, and of each pair of neighbours."""
        leaves = log_softmax(self.leaves(page.blocks.reshape(-1, BLOCK_FEATURES)))
        return leaves, log_softmax(self.pairs(page.edges.reshape(-1, EDGE_FEATURES)))

    def labels(self, page: BlockFeatures, pair_weight: float = 1.0) -> list[bool]:
        """The likeliest labels of the leaves; `pair_weight` says how much the second network counts."""
        if not page.nodes:
            return []
        leaves, pairs = self.log_probabilities(page)
        return likeliest_labels(leaves, pair_weight * pairs)
