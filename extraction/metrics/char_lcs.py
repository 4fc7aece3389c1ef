"""`char-lcs`: the longest common subsequence of two texts' words, weighted by their lengths.

The measure of the tree-filter paper's tables, as we read it: lower-cased runs of word characters, a matched
one counts its characters. Texts need not come from one document.
"""

from extraction.metrics import lcs
from extraction.metrics.pages import PageScore, score
from extraction.metrics.words import lower_words


def compare(gold: str, predicted: str, *, failed: bool = False) -> PageScore:
    """Score a predicted text against a gold text, in characters of words."""
    a, b = lower_words(gold), lower_words(predicted)
    return score(lcs.weight(a, b), sum(map(len, b)), sum(map(len, a)), failed=failed)
