"""Tests of two systems on the same pages: worked figures, SciPy's figures, and when there is none."""

import itertools

import numpy as np
import pytest
from scipy import stats

from extraction.metrics import PageScore, summarise
from extraction.metrics.pages import score
from extraction.metrics.statistics import (
    PairedDifference,
    holm,
    mann_whitney,
    pages_to_decide,
    paired_difference,
    wilcoxon,
)

X = [0.9, 0.8, 0.7, 0.95, 0.6, 0.85, 0.99, 0.5]
Y = [0.7, 0.75, 0.65, 0.9, 0.62, 0.8, 0.9, 0.4]


def test_mann_whitney_of_the_worked_figures() -> None:
    found = mann_whitney(X, Y)
    assert found.statistic == 40
    assert found.p == pytest.approx(0.4289, abs=5e-5)


def test_mann_whitney_is_two_sided_and_approximate_for_many_pages() -> None:
    many, more = X * 3, [y + 0.1 for y in Y * 3]
    expected = stats.mannwhitneyu(many, more, alternative="two-sided", method="asymptotic")
    assert mann_whitney(many, more) == pytest.approx(tuple(expected))
    assert mann_whitney(more, many).p == pytest.approx(expected.pvalue)


def test_wilcoxon_of_the_worked_figures() -> None:
    found = wilcoxon(X, Y, min_pages=1)
    assert found.statistic == 1
    assert found.p == pytest.approx(0.0156, abs=5e-5)


def test_wilcoxon_equals_counting_all_signs() -> None:
    ranks = stats.rankdata([round(abs(x - y), 12) for x, y in zip(X, Y, strict=True)])
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product([0, 1], repeat=len(X))]
    found = wilcoxon(X, Y, min_pages=1)
    as_far = [min(total, sum(ranks) - total) <= found.statistic for total in sums]
    assert found.p == pytest.approx(sum(as_far) / len(as_far))


def test_wilcoxon_gives_no_p_below_ten_pages() -> None:
    assert wilcoxon(X, Y).p is None
    assert wilcoxon([*X, 0.5], [*Y, 0.1]).p is None
    assert wilcoxon([*X, 0.5, 0.6], [*Y, 0.1, 0.1]).p is not None


def test_wilcoxon_drops_pages_without_a_difference() -> None:
    without = wilcoxon(X, Y, min_pages=1)
    assert wilcoxon([*X, 0.3, 0.1 + 0.2], [*Y, 0.3, 0.3], min_pages=1) == without


def test_wilcoxon_of_equal_systems_is_certain_of_nothing() -> None:
    assert wilcoxon(X * 2, X * 2) == (0, 1)
    assert wilcoxon(X, X).p is None


def test_pairs_need_the_same_pages() -> None:
    with pytest.raises(ValueError, match="not 8 and 7"):
        wilcoxon(X, Y[1:])
    with pytest.raises(ValueError, match="not 1 and 0"):
        paired_difference([score(1, 1, 1)], [])


def test_holm_corrects_step_by_step_and_keeps_the_order() -> None:
    assert holm([0.03, 0.01, 0.04]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([None, 0.02, None, 0.03]) == [None, 0.04, None, 0.04]
    assert holm([]) == []


def pages(*f1: float) -> list[PageScore]:
    return [score(value, 1, 1) for value in f1]


def test_a_paired_difference_is_that_of_the_figures() -> None:
    better, worse = pages(*X * 4), pages(*Y * 4)
    found = paired_difference(better, worse)
    assert found.value == pytest.approx(summarise(better).f1 - summarise(worse).f1)
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < found.value < found.high


def test_a_paired_difference_knows_which_f1_is_meant() -> None:
    uneven = [score(1, 1, 4), score(1, 4, 1)] * 20
    even = pages(*[0.5] * 40)
    assert paired_difference(uneven, even).value == pytest.approx(0.625 - 0.5)
    assert paired_difference(uneven, even, by_page=True).value == pytest.approx(0.4 - 0.5)


def test_the_same_pages_are_drawn_for_both() -> None:
    """A system that is better by as much on each page is better for certain, however pages differ."""
    found = paired_difference(pages(*[0.1, 0.9] * 20), pages(*[0.0, 0.8] * 20))
    assert (found.low, found.high) == pytest.approx((0.1, 0.1))


def test_a_paired_interval_is_withheld_below_thirty_pages() -> None:
    found = paired_difference(pages(*X), pages(*Y))
    assert (found.low, found.high) == (None, None)
    assert found.value > 0


def test_the_pages_needed_show_the_difference_four_times_in_five() -> None:
    random = np.random.default_rng(7)
    true = random.normal(700, 80, 4_000).clip(0, 1000)
    gains = random.normal(10, 60, 4_000)
    first = [score(each, 1000, 1000) for each in (true + gains).clip(0, 1000)]
    second = [score(each, 1000, 1000) for each in true]
    start = 60
    while (difference := paired_difference(first[:start], second[:start])).low > 0:
        start += 5
    whole = paired_difference(first, second)
    # As if the difference and its spread had been known from the first pages on.
    spread = (whole.high - whole.low) / 2 * (len(first) / start) ** 0.5
    known = PairedDifference(whole.value, whole.value - spread, whole.value + spread)
    needed = start + pages_to_decide(known, start)
    differences = np.array([a.f1 - b.f1 for a, b in zip(first, second, strict=True)])
    samples = random.choice(differences, (2_000, needed))
    shown = samples.mean(axis=1) > 1.96 * samples.std(axis=1) / needed**0.5
    assert shown.mean() == pytest.approx(0.8, abs=0.05)
    assert difference.low <= 0


def test_pages_needed_are_none_where_nobody_can_say_and_0_where_it_is_shown() -> None:
    assert pages_to_decide(PairedDifference(0.02, 0.01, 0.03), 50) == 0
    assert pages_to_decide(PairedDifference(-0.02, -0.03, -0.01), 50) == 0
    assert pages_to_decide(PairedDifference(0.02, None, None), 20) is None
    assert pages_to_decide(PairedDifference(0.0, -0.01, 0.01), 50) is None
    assert pages_to_decide(PairedDifference(0.01, -0.001, 0.021), 50) > 0
