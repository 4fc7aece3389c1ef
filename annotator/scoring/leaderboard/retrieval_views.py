"""The retrieval effect, a tab of the leaderboard."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotator.common.axis import axis_for
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.asking import ask_for, asked_filters, to_screen
from annotator.scoring.leaderboard.citation import Citation, cite
from annotator.scoring.leaderboard.downloads import csv_file, json_file
from annotator.scoring.leaderboard.drawings import interval_figure
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.retrieval import (
    EVERYTHING,
    GOLD,
    MOST_PAGES,
    QUERIES,
    RetrievalEffect,
    effect_figures,
    effect_from,
    extractors_of,
)
from annotator.scoring.leaderboard.views import choices
from annotator.scoring.models import Analysis, AnalysisKind
from extraction.evaluation.retrieval import RetrievalFigures
from extraction.spans import LABEL_SETS

CSV_HEAD = (
    "queries", "labels", "index", "version", "pages", "mrr", "mrr_low", "mrr_high", "precision_at_10",
    "precision_at_10_low", "precision_at_10_high", "ndcg_at_10", "ndcg_at_10_low", "ndcg_at_10_high",
    "mrr_gain", "mrr_gain_low", "mrr_gain_high", "tuned_on",
)  # fmt: skip


class _Row(NamedTuple):
    extractor: Extractor
    figures: RetrievalFigures | None
    tuned_on: int


@dataclass(frozen=True)
class _RetrievalSelection:
    """On which gold and pages the effect is shown."""

    corpus: Corpus
    filters: LeaderboardFilters
    labels: str

    def analysis(self) -> Analysis:
        filters = {"labels": self.labels, "gold": self.filters.gold, "of": self.filters.of}
        return ask_for(self.corpus, AnalysisKind.RETRIEVAL, filters)

    def figures(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """The effect as files have it."""
        effects = {kind: effect_from(result, kind) for kind in QUERIES}
        return {
            "labels": self.labels,
            "gold": self.filters.gold,
            "pages": effects[QUERIES[0]].pages,
            "of": effects[QUERIES[0]].of,
            "queries": {kind: effect_figures(effect) for kind, effect in effects.items()},
        }

    def cited(self, analysis: Analysis, figures: dict[str, Any]) -> Citation:
        assert analysis.computed_at
        what = f"retrieval effect, labels {self.labels}, {figures['pages']} gold pages"
        of = self.filters.selection
        return cite(self.corpus, figures, what, computed_at=analysis.computed_at, of=of)


def _asked(request: CorpusRequest) -> _RetrievalSelection:
    corpus, filters = request.access.corpus, asked_filters(request)
    if filters.labels not in LABEL_SETS:
        # Queries and indexes are of whole label sets.
        filters = replace(filters, labels=None)
    return _RetrievalSelection(corpus, filters, queries.chosen_labels(corpus, filters.labels))


@require_GET
def retrieval(request: CorpusRequest, slug: str) -> HttpResponse:
    """How well known pages are found, by the text of each extractor."""
    asked = _asked(request)
    analysis = asked.analysis()
    named = request.GET.get("queries", "")
    kind = named if named in QUERIES else QUERIES[0]
    effect = effect_from(analysis.result, kind) if analysis.result else None
    context = {
        **choices(asked.corpus, asked.filters),
        "analysis": analysis,
        "filters": asked.filters,
        "labels": asked.labels,
        "label_sets": list(LABEL_SETS),
        "queries": kind,
        "effect": effect,
        "most_pages": MOST_PAGES,
        **(_shown(effect) if effect else {}),
    }
    if analysis.result and effect and effect.pages:
        context["citation"] = asked.cited(analysis, asked.figures(analysis.result))
    return render(request, "leaderboard/retrieval.html", context)


def _shown(effect: RetrievalEffect) -> dict[str, object]:
    known = extractors_of(effect)
    mrr = [row.figures.mrr for row in effect.rows if row.figures]
    axis = axis_for(value for each in mrr for value in (each.value, each.low, each.high))
    titles: dict[int | str, str] = {GOLD: _("Gold"), EVERYTHING: _("All text (keep everything)")}
    titles |= {pk: f"{extractor} {extractor.version}" for pk, extractor in known.items()}
    return {
        "everything": effect.row(EVERYTHING),
        "gold": effect.row(GOLD),
        "rows": [
            _Row(known[row.name], row.figures, row.tuned_on) for row in effect.rows if row.name in known
        ],
        "axis": axis,
        "figure": interval_figure(
            [(titles[row.name], row.figures.mrr) for row in effect.rows if row.figures if row.name in titles],
            axis,
        ),
    }


@require_GET
def as_csv(request: CorpusRequest, slug: str) -> HttpResponse:
    """The figures of both kinds of queries, a line for each index; the screen until there are any."""
    asked = _asked(request)
    analysis = asked.analysis()
    if analysis.result is None:
        return to_screen(request, "leaderboard-retrieval", slug)
    citation = asked.cited(analysis, asked.figures(analysis.result))
    return csv_file(f"retrieval-{slug}", CSV_HEAD, _lines(analysis.result, asked.labels), citation)


@require_GET
def as_json(request: CorpusRequest, slug: str) -> HttpResponse:
    """The figures of both kinds of queries."""
    asked = _asked(request)
    analysis = asked.analysis()
    if analysis.result is None:
        return to_screen(request, "leaderboard-retrieval", slug)
    figures = asked.figures(analysis.result)
    return json_file(f"retrieval-{slug}", figures, asked.cited(analysis, figures))


def _lines(result: Mapping[str, Any], labels: str) -> Iterator[list[object]]:
    for kind in QUERIES:
        effect = effect_from(result, kind)
        known = extractors_of(effect)
        for row in effect.rows:
            extractor = known.get(row.name)
            name, version = str(extractor or row.name), extractor.version if extractor else ""
            yield [kind, labels, name, version, effect.pages, *_cells(row.figures), row.tuned_on]


def _cells(found: RetrievalFigures | None) -> list[float | None]:
    figures = [found.mrr, found.precision, found.ndcg, found.gain] if found else [None] * 4
    bounds = [(each.value, each.low, each.high) if each else (None, None, None) for each in figures]
    return [value for three in bounds for value in three]
