"""Maximum subsequence segmentation, the simple variant (Pasternack and Roth 2009).

After secondary sources, as the paper was not at hand: a word scores +1, a tag -3.25, and the stretch with the
largest sum is the article.
"""

from __future__ import annotations

from extraction.document import Document
from extraction.extractors.nodes import spans_of
from extraction.extractors.registry import extractor
from extraction.extractors.tag_stream import best_nodes, tag_stream
from extraction.spans import Span


@extractor("mss", version=1, family="tag-stream")
def mss(document: Document, *, tag_cost: float = 3.25) -> list[Span]:
    """The stretch of the body with the largest sum of words less `tag_cost` words for each tag."""
    return spans_of(document, best_nodes(tag_stream(document), tag_cost=tag_cost))
