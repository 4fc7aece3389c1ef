"""Numbers about the text of a document, as parallel lists, made once and stored with it.

They are Boilerpipe's text blocks, after the Java sources (Kohlschuetter, Fankhauser, Nejdl 2010), whose
habits are kept even where they look like slips, because its thresholds were learnt on blocks made this way:
any tag but a few inline ones ends a block, `br` and `img` too, and the first block carries the tag level of
the title. A block is known by its place in these lists, an element and a text node by their place in
`document.structure`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, pairwise
from typing import Any, NamedTuple

from extraction.spans import CONTENT, Span
from extraction.structure import Structure
from extraction.words import BLANKS, count, measure, spaced

#: Goes up with every change of what the lists hold.
FEATURES_VERSION = 1

IGNORED = frozenset(["style", "script", "option", "object", "embed", "applet", "link", "noscript"])
INLINE = frozenset(
    ["strike", "u", "b", "i", "em", "strong", "span", "sup", "code", "tt", "sub", "var", "font"]
)
SPACED = frozenset(["abbr", "acronym"])  # inline, with a space at both ends
#: These do not end a block.
WITHIN_BLOCKS = INLINE | SPACED | {"a"}

# One number for each element sums up its ancestors: tag level, then open list items, then open headings.
_DEEPEST = 1 << 12  # more than limits.MAX_DEPTH
_WEIGHTS = {
    **dict.fromkeys(INLINE | SPACED, 0),
    "li": 1 + _DEEPEST,
    **dict.fromkeys(["h1", "h2", "h3"], 1 + _DEEPEST * _DEEPEST),
}


@dataclass
class Features:
    """Text blocks in document order.

    - `texts`: the text, blanks trimmed and each a plain space
    - `words`: its words (`extraction.words`), of which `linked_words` stand in an `a`
    - `wrapped_words`, `lines`: the words on full lines of 80 characters, and these lines
    - `levels`: the depth of its first text, inline elements aside
    - `first_nodes`, `end_nodes`: the range of its text nodes
    - `characters`: of these nodes, each with blanks collapsed and trimmed
    - `elements`: the nearest element that is not inline
    - `items`, `headings`: 1 where the block ends inside an `li`, or inside an `h1` to `h3`
    - `starts`, `ends`: its place in the canonical text, trimmed, or -1 where it left nothing there
    - `canonical`: the one canonical block that it lies in, or -1
    - `joined`: the last block before it that left text, where only blanks divide the two inside one canonical
      block, or -1
    """

    title: str = ""
    texts: list[str] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    linked_words: list[int] = field(default_factory=list)
    wrapped_words: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    first_nodes: list[int] = field(default_factory=list)
    end_nodes: list[int] = field(default_factory=list)
    characters: list[int] = field(default_factory=list)
    elements: list[int] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    canonical: list[int] = field(default_factory=list)
    joined: list[int] = field(default_factory=list)

    @classmethod
    def of(
        cls, tree: Structure, text: str, nodes: Sequence[tuple[int, int]], blocks: Sequence[tuple[int, int]]
    ) -> Features:
        """The features of a document with this tree, canonical text, places of text nodes and blocks."""
        features = cls()
        _Segmenter(tree, features).read()
        _place(features, text, nodes, blocks)
        return features

    @classmethod
    def unpack(cls, fields: dict[str, Any] | None) -> Features | None:
        """What `pack` gave; None where that is missing, or of another version."""
        if not fields or fields.pop("version") != FEATURES_VERSION:
            return None
        return cls(**fields)

    def pack(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        return {"version": FEATURES_VERSION, **{name: getattr(self, name) for name in _FIELDS}}

    @cached_property
    def link_densities(self) -> list[float]:
        """The share of linked words in the words of each block; 0 where it has none."""
        return [
            linked and linked / words for linked, words in zip(self.linked_words, self.words, strict=True)
        ]

    @cached_property
    def text_densities(self) -> list[float]:
        """The words a line of each block."""
        return [words / lines for words, lines in zip(self.wrapped_words, self.lines, strict=True)]

    @cached_property
    def spans(self) -> list[Span]:
        """Each block's place in the canonical text as content."""
        return [Span(start, end, CONTENT) for start, end in zip(self.starts, self.ends, strict=True)]

    @cached_property
    def lowered_together(self) -> str:
        """All texts in lower case, a line each."""
        return "\n".join(self.texts).lower()


_FIELDS = tuple(Features.__dataclass_fields__)


class _Segmenter:
    """Cuts the text nodes of a tree into blocks.

    Instead of following every tag, it asks where tags fall between text nodes: an element that ends blocks
    does so before its first node and before the first node after it.
    """

    def __init__(self, tree: Structure, features: Features) -> None:
        self.tree = tree
        self.features = features
        self.linked, marked = _links(tree)
        self.spaces = marked | _edges(
            tree, [tag in SPACED for tag in tree.tags]
        )  # a space stands before these
        self.sums = _sums(tree)
        breaking = [tag not in WITHIN_BLOCKS for tag in tree.tags]
        self.edges = sorted(_edges(tree, breaking) | {0, len(tree.node_texts)})
        starts = list(compress(tree.first_nodes, breaking))
        elements = list(compress(range(len(breaking)), breaking))
        #: The first element that ends blocks and starts just before a text node.
        self.starting = dict(zip(reversed(starts), reversed(elements), strict=True))
        self.readable, self.body = _readable(tree)

    def read(self) -> None:
        """Fill in all lists but the places in the canonical text."""
        texts, readable, parents = self.tree.node_texts, self.readable, self.tree.node_parents
        level = -1
        for first, end in pairwise(self.edges):
            text = texts[first]
            if not readable[first] or (end == first + 1 and text.isspace() and text.isascii()):
                continue
            pieces = self._pieces(first, end)
            if not pieces:
                continue
            if level < 0:  # the text of the title sets it, and nobody resets it before the first block
                level = self.sums[parents[pieces[0].node]] % _DEEPEST
            if self.body[first]:
                self._emit(pieces, level, end)
                level = -1
            elif self.tree.tags[parents[first]] == "title":
                self.features.title = _text(pieces)

    def _pieces(self, first: int, end: int) -> list[_Piece]:
        """The text nodes that are not blank."""
        pieces: list[_Piece] = []
        gap = False
        for node in range(first, end):
            text = self.tree.node_texts[node]
            core = text.strip(BLANKS)
            gap = gap or node in self.spaces or (text != core and text[0] in BLANKS)
            if core:
                pieces.append(_Piece(node, gap and bool(pieces), core))
                gap = text[-1] in BLANKS
        return pieces

    def _emit(self, pieces: list[_Piece], level: int, end: int) -> None:
        text = _text(pieces)
        words, wrapped, lines = measure(text)
        first, last = pieces[0].node, pieces[-1].node
        element = self.tree.node_parents[last]
        while self.tree.tags[element] in WITHIN_BLOCKS:
            element = self.tree.parents[element]
        ancestors = self.sums[self._ending(element, end)]
        features = self.features
        features.texts.append(text)
        features.words.append(words)
        features.linked_words.append(self._linked_words(pieces, words))
        features.wrapped_words.append(wrapped)
        features.lines.append(lines)
        features.levels.append(level)
        features.first_nodes.append(first)
        features.end_nodes.append(last + 1)
        features.characters.append(sum(_characters(piece.core) for piece in pieces))
        features.elements.append(element)
        features.items.append(int(ancestors // _DEEPEST % _DEEPEST > 0))
        features.headings.append(int(ancestors >= _DEEPEST * _DEEPEST))

    def _linked_words(self, pieces: list[_Piece], words: int) -> int:
        inside = [piece for piece in pieces if self.linked[piece.node]]
        if len(inside) == len(pieces):
            return words
        return count(_text(inside)) if inside else 0

    def _ending(self, element: int, end: int) -> int:
        """The innermost element open when a block is written.

        That is when a tag after it ends or text follows: of elements that start in between, one in the
        other, the innermost.
        """
        tree = self.tree
        start = self.starting.get(end, -1)
        if start < 0 or start >= tree.ends[element]:
            return element
        while start + 1 < tree.ends[start] and tree.first_nodes[start + 1] == end:
            start += 1
        return start


class _Piece(NamedTuple):
    """A text node without the blanks around it; `gap`: a blank stands before it."""

    node: int
    gap: bool
    core: str


def _text(pieces: list[_Piece]) -> str:
    if len(pieces) == 1:
        return spaced(pieces[0].core)
    return spaced("".join(f" {core}" if gap else core for _, gap, core in pieces)).lstrip(" ")


def _characters(text: str) -> int:
    """The length with blanks collapsed and trimmed."""
    return len(text) if text.isprintable() and "  " not in text else len(" ".join(text.split()))


def _edges(tree: Structure, chosen: list[bool]) -> set[int]:
    """The text nodes before which such elements start or end."""
    return {*compress(tree.first_nodes, chosen), *compress(tree.end_nodes, chosen)}


def _sums(tree: Structure) -> list[int]:
    """For each element what it and its ancestors weigh; one more at the end, for -1."""
    sums = [0]
    append, weight = sums.append, _WEIGHTS.get
    for tag, parent in zip(tree.tags, tree.parents, strict=True):
        append(sums[parent + 1] + weight(tag, 1))
    return [*sums[1:], 0]


def _readable(tree: Structure) -> tuple[bytearray, bytearray]:
    """For each text node, whether it is read, and whether it lies in the body."""
    size = len(tree.node_texts) + 1
    readable, body = bytearray(b"\1") * size, bytearray(size)
    for element, tag in enumerate(tree.tags):
        if tag in IGNORED or tag == "body":
            first, end = tree.first_nodes[element], tree.end_nodes[element]
            if tag == "body":
                body[first:end] = b"\1" * (end - first)
            else:
                readable[first:end] = bytes(end - first)
    return readable, body


def _links(tree: Structure) -> tuple[bytearray, set[int]]:
    """For each text node, whether it is linked, and the text nodes before which that changes.

    The original counts open anchors and takes a second one in the first for its end; a page with such a
    thing has one end too many, and from then on links that never end.
    """
    marks = list(_anchor_marks(tree))
    linked = bytearray(len(tree.node_texts) + 1)
    for (first, inside), (end, _) in pairwise([*marks, (len(linked), 0)]):
        if inside:
            linked[first:end] = b"\1" * (end - first)
    return linked, {node for node, _ in marks}


def _anchor_marks(tree: Structure) -> Iterator[tuple[int, int]]:
    ignored = [
        (e, tree.ends[e]) for e, tag in enumerate(tree.tags) if tag in IGNORED and tree.ends[e] > e + 1
    ]
    hidden = {element for start, end in ignored for element in range(start, end)}
    stack: list[int] = []
    depth = 0
    for anchor in [*(e for e, tag in enumerate(tree.tags) if tag == "a"), len(tree.tags)]:
        while stack and tree.ends[stack[-1]] <= anchor:
            ended = stack.pop()
            depth -= 1
            if depth == 0 and ended not in hidden:
                yield tree.end_nodes[ended], 0
        if anchor < len(tree.tags):
            depth = min(depth + 1, 1)
            stack.append(anchor)
            if anchor not in hidden:
                yield tree.first_nodes[anchor], 1


def _place(
    features: Features, text: str, nodes: Sequence[tuple[int, int]], blocks: Sequence[tuple[int, int]]
) -> None:
    """Find each block in the canonical text."""
    canonical, before = 0, -1
    for block, (first, end) in enumerate(zip(features.first_nodes, features.end_nodes, strict=True)):
        start, stop = _trimmed(text, nodes[first:end])
        near = False
        if start >= 0:
            near = before >= 0 and blocks[canonical][1] > start
            while blocks[canonical][1] <= start:
                canonical += 1
            near = near and not text[features.ends[before] : start].strip()
        features.starts.append(start)
        features.ends.append(stop)
        features.canonical.append(canonical if start >= 0 else -1)
        features.joined.append(before if near else -1)
        before = block if start >= 0 else before


def _trimmed(text: str, places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """From the first to the last character that is not blank; (-1, -1) where there is none."""
    there = [place for place in places if place[0] < place[1]] if len(places) > 1 else places
    if not there or there[0][0] < 0:
        return -1, -1
    start, end = there[0][0], there[-1][1]
    if text[start].isspace() or text[end - 1].isspace():
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
    return (start, end) if start < end else (-1, -1)
