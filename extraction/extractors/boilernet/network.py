"""BoilerNet's network on NumPy: counts, a layer of 256, two bidirectional layers of long short-term memory.

Gates come in the order input, forget, cell, output. Both directions of a layer take a step at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.extractors.boilernet.features import LeafCounts, Vocabulary
from extraction.extractors.learned.tensors import Tensors

Floats = NDArray[np.floating[Any]]
LAYERS = 2


class BoilerNet:
    """The network and its vocabulary."""

    def __init__(self, tensors: Tensors, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._embedding = tensors["embedding.weight"]  # a row for each column of the counts
        self._embedding_bias = tensors["embedding.bias"]
        self._layers = [_Layer(tensors, number) for number in range(LAYERS)]
        self._output, self._output_bias = tensors["output.weight"][0], tensors["output.bias"][0]

    @classmethod
    def of(cls, tensors: Tensors) -> BoilerNet:
        """The network of a file of weights."""
        words, tags = (bytes(tensors[name].tobytes()).decode().split("\n") for name in ("words", "tags"))
        return cls(tensors, Vocabulary.of(words, tags))

    def probabilities(self, page: LeafCounts) -> Floats:
        """How likely each leaf is content."""
        rows = self.vocabulary.rows(page)
        if not rows.size:
            return np.zeros(0, np.float32)
        # Here, as scipy takes a quarter of a second to load, and most commands need none of it.
        from scipy.sparse import csr_matrix

        shape = rows.size, self.vocabulary.width
        counts = csr_matrix((rows.values, (rows.rows, rows.columns)), shape=shape)
        values: Floats = np.maximum(counts @ self._embedding + self._embedding_bias, 0)
        for layer in self._layers:
            values = layer(values)
        return _sigmoid(values @ self._output + self._output_bias)


class _Layer:
    """One layer, both directions."""

    def __init__(self, tensors: Tensors, number: int) -> None:
        def both(name: str) -> Floats:
            return np.stack([tensors[f"lstm.{name}_l{number}{end}"] for end in ("", "_reverse")])

        self._input = both("weight_ih").transpose(0, 2, 1)
        self._recurrent = np.ascontiguousarray(both("weight_hh").transpose(0, 2, 1))
        self._bias = both("bias_ih") + both("bias_hh")

    def __call__(self, values: Floats) -> Floats:
        """The outputs of both directions beside each other."""
        size = self._recurrent.shape[1]
        forward, backward = (values @ self._input[end] + self._bias[end] for end in (0, 1))
        gates = np.stack([forward, backward[::-1]], axis=1)  # steps, directions, gates
        hidden = np.zeros((2, 1, size), np.float32)
        cell = np.zeros((2, size), np.float32)
        outputs = np.empty((len(values), 2, size), np.float32)
        for step, gate in enumerate(gates):
            gate = gate + (hidden @ self._recurrent)[:, 0]
            kept = _sigmoid(gate[:, : 2 * size])
            cell = kept[:, size:] * cell + kept[:, :size] * np.tanh(gate[:, 2 * size : 3 * size])
            outputs[step] = _sigmoid(gate[:, 3 * size :]) * np.tanh(cell)
            hidden = outputs[step][:, None]
        return np.concatenate([outputs[:, 0], outputs[::-1, 1]], axis=1)


def _sigmoid(values: Floats) -> Floats:
    # The same as 1 / (1 + exp(-x)), without an overflow.
    return np.asarray(0.5 * np.tanh(0.5 * values) + 0.5)
