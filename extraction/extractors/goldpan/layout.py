"""Where the blocks of a document stand: their elements, and what lies below, beside and above these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from extraction.document import Document
from extraction.extractors.goldpan.measures import BlockMeasures, Numbers
from extraction.extractors.goldpan.names import FOREIGN, kinds_of, shape_of
from extraction.tags import INLINE, KINDS
from extraction.tree_arrays import Ints, TreeArrays

Places = NDArray[np.int64]

# Elements that say what they hold; the order is that of the bits, and of the model's columns.
SPEAKING = [
    "article",
    "main",
    "aside",
    "nav",
    "footer",
    "header",
    "form",
    "figure",
    "table",
    "ul",
    "blockquote",
    "section",
    "li",
    "a",
    "button",
    "p",
    "label",
    "time",
    "figcaption",
    "dialog",
]
TAG_BITS = {tag: 1 << place for place, tag in enumerate(SPEAKING)}
ARTICLE_BODY, HIDDEN = 1 << 20, 1 << 21
_ROLES = {
    "main": "main",
    "complementary": "aside",
    "navigation": "nav",
    "menu": "nav",
    "menubar": "nav",
    "contentinfo": "footer",
    "dialog": "dialog",
    "alertdialog": "dialog",
}
_FOREIGN_TAGS = sum(
    TAG_BITS[tag] for tag in ("aside", "nav", "footer", "form", "dialog", "figcaption", "figure")
)
#: In `Layout.foreign`, beside the bits of `names`: inside such an element; inside a hidden one.
BY_TAG, BY_HIDING = 1 << 30, 1 << 31

#: Attributes that say more of an element than its name.
_TELLING = frozenset({"itemprop", "role", "hidden", "aria-hidden", "style"})
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# A container with this share of the page's prose is no aside, whatever its name says.
_TOO_MUCH = 0.5
# What looks like prose: few links, and whole sentences or many words.
_MAX_LINKED = 0.34
_MIN_WORDS, _MIN_WORDS_ALONE = 10, 20
# As many alike siblings, with as many blocks in one, make a list of records: teasers, comments, products.
MIN_RECORDS, _MIN_BLOCKS = 3, 2


@dataclass(slots=True)
class Layout:
    """Blocks, and the elements that they stand in.

    For each block: `element`, the place of its nearest block-level element in the lists below; `linked`, the
    characters of its links; `links`, how many these are; `bold`, the characters in bold; `prose`, its
    characters if it looks like prose, else 0.

    For each element that holds text, in document order: `tags`; `parents`, -1 for the root; `first` and
    `end`, the range of blocks that start below it; `speaking`, bits of `TAG_BITS`; `kinds`, bits of `names`;
    `signatures`, equal for elements made alike; `alike`, how many siblings have its signature; `foreign`,
    what on the way down to it says that this is not the article; `records`, the longest list of alike
    siblings on that way, and `record_blocks`, the blocks in one of these.
    """

    element: Places
    linked: Numbers
    links: Numbers
    bold: Numbers
    prose: Numbers
    tags: list[str]
    parents: list[int]
    first: Places
    end: Places
    speaking: list[int]
    kinds: list[int]
    signatures: list[str]
    alike: list[int]
    foreign: list[int]
    records: list[int]
    record_blocks: list[int]

    @classmethod
    def of(cls, document: Document, measures: BlockMeasures) -> Layout:
        """Read the tree of a document that has at least one block."""
        tree, arrays = document.structure, document.arrays
        places = np.fromiter(chain.from_iterable(document.nodes), np.int64, 2 * len(document.nodes))
        seen = np.flatnonzero(places[::2] >= 0)
        lengths = (places[1::2] - places[::2])[seen]
        starts = np.fromiter((start for start, _ in document.blocks), np.int64, len(document.blocks))
        block_of = np.searchsorted(starts, places[::2][seen], "right") - 1
        first_nodes = seen[np.searchsorted(block_of, np.arange(starts.size))]
        hosts = arrays.node_parents[seen]

        def add(amounts: NDArray[np.generic]) -> Numbers:
            return np.bincount(block_of, amounts, starts.size).astype(np.float32)

        in_link = arrays.within(arrays.having(frozenset({"a"})))[hosts]
        another = in_link & (np.concatenate(([True], hosts[1:] != hosts[:-1])) | ~_shifted(in_link))
        linked = add(lengths * in_link)
        own = _block_level(arrays, arrays.node_parents[first_nodes])
        elements = _with_ancestors(own.tolist(), tree.parents)
        number = {element: place for place, element in enumerate(elements)}
        layout = cls(
            element=np.searchsorted(elements, own),
            linked=linked,
            links=add(another),
            bold=add(lengths * arrays.within(arrays.having(frozenset({"b", "strong"})))[hosts]),
            prose=_prose(measures, linked),
            tags=[tree.tags[element] for element in elements],
            parents=[number.get(tree.parents[element], -1) for element in elements],
            first=np.searchsorted(first_nodes, arrays.first_nodes[elements]),
            end=np.searchsorted(first_nodes, arrays.end_nodes[elements]),
            speaking=[],
            kinds=[],
            signatures=[],
            alike=[],
            foreign=[],
            records=[],
            record_blocks=[],
        )
        layout._describe([tree.attributes[element] for element in elements])
        return layout

    def below(self, amounts: Numbers) -> Numbers:
        """What an amount for each block adds up to below each element."""
        sums = np.concatenate(([0.0], np.cumsum(amounts, dtype=np.float64)))
        return (sums[self.end] - sums[self.first]).astype(np.float32)

    def _describe(self, attributes: list[Mapping[str, str]]) -> None:
        shares = (self.below(self.prose) / max(1.0, float(self.prose.sum()))).tolist()
        for tag, pairs, share in zip(self.tags, attributes, shares, strict=True):
            bits, signature, speaking = _named(tag, pairs.get("class", ""), pairs.get("id", ""))
            if not _TELLING.isdisjoint(pairs):
                speaking |= _told(pairs, share)
            self.kinds.append(bits)
            self.signatures.append(signature)
            self.speaking.append(speaking)
        self._count_alike()
        self._inherit(shares)

    def _count_alike(self) -> None:
        pairs = list(zip(self.parents, self.signatures, strict=True))
        counts = Counter(pairs)
        self.alike = [counts[pair] for pair in pairs]

    def _inherit(self, shares: list[float]) -> None:
        blocks = (self.end - self.first).tolist()
        size = len(self.parents)
        foreign, records, record_blocks = [0] * size, [0] * size, [0] * size
        telling = [kinds or speaking for kinds, speaking in zip(self.kinds, self.speaking, strict=True)]
        # The root comes first and has no parent: what it inherits is what stands last as yet, nothing.
        for place, parent in enumerate(self.parents):
            foreign[place] = foreign[parent]
            records[place], record_blocks[place] = records[parent], record_blocks[parent]
            if shares[place] >= _TOO_MUCH:
                continue
            if telling[place]:
                foreign[place] |= self._own_foreign(place)
            alike = self.alike[place]
            if alike >= MIN_RECORDS and blocks[place] >= _MIN_BLOCKS and alike > records[place]:
                records[place], record_blocks[place] = alike, blocks[place]
        self.foreign, self.records, self.record_blocks = foreign, records, record_blocks

    def _own_foreign(self, place: int) -> int:
        speaking = self.speaking[place]
        foreign = self.kinds[place] & FOREIGN if self.tags[place] != "article" else 0
        if speaking & _FOREIGN_TAGS:
            foreign |= BY_TAG
        if speaking & HIDDEN:
            foreign |= BY_HIDING
        return foreign


def _shifted(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.concatenate(([False], flags[:-1]))


def _block_level(arrays: TreeArrays, elements: Ints) -> Ints:
    """The nearest of each element and its ancestors that is no inline one; the root where there is none."""
    inline = np.array([KINDS.get(name, INLINE) == INLINE for name in arrays.names])[arrays.tags]
    inline &= arrays.parents >= 0
    while (inside := inline[elements]).any():
        elements = np.where(inside, arrays.parents[elements], elements)
    return elements


def _with_ancestors(elements: list[int], parents: list[int]) -> list[int]:
    found: set[int] = set()
    for element in elements:
        while element >= 0 and element not in found:
            found.add(element)
            element = parents[element]
    return sorted(found)


def _prose(measures: BlockMeasures, linked: Numbers) -> Numbers:
    whole = (measures.words >= _MIN_WORDS) & (measures.stops > 0) | (measures.words >= _MIN_WORDS_ALONE)
    return np.where(whole & (linked < _MAX_LINKED * measures.characters), measures.characters, 0)


@lru_cache(maxsize=20_000)
def _named(tag: str, names: str, identity: str) -> tuple[int, str, int]:
    """What tag, class and id say: the kinds of the names, the signature, the bits of the tag."""
    kinds = 0 if tag in ("html", "body") else kinds_of(names) | kinds_of(identity)
    return kinds, f"{tag}|{shape_of(names)}", TAG_BITS.get(tag, 0)


def _told(attributes: Mapping[str, str], share: float) -> int:
    """What the attributes beside the names say, as bits."""
    bits = ARTICLE_BODY if "articlebody" in attributes.get("itemprop", "").lower() else 0
    role = _ROLES.get(attributes.get("role", ""))
    if role:
        bits |= TAG_BITS[role]
    if share < _TOO_MUCH and _is_hidden(attributes):
        bits |= HIDDEN
    return bits


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return bool(style and _UNSEEN.search(style))
