"""Do tests and intervals hold what they promise, on resampled real pages?

`page_scores.json` has the amounts of text (true, predicted, gold) of six extractors on the pages of two
published corpora: numbers only. The long forms draw more often.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from extraction.metrics import PageScore
from extraction.metrics.bootstrap import draws
from extraction.metrics.pages import score
from extraction.metrics.statistics import (
    PairedDifference,
    pages_to_decide,
    pages_to_decide_range,
    paired_difference,
    wilcoxon,
)

SCORES = Path(__file__).parent / "page_scores.json"
PAGES = 300
POINTS = 0.02  # of coverage and of the rate of false alarms
ALPHA = 0.05

Figures = dict[str, list[PageScore]]


@pytest.fixture(scope="module")
def figures() -> Figures:
    stored = json.loads(SCORES.read_text())["extractors"]
    return {name: [score(*amounts) for amounts in rows] for name, rows in stored.items()}


def f1_of(pages: list[PageScore]) -> NDArray[np.float64]:
    return np.array([page.f1 for page in pages])


PAIRS = [("goldpan", "trafilatura"), ("trafilatura", "bte")]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("times", [600, pytest.param(10_000, marks=pytest.mark.long)])
def test_wilcoxon_raises_as_many_false_alarms_as_it_says(
    figures: Figures, pair: tuple[str, str], times: int
) -> None:
    """The two are made equal by drawing for each page which of both is called the first."""
    random = np.random.default_rng(20101)
    first, second = (f1_of(figures[name]) for name in pair)
    alarms = 0
    for _ in range(times):
        drawn = random.integers(0, first.size, PAGES)
        swapped = random.random(PAGES) < 0.5
        a, b = first[drawn], second[drawn]
        p = wilcoxon(np.where(swapped, b, a).tolist(), np.where(swapped, a, b).tolist()).p
        assert p is not None
        alarms += p < ALPHA
    print(f"{' and '.join(pair)}: {alarms / times:.1%} false alarms")
    assert alarms / times == pytest.approx(ALPHA, abs=POINTS)


class Columns:
    """Precision, recall and F1 of pages, and the paired interval of two such, for many samples of a size.

    `paired_difference` draws the same resamples for each sample of a size: here they are drawn once.
    """

    def __init__(self, pages: list[PageScore]) -> None:
        self.precision = np.array([page.precision for page in pages])
        self.recall = np.array([page.recall for page in pages])
        self.f1 = f1_of(pages)

    def figures(self, drawn: NDArray[np.int64], weights: NDArray[np.float64], *, by_page: bool) -> Any:
        if by_page:
            return weights @ self.f1[drawn] / drawn.size
        precision, recall = (weights @ each[drawn] / drawn.size for each in (self.precision, self.recall))
        return 2 * precision * recall / (precision + recall)


def interval_of(
    first: Columns,
    second: Columns,
    drawn: NDArray[np.int64],
    weights: NDArray[np.float64],
    *,
    by_page: bool = False,
) -> tuple[float, float]:
    gains = first.figures(drawn, weights, by_page=by_page) - second.figures(drawn, weights, by_page=by_page)
    low, high = np.quantile(gains, [ALPHA / 2, 1 - ALPHA / 2])
    return float(low), float(high)


@pytest.mark.parametrize("by_page", [False, True])
def test_the_quick_interval_is_that_of_the_product(figures: Figures, by_page: bool) -> None:
    first, second = (figures[name] for name in PAIRS[0])
    drawn = np.random.default_rng(1).integers(0, len(first), PAGES)
    found = paired_difference([first[n] for n in drawn], [second[n] for n in drawn], by_page=by_page)
    quick = interval_of(Columns(first), Columns(second), drawn, np.array(list(draws(PAGES))), by_page=by_page)
    assert quick == pytest.approx((found.low, found.high), abs=1e-12)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("times", [1_000, pytest.param(20_000, marks=pytest.mark.long)])
def test_the_paired_interval_holds_the_true_difference_as_often_as_it_says(
    figures: Figures, pair: tuple[str, str], times: int
) -> None:
    """The true difference is that of all pages, from which samples are drawn."""
    random = np.random.default_rng(20101)
    first, second = (Columns(figures[name]) for name in pair)
    everything = np.arange(first.f1.size)
    once = np.ones((1, everything.size))
    truth = float(
        (first.figures(everything, once, by_page=False) - second.figures(everything, once, by_page=False))[0]
    )
    weights = np.array(list(draws(PAGES)))
    held = 0
    for _ in range(times):
        low, high = interval_of(first, second, random.integers(0, everything.size, PAGES), weights)
        held += low <= truth <= high
    print(f"{' and '.join(pair)}: {held / times:.1%} of intervals hold the difference")
    assert held / times == pytest.approx(1 - ALPHA, abs=POINTS)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("times", [400, pytest.param(4_000, marks=pytest.mark.long)])
def test_the_predicted_pages_decide_within_a_fifth(
    figures: Figures, pair: tuple[str, str], times: int
) -> None:
    """With a fifth fewer pages less than 80 % of samples show the difference, with a fifth more more."""
    whole = paired_difference(*(figures[name] for name in pair), by_page=True)
    first, second = (Columns(figures[name]) for name in pair)
    assert whole.low is not None
    assert whole.high is not None
    # As if difference and spread had been known from so few pages that nothing is shown yet.
    start = 12
    spread = (whole.high - whole.low) / 2 * (first.f1.size / start) ** 0.5
    known = PairedDifference(whole.value, whole.value - spread, whole.value + spread)
    missing = pages_to_decide(known, start)
    assert missing
    random = np.random.default_rng(20101)

    def shown(pages: int) -> float:
        weights = np.array(list(draws(pages)))
        found = 0
        for _ in range(times):
            drawn = random.integers(0, first.f1.size, pages)
            low, high = interval_of(first, second, drawn, weights, by_page=True)
            found += low > 0 or high < 0
        return found / times

    needed = start + missing
    fewer, more = shown(round(0.8 * needed)), shown(round(1.2 * needed))
    print(
        f"{' and '.join(pair)}: {needed} pages; {fewer:.1%} with a fifth fewer, {more:.1%} with a fifth more"
    )
    assert fewer < 0.8 < more


@pytest.mark.parametrize("pair", PAIRS)
def test_the_range_of_predicted_pages_holds_the_number_four_times_in_five(
    figures: Figures, pair: tuple[str, str]
) -> None:
    """Over samples of 30 pages; where a sample shows the difference already nothing is predicted."""
    first, second = (f1_of(figures[name]) for name in pair)
    differences = first - second
    error = differences.std() / 30**0.5
    truth = PairedDifference(differences.mean(), differences.mean() - 1e-9, differences.mean() + 1e-9)
    random = np.random.default_rng(20101)
    held = said = 0
    for _ in range(4_000):
        # What a sample of 30 would give, with the spread known: only the difference is not.
        value = random.normal(truth.value, error)
        sample = PairedDifference(value, value - 1.96 * error, value + 1.96 * error)
        found = pages_to_decide_range(sample, 30)
        if found is None:
            continue
        known = PairedDifference(truth.value, truth.value - 1.96 * error, truth.value + 1.96 * error)
        wanted = pages_to_decide(known, 30)
        assert wanted
        low, high = found
        said += 1
        held += low <= wanted and (high is None or wanted <= high)
    assert said > 400
    # Where only undecided samples are looked at, the smallest of the differences are missing.
    assert held / said > 0.75
