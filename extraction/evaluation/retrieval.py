"""Known-item retrieval: is a page found by a query about it, if what an extractor gives is what is indexed?

BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, with its
usual constants. Only the terms of queries are indexed, so that an index is small whatever the pages are.
"""

import math
import random
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extraction.metrics.bootstrap import Weights, interval

K1, B = 1.2, 0.75
# Ranks that count for precision and nDCG.
DEPTH = 10
# Words of a sampled query.
SAMPLED_WORDS = 3
SEED = 20101


def sampled_query(title: Sequence[str], key: str) -> list[str]:
    """Return different words of a title, each drawn with a probability proportional to its count in it.

    `key` names the page: with the fixed seed it always gets the same query.
    """
    drawn: list[str] = []
    left = Counter(title)
    # Seeded by a string, `random` does not depend on the process.
    source = random.Random(f"{SEED} {key}")
    while left and len(drawn) < SAMPLED_WORDS:
        (word,) = source.choices(list(left), weights=list(left.values()))
        drawn.append(word)
        del left[word]
    return drawn


class Index:
    """BM25 over documents, which are known by the order in which they were added."""

    def __init__(self, terms: Collection[str]) -> None:
        self._terms = frozenset(terms)
        self._documents: dict[str, array[int]] = defaultdict(lambda: array("i"))
        self._counts: dict[str, array[int]] = defaultdict(lambda: array("i"))
        self._lengths = array("d")

    def add(self, words: Sequence[str]) -> None:
        """Add a document, which may be empty."""
        number = len(self._lengths)
        self._lengths.append(len(words))
        for term, count in Counter(word for word in words if word in self._terms).items():
            self._documents[term].append(number)
            self._counts[term].append(count)

    def scores(self, query: Iterable[str]) -> NDArray[np.float64]:
        """Return the score of every document; a term counts once, however often the query has it."""
        lengths = np.array(self._lengths)
        mean = float(lengths.mean()) or 1.0
        scores = np.zeros(lengths.size)
        for term in sorted(set(query)):
            if term not in self._documents:
                continue
            documents = np.array(self._documents[term])
            counts = np.array(self._counts[term], dtype=np.float64)
            rarity = math.log(1 + (lengths.size - documents.size + 0.5) / (documents.size + 0.5))
            norm = K1 * (1 - B + B * lengths[documents] / mean)
            scores[documents] += rarity * counts * (K1 + 1) / (counts + norm)
        return scores

    def rank(self, query: Iterable[str], document: int) -> float | None:
        """Return the rank of a document, from 1, the middle one of equals; None with a score of 0."""
        scores = self.scores(query)
        own = scores[document]
        if own <= 0:
            return None
        return float((scores > own).sum() + ((scores == own).sum() + 1) / 2)


@dataclass(frozen=True)
class RetrievalFigure:
    """A mean over queries with its interval at 95 %, withheld below 30 of them."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class RetrievalFigures:
    """Mean reciprocal rank, precision and nDCG at 10 of known items; at most .1 and 1 with one item each.

    `gain` is by how much the reciprocal rank is higher than that of a baseline on the same queries.
    """

    mrr: RetrievalFigure
    precision: RetrievalFigure
    ndcg: RetrievalFigure
    gain: RetrievalFigure | None = None


def figures(
    ranks: Sequence[float | None], baseline: Sequence[float | None] | None = None
) -> RetrievalFigures:
    """Return the figures of the ranks of known items; `baseline` has the ranks of another index."""
    reciprocal = _column(ranks, lambda rank: 1 / rank)
    gain = None
    if baseline is not None:
        gain = _figure(reciprocal - _column(baseline, lambda rank: 1 / rank))
    return RetrievalFigures(
        mrr=_figure(reciprocal),
        precision=_figure(_column(ranks, lambda rank: (rank <= DEPTH) / DEPTH)),
        ndcg=_figure(_column(ranks, lambda rank: (rank <= DEPTH) / math.log2(1 + rank))),
        gain=gain,
    )


def _column(ranks: Sequence[float | None], value: Callable[[float], float]) -> NDArray[np.float64]:
    return np.array([0.0 if rank is None else value(rank) for rank in ranks])


def _figure(values: NDArray[np.float64]) -> RetrievalFigure:
    def mean(weights: Weights) -> float:
        return float(weights @ values / weights.sum())

    low, high = interval(values.size, mean)
    return RetrievalFigure(float(values.mean()) if values.size else 0.0, low, high)
