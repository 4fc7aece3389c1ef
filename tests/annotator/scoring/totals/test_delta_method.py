"""Above 5,000 pages intervals come from sums: are they as wide as those by resampling?

5,000 pages are drawn from the amounts of six extractors on real pages; the interval from their sums is
compared with ten thousand resamples of them, more than the product draws: a thousand leave its width
uncertain by 3 %.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.scoring.leaderboard.scored import Scored, standard_error
from annotator.scoring.totals import figures
from annotator.scoring.totals.figures import ONE, Sums, contributions
from tests.annotator.scoring.totals.independent import harmonic

SCORES = Path(__file__).parents[3] / "extraction" / "metrics" / "page_scores.json"
PAGES = 5_000
NEAR = 0.05  # of the width
RESAMPLES, LONG_RESAMPLES = 2_000, 10_000

# By what F1 is known: of the means of precision and recall, the mean of the pages', of pooled amounts.
KINDS = {
    "of means": {"pooled": False, "by_page": False},
    "page mean": {"pooled": False, "by_page": True},
    "micro": {"pooled": True, "by_page": False},
}


@cache
def stored() -> dict[str, NDArray[np.int64]]:
    """Amounts of each page by extractor: true, predicted, gold."""
    found = json.loads(SCORES.read_text())["extractors"]
    return {name: np.array(rows, dtype=np.int64) for name, rows in found.items()}


EXTRACTORS = sorted(json.loads(SCORES.read_text())["extractors"])


def drawn_parts(extractor: str, *, seed: int = 20101) -> NDArray[np.int64]:
    """The parts of 5,000 pages: true, predicted and gold amounts, precision and recall in billionths."""
    amounts = stored()[extractor]
    drawn = np.random.default_rng(seed).integers(0, len(amounts), PAGES)
    true, predicted, gold = amounts[drawn].T
    precision = np.where(predicted > 0, true * ONE // np.maximum(predicted, 1), (gold == 0) * ONE)
    recall = np.where(gold > 0, true * ONE // np.maximum(gold, 1), ONE)
    return np.stack([true, predicted, gold, precision, recall], axis=1)


def sums_of(parts: NDArray[np.int64]) -> Sums:
    pages = np.zeros((len(parts), 3), dtype=np.int64)
    return Sums(*contributions(pages, parts, np.ones(len(parts), dtype=np.int64)).sum(axis=0).tolist())


def scored(parts: NDArray[np.int64]) -> Scored:
    zeros = np.zeros(len(parts), dtype=np.int64)
    return Scored(np.arange(len(parts)), zeros, zeros, zeros, parts, np.ones(len(parts)))


def widths(parts: NDArray[np.int64], times: int) -> dict[str, float]:
    """The widths of the middle 95 % of resamples."""
    resamples = list(_resamples(parts, times))
    found = {}
    for place, kind in enumerate(KINDS):
        low, high = np.quantile([each[place] for each in resamples], [0.025, 0.975])
        found[kind] = float(high - low)
    return found


def _resamples(parts: NDArray[np.int64], times: int) -> Iterator[tuple[float, float, float]]:
    random = np.random.default_rng(7)
    p, r = parts[:, 3] / ONE, parts[:, 4] / ONE
    page_f1 = 2 * p * r / np.where(p + r > 0, p + r, 1)
    for _ in range(times):
        at = random.integers(0, len(parts), len(parts))
        true, predicted, gold = parts[at, :3].sum(axis=0).tolist()
        yield harmonic(p[at].mean(), r[at].mean()), page_f1[at].mean(), 2 * true / (predicted + gold)


def assert_as_wide(extractor: str, times: int) -> None:
    parts = drawn_parts(extractor)
    wanted = widths(parts, times)
    for kind, options in KINDS.items():
        from_sums = 2 * figures.BOUND * figures.standard_error(sums_of(parts), **options)
        by_page = 2 * figures.BOUND * standard_error(scored(parts), **options)
        print(f"{extractor}, {kind}: {from_sums / wanted[kind] - 1:+.1%}")
        assert from_sums == pytest.approx(by_page, rel=1e-4), (extractor, kind)
        assert from_sums == pytest.approx(wanted[kind], rel=NEAR), (extractor, kind)


def test_sums_give_intervals_as_wide_as_resamples() -> None:
    assert_as_wide("trafilatura", RESAMPLES)


@pytest.mark.long
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_sums_give_intervals_as_wide_as_many_resamples(extractor: str) -> None:
    assert_as_wide(extractor, LONG_RESAMPLES)
