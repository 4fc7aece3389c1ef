"""`char-lcs`: the longest common subsequence of two texts' words, weighted by their lengths.

The measure of the tree-filter paper's tables, as we read it: lower-cased runs of word characters, a matched
one counts its characters. Texts need not come from one document.
"""

import re

from extraction.metrics import lcs
from extraction.metrics.pages import PageScore, score

_WORD = re.compile(r"\w+")


def compare(gold: str, predicted: str, *, failed: bool = False) -> PageScore:
    """Score a predicted text against a gold text, in characters of words."""
    a, b = _WORD.findall(gold.lower()), _WORD.findall(predicted.lower())
    return score(lcs.weight(a, b), sum(map(len, b)), sum(map(len, a)), failed=failed)
