"""The tree as arrays: where its elements begin and end, and how much is written in each text node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.structure import Structure

Ints = NDArray[np.signedinteger[Any]]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TreeArrays:
    """One entry for each element (`tags` to `end_nodes`) or each text node (the rest) of a `Structure`.

    `tags[e]` is the place of an element's tag in `names`. Words are what `str.split` gives, so no-break
    spaces divide them; `lengths` are the characters of these words with one blank between two. `leads` and
    `trails` say whether the text node begins or ends with whitespace; a blank one does both.
    """

    names: list[str]
    tags: Ints
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
        numbers = {tag: number for number, tag in enumerate(dict.fromkeys(tree.tags))}
        texts = tree.node_texts
        pieces = [text.split() for text in texts]
        words = _ints([len(piece) for piece in pieces])
        characters = _ints([sum(map(len, piece)) for piece in pieces])
        return cls(
            names=list(numbers),
            tags=_ints([numbers[tag] for tag in tree.tags]),
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

    @property
    def body(self) -> int | None:
        """The first `body` element; a frameset has none."""
        found = np.flatnonzero(self.having(frozenset({"body"})))
        return int(found[0]) if found.size else None

    def having(self, tags: frozenset[str]) -> Flags:
        """Which elements have one of the tags."""
        return np.array([name in tags for name in self.names], dtype=np.bool_)[self.tags]

    def within(self, roots: Flags) -> Flags:
        """Which elements are one of the roots or below one."""
        size = roots.size
        closed = np.bincount(self.ends[roots], minlength=size + 1)[:size]
        return np.asarray(np.cumsum(roots - closed) > 0)

    def starts_before(self, elements: Flags) -> Ints:
        """How many of the elements start between each text node and the one before; the last entry is for
        what comes after all text."""
        counts = np.bincount(self.first_nodes[elements], minlength=self.words.size + 1)
        return counts.astype(np.int32)

    def ends_before(self, elements: Flags) -> Ints:
        """How many of the elements end between each text node and the one before, as `starts_before`."""
        return np.bincount(self.end_nodes[elements], minlength=self.words.size + 1).astype(np.int32)


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int32)
