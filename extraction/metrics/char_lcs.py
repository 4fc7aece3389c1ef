"""`char-lcs`: the longest common subsequence of two texts' words, weighted by their lengths.

The measure of the tree-filter paper's tables, as we read it: lower-cased runs of word characters, a matched
one counts its characters. Texts need not come from one document.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from extraction.metrics.pages import PageScore, score

_WORD = re.compile(r"\w+")


def compare(gold: str, predicted: str, *, failed: bool = False) -> PageScore:
    """Score a predicted text against a gold text, in characters of words."""
    a, b = _WORD.findall(gold.lower()), _WORD.findall(predicted.lower())
    return score(common_weight(a, b), sum(map(len, b)), sum(map(len, a)), failed=failed)


def common_weight(a: Sequence[str], b: Sequence[str]) -> int:
    """The greatest total length of tokens that two lists have in common, in one order.

    What both lists begin or end with is always part of a best solution, and tokens of one list alone never
    are; the rest takes time in proportion to the product of the lengths, a row of it at a time.
    """
    start = _shared_prefix(a, b)
    end = _shared_prefix(a[start:][::-1], b[start:][::-1])
    ends = sum(map(len, a[:start])) + sum(map(len, a[len(a) - end :]))
    return ends + _middle_weight(a[start : len(a) - end], b[start : len(b) - end])


def _shared_prefix(a: Sequence[str], b: Sequence[str]) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((place for place, (x, y) in pairs if x != y), min(len(a), len(b)))


def _middle_weight(a: Sequence[str], b: Sequence[str]) -> int:
    shared = set(a) & set(b)
    rows, columns = sorted(([t for t in a if t in shared], [t for t in b if t in shared]), key=len)
    if not rows:
        return 0
    places = _places(columns)
    best = np.zeros(len(columns) + 1, dtype=np.int64)
    for token in rows:
        matched = places[token]
        extended = best.copy()
        extended[matched + 1] = np.maximum(best[matched + 1], best[matched] + len(token))
        best = np.maximum.accumulate(extended)
    return int(best[-1])


def _places(tokens: Sequence[str]) -> dict[str, NDArray[np.intp]]:
    found: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        found.setdefault(token, []).append(place)
    return {token: np.array(places, dtype=np.intp) for token, places in found.items()}
