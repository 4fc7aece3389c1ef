"""The extractor that keeps the whole page: the floor of precision and the ceiling of recall."""

from itertools import repeat

from extraction.documents.document import Document
from extraction.extractors.nodes import spans_of_whole
from extraction.extractors.registry import extractor
from extraction.spans import CONTENT, Span


@extractor("everything", version=1, can_be_arm=False)
def everything(document: Document) -> list[Span]:
    """Every block of the page, one span each."""
    return spans_of_whole(document, repeat(CONTENT))
