"""The scores of a corpus as columns, read from the counted scores."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard.scored import Scored
from annotator.scoring.models import CountedPage, CountedScore
from annotator.scoring.totals import queries as totals
from annotator.scoring.totals.figures import (
    CELLS,
    ONE,
    PARTS,
    SHARES,
    Kind,
    Sums,
    cells_of,
    contributions,
)
from annotator.scoring.totals.slices import ALL_PAGES, Selection

# Pages whose scores are in memory at once, where a sum is of all of them.
PAGES_AT_ONCE = 5_000

_NOTHING = np.zeros(0, dtype=np.int64)

NO_PAGES = Scored(
    _NOTHING, _NOTHING, _NOTHING, _NOTHING, np.zeros((0, len(PARTS)), dtype=np.int64), np.zeros(0)
)


def scored_pages(
    corpus: Corpus,
    metric: str,
    labels: str,
    of: Selection = ALL_PAGES,
    sample: int | None = None,
    weights: Mapping[int, float] | None = None,
    extractors: Collection[int] | None = None,
) -> dict[int | None, Scored]:
    """Return the scores by extractor, None for the annotators, of all pages or of a sample of so many.

    `extractors` are those that are wanted; None for all.
    """
    pages = totals.scorable(corpus, labels, of)
    if sample is not None:
        drawn = list(pages.order_by("draw").values_list("pk", flat=True)[:sample])
        pages = CountedPage.objects.filter(pk__in=drawn)
    return _scored(pages, metric, labels, weights, extractors)


def _scored(
    pages: QuerySet[CountedPage],
    metric: str,
    labels: str,
    weights: Mapping[int, float] | None = None,
    extractors: Collection[int] | None = None,
) -> dict[int | None, Scored]:
    found: dict[int | None, list[list[Any]]] = defaultdict(list)
    for extractor, page, kind, failed, microseconds, parts in _columns(pages, metric, labels, extractors):
        if parts and parts[0] is not None:
            weight = (weights or {}).get(page, 1.0)
            known = [-1 if part is None else part for part in parts]
            found[extractor].append(
                [page, kind, failed, -1 if microseconds is None else microseconds, known, weight]
            )
    return {extractor: _as_columns(rows) for extractor, rows in found.items()}


def sums_of(corpus: Corpus, metric: str, labels: str, of: Selection) -> totals.SumsByKind:
    """Return the sums of a selection by extractor and kind.

    Of one slice there are totals. Of several they are summed up from the scores, some pages at a time.
    """
    if not of.is_combined:
        return totals.sums_of(corpus, metric, labels, of.single)
    found: totals.SumsByKind = defaultdict(lambda: defaultdict(Sums))
    pages = list(totals.scorable(corpus, labels, of).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(pages), PAGES_AT_ONCE):
        some = CountedPage.objects.filter(pk__in=pages[start : start + PAGES_AT_ONCE])
        for extractor, scored in _scored(some, metric, labels).items():
            for kind, sums in _by_kind(scored, metric):
                found[extractor][kind] = found[extractor][kind].plus(sums)
    return {extractor: dict(by_kind) for extractor, by_kind in found.items()}


def _by_kind(scored: Scored, metric: str) -> Iterable[tuple[Kind, Sums]]:
    # Pages stand in for their digests: both tell whether two sums are of the same pages.
    pages = np.stack([scored.failed, scored.microseconds, scored.pages], axis=1)
    unit = np.full(len(scored.pages), ONE if metric in SHARES else 1)
    added = contributions(pages, scored.parts, unit)
    for kind in np.unique(scored.kinds).tolist():
        yield Kind(kind), Sums(*added[scored.kinds == kind].sum(axis=0).tolist())


def _columns(
    pages: QuerySet[CountedPage], metric: str, labels: str, extractors: Collection[int] | None
) -> Iterable[tuple[Any, ...]]:
    """Extractor, page, kind, failed, microseconds and parts of each score, in the order of pages."""
    scores = CountedScore.objects.filter(page__in=pages).order_by("page")
    if extractors is not None:
        scores = scores.filter(extractor__in=extractors)
    names = ("extractor", "page", "kind", "failed", "microseconds")
    if (metric, labels) in CELLS:
        start = CELLS.index((metric, labels)) * len(PARTS)
        yield from scores.values_list(*names, f"amounts__{start}_{start + len(PARTS)}").iterator()
        return
    for *row, amounts, told in scores.values_list(*names, "amounts", "page__labels").iterator():
        cells = cells_of(told)
        if (metric, labels) in cells:
            start = cells.index((metric, labels)) * len(PARTS)
            yield (*row, amounts[start : start + len(PARTS)])


def _as_columns(rows: Sequence[Sequence[Any]]) -> Scored:
    *columns, weights = zip(*rows, strict=True)
    page, kind, failed, microseconds, parts = (np.array(column, dtype=np.int64) for column in columns)
    return Scored(page, kind, failed, microseconds, parts, np.array(weights, dtype=np.float64))
