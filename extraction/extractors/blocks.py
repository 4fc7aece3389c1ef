"""Boilerpipe's segmentation: the stream of tags and text nodes becomes text blocks with shallow features.

After the Java sources of Boilerpipe 1.2.0 (Kohlschuetter, Fankhauser, Nejdl 2010), whose habits are kept
even where they look like slips, because its thresholds were learnt on blocks made this way:
the first block of the body carries the tag level of the title; a flush that finds only anchor markers
leaves the buffers as they are; the state of pending whitespace survives a block's end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from extraction.document import Document, Event

IGNORED = frozenset(["style", "script", "option", "object", "embed", "applet", "link", "noscript"])
INLINE = frozenset(
    ["strike", "u", "b", "i", "em", "strong", "span", "sup", "code", "tt", "sub", "var", "font"]
)
INLINE_SPACED = frozenset({"abbr", "acronym"})
MAX_LINE_LENGTH = 80  # characters; text is wrapped at this width to measure density

# Java's Character.isWhitespace: no-break spaces are text.
_WHITESPACE = re.compile(r"[\t-\r\x1c-\x1f\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]")
# A token ends at a blank and between a word character and another, unless one of these stands between.
_GLUE = r"\"'.,!@\-:;$?()/"
_RUN = rf"(?:\w+|[^\w {_GLUE}]+)"
_TOKEN = re.compile(rf"[{_GLUE}]*{_RUN}(?:[{_GLUE}]+{_RUN})*[{_GLUE}]*|[{_GLUE}]+")
_WORD = re.compile(r"[^\W_]")
# Lone surrogates: decoded text never holds them, so a page cannot forge a marker.
_ANCHOR_START, _ANCHOR_END = "\ud800", "\udbff"


@dataclass(slots=True)
class TextBlock:
    """A run of text between block-level tags, with the text nodes that it came from.

    `start` and `end` count blocks, not characters: the first and last block of the segmentation in it.
    """

    text: str
    words: int
    linked_words: int
    wrapped_words: int
    lines: int
    level: int
    start: int
    end: int
    nodes: list[int] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    is_content: bool = False
    text_density: float = 0.0
    link_density: float = 0.0

    def __post_init__(self) -> None:
        self._measure()

    def _measure(self) -> None:
        if self.wrapped_words == 0:
            self.wrapped_words, self.lines = self.words, 1
        self.text_density = self.wrapped_words / self.lines
        self.link_density = self.linked_words / self.words if self.words else 0.0

    def merge(self, other: TextBlock) -> None:
        """Take in another block: the result is content if either was, and owns the nodes of both."""
        self.text = f"{self.text}\n{other.text}"
        self.words += other.words
        self.linked_words += other.linked_words
        self.wrapped_words += other.wrapped_words
        self.lines += other.lines
        self.start, self.end = min(self.start, other.start), max(self.end, other.end)
        self.level = min(self.level, other.level)
        self.is_content |= other.is_content
        self.labels |= other.labels
        self.nodes += other.nodes
        self._measure()


#: Stands before the first and after the last block where a rule looks at neighbours.
EDGE = TextBlock("", 0, 0, 0, 1, level=-1, start=-1, end=-1)


@dataclass(slots=True)
class Segmentation:
    """A page as Boilerpipe sees it: its title and its blocks, which filters change in place."""

    title: str
    blocks: list[TextBlock]


def segment(document: Document) -> Segmentation:
    """Cut a document into text blocks; each call makes new ones."""
    return _Segmenter().read(document.events)


class _Counts(NamedTuple):
    tokens: int
    words: int
    linked_words: int
    wrapped_words: int
    lines: int


class _Segmenter:
    """The event handler: one pass, all state in plain counters."""

    def __init__(self) -> None:
        self.title = ""
        self.blocks: list[TextBlock] = []
        self.tokens: list[str] = []  # text with anchor markers
        self.text: list[str] = []
        self.nodes: list[int] = []
        self.after_blank = False
        self.flush_due = False
        self.level = 0
        self.block_level = -1
        self.in_body = self.in_anchor = self.in_ignored = 0
        self.anchor_open = False  # survives the end of a block
        self.last_tag = ""

    def read(self, events: Iterable[Event]) -> Segmentation:
        open_tags: list[str] = []
        node = 0
        for event in events:
            if event is None:
                self._end(open_tags.pop())
            elif isinstance(event, str):
                if event:
                    self._characters(event, node)
                node += 1
            else:
                open_tags.append(event[0])
                self._start(event[0])
        self._flush()
        return Segmentation(self.title, self.blocks)

    def _start(self, tag: str) -> None:
        if tag in INLINE_SPACED:
            self._blank()
        elif tag not in INLINE:
            self.level += 1
            self._open(tag)
        self.last_tag = tag

    def _open(self, tag: str) -> None:
        if tag == "a":
            self._open_anchor()
        elif tag == "body":
            self._flush()
            self.in_body += 1
        else:
            self.in_ignored += tag in IGNORED
            self.flush_due = True

    def _end(self, tag: str) -> None:
        if tag in INLINE_SPACED:
            self._blank()
        elif tag not in INLINE:
            self._close(tag)
            self.level -= 1
        if self.flush_due:
            self._flush()

    def _close(self, tag: str) -> None:
        if tag == "a":
            self._close_anchor()
        elif tag == "body":
            self._flush()
            self.in_body -= 1
        else:
            self.in_ignored -= tag in IGNORED
            self.flush_due = True

    def _open_anchor(self) -> None:
        self.in_anchor += 1
        if self.in_anchor > 1:
            self._close_anchor()
        self._mark(_ANCHOR_START)

    def _close_anchor(self) -> None:
        self.in_anchor -= 1
        if self.in_anchor == 0:
            self._mark(_ANCHOR_END)

    def _mark(self, marker: str) -> None:
        if not self.in_ignored:
            self._blank()
            self.tokens.append(f"{marker} ")

    def _blank(self) -> None:
        """Add a space to both buffers, unless one is pending."""
        if not self.after_blank:
            self._append(" ")
            self.after_blank = True

    def _append(self, text: str) -> None:
        self.tokens.append(text)
        self.text.append(text)

    def _characters(self, text: str, node: int) -> None:
        if self.flush_due:
            self._flush()
            self.flush_due = False
        if self.in_ignored:
            return
        spaced = _WHITESPACE.sub(" ", text)
        core = spaced.strip(" ")
        if spaced[0] == " ":
            self._blank()
        if core:
            self._core(core, node)
            self.after_blank = spaced[-1] == " "
            if self.after_blank:
                self._append(" ")

    def _core(self, core: str, node: int) -> None:
        if self.block_level == -1:
            self.block_level = self.level
        self._append(core)
        self.nodes.append(node)

    def _flush(self) -> None:
        """End the block: outside the body the text is dropped, or is the title."""
        buffer = "".join(self.tokens)
        if not self.in_body:
            if self.last_tag == "title":
                self.title = buffer.strip() or self.title
            self._clear()
        elif buffer == " ":
            self._clear()
        elif buffer:
            counts = self._count(buffer)
            if counts.tokens:
                self._emit(counts)

    def _emit(self, counts: _Counts) -> None:
        index = len(self.blocks)
        text = "".join(self.text).strip()
        level, nodes = self.block_level, list(self.nodes)
        self.blocks.append(TextBlock(text, *counts[1:], level=level, start=index, end=index, nodes=nodes))
        self._clear()
        self.block_level = -1

    def _clear(self) -> None:
        self.tokens.clear()
        self.text.clear()
        self.nodes.clear()

    def _count(self, buffer: str) -> _Counts:
        """Count tokens and words, wrap the words into lines; the unfinished last line is left out."""
        tokens = words = linked = lines = words_in_line = 0
        line_length = -1
        for token in _TOKEN.findall(buffer):
            if token in (_ANCHOR_START, _ANCHOR_END):
                self.anchor_open = token == _ANCHOR_START
                continue
            tokens += 1
            if not _WORD.search(token):
                continue
            words += 1
            words_in_line += 1
            linked += self.anchor_open
            line_length += _java_length(token) + 1
            if line_length > MAX_LINE_LENGTH:
                lines, line_length, words_in_line = lines + 1, _java_length(token), 1
        if lines == 0:
            return _Counts(tokens, words, linked, words, 1)
        return _Counts(tokens, words, linked, words - words_in_line, lines)


def _java_length(token: str) -> int:
    """Length in UTF-16 units."""
    return len(token) if token.isascii() else len(token) + sum(char > "\uffff" for char in token)
