"""Events -> canonical text, its blocks, and the place of every text node in it.

The rule (`canon=1`): a block is a run of inline text between the edges of block-level elements, or between
two line breaks in a row; blocks are joined by a blank line, which belongs to no node. Outside preformatted
elements a run of ASCII whitespace is one space, which is dropped at the start of a block, after a space and
after a line break, and trimmed at the end of a block; a single `br` is a newline inside its block.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from extraction.tags import BLOCK, BREAK, DROPPED, INLINE, KINDS, PREFORMATTED

Event = str | list[Any] | None

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
    nodes: list[tuple[int, int]]  # one per text event: its place, or GONE


def canonicalise(events: list[Event]) -> Canonical:
    """The canonical text of a tree given as events; linear in their number and length."""
    writer = _Writer()
    kinds: list[int] = []
    # Nothing is waiting at most edges, and most texts are the blanks between two tags: for these, no function
    # is called, as they are so many.
    pending, nodes = writer.pending, writer.nodes
    rest = iter(events)
    for event in rest:
        if event is None:
            kind = kinds.pop()
            if kind != INLINE and (pending or kind != BLOCK):
                writer.end(kind)
        elif type(event) is str:
            nodes.append(GONE)
            if pending or writer.preformatted or not event.isspace() or event.strip(WHITESPACE):
                writer.write(event)
        else:
            kind = KINDS.get(event[0], INLINE)
            if kind == DROPPED:
                writer.skip(_text_events_until_end(rest))
                continue
            kinds.append(kind)
            if kind != INLINE and (pending or kind != BLOCK):
                writer.begin(kind)
    writer.edge()
    return Canonical("".join(writer.parts), writer.blocks, writer.nodes)


def _text_events_until_end(rest: Iterator[Event]) -> int:
    """Consume the inside and the end of the element just started; count the text nodes in it."""
    depth = 1
    texts = 0
    for event in rest:
        if event is None:
            depth -= 1
            if not depth:
                break
        elif type(event) is str:
            texts += 1
        else:
            depth += 1
    return texts


def _collapsed(text: str) -> str:
    """A text that is not blank, with a space for each run of whitespace, and without what is unwanted."""
    flat = text.replace("\n", " ").replace("\t", " ").replace("\r", " ")
    if not flat.isprintable():
        return _NOT_ONE_SPACE.sub(" ", UNWANTED.sub("", text))
    return f"{' ' * (flat[0] == ' ')}{' '.join(flat.split())}{' ' * (flat[-1] == ' ')}"


class _Writer:
    """The canonical text as it grows; `pending` holds the pieces of the block being written."""

    __slots__ = ("after_space", "blocks", "breaks", "nodes", "parts", "pending", "position", "preformatted")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.blocks: list[Block] = []
        self.nodes: list[tuple[int, int]] = []
        self.pending: list[tuple[int, str, bool]] = []  # text node or -1 for a br, piece, preformatted
        self.position = 0
        self.preformatted = 0  # how many open elements keep their lines
        self.after_space = True
        self.breaks = 0

    def begin(self, kind: int) -> None:
        """Start an element that is not inline."""
        if kind == BREAK:
            self.line_break()
            return
        self.preformatted += kind == PREFORMATTED
        self.edge()

    def end(self, kind: int) -> None:
        """End such an element."""
        if kind != BREAK:
            self.preformatted -= kind == PREFORMATTED
            self.edge()

    def skip(self, count: int) -> None:
        """Pass over text nodes that leave no text."""
        self.nodes.extend([GONE] * count)

    def write(self, text: str) -> None:
        """Add to the block the text node that is the last in `nodes`."""
        if self.preformatted:
            self._add(_NEWLINE.sub("\n", UNWANTED.sub("", text)).replace("\f", " "))
            return
        # A printable string has no control character and no space but U+0020: mostly nothing to replace.
        if not text.isprintable() or "  " in text:
            if not text.strip(WHITESPACE):
                if self.after_space:
                    return
                text = " "
            else:
                text = _collapsed(text)
        if self.after_space and text[:1] == " ":
            text = text[1:]
        self._add(text)

    def _add(self, text: str) -> None:
        if text:
            self.pending.append((len(self.nodes) - 1, text, self.preformatted > 0))
            self.after_space = text[-1] in WHITESPACE
            self.breaks = 0

    def line_break(self) -> None:
        """A first br is a newline in its block, a second one in a row ends the block."""
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
        if not self.pending:
            return
        self._trim(keep_preformatted=False)
        if self.pending:
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
