"""Where the blocks of a document stand: their elements, and what lies below, beside and above these."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, repeat, starmap
from operator import itemgetter
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from extraction.documents.document import Document
from extraction.documents.tags import INLINE, KINDS
from extraction.extractors.goldpan import names
from extraction.extractors.goldpan.measures import BlockMeasures, Flags, Numbers
from extraction.features.tree_arrays import Ints, TreeArrays, tree_arrays

Indices = NDArray[np.int64]
Sums = NDArray[np.float64]
_Key = TypeVar("_Key", bound=Hashable)

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
TAG_BITS = {tag: 1 << index for index, tag in enumerate(SPEAKING)}
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
_FOREIGN_BITS = BY_HIDING.bit_length()
_FOREIGN = (1 << _FOREIGN_BITS) - 1

_LINK, _BOLD = frozenset({"a"}), frozenset({"b", "strong"})
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


@dataclass(frozen=True, slots=True)
class Layout:
    """Blocks, and the elements that they stand in.

    For each block: `element`, the index of its nearest block-level element in the lists below; `linked`, the
    characters of its links; `links`, how many these are; `bold`, the characters in bold; `prose`, its
    characters if it looks like prose, else 0; `prose_before`, what that adds up to in the blocks before, with
    the whole page's as one entry more.

    For each element that holds text, in document order: `tags`; `parents`, -1 for the root; `depths`, 0 for
    the root; `after`, the index of the first element that is not below it; `first` and `end`, the range of
    blocks that start below it; `shares`, what share of the page's prose these have; `speaking`, bits of
    `TAG_BITS`; `kinds`, bits of `names`; `shapes`, numbers equal for elements made alike, and `plain`,
    whether it has no classes; `alike`, how many siblings have its shape; `foreign`, what on the way down to
    it says that this is not the article, and `called`, the bits of `names` on that way; `records`, the
    longest list of alike siblings on it, and `record_blocks`, the blocks in one of these.
    """

    element: Indices
    linked: Numbers
    links: Numbers
    bold: Numbers
    prose: Numbers
    prose_before: Sums
    tags: list[str]
    parents: Indices
    depths: Indices
    after: Indices
    first: Indices
    end: Indices
    shares: Numbers
    speaking: Indices
    kinds: Indices
    shapes: Indices
    plain: Flags
    alike: Indices
    foreign: Indices
    called: Indices
    records: Indices
    record_blocks: Indices

    @classmethod
    def of(cls, document: Document, measures: BlockMeasures) -> Layout:
        """Read the tree of a document that has at least one block."""
        tree, arrays = document.structure, tree_arrays(document)
        written = _written(document)
        own = _block_level(arrays, arrays.node_parents[written.first_nodes])
        holding = _holding(arrays, own)
        elements = holding.nonzero()[0]
        numbers = holding.cumsum() - 1
        indices = elements.tolist()
        parents = numbers[arrays.parents[elements]]
        parents[0] = -1
        after = elements.searchsorted(arrays.ends[elements])
        first = written.first_nodes.searchsorted(arrays.first_nodes[elements])
        end = written.first_nodes.searchsorted(arrays.end_nodes[elements])
        prose = _prose(measures, written.linked)
        prose_before = before(prose)
        tags = [tree.tags[index] for index in indices]
        below_each = (prose_before[end] - prose_before[first]).astype(np.float32)
        shares = below_each / max(1.0, float(prose_before[-1]))
        named = _names(tags, [tree.attributes[index] for index in indices], shares)
        alike = _alike(parents, named.shapes)
        inherited = _inherited(parents, named, alike, end - first, shares)
        return cls(
            element=numbers[own],
            linked=written.linked,
            links=written.links,
            bold=written.bold,
            prose=prose,
            prose_before=prose_before,
            tags=tags,
            parents=parents,
            depths=np.arange(parents.size) - np.bincount(after, minlength=parents.size + 1)[:-1].cumsum(),
            after=after,
            first=first,
            end=end,
            shares=shares,
            speaking=named.speaking,
            kinds=named.kinds,
            shapes=named.shapes,
            plain=named.plain,
            alike=alike,
            foreign=inherited.foreign,
            called=inherited.called,
            records=inherited.records,
            record_blocks=inherited.record_blocks,
        )

    def with_ancestors(self, element: int) -> list[int]:
        """The element and those above it, the root last."""
        found = []
        while element >= 0:
            found.append(element)
            element = int(self.parents[element])
        return found


def before(amounts: Numbers) -> Sums:
    """What the amounts of blocks add up to before each block, and at the end in all."""
    sums = np.zeros(amounts.size + 1)
    sums[1:] = amounts.cumsum()
    return sums


def between(amounts: Numbers | Flags, first: Indices, end: Indices) -> Numbers:
    """For each row of amounts, one for each block, what it adds up to in each of these ranges of blocks."""
    sums = np.zeros((amounts.shape[0], amounts.shape[1] + 1))
    amounts.cumsum(axis=1, dtype=np.float64, out=sums[:, 1:])
    return (sums.take(end, axis=1) - sums.take(first, axis=1)).astype(np.float32)


_START, _END = itemgetter(0), itemgetter(1)


class _Written(NamedTuple):
    """For each block its first text node, the characters in links, how many links, the characters in bold."""

    first_nodes: Indices
    linked: Numbers
    links: Numbers
    bold: Numbers


def _written(document: Document) -> _Written:
    arrays, size = tree_arrays(document), len(document.blocks)
    blocks = np.fromiter(map(_START, document.blocks), np.int64, size)
    starts = np.fromiter(map(_START, document.nodes), np.int64, len(document.nodes))
    ends = np.fromiter(map(_END, document.nodes), np.int64, len(document.nodes))
    seen = (starts >= 0).nonzero()[0]
    starts = starts[seen]
    lengths = ends[seen] - starts
    block_of = blocks.searchsorted(starts, "right") - 1
    hosts = arrays.node_parents[seen]
    linked = arrays.within(arrays.having(_LINK))[hosts]
    # A link is another one where the node before is in none, or stands in another element.
    another = linked.copy()
    another[1:] &= (hosts[1:] != hosts[:-1]) | ~linked[:-1]
    bold = arrays.within(arrays.having(_BOLD))[hosts]
    return _Written(
        first_nodes=seen[block_of.searchsorted(np.arange(size))],
        linked=np.bincount(block_of, lengths * linked, size).astype(np.float32),
        links=np.bincount(block_of, another, size).astype(np.float32),
        bold=np.bincount(block_of, lengths * bold, size).astype(np.float32),
    )


def _block_level(arrays: TreeArrays, elements: Ints) -> Ints:
    """The nearest of each element and its ancestors that is no inline one; the root where there is none."""
    inline = np.array([KINDS.get(name, INLINE) == INLINE for name in arrays.names])[arrays.tags]
    inline &= arrays.parents >= 0
    while (inside := inline[elements]).any():
        elements = np.where(inside, arrays.parents[elements], elements)
    return elements


def _holding(arrays: TreeArrays, own: Ints) -> Flags:
    """Which elements are one of these or hold one."""
    before = np.zeros(arrays.ends.size + 1, dtype=np.int64)
    before[own + 1] = 1
    before = before.cumsum()
    return np.asarray(before[arrays.ends] > before[:-1])


def _prose(measures: BlockMeasures, linked: Numbers) -> Numbers:
    whole = (measures.words >= _MIN_WORDS) & (measures.stops > 0) | (measures.words >= _MIN_WORDS_ALONE)
    return np.where(whole & (linked < _MAX_LINKED * measures.characters), measures.characters, 0)


class _Named(NamedTuple):
    """See `Layout`; `foreign` is what the element says by itself."""

    speaking: Indices
    kinds: Indices
    shapes: Indices
    plain: Flags
    foreign: Indices


def _names(tags: list[str], attributes: list[dict[str, str]], shares: Numbers) -> _Named:
    # Many elements of a page are called alike: what they are called is looked at once.
    classes, identities = (map(dict.get, attributes, repeat(name), repeat("")) for name in ("class", "id"))
    which, numbers = numbered(zip(tags, classes, identities, strict=False))
    own_kinds, signatures, own_speaking, own_foreign = zip(*starmap(_named, numbers), strict=True)
    speaking = _places(own_speaking)[which]
    for index, is_silent in enumerate(map(_TELLING.isdisjoint, attributes)):
        if not is_silent:
            speaking[index] |= _told(attributes[index], float(shares[index]))
    foreign = _places(own_foreign)[which]
    foreign[(speaking & _FOREIGN_TAGS) > 0] |= BY_TAG
    foreign[(speaking & HIDDEN) > 0] |= BY_HIDING
    shapes, _ = numbered(signatures)
    return _Named(
        speaking=speaking,
        kinds=_places(own_kinds)[which],
        shapes=shapes[which],
        plain=np.array([not shape for _, shape in signatures])[which],
        foreign=foreign,
    )


def numbered(keys: Iterable[_Key]) -> tuple[Indices, Collection[_Key]]:
    """The number of each key, equal for equal ones; and the different keys by their numbers, as they come."""
    numbers: defaultdict[_Key, int] = defaultdict(count().__next__)
    which = list(map(numbers.__getitem__, keys))
    return _places(which), numbers.keys()


def _places(values: Sequence[int]) -> Indices:
    return np.fromiter(values, np.int64, len(values))


def _alike(parents: Indices, shapes: Indices) -> Indices:
    """For each element how many children of its parent have its shape."""
    keys = parents * parents.size + shapes
    ordered = np.sort(keys)
    counts: Indices = ordered.searchsorted(keys, "right") - ordered.searchsorted(keys)
    return counts


class _Inherited(NamedTuple):
    """What elements have from those above: see `Layout`."""

    foreign: Indices
    called: Indices
    records: Indices
    record_blocks: Indices


def _inherited(
    parents: Indices, named: _Named, alike: Indices, blocks: Indices, shares: Numbers
) -> _Inherited:
    too_much = shares >= _TOO_MUCH
    ways = ways_up(np.maximum(parents, 0))
    listed = (alike >= MIN_RECORDS) & (blocks >= _MIN_BLOCKS) & ~too_much
    # The longest list, and of lists as long the uppermost; nothing of an element that is in none.
    size = parents.size
    lists = on_way(ways, np.maximum, np.where(listed, alike * size + np.arange(size)[::-1], 0))
    records, uppermost = lists // size, size - 1 - lists % size
    bits = on_way(ways, np.bitwise_or, named.kinds << _FOREIGN_BITS | np.where(too_much, 0, named.foreign))
    return _Inherited(
        foreign=bits & _FOREIGN,
        called=bits >> _FOREIGN_BITS,
        records=records,
        record_blocks=np.where(records > 0, blocks[uppermost], 0),
    )


def ways_up(parents: Indices) -> list[Indices]:
    """For each element the ancestor 1, 2, 4, 8 and so on above it, as far as any has one; where the way is
    shorter, its end, which is its own parent."""
    ways = [parents]
    while ((above := ways[-1][ways[-1]]) != ways[-1]).any():
        ways.append(above)
    return ways


def on_way(ways: list[Indices], merge: np.ufunc, values: Indices) -> Indices:
    """What the values of each element and of all on its way up come to, merged by a maximum or the like."""
    for above in ways:
        values = merge(values, values[above])
    return values


@lru_cache(maxsize=20_000)
def _named(tag: str, classes: str, identity: str) -> tuple[int, tuple[str, str], int, int]:
    """What tag, class and id say: the kinds of the names, the signature (the tag and the shape of the class),
    the bits of the tag, and what of the kinds is foreign."""
    kinds, shape = names.read(classes)
    if identity:
        kinds |= names.kinds_of(identity)
    kinds = 0 if tag in ("html", "body") else kinds
    foreign = kinds & names.FOREIGN if tag != "article" else 0
    return kinds, (tag, shape), TAG_BITS.get(tag, 0), foreign


def forget() -> None:
    """Forget what names say, as a new process would not know it; for measurements."""
    _named.cache_clear()
    names.forget()


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
