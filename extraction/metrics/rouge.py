"""`rouge`: ROUGE-Lsum, the headline measure of the Web Content Extraction Benchmark of Webis (WCEB).

Words are what stands between blanks, their case kept. For each gold sentence the words that it shares with
any predicted sentence, in order, are hits; a word cannot be hit more often than either text has it.

The benchmark splits sentences with a model of NLTK's, which must be fetched. These figures rest on our own
splitter, and are close to published ones but not the same.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from extraction.metrics import lcs
from extraction.metrics.pages import PageScore, score
from extraction.metrics.remembered import remembered, remembered_line, remembered_pair
from extraction.metrics.sentences import sentences
from extraction.metrics.words import overlap

_Sentence = tuple[str, ...]


def compare(gold: str, predicted: str, *, failed: bool = False, extras: bool = True) -> PageScore:
    """Score a predicted text against a gold text, in hits of words.

    Both empty: 1 and 1. Only the prediction empty: 0 and 0. Only the gold empty: precision 0, recall 1.
    Without `extras` the further figures, which cost about as much, are left out.
    """
    expected, found = _tokens(gold), _tokens(predicted)
    hits = 0 if failed else _hits(expected, _sentences_of(predicted))
    more = {"levenshtein": 0.0 if failed else lcs.ratio(gold.split(), predicted.split())} if extras else {}
    return score(hits, sum(map(len, found)), sum(map(len, expected)), failed=failed, extras=more)


@remembered
def _tokens(text: str) -> list[_Sentence]:
    return [sentence for line in text.splitlines() for sentence in _tokens_of_line(line)]


@remembered_line
def _tokens_of_line(line: str) -> list[_Sentence]:
    return [tuple(sentence.split()) for sentence in sentences(line)]


class _Sentences(NamedTuple):
    """The words of each sentence, and of all together."""

    words: dict[_Sentence, frozenset[str]]
    bag: Counter[str]


@remembered
def _sentences_of(text: str) -> _Sentences:
    every = _tokens(text)
    words = {sentence: frozenset(sentence) for sentence in every}
    return _Sentences(words, Counter(chain.from_iterable(every)))


def _hits(gold: Iterable[_Sentence], predicted: _Sentences) -> int:
    found = (sentence if sentence in predicted.words else _union(sentence, predicted) for sentence in gold)
    return overlap(Counter(chain.from_iterable(found)), predicted.bag)


def _union(sentence: _Sentence, predicted: _Sentences) -> Iterable[str]:
    """The words of a sentence that are in a longest common subsequence with some predicted one."""
    found = 0
    left = _words_left(sentence, found, predicted)
    for other, words in predicted.words.items():
        if not left:
            break
        # A sentence without any of these words adds nothing, and most are like that.
        if left.isdisjoint(words):
            continue
        more = found | _in_common(sentence, other)
        if more != found:
            found = more
            left = _words_left(sentence, found, predicted)
    return (word for index, word in enumerate(sentence) if found >> index & 1)


def _words_left(sentence: _Sentence, found: int, predicted: _Sentences) -> set[str]:
    """The words that stand where none was found yet, and may be."""
    return {word for index, word in enumerate(sentence) if not found >> index & 1 and word in predicted.bag}


@remembered_pair
def _in_common(sentence: _Sentence, other: _Sentence) -> int:
    """The indices of a sentence that are in a longest common subsequence with another one, as bits."""
    return sum(1 << index for index in lcs.finder(sentence)(other))
