"""The tree as parallel lists: what everything here walks, for objects would take most of the time.

An element is known by its position among the starts of a document's events, a text node by its position
among the strings, both from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Event = str | list[Any] | None
_Ints = list[int]
_Lists = tuple[list[str], list[dict[str, str]], _Ints, _Ints, _Ints, _Ints, _Ints, list[str]]


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
        tree = cls()
        tags, attributes, parents, ends, first_nodes, end_nodes, node_parents, node_texts = tree.lists()
        here, element, node = -1, 0, 0
        # One look at each event, for they lie all over the memory.
        for event in events:
            if event is None:
                ends[here] = element
                end_nodes[here] = node
                here = parents[here]
            elif isinstance(event, str):
                node_parents.append(here)
                node_texts.append(event)
                node += 1
            else:
                tag, pairs = event
                tags.append(tag)
                attributes.append(pairs)
                parents.append(here)
                first_nodes.append(node)
                ends.append(0)  # both are known when it ends
                end_nodes.append(0)
                here = element
                element += 1
        return tree

    def lists(self) -> _Lists:
        """All of these lists, in the order above."""
        nodes = self.node_parents, self.node_texts
        return self.tags, self.attributes, self.parents, self.ends, self.first_nodes, self.end_nodes, *nodes

    def events(self) -> list[Event]:
        """The events that `of` reads."""
        events: list[Event] = []
        here, node = -1, 0
        starts = zip(self.tags, self.attributes, self.parents, self.first_nodes, strict=True)
        for element, (tag, pairs, parent, first) in enumerate(starts):
            while here != parent:
                node = self._end(here, node, events)
                here = self.parents[here]
            events += self.node_texts[node:first]
            events.append([tag, pairs])
            here, node = element, first
        while here >= 0:
            node = self._end(here, node, events)
            here = self.parents[here]
        return events

    def _end(self, element: int, node: int, events: list[Event]) -> int:
        """Add the texts from this node on that an element still has, and its end."""
        end = self.end_nodes[element]
        events += self.node_texts[node:end]
        events.append(None)
        return end

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
