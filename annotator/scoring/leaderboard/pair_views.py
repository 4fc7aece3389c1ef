"""Two extractors compared page by page, and every pair of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from annotator.common.bars import bar_of
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.all_pairs import PairTest, tests_from
from annotator.scoring.leaderboard.asking import ask_for, asked_filters, to_screen
from annotator.scoring.leaderboard.citation import Citation, cite
from annotator.scoring.leaderboard.downloads import csv_file, json_file
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.pair import LISTED_PAGES, PagePair, Pair
from annotator.scoring.leaderboard.pair_analysis import pair_from
from annotator.scoring.leaderboard.pair_figures import pair_figures, tests_figures
from annotator.scoring.leaderboard.scatter import scatter_of
from annotator.scoring.leaderboard.scored import MOST_RESAMPLED
from annotator.scoring.leaderboard.views import choices
from annotator.scoring.models import Analysis, AnalysisKind

PAGES_HEAD = ("page", "url", "sha256_of_page", "site", "language", "first", "second", "difference")
TESTS_HEAD = ("first", "first_version", "second", "second_version", "pages", "difference", "p", "p_corrected")


@dataclass(frozen=True)
class _PairSelection:
    """What is compared: two of the corpus's extractors, the best two if none are named."""

    corpus: Corpus
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
        return replace(self, first=self.second, second=self.first).query

    @property
    def _common(self) -> dict[str, str]:
        filters = self.filters
        return {"labels": self.labels, "gold": filters.gold, "metric": filters.metric, "of": filters.of}

    @property
    def known(self) -> dict[int, Extractor]:
        """The extractors by their keys."""
        return {each.pk: each for each in self.extractors}

    def figures(self, found: Pair) -> dict[str, Any]:
        """The comparison as files have it."""
        return pair_figures(found, self.first, self.second, self.filters, self.labels)

    @cached_property
    def state(self) -> str:
        """That of the scores."""
        return queries.state_of(self.corpus)

    def pair(self) -> Analysis:
        """The comparison of the two."""
        two = {"first": str(self.first.pk), "second": str(self.second.pk), "mean": self.filters.mean}
        return ask_for(self.corpus, AnalysisKind.PAIR, {**self._common, **two}, self.state)

    def all_pairs(self) -> Analysis:
        """The tests of all pairs, which are of page F1 and so know no average."""
        return ask_for(self.corpus, AnalysisKind.PAIRS, self._common, self.state)


@require_GET
def pair(request: CorpusRequest, slug: str) -> HttpResponse:
    """The result, the tests, every page as a dot, the largest differences, and slices."""
    asked = _asked(request)
    if asked is None:
        return render(request, "leaderboard/pair_empty.html")
    made = asked.pair()
    context = {**_of_all(asked), **choices(asked.corpus, asked.filters), "made": made}
    if made.result and (found := pair_from(made.result)):
        context |= _shown(asked, made, found)
    return render(request, "leaderboard/pair.html", context)


def _shown(asked: _PairSelection, made: Analysis, found: Pair) -> dict[str, object]:
    better, worse = found.better[:LISTED_PAGES], found.worse[:LISTED_PAGES]
    pages = Page.objects.in_bulk([each.page for each in (*better, *worse)])
    return {
        "pair": found,
        "better": _with_pages(better, pages),
        "worse": _with_pages(worse, pages),
        "scatter": scatter_of(found.pages),
        "wins": bar_of([("s-a", len(found.better)), ("s-new", found.equal), ("s-b", len(found.worse))]),
        "is_sample": len(found.pages) >= MOST_RESAMPLED,
        "citation": _cited(asked, made, asked.figures(found)),
    }


def _with_pages(pairs: Iterable[PagePair], pages: Mapping[int, Page]) -> list[tuple[Page, PagePair]]:
    return [(pages[each.page], each) for each in pairs if each.page in pages]


@require_GET
def all_pairs(request: CorpusRequest, slug: str) -> HttpResponse:
    """The part of the screen with the tests of all pairs; fetched until a worker has made them."""
    asked = _asked(request)
    if asked is None:
        return render(request, "leaderboard/pair_empty.html")
    return render(request, "leaderboard/all_pairs.html", _of_all(asked))


def _of_all(asked: _PairSelection) -> dict[str, Any]:
    analysis = asked.all_pairs()
    tests = tests_from(analysis.result) if analysis.result else []
    two = {asked.first.pk, asked.second.pk}
    return {
        "asked": asked,
        "filters": asked.filters,
        "analysis": analysis,
        "tests": _rows(tests, asked),
        "corrected": next((test for test in tests if {test.first, test.second} == two), None),
    }


class _TestRow(NamedTuple):
    """A test of two of the corpus's extractors, and where they are compared."""

    test: PairTest
    first: Extractor
    second: Extractor
    query: str


def _rows(tests: Iterable[PairTest], asked: _PairSelection) -> list[_TestRow]:
    known = asked.known
    return [
        _TestRow(test, first, second, replace(asked, first=first, second=second).query)
        for test in tests
        if (first := known.get(test.first)) and (second := known.get(test.second))
    ]


# ---- files; in their place the screen, until there are figures ----


@require_GET
def as_csv(request: CorpusRequest, slug: str) -> HttpResponse:
    """A line for each page with both scores, the largest differences of the first extractor on top."""
    asked, made, found = _compared(request)
    if not (asked and made and found):
        return to_screen(request, "leaderboard-compare", slug)
    pages = Page.objects.in_bulk([each.page for each in found.pages])
    ordered = sorted(found.pages, key=lambda each: (-each.difference, each.page))
    rows = (
        [str(page), page.url, page.sha256, page.site, page.language, each.first, each.second, each.difference]
        for page, each in _with_pages(ordered, pages)
    )
    return csv_file(f"compare-{slug}", PAGES_HEAD, rows, _cited(asked, made, asked.figures(found)))


@require_GET
def as_json(request: CorpusRequest, slug: str) -> HttpResponse:
    """The figures, tests and slices of the comparison."""
    asked, made, found = _compared(request)
    if not (asked and made and found):
        return to_screen(request, "leaderboard-compare", slug)
    figures = asked.figures(found)
    return json_file(f"compare-{slug}", figures, _cited(asked, made, figures))


def _compared(request: CorpusRequest) -> tuple[_PairSelection | None, Analysis | None, Pair | None]:
    asked = _asked(request)
    made = asked.pair() if asked else None
    return asked, made, pair_from(made.result) if made and made.result else None


@require_GET
def all_pairs_csv(request: CorpusRequest, slug: str) -> HttpResponse:
    """A line for each pair, the clearest difference on top."""
    asked, made, tests = _tested(request)
    if not (asked and made and tests):
        return to_screen(request, "leaderboard-compare", slug)
    lines = (
        [str(row.first), row.first.version, str(row.second), row.second.version, *row.test[2:]]
        for row in _rows(tests, asked)
    )
    figures = tests_figures(tests, asked.known, asked.filters, asked.labels)
    return csv_file(f"all-pairs-{slug}", TESTS_HEAD, lines, _cited(asked, made, figures))


@require_GET
def all_pairs_json(request: CorpusRequest, slug: str) -> HttpResponse:
    """The tests of all pairs."""
    asked, made, tests = _tested(request)
    if not (asked and made and tests):
        return to_screen(request, "leaderboard-compare", slug)
    figures = tests_figures(tests, asked.known, asked.filters, asked.labels)
    return json_file(f"all-pairs-{slug}", figures, _cited(asked, made, figures))


def _tested(request: CorpusRequest) -> tuple[_PairSelection | None, Analysis | None, list[PairTest]]:
    asked = _asked(request)
    made = asked.all_pairs() if asked else None
    tests = tests_from(made.result) if made and made.result else []
    return asked, made, [test for test in tests if asked and {test.first, test.second} <= asked.known.keys()]


def _cited(asked: _PairSelection, made: Analysis, figures: dict[str, Any]) -> Citation:
    assert made.computed_at
    what = f"{asked.filters.metric}, labels {asked.labels}"
    if "pairs" in figures:
        what += f", all {len(figures['pairs'])} pairs"
    else:
        what += (
            f", {asked.first} {asked.first.version} and {asked.second} {asked.second.version}"
            f" on {figures['pages']} gold pages"
        )
    return cite(asked.corpus, figures, what, computed_at=made.computed_at, of=asked.filters.selection)


def _asked(request: CorpusRequest) -> _PairSelection | None:
    """Return what is compared; None in a corpus with fewer than two scored extractors."""
    corpus = request.access.corpus
    filters = asked_filters(request)
    extractors = queries.scored_extractors(corpus)
    if len(extractors) < 2:
        return None
    named = [read_id(request.GET.get(name, "")) for name in ("first", "second")]
    known = {each.pk: each for each in extractors}
    first = known.get(named[0] or 0) or extractors[0]
    second = known.get(named[1] or 0) or next(each for each in extractors if each != first)
    return _PairSelection(
        corpus, extractors, first, second, filters, queries.chosen_labels(corpus, filters.labels)
    )
