"""The tree -> canonical text, its blocks, and the offsets of every text node in it.

The rule (`canon=1`): a block is a run of inline text between the edges of block-level elements, or between
two line breaks in a row; blocks are joined by a blank line, which belongs to no node. Outside preformatted
elements a run of ASCII whitespace is one space, which is dropped at the start of a block, after a space and
after a line break, and trimmed at the end of a block; a single `br` is a newline inside its block.
"""

import re
from itertools import compress, pairwise, repeat
from typing import NamedTuple

from extraction.documents.structure import Structure
from extraction.documents.tags import BLOCK, BREAK, DROPPED, INLINE, KINDS, PREFORMATTED

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
    nodes: list[tuple[int, int]]  # one per text node: its offsets, or GONE


def canonicalise(tree: Structure) -> Canonical:
    """The canonical text of a tree; linear in the number and length of its elements and texts."""
    texts, kinds = tree.node_texts, _kinds(tree)
    marks = _marks(tree, kinds)
    writer = _Writer(len(texts))
    for first, end in pairwise(_edges(tree, kinds)):
        is_one = end == first + 1
        text = texts[first] if is_one else "".join(texts[first:end])
        if text.isspace() and text.isascii():  # the blanks between tags: most stretches
            continue
        if is_one and not marks[first]:
            writer.write_line(first, text)
        else:
            writer.write_run(first, texts[first:end], marks[first:end])
    return Canonical("".join(writer.parts), writer.blocks, writer.nodes)


# What is known of a text node: how many line breaks stand before it, two for more; whether it keeps its
# lines, or is left out.
_BREAKS, _PREFORMATTED, _DROPPED = 3, 4, 8
_IS_EDGE = bytes(kind in (BLOCK, PREFORMATTED) for kind in range(256))
_IS_MARKED = bytes(kind in (PREFORMATTED, BREAK, DROPPED) for kind in range(256))


def _edges(tree: Structure, kinds: bytearray) -> list[int]:
    """The text nodes before which a block may begin or end, and the ends of the page."""
    of_blocks = kinds.translate(_IS_EDGE)
    begins, ends = compress(tree.first_nodes, of_blocks), compress(tree.end_nodes, of_blocks)
    return sorted({0, len(tree.node_texts), *begins, *ends})


def _marks(tree: Structure, kinds: bytearray) -> bytearray:
    """The marks of every text node, and at the end those of the position after the last."""
    marks = bytearray(len(tree.node_texts) + 1)
    for element in compress(range(len(kinds)), kinds.translate(_IS_MARKED)):
        first, end = tree.first_nodes[element], tree.end_nodes[element]
        if kinds[element] == BREAK:
            marks[first] += marks[first] & _BREAKS < 2
        elif first < end:
            bit = _DROPPED if kinds[element] == DROPPED else _PREFORMATTED
            marks[first:end] = bytes([mark | bit for mark in marks[first:end]])
    return marks


def _kinds(tree: Structure) -> bytearray:
    """The kind of every element; those in dropped ones count as inline."""
    kinds = bytearray(map(KINDS.get, tree.tags, repeat(INLINE)))
    dropped = kinds.find(DROPPED)
    while dropped >= 0:
        first, end = dropped + 1, tree.ends[dropped]
        if first < end:  # few of them hold others
            kinds[first:end] = bytes([INLINE]) * (end - first)
        dropped = kinds.find(DROPPED, end)
    return kinds


def _flat(text: str) -> str:
    """A text with a space for each run of whitespace, and without what is unwanted."""
    # A printable string has no control character and no space but U+0020: mostly nothing to replace.
    return text if text.isprintable() and "  " not in text else _collapsed(text)


def _collapsed(text: str) -> str:
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

    def write_line(self, node: int, text: str) -> None:
        """Write a block that is one text node, if there is anything in it."""
        # Most line breaks are at the edges: without these there is seldom anything to replace.
        text = _flat(text.strip(WHITESPACE)).strip(" ")
        if text:
            start = self._start()
            self.position = end = start + len(text)
            self.parts.append(text)
            self.nodes[node] = (start, end)
            self.blocks.append(Block(start, end))

    def write_run(self, first: int, texts: list[str], marks: bytearray) -> None:
        """Write what stands between two edges: text nodes from this one on."""
        for node, (text, mark) in enumerate(zip(texts, marks, strict=True), first):
            if mark:
                for _ in range(mark & _BREAKS):
                    self._line_break()
                if mark & _DROPPED:
                    continue
                if mark & _PREFORMATTED:
                    self._add(node, _NEWLINE.sub("\n", UNWANTED.sub("", text)).replace("\f", " "), True)
                    continue
            if not text.isspace() or text.strip(WHITESPACE):
                text = _flat(text)
                self._add(node, text[1:] if self.after_space and text[:1] == " " else text, False)
            elif not self.after_space:
                self._add(node, " ", False)
        self._edge()

    def _add(self, node: int, text: str, preformatted: bool) -> None:
        if text:
            self.pending.append((node, text, preformatted))
            self.after_space = text[-1] in WHITESPACE
            self.breaks = 0

    def _line_break(self) -> None:
        """A first br is a newline in its block, a second one in a row ends the block."""
        self.breaks += 1
        if self.breaks == 1:
            self._trim(keep_preformatted=True)
            if self.pending:
                self.pending.append((-1, "\n", True))
            self.after_space = True
        elif self.breaks == 2:
            self._edge()
            self.breaks = 2

    def _edge(self) -> None:
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
        position = start = self._start()
        for node, text, _ in self.pending:
            end = position + len(text)
            if node >= 0:
                self.nodes[node] = (position, end)
            self.parts.append(text)
            position = end
        self.blocks.append(Block(start, position))
        self.pending.clear()
        self.position = position

    def _start(self) -> int:
        """Where the next block starts."""
        if not self.parts:
            return 0
        self.parts.append(SEPARATOR)
        return self.position + len(SEPARATOR)
