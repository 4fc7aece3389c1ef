"""Pages that were not drawn with equal probability: each counts for the pages that it stands for."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.figures import Figure
from extraction.agreement.pool import Pool
from extraction.agreement.report import figures
from extraction.agreement.units import LEVELS, ContentUnits
from extraction.metrics.averages import PageAverages
from extraction.metrics.page_weights import effective, weights_of
from extraction.metrics.pages import score
from extraction.spans import Span
from tests.extraction.agreement import planted

VERDICTS = ("article", "article", "listing")


def pages(number: int, names: tuple[str, ...]) -> list[PageTables]:
    """Planted pages with verdicts, some of which nobody marked."""
    draw = random.Random(3)
    return [
        count_page(
            page.annotations if index % 7 else {name: [] for name in names},
            ContentUnits.of_text(page.text, page.blocks),
            verdicts={name: draw.choice(VERDICTS) for name in names},
        )
        for index, page in enumerate(planted.pages(number, names))
    ]


def every_figure(pool: Pool) -> Iterator[tuple[str, Figure]]:
    for view in (None, *pool.views):
        for level in LEVELS:
            yield from ((f"{level} {view} {name}", each) for name, each in pool.units(level, view).items())
        for found in (pool.spans(view), pool.unitizing(view)):
            yield from ((f"spans {view} {name}", each) for name, each in found.items())
    yield from ((f"verdict {name}", each) for name, each in pool.verdicts().items())


@pytest.mark.parametrize("names", [("ada", "ben"), ("ada", "ben", "cleo")])
def test_a_page_that_weighs_three_is_as_good_as_three_such_pages(names: tuple[str, ...]) -> None:
    found = pages(60, names)
    times = np.random.default_rng(1).integers(1, 6, len(found)).tolist()
    again = [page for page, often in zip(found, times, strict=True) for _ in range(often)]
    weighed, repeated = Pool(found, weights=times), Pool(again)
    expected = dict(every_figure(repeated))
    checked = 0
    for name, figure in every_figure(weighed):
        assert figure.value == pytest.approx(expected[name].value, abs=1e-6), name
        assert figure.chance == pytest.approx(expected[name].chance, abs=1e-6), name
        assert figure.n < expected[name].n, name
        checked += figure.value is not None
    assert checked > 100


def test_pages_that_count_alike_give_the_same_figures_to_the_bit() -> None:
    found = pages(60, ("ada", "ben"))
    expected = figures(Pool(found))
    for weight in (1.0, 3.7):
        assert figures(Pool(found, weights=[weight] * 60)) == expected
    assert "effective" not in expected["character"]["observed"]


def test_the_effective_number_of_pages_is_that_of_the_pages_of_the_figure() -> None:
    found = pages(40, ("ada", "ben"))
    weights = [4.0] * 20 + [1.0] * 20
    pool = Pool(found, weights=weights)
    assert pool.units("character")["observed"].effective == pytest.approx(100**2 / (20 * 16 + 20))
    marked = [weight for index, weight in enumerate(weights) if index % 7]
    assert pool.units("character")["f1"].effective == pytest.approx(effective(np.array(marked)))
    assert pool.spans()["exact_f1"].effective == pytest.approx(effective(np.array(marked)))
    assert pool.verdicts()["observed"].effective == pytest.approx(100**2 / (20 * 16 + 20))


def test_what_the_caller_left_out_is_said_beside_every_figure() -> None:
    pool = Pool(pages(10, ("ada", "ben")), left_out={"somebody was shown something": 4, "none": 0})
    for name, figure in every_figure(pool):
        assert figure.excluded["somebody was shown something"] == 4, name
        assert "none" not in figure.excluded


def test_weights_are_positive_and_one_a_page() -> None:
    for wrong in ([1.0], [1.0, 0.0], [1.0, float("nan")], [1.0, -2.0]):
        with pytest.raises(ValueError, match="2 pages"):
            weights_of(wrong, 2)


def test_limits_of_weighted_figures_are_those_of_the_ratio_of_weighted_sums() -> None:
    """Against the linearised standard error of a ratio, which the jackknife comes to with many pages."""
    draw = np.random.default_rng(4)
    agreed = draw.integers(30, 100, 600).tolist()
    marked = [
        count_page({"ada": [], "ben": [Span(until, 100, "body")]}, ContentUnits.of_length(100))
        for until in agreed
    ]
    weights = draw.uniform(1, 8, 600)
    figure = Pool(marked, weights=weights.tolist()).units("character")["observed"]
    shares = np.array(agreed) / 100
    mean = (weights * shares).sum() / weights.sum()
    error = np.sqrt(((weights * (shares - mean)) ** 2).sum()) / weights.sum()
    assert figure.value == pytest.approx(mean)
    assert (figure.high - figure.low) / 2 == pytest.approx(1.96 * error, rel=0.03)


def test_scores_of_a_page_that_weighs_three_are_as_good_as_three_such_pages() -> None:
    scores, times = [score(5, 10, 5), score(9, 10, 10), score(0, 4, 8), score(3, 3, 6)], [3, 1, 2, 5]
    again = [page for page, often in zip(scores, times, strict=True) for _ in range(often)]
    weighed, repeated = PageAverages(scores, weights=times), PageAverages(again)
    for name in ("precision", "recall", "f1_of_means", "f1_page_mean"):
        found, expected = (getattr(each, name)(each.everywhere) for each in (weighed, repeated))
        assert found == pytest.approx(expected), name
