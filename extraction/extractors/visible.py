"""The body as a reader without a style sheet sees it: its shown elements and the lengths of their texts."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.documents.structure import Structure
from extraction.features.tree_arrays import Flags, Ints, TreeArrays, tree_arrays

Longs = NDArray[np.int64]

LINKS = frozenset({"a", "button", "select"})
HIDDEN = frozenset({"script", "style", "noscript", "template", "head", "title"})
_DISPLAY_NONE = re.compile(r"display\s*:\s*none", re.IGNORECASE)


class VisibleBody(NamedTuple):
    """The body's elements in document order, the body as number 0 and its own parent, and its text nodes.

    `ends`, `first_nodes` and `end_nodes` bound the elements and the text nodes below an element. `lengths`
    are the characters of a text node, whitespace collapsed and trimmed; 0 for blank and for hidden ones.
    `divided` says where whitespace stands between a text node and the one with words before it; `links` are
    the elements that lead away, `in_link` these and all below them.
    """

    first_node: int  # number of the first text node in the document
    parents: Ints
    ends: Ints
    first_nodes: Ints
    end_nodes: Ints
    node_parents: Ints
    lengths: Ints
    divided: Flags
    links: Flags
    in_link: Flags
    shown: Flags

    def below(self, amounts: NDArray[Any]) -> NDArray[Any]:
        """What one amount for each text node adds up to below each element."""
        sums = np.concatenate(([0], np.cumsum(amounts)))
        return sums[self.end_nodes] - sums[self.first_nodes]

    def of_descendants(self, amounts: NDArray[Any]) -> NDArray[Any]:
        """What one amount for each element adds up to over the descendants of each."""
        sums = np.concatenate(([0], np.cumsum(amounts)))
        return sums[self.ends] - sums[1:]

    def of_children(self, amounts: NDArray[Any]) -> NDArray[Any]:
        """What one amount for each element adds up to over the children of each."""
        return np.bincount(self.parents[1:], weights=amounts[1:], minlength=self.ends.size)

    def of_own_nodes(self, amounts: NDArray[Any]) -> NDArray[Any]:
        """What one amount for each text node adds up to over those that hang in each element itself."""
        return np.bincount(self.node_parents, weights=amounts, minlength=self.ends.size)

    def characters(self) -> Longs:
        """The length of each element's text, runs of whitespace as one blank, trimmed."""
        solid = self.lengths > 0
        before = np.concatenate(([0], np.cumsum(solid)))
        blanks = np.concatenate(([0], np.cumsum(self.divided[solid])))
        first, end = before[self.first_nodes], before[self.end_nodes]
        # The blank before the first text node of an element is not part of it.
        inner = blanks[end] - blanks[np.minimum(first + 1, end)]
        return np.asarray(self.below(self.lengths) + inner, dtype=np.int64)


@cached_on_document
def visible_body(document: Document) -> VisibleBody | None:
    """The body of a document, None where it has none (a frameset)."""
    tree = document.structure
    arrays = tree_arrays(document)
    body = arrays.body
    if body is None:
        return None
    elements = slice(body, tree.ends[body])
    nodes = slice(tree.first_nodes[body], tree.end_nodes[body])
    shown = ~arrays.within(_hiding(tree, arrays))
    shown_nodes = shown[arrays.node_parents[nodes]]
    return VisibleBody(
        first_node=nodes.start,
        links=(arrays.having(LINKS) & shown)[elements],
        in_link=arrays.within(arrays.having(LINKS) & shown)[elements],
        parents=np.maximum(arrays.parents[elements] - body, 0),
        ends=arrays.ends[elements] - body,
        first_nodes=arrays.first_nodes[elements] - nodes.start,
        end_nodes=arrays.end_nodes[elements] - nodes.start,
        node_parents=arrays.node_parents[nodes] - body,
        lengths=np.where(shown_nodes, arrays.lengths[nodes], 0),
        divided=_divided(arrays, nodes, shown_nodes),
        shown=shown[elements],
    )


def _hiding(tree: Structure, arrays: TreeArrays) -> Flags:
    """Which elements hide themselves."""
    hiding = arrays.having(HIDDEN)
    hiding[[element for element, pairs in enumerate(tree.attributes) if pairs and _hides(pairs)]] = True
    for element in np.flatnonzero(arrays.having(frozenset({"input"}))).tolist():
        hiding[element] |= tree.attributes[element].get("type", "").lower() == "hidden"
    return hiding


def _hides(attributes: Mapping[str, str]) -> bool:
    return "hidden" in attributes or (
        "style" in attributes and _DISPLAY_NONE.search(attributes["style"]) is not None
    )


def _divided(arrays: TreeArrays, nodes: slice, shown: Flags) -> Flags:
    blank = shown & (arrays.words[nodes] == 0)
    solid = np.flatnonzero(shown & ~blank)
    blanks = np.cumsum(blank)[solid]
    divided = np.zeros(shown.size, dtype=np.bool_)
    leads, trails = arrays.leads[nodes], arrays.trails[nodes]
    divided[solid[1:]] = leads[solid[1:]] | trails[solid[:-1]] | (np.diff(blanks) > 0)
    return divided
