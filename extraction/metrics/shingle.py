"""`shingle`: runs of four words as a multiset, the measure of the Scrapinghub article extraction
benchmark."""

import re
from collections import Counter
from collections.abc import Sequence

from extraction.metrics.pages import PageScore

_WORD = re.compile(r"\w+")
LENGTH = 4


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """All runs of four words; a shorter text is one shorter run, an empty one has none."""
    return _runs(_WORD.findall(text))


def _runs(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    starts = range(max(1, len(words) - LENGTH + 1)) if words else ()
    return Counter(tuple(words[start : start + LENGTH]) for start in starts)


def compare(gold: str, predicted: str, *, failed: bool = False) -> PageScore:
    """Score a predicted text against a gold text.

    Amounts are shares of the page, so that in pooled figures each page weighs the same. As in the benchmark,
    an empty prediction is left out of the mean of precisions and an empty gold out of that of recalls; a
    failure is 0 in both, and counts. `accuracy` among the extras is 1 where both have the same words.
    """
    gold_words, words = _WORD.findall(gold), _WORD.findall(predicted)
    expected, found = _runs(gold_words), _runs(words)
    common = (expected & found).total()
    whole = (expected | found).total() or 1
    shares = common / whole, found.total() / whole, expected.total() / whole
    if failed:
        return PageScore(0.0, 0.0, shares[2], 0.0, 0.0, failed=True, extras={"accuracy": 0.0})
    precision = common / found.total() if found else None
    recall = common / expected.total() if expected else None
    return PageScore(*shares, precision, recall, extras={"accuracy": float(gold_words == words)})
