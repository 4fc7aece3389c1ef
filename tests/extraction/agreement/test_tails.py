"""Where a few long pages decide a figure, and longer ones are to be expected, there is no interval."""

import numpy as np
import pytest

from benchmarks.research.interval_coverage import EVEN, even_spans
from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.intervals import BEYOND_CHANCE, bounds, few_decide
from extraction.agreement.pool import Pool
from extraction.agreement.unitizing import disagreement
from extraction.agreement.units import ContentUnits
from extraction.spans import Span

WHY = "no interval: its longest spans may decide it"


def pareto(index: float, pages: int, seed: int = 3) -> np.ndarray:
    """What pages would add if the chance of x or more went with x to the power of minus the index."""
    return (1 - np.random.default_rng(seed).random(pages)) ** (-1 / index)


def body(length: int) -> PageTables:
    """A page with one long span, on whose end two differ by ten characters."""
    marked = {"ada": [Span(0, length, "body")], "ben": [Span(0, length - 10, "body")]}
    return count_page(marked, ContentUnits.of_length(length + 400))


def lengths_of_articles(pages: int) -> list[int]:
    """The longest go with the power of two and a bit, as those of real pages do."""
    return [int(500 * length) for length in pareto(2.2, pages)]


@pytest.mark.parametrize("pages", [30, 100, 300, 2000])
def test_where_there_is_no_mean_few_decide(pages: int) -> None:
    found = [few_decide(pareto(0.75, pages, seed)) for seed in range(100)]
    assert sum(found) >= 97


@pytest.mark.parametrize("pages", [100, 300, 2000])
def test_where_lengths_are_alike_many_decide(pages: int) -> None:
    draws = np.random.default_rng(4).normal(3, 0.2, (100, pages))
    assert sum(few_decide(np.exp(3 * each)) for each in draws) <= 3
    assert not few_decide(np.full(pages, 8.0))


def test_pages_that_add_nothing_do_not_count() -> None:
    alike = np.exp(np.random.default_rng(4).normal(3, 0.2, 100))
    assert not few_decide(np.concatenate([alike, np.zeros(2000)]))
    assert few_decide(np.concatenate([alike[:79], np.zeros(2000)]))
    assert not few_decide(alike[:80])


def test_it_is_a_matter_of_proportion() -> None:
    heavy, light = pareto(0.75, 300), np.full(300, 2.0)
    for scale in (1e-9, 1.0, 1e12):
        assert few_decide(scale * heavy)
        assert not few_decide(scale * light)


def test_alpha_u_of_1995_has_no_interval_where_articles_are_long() -> None:
    pool = Pool([body(length) for length in lengths_of_articles(120)])
    for view in (None, ("label", "body"), ("set", "article")):
        found = pool.unitizing(view)
        assert found["alpha_u"].value is not None
        assert (found["alpha_u"].low, found["alpha_u"].high, found["alpha_u"].withheld) == (None, None, WHY)
        newer = found["alpha_u_2016"]
        assert newer.low < newer.value < newer.high


def test_it_has_one_where_spans_are_about_as_long() -> None:
    found = Pool(even_spans(120)).unitizing(("label", EVEN))["alpha_u"]
    assert found.withheld is None
    assert found.low < found.value < found.high


def test_weights_make_pages_longer() -> None:
    """A page that stands for many adds as much as they do."""
    pages = even_spans(120)
    weights = pareto(0.5, 120)
    assert Pool(pages, weights=weights.tolist()).unitizing()["alpha_u"].withheld == WHY
    assert Pool(pages, weights=[3.0] * 120).unitizing()["alpha_u"].withheld is None


def test_cubes_are_what_units_that_meet_add_to_what_is_expected() -> None:
    """Three units of 4, 4 and 6: each meets two others, in squares 28, 28 and 110."""
    pages = [
        count_page({"ada": [Span(0, 4, "c")], "ben": [Span(0, 4, "c")]}, ContentUnits.of_length(10)),
        count_page({"ada": [], "ben": [Span(0, 6, "c")]}, ContentUnits.of_length(10)),
    ]
    assert disagreement(pages, ("label", "c")).cubes.tolist() == pytest.approx([2 / 3 * 168, 2 / 3 * 330])


def test_an_interval_that_misses_is_withheld() -> None:
    """Samples of articles of which one is much longer than all others: without it most intervals are too low,
    and none of them is shown."""
    random = np.random.default_rng(6)
    everyone = [body(length) for length in [*lengths_of_articles(600), 60_000]]
    true_value = disagreement(everyone, ("label", "body")).alpha[0]
    held = []
    for _ in range(40):
        sample = [everyone[position] for position in random.integers(0, len(everyone), 100)]
        found = disagreement(sample, ("label", "body"))
        always = bounds(found.alpha, BEYOND_CHANCE)
        held.append(always.low <= true_value <= always.high)
        assert bounds(found.alpha, BEYOND_CHANCE, added=found.cubes).withheld == WHY
    assert sum(held) < 0.6 * len(held)


def test_shown_intervals_hold() -> None:
    random = np.random.default_rng(8)
    everyone = even_spans(800)
    true_value = Pool(everyone).unitizing()["alpha_u"].value
    held = []
    for _ in range(80):
        found = Pool([everyone[position] for position in random.integers(0, 800, 100)]).unitizing()["alpha_u"]
        if found.low is not None:
            held.append(found.low <= true_value <= found.high)
    assert len(held) > 60
    assert sum(held) >= 0.93 * len(held)
