"""The tree as arrays: where its elements begin and end, and how much is written in each text node."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extraction.structure import Structure

Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TreeArrays:
    """One entry for each element (`parents` to `end_nodes`) or each text node (the rest) of a `Structure`.

    Words are what `str.split` gives, so no-break spaces divide them; `lengths` are the characters of these
    words with one blank between two. `leads` and `trails` say whether the text node begins or ends with
    whitespace; a blank one does both.
    """

    parents: Ints
    ends: Ints
    first_nodes: Ints
    end_nodes: Ints
    node_parents: Ints
    words: Ints
    lengths: Ints
    leads: Flags
    trails: Flags

    @classmethod
    def of(cls, tree: Structure) -> TreeArrays:
        """Measure a tree once; linear in its elements and characters."""
        texts = tree.node_texts
        pieces = [text.split() for text in texts]
        words = _ints([len(piece) for piece in pieces])
        characters = _ints([sum(map(len, piece)) for piece in pieces])
        return cls(
            parents=_ints(tree.parents),
            ends=_ints(tree.ends),
            first_nodes=_ints(tree.first_nodes),
            end_nodes=_ints(tree.end_nodes),
            node_parents=_ints(tree.node_parents),
            words=words,
            lengths=characters + np.maximum(words - 1, 0, dtype=np.int32),
            leads=np.array([text[:1].isspace() for text in texts], dtype=np.bool_),
            trails=np.array([text[-1:].isspace() for text in texts], dtype=np.bool_),
        )


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int32)
