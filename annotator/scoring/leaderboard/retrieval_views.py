"""The retrieval effect, a tab of the leaderboard."""

import csv
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from annotator import pipeline
from annotator.common.axis import axis_for
from annotator.common.csv_files import safe_cell
from annotator.corpora.access import CorpusRequest
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.analyses import is_small, request_analysis
from annotator.scoring.leaderboard.filters import filters_from
from annotator.scoring.leaderboard.retrieval import (
    EVERYTHING,
    GOLD,
    MOST_PAGES,
    QUERIES,
    RetrievalEffect,
    effect_from,
    extractors_of,
)
from annotator.scoring.models import Analysis, AnalysisKind
from extraction.evaluation.retrieval import RetrievalFigures
from extraction.spans import LABEL_SETS

CSV_HEAD = (
    "queries", "labels", "index", "version", "pages", "mrr", "mrr_low", "mrr_high", "precision_at_10",
    "precision_at_10_low", "precision_at_10_high", "ndcg_at_10", "ndcg_at_10_low", "ndcg_at_10_high",
    "mrr_gain", "mrr_gain_low", "mrr_gain_high",
)  # fmt: skip


class _Row(NamedTuple):
    extractor: Extractor
    figures: RetrievalFigures | None


@require_GET
def retrieval(request: CorpusRequest, slug: str) -> HttpResponse:
    """How well known pages are found, by the text of each extractor."""
    analysis, labels = _analysis(request)
    asked = request.GET.get("queries", "")
    kind = asked if asked in QUERIES else QUERIES[0]
    effect = effect_from(analysis.result, kind) if analysis.result else None
    context = {
        "analysis": analysis,
        "filters": filters_from(request.GET),
        "labels": labels,
        "label_sets": list(LABEL_SETS),
        "queries": kind,
        "effect": effect,
        "most_pages": MOST_PAGES,
        **(_shown(effect) if effect else {}),
    }
    return render(request, "leaderboard/retrieval.html", context)


def _shown(effect: RetrievalEffect) -> dict[str, object]:
    known = extractors_of(effect)
    mrr = [row.figures.mrr for row in effect.rows if row.figures]
    return {
        "everything": effect.row(EVERYTHING),
        "gold": effect.row(GOLD),
        "rows": [
            _Row(extractor, row.figures)
            for row in effect.rows
            if isinstance(row.name, int) and (extractor := known.get(row.name))
        ],
        "axis": axis_for(value for each in mrr for value in (each.value, each.low, each.high)),
    }


@require_GET
def as_csv(request: CorpusRequest, slug: str) -> HttpResponse:
    """The figures of both kinds of queries, a line for each index; the screen until there are any."""
    analysis, labels = _analysis(request)
    if analysis.result is None:
        return redirect("leaderboard-retrieval", slug)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="retrieval-{slug}.csv"'
    response["Cache-Control"] = "private, no-store"
    writer = csv.writer(response, lineterminator="\r\n")
    writer.writerow(CSV_HEAD)
    for kind in QUERIES:
        effect = effect_from(analysis.result, kind)
        known = extractors_of(effect)
        for row in effect.rows:
            extractor = known.get(row.name) if isinstance(row.name, int) else None
            name = safe_cell(str(extractor or row.name))
            version = safe_cell(extractor.version) if extractor else ""
            writer.writerow([kind, labels, name, version, effect.pages, *_cells(row.figures)])
    return response


def _cells(found: RetrievalFigures | None) -> list[str]:
    figures = [found.mrr, found.precision, found.ndcg, found.gain] if found else [None] * 4
    bounds = [(each.value, each.low, each.high) if each else (None, None, None) for each in figures]
    return ["" if value is None else f"{value:.6f}" for three in bounds for value in three]


def _analysis(request: CorpusRequest) -> tuple[Analysis, str]:
    corpus, filters = request.access.corpus, filters_from(request.GET)
    labels = filters.labels or queries.default_labels(corpus)
    asked = {"labels": labels, "gold": filters.gold}
    analysis, is_asked = request_analysis(corpus=corpus, name=AnalysisKind.RETRIEVAL, filters=asked)
    if is_asked:
        pipeline.analysis_requested(analysis, is_small=is_small(analysis))
    return analysis, labels
