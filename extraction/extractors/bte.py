"""BTE, body text extraction (Finn, Kushmerick and Smyth 2001): the one stretch with many words and few tags.

Finn's objective counts the tags outside the stretch and the words inside it; that is the number of tags of
the page plus a sum of +1 for a word and -1 for a tag over the stretch, so the stretch with the largest sum
is the answer.
"""

from extraction.documents.document import Document
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.extractors.spec import Printed
from extraction.extractors.tag_source import best_source_text, reads_source
from extraction.extractors.tag_stream import MODES, best_nodes, tag_stream
from extraction.spans import Span


@extractor("bte", version=1, family="tag-stream", allowed={"mode": MODES}, needs_raw=reads_source)
def bte(document: Document, *, mode: str = "dom") -> list[Span] | Printed:
    """The stretch of the body in which words outnumber tags the most.

    `mode="source"` counts the tags and words of the page's source instead of its tree, as the published
    program does, and prints text.
    """
    if mode == "source":
        return Printed(best_source_text(document, tag_cost=1))
    return spans_of(document, best_nodes(tag_stream(document), tag_cost=1))
