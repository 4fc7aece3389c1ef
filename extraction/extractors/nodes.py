"""Text nodes: where they hang in the tree, and which spans they make.

A text node is known by its place among the text events of a document, from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from extraction.document import Document, Event
from extraction.spans import CONTENT, Span, bridge


def spans_of(document: Document, nodes: Iterable[int]) -> list[Span]:
    """The canonical text of these text nodes as content; neighbours inside one block are joined."""
    slices = (document.nodes[node] for node in nodes)
    spans = [Span(start, end, CONTENT) for start, end in slices if start < end]
    return bridge(spans, document.blocks, document.text)


@dataclass(slots=True)
class Tree:
    """Elements in document order with their parents, and the text nodes with theirs. -1 is no parent."""

    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    node_parents: list[int] = field(default_factory=list)
    node_texts: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, events: Iterable[Event]) -> Tree:
        """Read a document's events once."""
        tree, here = cls(), -1
        for event in events:
            if event is None:
                here = tree.parents[here]
            elif isinstance(event, str):
                tree.node_parents.append(here)
                tree.node_texts.append(event)
            else:
                tree.tags.append(event[0])
                tree.parents.append(here)
                here = len(tree.tags) - 1
        return tree

    def nearest(self, element: int, tags: frozenset[str]) -> int:
        """The nearest of the element and its ancestors with one of the tags, or -1."""
        while element >= 0 and self.tags[element] not in tags:
            element = self.parents[element]
        return element

    def ancestor(self, element: int, generations: int) -> int:
        """The n-th parent; where the tree ends before, its root."""
        for _ in range(generations):
            if self.parents[element] < 0:
                break
            element = self.parents[element]
        return element
