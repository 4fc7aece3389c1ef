"""The body of a page as runs of tags and words: what systems see that only count the two.

BTE and maximum subsequence segmentation read the source with regular expressions. Here the tree is read, so
the tags are those that a browser completes: a missing `</p>` or `<tbody>` counts, a comment does not.
"""

from typing import NamedTuple

import numpy as np

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.documents.tags import VOID
from extraction.extractors.maximum_sum import maximum_sum
from extraction.features.tree_arrays import Ints, tree_arrays

#: What is counted: the tree, or the source of the page.
MODES = ("dom", "source")

_WITHOUT_END_TAG = VOID | {"param"}


class TagStream(NamedTuple):
    """The text nodes of the body in document order.

    `words[i]` counts the words of text node `first_node + i`, `tags[i]` the tags that stand between it and
    the text node before, or the start of the body.
    """

    first_node: int
    words: Ints
    tags: Ints


@cached_on_document
def tag_stream(document: Document) -> TagStream:
    """The body's tags and words; a page without a body (a frameset) has none."""
    arrays = tree_arrays(document)
    body = arrays.body
    if body is None:
        return TagStream(0, np.zeros(0, np.int32), np.zeros(0, np.int32))
    inside = np.zeros(arrays.ends.size, dtype=np.bool_)
    inside[body + 1 : arrays.ends[body]] = True
    tags = arrays.starts_before(inside) + arrays.ends_before(inside & ~arrays.having(_WITHOUT_END_TAG))
    nodes = slice(arrays.first_nodes[body], arrays.end_nodes[body])
    return TagStream(int(nodes.start), arrays.words[nodes], tags[nodes])


def best_nodes(stream: TagStream, *, tag_cost: float) -> range:
    """The text nodes of the stretch with the most words, where each tag costs so many words.

    Words of one text node stand together, so that a best stretch never begins or ends among them.
    """
    scores = np.empty(2 * stream.words.size)
    scores[::2] = -tag_cost * stream.tags
    scores[1::2] = stream.words
    segment = maximum_sum(scores)
    if segment is None:
        return range(0)
    return range(stream.first_node + segment.start // 2, stream.first_node + segment.end // 2)
