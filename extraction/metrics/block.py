"""`block`: which blocks of a page are content, each weighing as much as it has words.

The measure of the Boilerpipe paper. A block is of the class that most of its words have; words are counted as
Boilerpipe counts them, blocks are those of the document.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from extraction.documents.document import Block
from extraction.features.words import count, rows_of_words, spaced
from extraction.metrics.pages import PageScore, score
from extraction.metrics.remembered import remembered
from extraction.spans import CONTENT, Interval, Span, clip, relevant

Numbers = NDArray[np.int64]


def compare(
    gold: Sequence[Span],
    predicted: Sequence[Span],
    blocks: Sequence[Block],
    text: str,
    labels: Collection[str],
    *,
    unplaced: int = 0,
    failed: bool = False,
) -> PageScore:
    """Score predicted spans against gold spans of one text, in words of blocks.

    A block is content under a label set as a span is: `content` counts in every one. `unplaced` is the number
    of words of gold text that the document does not have. The share of what is rightly classed, content or
    not, is the `accuracy` among the extras.
    """
    blocks = tuple(blocks)
    words = _words_of(blocks, text)
    is_gold = 2 * words_within(gold, blocks, text, labels) > words
    is_predicted = 2 * words_within(predicted, blocks, text, labels) > words
    whole = int(words.sum())
    right = int(words[is_gold == is_predicted].sum())
    return score(
        int(words[is_gold & is_predicted].sum()),
        int(words[is_predicted].sum()),
        int(words[is_gold].sum()),
        unplaced=unplaced,
        failed=failed,
        extras={"accuracy": 0.0 if failed else right / whole if whole else 1.0},
    )


def words_within(
    spans: Sequence[Span], blocks: Sequence[Block], text: str, labels: Collection[str]
) -> Numbers:
    """For each block, how many of its words are marked under a label set."""
    return _words_marked(tuple(relevant(spans, labels)), tuple(blocks), text)


@remembered
def _words_of(blocks: Sequence[Block], text: str) -> Numbers:
    return np.array(words_in(text[start:end] for start, end in blocks), dtype=np.int64)


@remembered
def _words_marked(intervals: Sequence[Interval], blocks: Sequence[Block], text: str) -> Numbers:
    ends = [end for _, end in blocks]
    pieces = clip([Span(start, end, CONTENT) for start, end in intervals], blocks, text)
    found = np.zeros(len(blocks), dtype=np.int64)
    for piece, words in zip(pieces, words_in(text[start:end] for start, end, _ in pieces), strict=True):
        found[bisect_right(ends, piece.start)] += words
    return found


def words_in(texts: Iterable[str]) -> list[int]:
    """How many words each text has, as Boilerpipe counts them."""
    return [count(row) for row in rows_of_words([spaced(text) for text in texts])]
