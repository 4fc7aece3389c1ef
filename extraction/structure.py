"""The tree as parallel lists: what an extractor walks without building a tree of objects.

An element is known by its place among the starts of a document's events, a text node by its place among the
strings, both from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from extraction.text import Event


@dataclass(slots=True)
class Structure:
    """Elements and text nodes in document order.

    `parents[e]` is the parent element, -1 for the root; `ends[e]` is the element after the last descendant of
    `e`, so that `range(e + 1, ends[e])` are its descendants; `first_nodes[e]` and `end_nodes[e]` bound the
    text nodes below it in the same way. `node_parents[n]` is the element that a text node hangs in,
    `node_texts[n]` its text as decoded.
    """

    tags: list[str] = field(default_factory=list)
    attributes: list[dict[str, str]] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    first_nodes: list[int] = field(default_factory=list)
    end_nodes: list[int] = field(default_factory=list)
    node_parents: list[int] = field(default_factory=list)
    node_texts: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, events: Iterable[Event]) -> Structure:
        """Read a document's events once."""
        self = cls()
        here = -1
        # The appends are bound once: this loop runs over every tag of the page.
        tags, parents, ends, end_nodes = self.tags, self.parents, self.ends, self.end_nodes
        node_texts = self.node_texts
        add_tag, add_attributes, add_parent = tags.append, self.attributes.append, parents.append
        add_end, add_end_node, add_first = ends.append, end_nodes.append, self.first_nodes.append
        add_host, add_text = self.node_parents.append, node_texts.append
        for event in events:
            if event is None:
                ends[here] = len(tags)
                end_nodes[here] = len(node_texts)
                here = parents[here]
            elif isinstance(event, str):
                add_host(here)
                add_text(event)
            else:
                tag, attributes = event
                add_parent(here)
                here = len(tags)
                add_tag(tag)
                add_attributes(attributes)
                add_end(-1)
                add_end_node(-1)
                add_first(len(node_texts))
        return self

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
