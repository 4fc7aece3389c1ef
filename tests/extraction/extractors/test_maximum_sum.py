"""The best segment against a search of all segments."""

import random

import numpy as np
import pytest

from extraction.extractors.maximum_sum import MaximumSegment, maximum_sum


def search(scores: list[float]) -> MaximumSegment | None:
    """All segments by their definition: the largest sum, then the first start, then the first end."""
    best: MaximumSegment | None = None
    for start in range(len(scores)):
        total = 0.0
        for end in range(start, len(scores)):
            total += scores[end]
            if total > (best.total if best else 0):
                best = MaximumSegment(start, end + 1, total)
    return best


@pytest.mark.parametrize("cost", [1, 3.25])
def test_maximum_sum_equals_a_full_search_with_ties(cost: float) -> None:
    draw = random.Random(7)
    for _ in range(2_000):
        scores = [draw.choice([1.0, -cost]) for _ in range(draw.randint(1, 14))]
        assert maximum_sum(np.array(scores)) == search(scores), scores


@pytest.mark.parametrize("scores", [[], [-1.0], [0.0, 0.0], [-1.0, 0.0, -2.0]])
def test_maximum_sum_is_none_where_nothing_is_positive(scores: list[float]) -> None:
    assert maximum_sum(np.array(scores)) is None


def test_maximum_sum_starts_with_what_costs_nothing() -> None:
    assert maximum_sum(np.array([1.0, -1.0, 2.0])) == MaximumSegment(0, 3, 2.0)


def test_maximum_sum_ends_before_what_brings_nothing() -> None:
    assert maximum_sum(np.array([2.0, -1.0, 1.0])) == MaximumSegment(0, 1, 2.0)
