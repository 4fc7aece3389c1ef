"""Why extractors err, as one word for each block: where on a page stands what they miss or take wrongly.

The context of a block is decided by the elements around it, what these are called, and its links: never by an
extractor. An error has the context of its block as its cause, unless gold labels its text, or the extractor
found nothing of the page at all.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.documents.document import Document
from extraction.documents.structure import Structure
from extraction.extractors.goldpan.names import BITS, kinds_of
from extraction.features.tree_arrays import tree_arrays
from extraction.metrics.character_labels import label_codes, non_whitespace
from extraction.spans import HasText, Span, relevant


class ErrorCause(StrEnum):
    """Causes of errors, in the order in which they are asked for: a block has the first that fits."""

    COMMENT = "comment"
    RELATED = "related"
    NAVIGATION = "navigation"
    CAPTION = "caption"
    BYLINE = "byline"
    TABLE = "table"
    LIST = "list"
    HEADING = "heading"
    TEXT = "text"
    # Of a page, not of a block: nothing of its gold was found.
    PAGE = "page"


class ErrorKind(StrEnum):
    """Of an error: gold that was not extracted, or text that was extracted and is not gold."""

    MISSED = "missed"
    WRONG = "wrong"


class BlockContext(NamedTuple):
    """What is known of a block: the causes that elements around it speak for, words, linked share."""

    around: frozenset[ErrorCause]
    words: int
    linked: float


# A byline has few words; what a page calls the details of an article may hold much more.
MOST_BYLINE_WORDS = 25
# A block with more of its characters in links leads elsewhere.
MOST_LINKED = 0.5
# An element with this share of the page's characters is no aside, whatever it is called.
TOO_LARGE = 0.5

_CAUSE_OF_TAG = {
    "nav": ErrorCause.NAVIGATION,
    "footer": ErrorCause.NAVIGATION,
    "form": ErrorCause.NAVIGATION,
    "figure": ErrorCause.CAPTION,
    "figcaption": ErrorCause.CAPTION,
    "caption": ErrorCause.CAPTION,
    "time": ErrorCause.BYLINE,
    "address": ErrorCause.BYLINE,
    "td": ErrorCause.TABLE,
    "th": ErrorCause.TABLE,
    "li": ErrorCause.LIST,
    "dd": ErrorCause.LIST,
    "dt": ErrorCause.LIST,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), ErrorCause.HEADING),
}
_CAUSE_OF_NAME = {
    "comment": ErrorCause.COMMENT,
    "related": ErrorCause.RELATED,
    "share": ErrorCause.NAVIGATION,
    "navigation": ErrorCause.NAVIGATION,
    "footer": ErrorCause.NAVIGATION,
    "advertisement": ErrorCause.NAVIGATION,
    "prompt": ErrorCause.NAVIGATION,
    "caption": ErrorCause.CAPTION,
    "meta": ErrorCause.BYLINE,
}
# Gold says what a text is better than any element around it.
_CAUSE_OF_LABEL = {
    "comments": ErrorCause.COMMENT,
    "related": ErrorCause.RELATED,
    "headline": ErrorCause.HEADING,
}

_ORDER = tuple(ErrorCause)
_BLOCK_CAUSES = _ORDER[: _ORDER.index(ErrorCause.TEXT)]
_WHOLE = frozenset({"html", "body", "main", "article"})


def cause_of(context: BlockContext) -> ErrorCause:
    """Return the cause of an error in a block: the first that fits, in the order of `ErrorCause`."""
    fits = set(context.around)
    if context.words > MOST_BYLINE_WORDS:
        fits.discard(ErrorCause.BYLINE)
    if context.linked > MOST_LINKED and not fits.intersection({ErrorCause.CAPTION, ErrorCause.BYLINE}):
        fits.add(ErrorCause.RELATED)
    return next((cause for cause in _BLOCK_CAUSES if cause in fits), ErrorCause.TEXT)


def block_causes(document: Document) -> list[ErrorCause]:
    """Return the cause of an error in each block of a document; one look at each element and text node."""
    return [cause_of(context) for context in block_contexts(document)]


def block_contexts(document: Document) -> Iterator[BlockContext]:
    tree, nodes = document.structure, document.nodes
    lengths = [end - start for start, end in nodes]
    around = _around(tree, lengths)
    arrays = tree_arrays(document)
    is_link = arrays.within(arrays.having(frozenset({"a"}))).tolist()
    starts = [block.start for block in document.blocks]
    shared: list[set[ErrorCause] | None] = [None] * len(starts)
    linked = [0] * len(starts)
    for parent, (start, _end), length in zip(tree.node_parents, nodes, lengths, strict=True):
        if start < 0:
            continue
        block = bisect_right(starts, start) - 1
        linked[block] += length * is_link[parent]
        # What speaks for the whole block: a date inside a paragraph makes no byline of it.
        known = shared[block]
        shared[block] = set(around[parent]) if known is None else known & around[parent]
    for (first, end), causes, characters in zip(document.blocks, shared, linked, strict=True):
        text = document.text[first:end]
        yield BlockContext(frozenset(causes or ()), len(text.split()), characters / max(1, len(text)))


def _around(tree: Structure, lengths: Sequence[int]) -> list[frozenset[ErrorCause]]:
    """Return what each element and those around it speak for."""
    sums = [0, *accumulate(max(0, length) for length in lengths)]
    most = TOO_LARGE * sums[-1]
    found: list[frozenset[ErrorCause]] = []
    for element, parent in enumerate(tree.parents):
        inherited = found[parent] if parent >= 0 else frozenset[ErrorCause]()
        size = sums[tree.end_nodes[element]] - sums[tree.first_nodes[element]]
        own = _spoken_for(tree, element) if 0 < size <= most else frozenset[ErrorCause]()
        found.append(inherited | own if own else inherited)
    return found


def _spoken_for(tree: Structure, element: int) -> frozenset[ErrorCause]:
    tag, attributes = tree.tags[element], tree.attributes[element]
    causes = {_CAUSE_OF_TAG[tag]} if tag in _CAUSE_OF_TAG else set()
    if tag not in _WHOLE:
        bits = kinds_of(f"{attributes.get('class') or ''} {attributes.get('id') or ''}")
        causes |= {cause for name, cause in _CAUSE_OF_NAME.items() if bits & BITS[name]}
    return frozenset(causes)


# ---- errors ----


class PageError(NamedTuple):
    """Text of one block that is missed or wrong, `[start, end)`; `size` in non-whitespace characters."""

    kind: ErrorKind
    cause: ErrorCause
    start: int
    end: int
    size: int


def page_errors(
    document: HasText,
    causes: Sequence[ErrorCause],
    gold: Sequence[Span],
    predicted: Sequence[Span],
    labels: Collection[str],
) -> list[PageError]:
    """Return the errors of an extraction under a label set, in the order of the text, each with its cause.

    `causes` has one entry for each block of the document.
    """
    counts = non_whitespace(document.text)
    in_gold, in_predicted = (_marked(spans, labels, counts.size) for spans in (gold, predicted))
    is_whole = not (in_gold & in_predicted & counts).any()
    names = ["", *_CAUSE_OF_LABEL]
    told = label_codes([span for span in gold if span[2] in _CAUSE_OF_LABEL], counts.size, names)
    found: list[PageError] = []
    for (start, end), cause in zip(document.blocks, causes, strict=True):
        # Missed 1, wrong 2, neither 0; a new error begins with every change of these or of gold's label.
        state = in_gold[start:end] * (1 - in_predicted[start:end]) + 2 * in_predicted[start:end] * (
            1 - in_gold[start:end]
        )
        if not state.any():
            continue
        keys = state * len(names) + told[start:end]
        edges = [0, *(np.flatnonzero(np.diff(keys)) + 1).tolist(), end - start]
        for low, high in pairwise(edges):
            visible = np.flatnonzero(counts[start + low : start + high])
            if not state[low] or not visible.size:
                continue
            label = names[told[start + low]]
            found.append(
                PageError(
                    ErrorKind.MISSED if state[low] == 1 else ErrorKind.WRONG,
                    ErrorCause.PAGE if is_whole else _CAUSE_OF_LABEL.get(label, cause),
                    start + low + int(visible[0]),
                    start + low + int(visible[-1]) + 1,
                    visible.size,
                )
            )
    return found


def _marked(spans: Sequence[Span], labels: Collection[str], length: int) -> NDArray[np.int8]:
    marked = np.zeros(length, dtype=np.int8)
    for start, end in relevant(spans, labels):
        marked[start:end] = 1
    return marked


def by_cause(errors: Sequence[PageError]) -> Counter[tuple[ErrorKind, ErrorCause]]:
    """Return the non-whitespace characters of errors by kind and cause."""
    found: Counter[tuple[ErrorKind, ErrorCause]] = Counter()
    for error in errors:
        found[error.kind, error.cause] += error.size
    return found
