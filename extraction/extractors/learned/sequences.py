"""The likeliest sequence of two labels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


def log_softmax(scores: Floats) -> Floats:
    """The logarithms of the probabilities that a row of scores stands for."""
    shifted = scores - scores.max(axis=1, keepdims=True, initial=-np.inf)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def likeliest_labels(single: Floats, pairs: Floats) -> list[bool]:
    """The labels with the largest sum: one of the two columns of `single` for each place, one of the four of
    `pairs` (00, 01, 10, 11) for each place and the next. Of equals the one that is not content.

    This is Viterbi's algorithm, from the last place to the first.
    """
    places = single.tolist()
    if not places:
        return []
    best_0, best_1 = places[-1]
    choices: list[tuple[bool, bool]] = []
    for (own_0, own_1), (to_00, to_01, to_10, to_11) in zip(
        places[-2::-1], pairs.tolist()[::-1], strict=True
    ):
        from_0 = to_00 + best_0, to_01 + best_1
        from_1 = to_10 + best_0, to_11 + best_1
        choices.append((from_0[1] > from_0[0], from_1[1] > from_1[0]))
        best_0, best_1 = own_0 + max(from_0), own_1 + max(from_1)
    labels = [best_1 > best_0]
    for choice in reversed(choices):
        labels.append(choice[labels[-1]])
    return labels
