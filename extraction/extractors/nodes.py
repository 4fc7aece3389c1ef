"""The spans that text nodes or whole blocks make."""

from collections.abc import Iterable

from extraction.documents.document import Document
from extraction.spans import CONTENT, Span, trimmed


def spans_of(document: Document, nodes: Iterable[int]) -> list[Span]:
    """The canonical text of these text nodes as content; neighbours inside one block are joined.

    The same as `bridge` of their indices, in a single pass: no text node lies in two blocks.
    """
    text, block_ends = document.text, iter(document.blocks)
    indices = document.nodes
    result: list[Span] = []
    block_end = 0
    for start, end in sorted(indices[node] for node in nodes):
        if start >= end:
            continue
        if text[start].isspace() or text[end - 1].isspace():
            start, end = trimmed(start, end, text)
            if start >= end:
                continue
        same_block = start < block_end
        while block_end <= start:
            block_end = next(block_ends).end
        if same_block and not text[result[-1].end : start].strip():
            start = result.pop().start
        result.append(Span(start, end, CONTENT))
    return result


def spans_of_whole(document: Document, labels: Iterable[str | None]) -> list[Span]:
    """Canonical blocks under a label each, without the blanks at their edges; None leaves a block out."""
    text = document.text
    result: list[Span] = []
    for (start, end), label in zip(document.blocks, labels, strict=False):
        if label is None:
            continue
        if text[start].isspace() or text[end - 1].isspace():
            start, end = trimmed(start, end, text)
        if start < end:
            result.append(Span(start, end, label))
    return result
