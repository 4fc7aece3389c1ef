"""The extractor that keeps the whole page: the floor of precision and the ceiling of recall."""

from __future__ import annotations

from extraction.document import Document
from extraction.extractors.registry import extractor
from extraction.spans import CONTENT, Span, clip


@extractor("everything", version=1, can_be_arm=False)
def everything(document: Document) -> list[Span]:
    """Every block of the page, one span each."""
    whole = [Span(start, end, CONTENT) for start, end in document.blocks]
    return clip(whole, document.blocks, document.text)
