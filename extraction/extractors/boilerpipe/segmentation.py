"""Boilerpipe's segmentation: the text nodes of a tree, cut into text blocks.

After the Java sources (Kohlschuetter, Fankhauser, Nejdl 2010), whose behaviour is kept even where it looks
like an oversight, because their thresholds were learned on blocks made this way: any tag but a few inline
ones ends a block, `br` and `img` too, and the first block carries the tag level of the title.

Instead of following every tag, this asks where tags fall between text nodes: an element that ends blocks does
so before its first node, and before the first node after it.
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import compress, pairwise
from typing import NamedTuple

from extraction.documents.structure import Structure
from extraction.features.words import BLANKS, spaced

IGNORED = frozenset(["style", "script", "option", "object", "embed", "applet", "link", "noscript"])
INLINE = frozenset(
    ["strike", "u", "b", "i", "em", "strong", "span", "sup", "code", "tt", "sub", "var", "font"]
)
SPACED = frozenset(["abbr", "acronym"])  # inline, with a space at both ends
_SPACED_OR_LINK = SPACED | {"a"}
#: These do not end a block.
WITHIN_BLOCKS = INLINE | _SPACED_OR_LINK

# One number for each element says what it and its ancestors are: how many of each kind, twelve bits a kind.
_KIND = 1 << 12  # more than limits.MAX_DEPTH
_LEVEL, _ITEM, _HEADING, _IGNORED, _BODY, _LINK = (_KIND**index for index in range(6))
_WEIGHTS = {
    **dict.fromkeys(INLINE | SPACED, 0),
    **dict.fromkeys(IGNORED, _LEVEL + _IGNORED),
    **dict.fromkeys(["h1", "h2", "h3"], _LEVEL + _HEADING),
    "li": _LEVEL + _ITEM,
    "body": _LEVEL + _BODY,
    "a": _LEVEL + _LINK,
}
_ANY_LEVEL, _ANY_ITEM, _ANY_HEADING, _ANY_IGNORED, _ANY_BODY = (
    kind * (_KIND - 1) for kind in (_LEVEL, _ITEM, _HEADING, _IGNORED, _BODY)
)


#: A run of text between tags that end blocks: its text, the linked part of that, tag level, first and end
#: text node, characters, element, whether it is an item, a heading (see `TextBlocks`).
BlockRow = tuple[str, str, int, int, int, int, int, int, int]

_NEAR = 30  # generations in which nearly every element has one that ends blocks


class _Piece(NamedTuple):
    """A text node without the blanks around it; `gap`: a blank stands before it."""

    node: int
    gap: bool
    core: str


def read_blocks(tree: Structure) -> tuple[str, list[BlockRow]]:
    """The title of a page and its text blocks."""
    return _Reader(tree).read()


class _Reader:
    def __init__(self, tree: Structure) -> None:
        self.tree = tree
        self.sums = _sums(tree)
        self.breaking = [tag not in WITHIN_BLOCKS for tag in tree.tags]
        self.spaces = _edges(tree, [tag in _SPACED_OR_LINK for tag in tree.tags])  # before these text nodes
        self.nearest: dict[int, int] = {}
        self.links: bytearray | None = None  # of text nodes, on a page with links in links
        if max(self.sums) >= 2 * _LINK:
            self.links, self.spaces = _nested_links(tree, self.sums)
            self.spaces |= _edges(tree, [tag in SPACED for tag in tree.tags])

    def read(self) -> tuple[str, list[BlockRow]]:
        texts, parents, sums = self.tree.node_texts, self.tree.node_parents, self.sums
        edges = sorted(_edges(self.tree, self.breaking) | {0, len(texts)})
        title, blocks, level = "", [], -1
        for first, close in pairwise(edges):
            pieces: list[_Piece] = []
            if close == first + 1:
                text = texts[first]
                if text.isspace() and text.isascii():  # most of them
                    continue
                text = _trimmed(text)
            else:
                pieces = self._pieces(first, close)
                first, text = (pieces[0].node, _joined(pieces)) if pieces else (first, "")
            total = sums[parents[first]]
            if not text or total & _ANY_IGNORED:
                continue
            if level < 0:  # the text of the title sets it, and it is not reset before the first block
                level = total & _ANY_LEVEL
            text = spaced(text)
            if total & _ANY_BODY:
                blocks.append(self._block(text, level, first, close, pieces))
                level = -1
            elif self.tree.tags[parents[first]] == "title":
                title = text
        return title, blocks

    def _pieces(self, first: int, end: int) -> list[_Piece]:
        """The text nodes that are not blank."""
        pieces: list[_Piece] = []
        gap = False
        for node in range(first, end):
            text = self.tree.node_texts[node]
            core = _trimmed(text)
            gap = gap or node in self.spaces or (text != core and text[0] in BLANKS)
            if core:
                pieces.append(_Piece(node, gap and bool(pieces), core))
                gap = text[-1] in BLANKS
        return pieces

    def _block(self, text: str, level: int, first: int, close: int, pieces: list[_Piece]) -> BlockRow:
        if len(pieces) > 1:
            last = pieces[-1].node
            linked = self._linked(text, pieces)
            characters = sum(_characters(piece.core) for piece in pieces)
        else:
            last = first
            linked = text if self._is_linked(first) else ""
            characters = _characters(text)
        element = self._nearest(self.tree.node_parents[last])
        ancestors = self.sums[self._closing(element, close)]
        item = 1 if ancestors & _ANY_ITEM else 0
        heading = 1 if ancestors & _ANY_HEADING else 0
        return text, linked, level, first, last + 1, characters, element, item, heading

    def _nearest(self, element: int) -> int:
        """The nearest of the element and its ancestors that ends blocks."""
        for _ in range(_NEAR):
            if self.breaking[element]:
                return element
            element = self.tree.parents[element]
        return self._far(element)

    def _far(self, element: int) -> int:
        """The same where it is far: the way is remembered, as many blocks may have it."""
        passed: list[int] = []
        while element not in self.nearest and not self.breaking[element]:
            passed.append(element)
            element = self.tree.parents[element]
        element = self.nearest.get(element, element)
        self.nearest.update(dict.fromkeys(passed, element))
        return element

    def _linked(self, text: str, pieces: list[_Piece]) -> str:
        inside = [piece for piece in pieces if self._is_linked(piece.node)]
        return text if len(inside) == len(pieces) else spaced(_joined(inside))

    def _is_linked(self, node: int) -> bool:
        if self.links is not None:
            return bool(self.links[node])
        return bool(self.sums[self.tree.node_parents[node]] >= _LINK)

    def _closing(self, element: int, close: int) -> int:
        """The innermost element open when a block is written.

        That is when a tag after it ends or text follows: of elements that start in between, one in the
        other, the innermost.
        """
        starts, ends = self.tree.first_nodes, self.tree.ends
        start = bisect_left(starts, close)
        while start < ends[element] and starts[start] == close and not self.breaking[start]:
            start += 1
        if start >= ends[element] or starts[start] != close:
            return element
        while start + 1 < ends[start] and starts[start + 1] == close:
            start += 1
        return start


def _trimmed(text: str) -> str:
    return text.strip() if text.isascii() else text.strip(BLANKS)


def _joined(pieces: list[_Piece]) -> str:
    return "".join([f" {core}" if gap else core for _, gap, core in pieces]).lstrip(" ")


def _characters(text: str) -> int:
    """The length with blanks collapsed and trimmed."""
    return len(text) if text.isprintable() and "  " not in text else len(" ".join(text.split()))


def _edges(tree: Structure, chosen: list[bool]) -> set[int]:
    """The text nodes before which such elements start or end."""
    return {*compress(tree.first_nodes, chosen), *compress(tree.end_nodes, chosen)}


def _sums(tree: Structure) -> list[int]:
    """For each element what it and its ancestors weigh; at the end, for -1, nothing."""
    weights = {tag: _WEIGHTS.get(tag, _LEVEL) for tag in set(tree.tags)}
    sums = [0]
    append = sums.append
    for tag, parent in zip(tree.tags, tree.parents, strict=True):
        append(sums[parent + 1] + weights[tag])
    return [*sums[1:], 0]


def _nested_links(tree: Structure, sums: list[int]) -> tuple[bytearray, set[int]]:
    """For each text node, whether it is linked, and the text nodes before which a link starts or ends.

    The original counts open links and takes a second one in the first for its end; a page with such a thing
    has one end too many, and from then on links that never end.
    """
    marks = list(_link_marks(tree, sums))
    linked = bytearray(len(tree.node_texts) + 1)
    for (first, inside), (end, _) in pairwise([*marks, (len(linked), 0)]):
        if inside:
            linked[first:end] = b"\1" * (end - first)
    return linked, {node for node, _ in marks}


def _link_marks(tree: Structure, sums: list[int]) -> Iterator[tuple[int, int]]:
    stack: list[int] = []
    depth = 0
    for link in [*(e for e, tag in enumerate(tree.tags) if tag == "a"), len(tree.tags)]:
        while stack and tree.ends[stack[-1]] <= link:
            ended = stack.pop()
            depth -= 1
            if depth == 0 and not sums[ended] & _ANY_IGNORED:
                yield tree.end_nodes[ended], 0
        if link < len(tree.tags):
            depth = min(depth + 1, 1)
            stack.append(link)
            if not sums[link] & _ANY_IGNORED:
                yield tree.first_nodes[link], 1
