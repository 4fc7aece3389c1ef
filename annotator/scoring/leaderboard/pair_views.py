"""Two extractors compared page by page."""

import csv
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from annotator import pipeline
from annotator.common.csv_files import safe_cell
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.actions import known_filters
from annotator.scoring.leaderboard.all_pairs import PairTest, tests_from
from annotator.scoring.leaderboard.analyses import is_small, request_analysis
from annotator.scoring.leaderboard.filters import LeaderboardFilters, filters_from
from annotator.scoring.leaderboard.leaderboard import MICRO
from annotator.scoring.leaderboard.pair import LISTED_PAGES, Pair, PairedPage, compare
from annotator.scoring.leaderboard.scatter import scatter_of
from annotator.scoring.leaderboard.views import choices
from annotator.scoring.models import Analysis, AnalysisKind
from annotator.scoring.totals.slices import Slice
from extraction.evaluation.page_metrics import METRICS

CSV_HEAD = ("page", "url", "site", "language", "first", "second", "difference")


@dataclass(frozen=True)
class _Request:
    """What is compared: two of the corpus's extractors, the best two if none are named."""

    extractors: list[Extractor]
    first: Extractor
    second: Extractor
    filters: LeaderboardFilters
    labels: str

    @property
    def query(self) -> str:
        """The comparison as a query string."""
        named = urlencode({"first": self.first.pk, "second": self.second.pk})
        return f"?{named}{self.filters.query.replace('?', '&', 1)}"

    @property
    def swapped(self) -> str:
        return _Request(self.extractors, self.second, self.first, self.filters, self.labels).query


@require_GET
def pair(request: CorpusRequest, slug: str) -> HttpResponse:
    """The result, the tests, every page as a dot, the largest differences, and slices."""
    asked = _asked(request)
    if asked is None:
        return render(request, "leaderboard/pair_empty.html")
    found = _compared(request, asked)
    analysis = _all_pairs(request.access.corpus, asked)
    tests = tests_from(analysis.result) if analysis.result else []
    context = {
        "analysis": analysis,
        "corrected": next((test for test in tests if test.of(asked.first.pk, asked.second.pk)), None),
        "tests": _rows(tests, asked),
        "asked": asked,
        "filters": asked.filters,
        **choices(request.access.corpus, asked.filters),
        "pair": found,
        "better": found.better[:LISTED_PAGES] if found else [],
        "worse": found.worse[:LISTED_PAGES] if found else [],
        "scatter": scatter_of(found.pages) if found else None,
    }
    return render(request, "leaderboard/pair.html", context)


@require_GET
def all_pairs(request: CorpusRequest, slug: str) -> HttpResponse:
    """The part of the screen with the tests of all pairs; fetched until a worker has made them."""
    asked = _asked(request)
    if asked is None:
        return render(request, "leaderboard/pair_empty.html")
    analysis = _all_pairs(request.access.corpus, asked)
    tests = tests_from(analysis.result) if analysis.result else []
    context = {"asked": asked, "analysis": analysis, "tests": _rows(tests, asked)}
    return render(request, "leaderboard/all_pairs.html", context)


class _TestRow(NamedTuple):
    """A test of two of the corpus's extractors, and where they are compared."""

    test: PairTest
    first: Extractor
    second: Extractor
    query: str


def _rows(tests: list[PairTest], asked: _Request) -> list[_TestRow]:
    known = {each.pk: each for each in asked.extractors}
    return [
        _TestRow(test, first, second, _Request(asked.extractors, first, second, asked.filters, "").query)
        for test in tests
        if (first := known.get(test.first)) and (second := known.get(test.second))
    ]


def _all_pairs(corpus: Corpus, asked: _Request) -> Analysis:
    filters = {
        "labels": asked.labels,
        "gold": asked.filters.gold,
        "metric": asked.filters.metric,
        "of": asked.filters.of,
    }
    analysis, is_asked = request_analysis(corpus=corpus, name=AnalysisKind.PAIRS, filters=filters)
    if is_asked:
        pipeline.analysis_requested(analysis, is_small=is_small(analysis))
    return analysis


@require_GET
def as_csv(request: CorpusRequest, slug: str) -> HttpResponse:
    """A line for each page with both scores, the largest differences of the first extractor on top."""
    asked = _asked(request)
    if asked is None:
        return redirect("leaderboard-compare", slug)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="compare-{slug}.csv"'
    response["Cache-Control"] = "private, no-store"
    writer = csv.writer(response, lineterminator="\r\n")
    writer.writerow(CSV_HEAD)
    for page in sorted(_pages(request, asked), key=lambda page: (-page.difference, page.page_id)):
        texts = [safe_cell(text) for text in (page.title, page.url, page.site, page.language)]
        figures = [f"{figure:.6f}" for figure in (page.first.f1, page.second.f1, page.difference)]
        writer.writerow([*texts, *figures])
    return response


def _asked(request: CorpusRequest) -> _Request | None:
    """Return what is compared; None in a corpus with fewer than two scored extractors."""
    filters = known_filters(request.access.corpus, filters_from(request.GET))
    labels = filters.labels or queries.default_labels(request.access.corpus)
    extractors = queries.scored_extractors(request.access.corpus)
    if len(extractors) < 2:
        return None
    named = [read_id(request.GET.get(name, "")) for name in ("first", "second")]
    known = {each.pk: each for each in extractors}
    first = known.get(named[0] or 0) or extractors[0]
    second = known.get(named[1] or 0) or next(each for each in extractors if each != first)
    return _Request(extractors, first, second, filters, labels)


def _pages(request: CorpusRequest, asked: _Request) -> list[PairedPage]:
    return queries.paired_pages(
        request.access.corpus,
        asked.first.pk,
        asked.second.pk,
        labels=asked.labels,
        gold=asked.filters.gold,
        metric=asked.filters.metric,
        of=Slice.parse(asked.filters.of),
    )


def _compared(request: CorpusRequest, asked: _Request) -> Pair | None:
    return compare(
        _pages(request, asked),
        pooled=asked.filters.mean == MICRO,
        by_page=METRICS[asked.filters.metric].by_page,
    )
