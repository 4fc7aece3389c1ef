"""Text nodes, or blocks of them -> the spans that they make."""

from __future__ import annotations

from collections.abc import Iterable

from extraction.document import Document
from extraction.features import Features
from extraction.spans import CONTENT, Span, bridge


def spans_of(document: Document, nodes: Iterable[int]) -> list[Span]:
    """The canonical text of these text nodes as content; neighbours inside one block are joined."""
    slices = (document.nodes[node] for node in nodes)
    spans = [Span(start, end, CONTENT) for start, end in slices if start < end]
    return bridge(spans, document.blocks, document.text)


def spans_of_blocks(features: Features, blocks: Iterable[int]) -> list[Span]:
    """The same for text blocks, given in document order."""
    spans, joined = features.spans, features.joined
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
