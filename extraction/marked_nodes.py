"""Spans of a document as ranges of the text nodes of the page itself, where a browser can paint them."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from extraction.documents.canonical_text import GONE, WHITESPACE
from extraction.documents.document import Document
from extraction.documents.utf16 import Units
from extraction.spans import Span


@dataclass(frozen=True, slots=True)
class MarkedRange:
    """A label on `[start, end)` of a text node, in UTF-16 code units, as JavaScript counts."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MarkedNode:
    """A text node of the parsed page, as written there, and what is labelled of it, in order."""

    text: str
    ranges: list[MarkedRange] = field(default_factory=list)


def marked_nodes(document: Document, spans: Iterable[Span]) -> list[MarkedNode]:
    """The text nodes in which these spans of a document lie, in document order.

    The blanks at the edges of a node belong to no range; those inside do, as they were written.
    """
    texts = document.structure.node_texts
    shown = [number for number, offsets in enumerate(document.nodes) if offsets != GONE]
    starts = [document.nodes[number][0] for number in shown]
    found: dict[int, MarkedNode] = {}
    ways: dict[int, tuple[list[int], Units]] = {}
    for span in sorted(spans, key=lambda span: span.start):
        for place in range(max(0, bisect_right(starts, span.start) - 1), len(shown)):
            number = shown[place]
            start, end = document.nodes[number]
            if start >= span.end:
                break
            first, last = max(start, span.start) - start, min(end, span.end) - start
            if first >= last:
                continue
            if number not in found:
                found[number] = MarkedNode(texts[number])
                ways[number] = _places(document.text[start:end], texts[number]), Units(texts[number])
            places, units = ways[number]
            marked = MarkedRange(span.label, units.of(places[first]), units.of(places[last - 1] + 1))
            found[number].ranges.append(marked)
    return [found[number] for number in sorted(found)]


def _places(canonical: str, written: str) -> list[int]:
    """For each character of a node's canonical text where it is in the node as written."""
    places: list[int] = []
    place = 0
    for character in canonical:
        while not _is_same(character, written[place]):
            place += 1
        places.append(place)
        place += 1
    return places


def _is_same(canonical: str, written: str) -> bool:
    return canonical == written or (canonical in " \n" and written in WHITESPACE)
