"""The tree -> canonical text, its blocks, and the place of every text node in it.

The rule (`canon=1`): a block is a run of inline text between the edges of block-level elements, or between
two line breaks in a row; blocks are joined by a blank line, which belongs to no node. Outside preformatted
elements a run of ASCII whitespace is one space, which is dropped at the start of a block, after a space and
after a line break, and trimmed at the end of a block; a single `br` is a newline inside its block.
"""

import re
from typing import NamedTuple

from extraction.structure import Structure
from extraction.tags import BLOCK, BREAK, DROPPED, INLINE, KINDS, PREFORMATTED

WHITESPACE = " \t\n\f\r"
SEPARATOR = "\n\n"
GONE = (-1, -1)

# Characters that no XML, and hardly any font, can carry; a browser shows nothing for them.
UNWANTED = re.compile("[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_ONE_SPACE = re.compile("[ \t\n\f\r]{2,}|[\t\n\f\r]")
_NEWLINE = re.compile("\r\n?")


class Block(NamedTuple):
    """A run of inline text, `[start, end)` in code points of the canonical text."""

    start: int
    end: int


class Canonical(NamedTuple):
    text: str
    blocks: list[Block]
    nodes: list[tuple[int, int]]  # one per text node: its place, or GONE


def canonicalise(tree: Structure) -> Canonical:
    """The canonical text of a tree; linear in the number and length of its elements and texts."""
    writer = _Writer(len(tree.node_texts))
    pending = writer.pending
    # Most texts are the blanks between two tags: for these, no function is called, as they are so many.
    for node, (text, mark) in enumerate(zip(tree.node_texts, _marks(tree), strict=False)):
        if mark:
            if mark & _EDGE:
                if pending:
                    writer.edge()
            else:
                writer.line_breaks(mark & _BREAKS)
            if mark & _DROPPED:
                continue
        if pending or mark & _PREFORMATTED or not text.isspace() or text.strip(WHITESPACE):
            writer.write(node, text, preformatted=mark & _PREFORMATTED > 0)
    writer.edge()
    return Canonical("".join(writer.parts), writer.blocks, writer.nodes)


# What is known of a text node: how many line breaks stand before it, two for more; whether a block begins or
# ends there, in which case the breaks do not matter; whether it keeps its lines, or is left out.
_BREAKS, _EDGE, _PREFORMATTED, _DROPPED = 3, 4, 8, 16


def _marks(tree: Structure) -> bytearray:
    """The marks of every text node, and at the end of the place after the last."""
    kinds = _kinds(tree)
    marks = bytearray(len(tree.node_texts) + 1)
    for element, kind in enumerate(kinds):
        if kind == INLINE:
            continue
        first, end = tree.first_nodes[element], tree.end_nodes[element]
        if kind == BLOCK:
            marks[first] |= _EDGE
            marks[end] |= _EDGE
        elif kind == BREAK:
            marks[first] += marks[first] & _BREAKS < 2
        elif kind == PREFORMATTED:
            marks[first:end] = bytes([mark | _PREFORMATTED for mark in marks[first:end]])
            marks[first] |= _EDGE
            marks[end] |= _EDGE
        else:
            marks[first:end] = bytes([mark | _DROPPED for mark in marks[first:end]])
    return marks


def _kinds(tree: Structure) -> list[int]:
    """The kind of every element; those in dropped ones count as inline."""
    of_tag = {tag: KINDS.get(tag, INLINE) for tag in set(tree.tags)}
    kinds = [of_tag[tag] for tag in tree.tags]
    for element, kind in enumerate(kinds):
        if kind == DROPPED and tree.ends[element] > element + 1:
            inside = range(element + 1, tree.ends[element])
            kinds[element + 1 : tree.ends[element]] = [INLINE] * len(inside)
    return kinds


def _collapsed(text: str) -> str:
    """A text that is not blank, with a space for each run of whitespace, and without what is unwanted."""
    flat = text.replace("\n", " ").replace("\t", " ").replace("\r", " ")
    if not flat.isprintable():
        return _NOT_ONE_SPACE.sub(" ", UNWANTED.sub("", text))
    return f"{' ' * (flat[0] == ' ')}{' '.join(flat.split())}{' ' * (flat[-1] == ' ')}"


class _Writer:
    """The canonical text as it grows; `pending` holds the pieces of the block being written."""

    __slots__ = ("after_space", "blocks", "breaks", "nodes", "parts", "pending", "position")

    def __init__(self, nodes: int) -> None:
        self.parts: list[str] = []
        self.blocks: list[Block] = []
        self.nodes = [GONE] * nodes
        self.pending: list[tuple[int, str, bool]] = []  # text node or -1 for a br, piece, preformatted
        self.position = 0
        self.after_space = True
        self.breaks = 0

    def write(self, node: int, text: str, *, preformatted: bool) -> None:
        """Add a text node to the block."""
        if preformatted:
            text = _NEWLINE.sub("\n", UNWANTED.sub("", text)).replace("\f", " ")
        else:
            # A printable string has no control character and no space but U+0020: mostly nothing to replace.
            if not text.isprintable() or "  " in text:
                text = _collapsed(text) if text.strip(WHITESPACE) else " "
            if self.after_space and text[:1] == " ":
                text = text[1:]
        if text:
            self.pending.append((node, text, preformatted))
            self.after_space = text[-1] in WHITESPACE
            self.breaks = 0

    def line_breaks(self, count: int) -> None:
        """A first br is a newline in its block, a second one in a row ends the block."""
        for _ in range(count):
            self._line_break()

    def _line_break(self) -> None:
        self.breaks += 1
        if self.breaks == 1:
            self._trim(keep_preformatted=True)
            if self.pending:
                self.pending.append((-1, "\n", True))
            self.after_space = True
        elif self.breaks == 2:
            self.edge()
            self.breaks = 2

    def edge(self) -> None:
        """End the block, if there is one."""
        self.after_space = True
        self.breaks = 0
        pending = self.pending
        if pending and pending[-1][1][-1] in WHITESPACE:
            self._trim(keep_preformatted=False)
        if pending:
            self._close()

    def _trim(self, *, keep_preformatted: bool) -> None:
        pending = self.pending
        while pending:
            node, text, preformatted = pending[-1]
            if keep_preformatted and preformatted:
                return
            trimmed = text.rstrip(WHITESPACE)
            if trimmed:
                if len(trimmed) != len(text):
                    pending[-1] = (node, trimmed, preformatted)
                return
            pending.pop()

    def _close(self) -> None:
        position = self.position
        if self.parts:
            self.parts.append(SEPARATOR)
            position += len(SEPARATOR)
        start = position
        for node, text, _ in self.pending:
            end = position + len(text)
            if node >= 0:
                self.nodes[node] = (position, end)
            self.parts.append(text)
            position = end
        self.blocks.append(Block(start, position))
        self.pending.clear()
        self.position = position
