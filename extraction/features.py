"""Numbers about the text of a document, as parallel lists, made once and stored with it.

They are Boilerpipe's text blocks, after the Java sources (Kohlschuetter, Fankhauser, Nejdl 2010), whose
habits are kept even where they look like slips, because its thresholds were learnt on blocks made this way:
any tag but a few inline ones ends a block, `br` and `img` too, and the first block carries the tag level of
the title. A block is known by its place in these lists, an element and a text node by their place in
`document.structure`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, repeat
from typing import Any

from extraction.block_texts import FINDERS
from extraction.spans import CONTENT, Span
from extraction.structure import Structure
from extraction.text_blocks import read_blocks
from extraction.words import LINE_LENGTH, count, rows_of_words, wrap

#: Goes up with every change of what the lists hold.
FEATURES_VERSION = 2


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

    `finds` are blocks by what their text says, as far as somebody asked `found` for it.
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
    finds: dict[str, list[int]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls, tree: Structure, text: str, nodes: Sequence[tuple[int, int]], blocks: Sequence[tuple[int, int]]
    ) -> Features:
        """The features of a document with this tree, canonical text, places of text nodes and blocks."""
        title, found = read_blocks(tree)
        features = cls(title=title)
        if found:
            columns = map(list, zip(*found, strict=True))
            features.texts, linked_texts, features.levels, features.first_nodes, *rest = columns
            features.end_nodes, features.characters, features.elements, features.items, features.headings = (
                rest
            )
            _count_words(features, linked_texts)
            _place(features, text, nodes, blocks)
        return features

    @classmethod
    def unpack(cls, fields: dict[str, Any] | None) -> Features | None:
        """What `pack` gave; None where that is missing, or of another version."""
        if not fields or fields.pop("version") != FEATURES_VERSION:
            return None
        return cls(**fields)

    def pack(self) -> dict[str, Any]:
        """Everything as JSON can hold it, with all that can be found."""
        lists = {name: getattr(self, name) for name in _FIELDS}
        return {"version": FEATURES_VERSION, **lists, "finds": {name: self.found(name) for name in FINDERS}}

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
    def totals(self) -> dict[str, list[int]]:
        """Of each kind of words and of lines: what the first n blocks have together, from none to all."""
        return {name: list(accumulate(getattr(self, name), initial=0)) for name in _SUMMED}

    @cached_property
    def spans(self) -> list[Span]:
        """Each block's place in the canonical text as content."""
        return list(map(Span, self.starts, self.ends, repeat(CONTENT)))

    def found(self, name: str) -> list[int]:
        """The blocks that a finder of `extraction.block_texts` finds by their texts; looked for once."""
        if name not in self.finds:
            self.finds[name] = FINDERS[name](self)
        return self.finds[name]


_FIELDS = tuple(Features.__dataclass_fields__)
_SUMMED = ("words", "linked_words", "wrapped_words", "lines")


def _count_words(features: Features, linked_texts: Sequence[str]) -> None:
    """Count the words of each block, in its links and on its lines."""
    texts = features.texts
    in_part = [block for block, linked in enumerate(linked_texts) if linked and linked != texts[block]]
    rows = rows_of_words([*texts, *map(linked_texts.__getitem__, in_part)])
    counts = list(map(count, rows))
    features.words = words = counts[: len(texts)]
    features.linked_words = [
        number if linked else 0 for number, linked in zip(words, linked_texts, strict=True)
    ]
    for block, number in zip(in_part, counts[len(texts) :], strict=True):
        features.linked_words[block] = number
    features.wrapped_words, features.lines = words.copy(), [1] * len(words)
    for block, row in enumerate(rows[: len(texts)]):
        if len(row) > LINE_LENGTH:
            features.wrapped_words[block], features.lines[block] = wrap(row)


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
