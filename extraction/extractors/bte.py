"""BTE, body text extraction (Finn, Kushmerick and Smyth 2001): the one stretch with many words and few tags.

Finn's objective counts the tags outside the stretch and the words inside it; that is the number of tags of
the page plus a sum of +1 for a word and -1 for a tag over the stretch, so the stretch with the largest sum
is the answer.
"""

from __future__ import annotations

from extraction.document import Document
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.extractors.tag_stream import best_nodes, tag_stream
from extraction.spans import Span


@extractor("bte", version=1, family="tag-stream")
def bte(document: Document) -> list[Span]:
    """The stretch of the body in which words outnumber tags the most."""
    return spans_of(document, best_nodes(tag_stream(document), tag_cost=1))
