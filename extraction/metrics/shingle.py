"""`shingle`: runs of four words as a multiset, the measure of the Scrapinghub article extraction
benchmark."""

import re
from collections import Counter
from collections.abc import Sequence

from extraction.metrics.pages import PageScore
from extraction.metrics.remembered import remembered
from extraction.metrics.words import overlap

_WORD = re.compile(r"\w+")
LENGTH = 4


@remembered
def _words(text: str) -> list[str]:
    return _WORD.findall(text)


@remembered
def shingles(text: str) -> Counter[tuple[str, ...]]:
    """All runs of four words; a shorter text is one shorter run, an empty one has none."""
    return _runs(_words(text))


def _runs(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    if 0 < len(words) < LENGTH:
        return Counter([tuple(words)])
    return Counter(zip(*(words[start:] for start in range(LENGTH)), strict=False))


def compare(gold: str, predicted: str, *, failed: bool = False) -> PageScore:
    """Score a predicted text against a gold text.

    Amounts are shares of the page, so that in pooled figures each page weighs the same. As in the benchmark,
    an empty prediction is left out of the mean of precisions and an empty gold out of that of recalls; a
    failure is 0 in both, and counts. `accuracy` among the extras is 1 where both have the same words.
    """
    gold_words, words = _words(gold), _words(predicted)
    expected, found = shingles(gold), shingles(predicted)
    common = overlap(expected, found)
    n_expected, n_found = expected.total(), found.total()
    whole = n_expected + n_found - common or 1
    shares = common / whole, n_found / whole, n_expected / whole
    if failed:
        return PageScore(0.0, 0.0, shares[2], 0.0, 0.0, failed=True, extras={"accuracy": 0.0})
    precision = common / n_found if found else None
    recall = common / n_expected if expected else None
    return PageScore(*shares, precision, recall, extras={"accuracy": float(gold_words == words)})
