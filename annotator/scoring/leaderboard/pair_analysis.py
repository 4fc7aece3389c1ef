"""The comparison of two extractors, made by a worker on the pages that count for both."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np

from annotator.annotations.study import weights as study
from annotator.corpora.models import Corpus
from annotator.gold.queries import gold_weights
from annotator.pages.models import Page
from annotator.scoring.leaderboard.columns import NO_PAGES, scored_pages
from annotator.scoring.leaderboard.pair import Pair, PairedPage, compare
from annotator.scoring.leaderboard.ranking import ALL, BLIND, MICRO
from annotator.scoring.leaderboard.scored import MOST_RESAMPLED
from annotator.scoring.measuring import STORED
from annotator.scoring.totals.slices import ALL_PAGES, Selection
from extraction.evaluation.page_metrics import METRICS


def pair_from(result: Mapping[str, Any]) -> Pair | None:
    """Return the comparison of a stored result; None if no page counts for both."""
    return msgspec.convert(result["pair"], Pair | None)


def compare_two(
    corpus: Corpus, filters: Mapping[str, str], progress: Callable[[int, int], bool]
) -> dict[str, Any]:
    """Return the comparison of `filters["first"]` with `filters["second"]`."""
    metric = filters["metric"]
    pages = paired_pages(
        corpus,
        int(filters["first"]),
        int(filters["second"]),
        labels=filters["labels"],
        gold=filters["gold"],
        metric=metric,
        of=Selection.parse(filters["of"]),
    )
    found = compare(pages, pooled=filters["mean"] == MICRO, by_page=METRICS[metric].by_page)
    return {"pair": msgspec.to_builtins(found, enc_hook=float)}


def paired_pages(
    corpus: Corpus,
    first: int,
    second: int,
    *,
    labels: str,
    gold: str = ALL,
    metric: str = STORED,
    of: Selection = ALL_PAGES,
) -> list[PairedPage]:
    """Return the pages that count for both extractors: with a value for each, tuned on by neither.

    With blind gold, those whose gold was made by people who saw a suggestion of neither. Of many pages a
    sample stands for all.
    """
    weights = gold_weights(corpus) if study.state(corpus) else {}
    scored = scored_pages(
        corpus, metric, labels, of, sample=MOST_RESAMPLED, weights=weights, extractors={first, second}
    )
    counted = [scored.get(extractor, NO_PAGES).counted(blind=gold == BLIND) for extractor in (first, second)]
    both, of_first, of_second = np.intersect1d(
        counted[0].pages, counted[1].pages, assume_unique=True, return_indices=True
    )
    sides = (counted[0].where(of_first).scores(), counted[1].where(of_second).scores())
    pages = Page.objects.only("site", "language").in_bulk(both.tolist())
    return [
        PairedPage(page, pages[page].site, pages[page].language, one, other, weights.get(page, 1.0))
        for page, one, other in zip(both.tolist(), *sides, strict=True)
        if page in pages
    ]
