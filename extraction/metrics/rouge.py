"""`rouge`: ROUGE-Lsum, the headline measure of the Web Content Extraction Benchmark of Webis (WCEB).

Words are what stands between blanks, their case kept. For each gold sentence the words that it shares with
any predicted sentence, in order, are hits; a word cannot be hit more often than either text has it.

The benchmark splits sentences with a model of NLTK's, which must be fetched. These figures rest on our own
splitter, and are close to published ones but not the same.
"""

from collections import Counter
from collections.abc import Sequence

from extraction.metrics import lcs
from extraction.metrics.pages import PageScore, score
from extraction.metrics.sentences import sentences


def compare(gold: str, predicted: str, *, failed: bool = False, extras: bool = True) -> PageScore:
    """Score a predicted text against a gold text, in hits of words.

    Both empty: 1 and 1. Only the prediction empty: 0 and 0. Only the gold empty: precision 0, recall 1.
    Without `extras` the further figures, which cost about as much, are left out.
    """
    expected, found = _tokens(gold), _tokens(predicted)
    hits = 0 if failed else union_hits(expected, found)
    more = {"levenshtein": 0.0 if failed else lcs.ratio(gold.split(), predicted.split())} if extras else {}
    return score(hits, sum(map(len, found)), sum(map(len, expected)), failed=failed, extras=more)


def _tokens(text: str) -> list[list[str]]:
    return [sentence.split() for sentence in sentences(text)]


def union_hits(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> int:
    """How many words of the gold sentences are hit by the predicted ones."""
    left = Counter(token for sentence in gold for token in sentence)
    left &= Counter(token for sentence in predicted for token in sentence)
    others = _distinct(predicted)
    hits = 0
    for sentence in gold:
        for index in sorted(_union(sentence, others)):
            if left[sentence[index]]:
                left[sentence[index]] -= 1
                hits += 1
    return hits


_Distinct = dict[tuple[str, ...], frozenset[str]]


def _distinct(predicted: Sequence[Sequence[str]]) -> _Distinct:
    return {tuple(sentence): frozenset(sentence) for sentence in predicted}


def _union(sentence: Sequence[str], others: _Distinct) -> set[int]:
    """The indices of a sentence that are in a longest common subsequence with some other one."""
    if tuple(sentence) in others:
        return set(range(len(sentence)))
    found: set[int] = set()
    indices = lcs.finder(sentence)
    left = set(sentence)  # the words of indices not yet found
    for other, words in others.items():
        # A sentence without any of these words adds nothing, and most are like that.
        if not left.isdisjoint(words):
            found.update(indices(other))
            left = {word for index, word in enumerate(sentence) if index not in found}
    return found
