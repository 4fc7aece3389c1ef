"""Boilerpipe's text blocks of a page, as parallel lists with their numbers.

They follow the Java sources (Kohlschütter, Fankhauser and Nejdl, WSDM 2010), including behaviour that looks
like an oversight, because the published thresholds were learned on blocks made this way: any tag but a few
inline ones ends a block, `br` and `img` too, and the first block carries the tag level of the title. A block
is identified by its index in these lists, an element or text node by its index in `document.structure`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, repeat

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.extractors.boilerpipe import phrases
from extraction.extractors.boilerpipe.segmentation import read_blocks
from extraction.features.words import LINE_LENGTH, count, rows_of_words, wrap
from extraction.spans import CONTENT, Span, trimmed


@dataclass
class TextBlocks:
    """Text blocks in document order.

    - `texts`: the text, blanks trimmed and each a plain space
    - `words`: its words (`extraction.features.words`), of which `linked_words` stand in an `a`
    - `wrapped_words`, `lines`: the words on full lines of 80 characters, and these lines
    - `levels`: the depth of its first text, inline elements aside
    - `first_nodes`, `end_nodes`: the range of its text nodes
    - `characters`: of these nodes, each with blanks collapsed and trimmed
    - `elements`: the nearest element that is not inline
    - `items`, `headings`: 1 where the block ends inside an `li`, or inside an `h1` to `h3`
    - `starts`, `ends`: its offsets in the canonical text, trimmed, or -1 where it left nothing there
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
    joined: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, document: Document) -> TextBlocks:
        """The text blocks of a document."""
        title, rows = read_blocks(document.structure)
        found = cls(title=title)
        if rows:
            columns = map(list, zip(*rows, strict=True))
            found.texts, linked_texts, found.levels, found.first_nodes, *rest = columns
            found.end_nodes, found.characters, found.elements, found.items, found.headings = rest
            _count_words(found, linked_texts)
            _locate(found, document)
        return found

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
        """Each block's index in the canonical text as content."""
        return list(map(Span, self.starts, self.ends, repeat(CONTENT)))

    @cached_property
    def article_ends(self) -> list[int]:
        """The blocks that mark the end of an article, by Boilerpipe 1.2.0."""
        return phrases.ends(self.texts, self.words)

    @cached_property
    def article_ends_2(self) -> list[int]:
        """The blocks that mark the end of an article, by Boilerpipe 2.0."""
        return phrases.ends_2(self.texts, self.words, self.link_densities)

    @cached_property
    def titles(self) -> list[int]:
        """The blocks that repeat the page's title, by Boilerpipe 1.2.0."""
        return phrases.titles(self.title, self.texts)

    @cached_property
    def titles_2(self) -> list[int]:
        """The first block that repeats the page's title, by Boilerpipe 2.0."""
        return phrases.titles_2(self.title, self.texts)

    @cached_property
    def clauses(self) -> list[int]:
        """The blocks in which a clause of at least five words ends."""
        return [block for block, text in enumerate(self.texts) if phrases.has_clause(text)]


_SUMMED = ("words", "linked_words", "wrapped_words", "lines")

#: The text blocks of a document, computed once for all chains that run on it.
text_blocks_of = cached_on_document(TextBlocks.of)


def spans_of_blocks(text_blocks: TextBlocks, blocks: Iterable[int]) -> list[Span]:
    """The canonical text of text blocks as content; blocks are given in document order.

    Neighbours inside one canonical block are joined.
    """
    spans, joined = text_blocks.spans, text_blocks.joined
    result: list[Span] = []
    last = None
    for block in blocks:
        span = spans[block]
        if span.end < 0:
            continue
        if joined[block] == last:
            span = Span(result.pop().start, span.end, CONTENT)
        result.append(span)
        last = block
    return result


def _count_words(found: TextBlocks, linked_texts: Sequence[str]) -> None:
    """Count the words of each block, in its links and on its lines."""
    texts = found.texts
    in_part = [block for block, linked in enumerate(linked_texts) if linked and linked != texts[block]]
    rows = rows_of_words([*texts, *map(linked_texts.__getitem__, in_part)])
    counts = list(map(count, rows))
    found.words = words = counts[: len(texts)]
    found.linked_words = [number if linked else 0 for number, linked in zip(words, linked_texts, strict=True)]
    for block, number in zip(in_part, counts[len(texts) :], strict=True):
        found.linked_words[block] = number
    found.wrapped_words, found.lines = words.copy(), [1] * len(words)
    for block, row in enumerate(rows[: len(texts)]):
        if len(row) > LINE_LENGTH:
            found.wrapped_words[block], found.lines[block] = wrap(row)


def _locate(found: TextBlocks, document: Document) -> None:
    """Find each block in the canonical text."""
    text, nodes, blocks = document.text, document.nodes, document.blocks
    canonical, before = 0, -1
    for block, (first, end) in enumerate(zip(found.first_nodes, found.end_nodes, strict=True)):
        start, stop = _extent(text, nodes[first:end])
        near = False
        if start >= 0:
            near = before >= 0 and blocks[canonical][1] > start
            while blocks[canonical][1] <= start:
                canonical += 1
            near = near and not text[found.ends[before] : start].strip()
        found.starts.append(start)
        found.ends.append(stop)
        found.joined.append(before if near else -1)
        before = block if start >= 0 else before


def _extent(text: str, nodes: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """From the first to the last character that is not blank; (-1, -1) where there is none."""
    there = [node for node in nodes if node[0] < node[1]] if len(nodes) > 1 else nodes
    if not there or there[0][0] < 0:
        return -1, -1
    start, end = there[0][0], there[-1][1]
    if text[start].isspace() or text[end - 1].isspace():
        start, end = trimmed(start, end, text)
    return (start, end) if start < end else (-1, -1)
