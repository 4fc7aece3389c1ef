"""The tree as arrays: where its elements begin and end, and how much is written in each text node."""

from collections import defaultdict
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.documents.structure import Structure

Ints = NDArray[np.signedinteger[Any]]
Flags = NDArray[np.bool_]


class TreeArrays:
    """One entry for each element (`tags` to `end_nodes`) or each text node (the rest) of a `Structure`.

    `tags[e]` is the index of an element's tag in `names`.
    """

    def __init__(self, tree: Structure) -> None:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self.tags = _ints(list(map(numbers.__getitem__, tree.tags)))
        self.names = list(numbers)
        self.parents = _ints(tree.parents)
        self.ends = _ints(tree.ends)
        self.first_nodes = _ints(tree.first_nodes)
        self.end_nodes = _ints(tree.end_nodes)
        self.node_parents = _ints(tree.node_parents)
        self._texts = tree.node_texts

    @cached_property
    def words(self) -> Ints:
        """How many words each text node has: what `str.split` gives, so no-break spaces divide them."""
        return _ints([len(piece) for piece in self._pieces])

    @cached_property
    def lengths(self) -> Ints:
        """The characters of these words, with one blank between two."""
        characters = _ints([sum(map(len, piece)) for piece in self._pieces])
        return characters + np.maximum(self.words - 1, 0, dtype=np.int32)

    @cached_property
    def leads(self) -> Flags:
        """Whether each text node begins with whitespace; a blank one does."""
        return _flags([text[:1].isspace() for text in self._texts])

    @cached_property
    def trails(self) -> Flags:
        """Whether each text node ends with whitespace; a blank one does."""
        return _flags([text[-1:].isspace() for text in self._texts])

    @cached_property
    def _pieces(self) -> list[list[str]]:
        return [text.split() for text in self._texts]

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
        counts = np.bincount(self.first_nodes[elements], minlength=self.node_parents.size + 1)
        return counts.astype(np.int32)

    def ends_before(self, elements: Flags) -> Ints:
        """How many of the elements end between each text node and the one before, as `starts_before`."""
        return np.bincount(self.end_nodes[elements], minlength=self.node_parents.size + 1).astype(np.int32)


@cached_on_document
def tree_arrays(document: Document) -> TreeArrays:
    """The tree of a document as arrays, made when first needed and kept with the document."""
    return TreeArrays(document.structure)


# Reading a list one by one takes a third of the time of `np.array`, which looks at all of it first.


def _ints(values: list[int]) -> Ints:
    return np.fromiter(values, np.int32, len(values))


def _flags(values: list[bool]) -> Flags:
    return np.fromiter(values, np.bool_, len(values))
