"""Text nodes -> the spans that they make."""

from __future__ import annotations

from collections.abc import Iterable

from extraction.document import Document
from extraction.spans import CONTENT, Span, bridge


def spans_of(document: Document, nodes: Iterable[int]) -> list[Span]:
    """The canonical text of these text nodes as content; neighbours inside one block are joined."""
    slices = (document.nodes[node] for node in nodes)
    spans = [Span(start, end, CONTENT) for start, end in slices if start < end]
    return bridge(spans, document.blocks, document.text)
