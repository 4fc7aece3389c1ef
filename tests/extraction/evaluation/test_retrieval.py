"""BM25, ranks and figures of known-item retrieval, against figures worked by hand."""

import math
from collections import Counter

import numpy as np
import pytest

from extraction.evaluation.retrieval import K1, B, Index, figures, sampled_query
from extraction.metrics.words import lower_words

TEXTS = ["the ferry left the harbour", "a ferry", "the harbour was closed by fog", ""]


def index() -> Index:
    made = Index({"ferry", "harbour", "fog", "nothing"})
    for text in TEXTS:
        made.add(lower_words(text))
    return made


def worked(term: str, text: str) -> float:
    documents = [lower_words(each) for each in TEXTS]
    having = sum(term in document for document in documents)
    rarity = math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
    mean = sum(map(len, documents)) / len(documents)
    count, length = lower_words(text).count(term), len(lower_words(text))
    return rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))


def test_scores_are_those_of_the_formula() -> None:
    expected = [worked("ferry", text) + worked("harbour", text) for text in TEXTS]
    assert index().scores(["ferry", "harbour", "ferry", "unknown"]) == pytest.approx(expected)


def test_the_rank_counts_from_one_and_halves_ties() -> None:
    made = index()
    assert made.rank(["fog"], 2) == 1
    assert made.rank(["ferry"], 0) == 2  # the shorter one comes first
    assert made.rank(["fog"], 0) is None
    for _ in range(2):
        made.add(["fog"])
    assert made.rank(["fog"], 4) == made.rank(["fog"], 5) == 1.5


def test_figures_of_worked_ranks() -> None:
    ranks = [1, 2, None, 20] * 10
    found = figures(ranks, baseline=[2, 2, None, None] * 10)
    assert found.mrr.value == pytest.approx((1 + 0.5 + 0.05) / 4)
    assert found.precision.value == pytest.approx(0.1 * 2 / 4)
    assert found.ndcg.value == pytest.approx((1 + 1 / math.log2(3)) / 4)
    assert found.gain
    assert found.gain.value == pytest.approx((0.5 + 0.05) / 4)
    assert found.mrr.low < found.mrr.value < found.mrr.high
    assert figures([1.0] * 29).mrr.low is None


def test_a_sampled_query_is_always_the_same_and_proportional() -> None:
    title = ["fog", "fog", "fog", "fog", "closes", "harbour"]
    assert sampled_query(title, "a") == sampled_query(title, "a")
    first = Counter(sampled_query(title, str(number))[0] for number in range(2_000))
    assert first["fog"] / 2_000 == pytest.approx(4 / 6, abs=0.04)
    assert all(len(set(sampled_query(title, str(number)))) == 3 for number in range(50))
    assert sampled_query(["fog"], "a") == ["fog"]
    assert np.isfinite(index().scores([])).all()
