"""The features of Web2Text: 128 numbers for each leaf of the collapsed tree, 25 for each pair of neighbours.

The constants are those of the program, fitted by its authors to CleanEval. Two of its habits are kept: the
extent of a node as a share of the page is an integer, so 1 for the root and 0 elsewhere, and so is the share
of leaves with the same selector.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.extractors.web2text.collapsed_dom import (
    CollapsedDom,
    CollapsedNode,
    TextCounts,
    collapsed_dom,
)

BLOCK_FEATURES, EDGE_FEATURES = 128, 25
_NODE_FEATURES = 20
# In the order of the program, with its repetition.
_PARENT_TAGS = "td div p tr table body ul span li blockquote b small a ol ul i form dl strong pre"
_LEAF_TAGS = "a p td b li span i tr div strong em h3 h2 table h4 small sup h1 blockquote"
# More leaves than this with one text are a repetition of their own kind.
_OFTEN = 10

_NO_PARENT = [0.0] * (1 + _NODE_FEATURES + len(_PARENT_TAGS.split()))
_NO_GRANDPARENT = [0.0] * (1 + _NODE_FEATURES)

Floats = NDArray[np.float32]
_OfNode = Callable[[CollapsedNode], list[float]]


class BlockFeatures(NamedTuple):
    """The text node of each leaf, its characters, and the rows of numbers of leaves and of pairs."""

    nodes: list[int]
    lengths: list[int]
    blocks: Floats
    edges: Floats


@cached_on_document
def page_features(document: Document) -> BlockFeatures:
    """The features of a page; none of a page without text."""
    dom = collapsed_dom(document)
    if dom is None:
        empty = np.zeros((0, BLOCK_FEATURES), np.float32), np.zeros((0, EDGE_FEATURES), np.float32)
        return BlockFeatures([], [], *empty)
    extent = _Extent.of(dom)
    known: dict[int, list[float]] = {}

    def of_node(node: CollapsedNode) -> list[float]:
        if id(node) not in known:
            known[id(node)] = node_vector(node.counts, extent)
        return known[id(node)]

    blocks = [
        [*repetition, *_block_vector(leaf, extent, of_node(dom.root), of_node)]
        for leaf, repetition in zip(dom.leaves, _repetition(dom), strict=True)
    ]
    edges = [_edge_vector(*pair, of_node) for pair in zip(dom.leaves, dom.leaves[1:], strict=False)]
    return BlockFeatures(
        [leaf.text_node for leaf in dom.leaves],
        [leaf.counts.characters for leaf in dom.leaves],
        np.array(blocks, np.float32).reshape(-1, BLOCK_FEATURES),
        np.array(edges, np.float32).reshape(-1, EDGE_FEATURES),
    )


class _Extent(NamedTuple):
    """Where the text of a page starts, and its length, at least 1."""

    start: int
    length: int

    @classmethod
    def of(cls, dom: CollapsedDom) -> _Extent:
        start = dom.leaves[0].counts.start
        return cls(start, max(dom.leaves[-1].counts.end - start, 1))


def _sign(value: bool) -> float:
    return 1.0 if value else -1.0


def _scaled(value: float, mean: float, deviation: float) -> float:
    return (value - mean) / deviation


def _clipped(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def leaf_vector(counts: TextCounts, extent: _Extent) -> list[float]:
    """The 24 numbers of a leaf's own text."""
    middle = ((counts.start + counts.end) / 2 - extent.start) / extent.length
    return [
        _scaled(_sign(counts.words > 0), 0.8255, 0.5643817),
        _scaled(_clipped(log(counts.words), 0, 3.5), 1.5086, 1.205) if counts.words else 0.0,
        _word_length(counts),
        _sign(counts.stop_words > 0),
        _stop_words(counts),
        _scaled(_clipped(log(counts.characters), 2.5, 5.5), 3.392, 1.06445),
        _sign(counts.punctuation > 0),
        _scaled(_clipped(counts.punctuation, 0, 10), 0.06938, 0.4083676),
        _punctuation(counts),
        *_digits_and_sentence(counts),
        _sign(counts.sentences > 1),
        _scaled(middle, 0.5198038, 0.2996195),
        _scaled(middle * middle, 0.3599672, 0.3157282),
        *_kinds(counts),
        *_capitals(counts),
    ]


def node_vector(counts: TextCounts, extent: _Extent) -> list[float]:
    """The 20 numbers of a node with everything below it."""
    return [
        float((counts.end - counts.start) // extent.length),
        _scaled(counts.in_link / counts.characters, 0.5, 0.5),
        _word_length(counts),
        _sign(counts.stop_words > 0),
        _stop_words(counts),
        _scaled(_clipped(log(counts.characters), 2.5, 10), 6, 2.14),
        _punctuation(counts),
        *_digits_and_sentence(counts),
        *_kinds(counts),
        *_capitals(counts),
        _sign(counts.form),
    ]


def _word_length(counts: TextCounts) -> float:
    if not counts.words:
        return -1.0
    return _scaled(_clipped(counts.word_lengths // counts.words, 3, 15), 4.910001, 1.905709)


def _stop_words(counts: TextCounts) -> float:
    return _scaled(counts.stop_words / counts.words, 0.374, 0.1529) if counts.words else 0.0


def _punctuation(counts: TextCounts) -> float:
    if not counts.punctuation:
        return 0.0
    share = log(counts.punctuation / counts.characters)
    return _scaled(_clipped(share, -4, -2.5), -3.338525, 0.6058926)


def _digits_and_sentence(counts: TextCounts) -> list[float]:
    length = max(counts.characters // counts.sentences, 1)
    return [
        _scaled(_sign(counts.digits > 0), -0.5900983, 0.8073342),
        _scaled(counts.digits / counts.characters, 0.2655969, 0.3052819),
        _scaled(_clipped(log(length), 2, 5), 3.109, 1.011),
    ]


def _kinds(counts: TextCounts) -> list[float]:
    flags = (counts.ends_punctuation, counts.ends_question, counts.copyright)
    return [_sign(flag) for flag in (*flags, counts.email, counts.url, counts.year)]


def _capitals(counts: TextCounts) -> list[float]:
    if not counts.words:
        return [0.0] * 3
    share = counts.capitals / counts.words
    return [
        _scaled(share, 0.4475758, 0.4129316),
        _scaled(share**2, 0.3708354, 0.4334037),
        _scaled(share**3, 0.340843, 0.4404389),
    ]


def _repetition(dom: CollapsedDom) -> list[list[float]]:
    """For each leaf: its text comes again, comes often, and all leaves have its selector."""
    texts = Counter(leaf.text for leaf in dom.leaves)
    # Nodes are told their selectors from the root on, as a number for each different path.
    paths: dict[tuple[int, tuple[str, ...]], int] = {}
    of_node: dict[int, int] = {}
    waiting = [(dom.root, -1)]
    while waiting:
        node, above = waiting.pop()
        of_node[id(node)] = here = paths.setdefault((above, tuple(node.selectors)), len(paths))
        waiting += [(child, here) for child in node.children]
    alike = Counter(of_node[id(leaf)] for leaf in dom.leaves)
    return [
        [
            _sign(texts[leaf.text] > 1),
            _sign(texts[leaf.text] > _OFTEN),
            float(alike[of_node[id(leaf)]] // len(dom.leaves)),
        ]
        for leaf in dom.leaves
    ]


def _tags(tags: Sequence[str], wanted: str) -> list[float]:
    return [_sign(tag in tags) for tag in wanted.split()]


def _block_vector(
    leaf: CollapsedNode, extent: _Extent, of_root: list[float], of_node: _OfNode
) -> list[float]:
    """The numbers of a leaf after those of its repetition."""
    parent = leaf.parent
    grandparent = parent.parent if parent else None
    return [
        *leaf_vector(leaf.counts, extent),
        *([1.0, *of_node(parent), *_tags(parent.tags, _PARENT_TAGS)] if parent else _NO_PARENT),
        *([1.0, *of_node(grandparent)] if grandparent else _NO_GRANDPARENT),
        *of_root,
        *_tags(leaf.tags, _LEAF_TAGS),
    ]


def _edge_vector(a: CollapsedNode, b: CollapsedNode, of_node: _OfNode) -> list[float]:
    """The numbers of two leaves that follow each other."""
    above = {id(node): height for height, node in enumerate(_ancestors(a))}
    height, common = next((height, node) for height, node in enumerate(_ancestors(b)) if id(node) in above)
    distance = above[id(common)] + height + 2
    return [
        _sign(distance == 2),
        _sign(distance == 3),
        _sign(distance == 4),
        _sign(distance > 4),
        float(a.breaks_after or b.breaks_before),
        *of_node(common),
    ]


def _ancestors(node: CollapsedNode) -> Iterator[CollapsedNode]:
    """The ancestors of a node, its parent first."""
    while node.parent is not None:
        node = node.parent
        yield node
