"""Maximum subsequence segmentation, the simple variant (Pasternack and Roth 2009).

After secondary sources, as the paper was not available: a word scores +1, a tag -3.25, and the stretch with
the largest sum is the article.
"""

from extraction.documents.document import Document
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.extractors.spec import Printed
from extraction.extractors.tag_source import best_source_text, reads_source
from extraction.extractors.tag_stream import MODES, best_nodes, tag_stream
from extraction.spans import Span


@extractor("mss", version=1, family="tag-stream", allowed={"mode": MODES}, needs_raw=reads_source)
def mss(document: Document, *, tag_cost: float = 3.25, mode: str = "dom") -> list[Span] | Printed:
    """The stretch of the body with the largest sum of words less `tag_cost` words for each tag.

    `mode="source"` counts the tags and words of the page's source instead of its tree, and prints text.
    """
    if mode == "source":
        return Printed(best_source_text(document, tag_cost=tag_cost))
    return spans_of(document, best_nodes(tag_stream(document), tag_cost=tag_cost))
