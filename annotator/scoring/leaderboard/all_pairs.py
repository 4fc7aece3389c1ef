"""Every pair of a corpus's extractors, tested on common pages and corrected for their number."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.corpora.models import Corpus
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.columns import scored_pages
from annotator.scoring.leaderboard.ranking import BLIND
from annotator.scoring.totals.slices import Selection
from extraction.metrics.statistics import holm, wilcoxon

# Of more pages a sample of so many is tested, the same one for each extractor.
MOST_PAGES = 5_000


class PairTest(NamedTuple):
    """Two extractors by their keys; how much higher the first's mean page F1 is, and Wilcoxon's p-value.

    `corrected` is that value after Holm's correction for all pairs.
    """

    first: int
    second: int
    pages: int
    difference: float | None
    p: float | None
    corrected: float | None


class PageFigures(NamedTuple):
    """Pages by their keys in ascending order, and F1 on each of them."""

    pages: NDArray[np.int64]
    f1: NDArray[np.float64]


def tests_from(result: Mapping[str, Any]) -> list[PairTest]:
    """Return the tests of a stored result, the clearest difference first."""
    return [PairTest(*row) for row in result["pairs"]]


def all_pair_tests(
    corpus: Corpus, filters: Mapping[str, str], progress: Callable[[int, int], bool]
) -> dict[str, Any]:
    """Return a `PairTest` for each two scored extractors. The figures of all pages are in memory."""
    extractors = queries.scored_extractors(corpus)
    figures: dict[int, PageFigures] = {}
    for number, extractor in enumerate(extractors, 1):
        figures[extractor.pk] = _figures_of(corpus, extractor, filters)
        if not progress(number, len(extractors)):
            break
    tests = [_test(first, second, figures) for first, second in combinations(figures, 2)]
    corrected = holm([test.p for test in tests])
    tests = [test._replace(corrected=p) for test, p in zip(tests, corrected, strict=True)]
    tests.sort(key=lambda test: (test.p is None, test.p, -abs(test.difference or 0.0)))
    return {"pairs": tests}


def _figures_of(corpus: Corpus, extractor: Extractor, filters: Mapping[str, str]) -> PageFigures:
    scored = scored_pages(
        corpus,
        filters["metric"],
        filters["labels"],
        Selection.parse(filters.get("of", "")),
        sample=MOST_PAGES,
        extractors={extractor.pk},
    ).get(extractor.pk)
    if scored is None:
        return PageFigures(np.empty(0, dtype=np.int64), np.empty(0))
    counted = scored.counted(blind=filters.get("gold") == BLIND)
    return PageFigures(counted.pages, np.array([score.f1 for score in counted.scores()]))


def _test(first: int, second: int, figures: Mapping[int, PageFigures]) -> PairTest:
    a, b = figures[first], figures[second]
    common, in_a, in_b = np.intersect1d(a.pages, b.pages, assume_unique=True, return_indices=True)
    ours, theirs = a.f1[in_a], b.f1[in_b]
    difference = float((ours - theirs).mean()) if common.size else None
    found = wilcoxon(ours.tolist(), theirs.tolist())
    return PairTest(first, second, int(common.size), difference, found.p, None)
