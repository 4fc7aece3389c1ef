"""The errors of an extractor by cause and by site, each figure leading to the pages behind it."""

from dataclasses import dataclass
from typing import Self, TypeVar

from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.runs.models import Extractor
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.asking import ask_for, asked_filters, extractor_or_404, to_screen
from annotator.scoring.leaderboard.citation import Citation, cite
from annotator.scoring.leaderboard.downloads import csv_file, json_file
from annotator.scoring.leaderboard.drawings import figure_of_errors
from annotator.scoring.leaderboard.error_causes import MOST_PAGES, ErrorsByCause, errors_figures
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from annotator.scoring.leaderboard.pair_figures import extractor_figures
from annotator.scoring.leaderboard.views import PAGES_AT_ONCE, choices
from annotator.scoring.models import Analysis, AnalysisKind
from extraction.evaluation.causes import ErrorCause, ErrorKind

LISTED_SITES = 15

CSV_HEAD = ("page", "url", "sha256_of_page", "site", "language", "kind", "cause", "characters")

_Choice = TypeVar("_Choice", ErrorKind, ErrorCause)


@dataclass(frozen=True)
class _Selection:
    """Whose pages are listed: of a kind, a cause and a site; None stands for all."""

    kind: ErrorKind | None = None
    cause: ErrorCause | None = None
    site: str | None = None

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        return cls(
            _known(ErrorKind, query.get("kind")), _known(ErrorCause, query.get("cause")), query.get("site")
        )

    @property
    def query(self) -> str:
        named = {"kind": self.kind, "cause": self.cause, "site": self.site}
        return urlencode({name: value for name, value in named.items() if value is not None})

    def __bool__(self) -> bool:
        return any(each is not None for each in (self.kind, self.cause, self.site))


def _known(choices_: type[_Choice], value: str | None) -> _Choice | None:
    return choices_(value) if value in list(choices_) else None


@dataclass(frozen=True)
class _ErrorSelection:
    """Whose errors are shown, on which gold and pages."""

    corpus: Corpus
    extractor: Extractor
    filters: LeaderboardFilters
    labels: str

    def analysis(self) -> Analysis:
        filters = {
            "extractor": str(self.extractor.pk),
            "labels": self.labels,
            "gold": self.filters.gold,
            "of": self.filters.of,
        }
        return ask_for(self.corpus, AnalysisKind.ERRORS, filters)

    def cited(self, analysis: Analysis, errors: ErrorsByCause, figures: dict[str, object]) -> Citation:
        assert analysis.computed_at
        what = (
            f"errors of {self.extractor} {self.extractor.version}, labels {self.labels}, "
            f"{len(errors.rows)} gold pages"
        )
        of = self.filters.selection
        return cite(self.corpus, figures, what, computed_at=analysis.computed_at, of=of)

    def figures(self, errors: ErrorsByCause) -> dict[str, object]:
        """The errors as files have them."""
        chosen = {"labels": self.labels, "gold": self.filters.gold}
        return {**extractor_figures(self.extractor), **chosen, **errors_figures(errors)}


def _asked(request: CorpusRequest, extractor: int) -> _ErrorSelection:
    corpus, filters = request.access.corpus, asked_filters(request)
    found = extractor_or_404(corpus, extractor)
    return _ErrorSelection(corpus, found, filters, queries.chosen_labels(corpus, filters.labels))


@require_GET
def error_causes(request: CorpusRequest, slug: str, extractor: int) -> HttpResponse:
    """Characters missed and wrong by cause and by site; the pages with such errors, the most first."""
    asked = _asked(request, extractor)
    analysis = asked.analysis()
    selection = _Selection.of(request.GET)
    errors = ErrorsByCause.from_json(analysis.result) if analysis.result else None
    sites = errors.sites if errors else []
    context = {
        "extractor": asked.extractor,
        "filters": asked.filters,
        "labels": asked.labels,
        **choices(asked.corpus, asked.filters),
        "analysis": analysis,
        "errors": errors,
        "sites": sites if request.GET.get("sites") == "all" else sites[:LISTED_SITES],
        "more_sites": max(0, len(sites) - LISTED_SITES),
        "most_pages": MOST_PAGES,
        # Of what is listed, not of the leaderboard.
        "chosen": selection,
        **(_listed(errors, selection, request.GET.get("page")) if errors else {}),
    }
    if errors and errors.causes:
        context |= {
            "figure": figure_of_errors(errors),
            "citation": asked.cited(analysis, errors, asked.figures(errors)),
        }
    return render(request, "leaderboard/error_causes.html", context)


@require_GET
def as_csv(request: CorpusRequest, slug: str, extractor: int) -> HttpResponse:
    """A line for each page, kind and cause; the screen until there are any."""
    asked = _asked(request, extractor)
    analysis = asked.analysis()
    if analysis.result is None:
        return to_screen(request, "error-causes", slug, extractor)
    errors = ErrorsByCause.from_json(analysis.result)
    pages = Page.objects.in_bulk([row.page for row in errors.rows])
    rows = (
        [str(page), page.url, page.sha256, page.site, page.language, kind, cause, characters]
        for row in errors.rows
        if (page := pages.get(row.page))
        for (kind, cause), characters in sorted(row.amounts.items())
    )
    citation = asked.cited(analysis, errors, asked.figures(errors))
    return csv_file(f"errors-{asked.extractor.name}-{slug}", CSV_HEAD, rows, citation)


@require_GET
def as_json(request: CorpusRequest, slug: str, extractor: int) -> HttpResponse:
    """The errors by cause and by site."""
    asked = _asked(request, extractor)
    analysis = asked.analysis()
    if analysis.result is None:
        return to_screen(request, "error-causes", slug, extractor)
    errors = ErrorsByCause.from_json(analysis.result)
    figures = asked.figures(errors)
    return json_file(f"errors-{asked.extractor.name}-{slug}", figures, asked.cited(analysis, errors, figures))


def _listed(errors: ErrorsByCause, selection: _Selection, number: str | None) -> dict[str, object]:
    """Return one page of the list, and its pages of the corpus with their characters in error."""
    amounts = errors.pages(selection.kind, selection.cause, selection.site)
    rows = Paginator(amounts, PAGES_AT_ONCE).get_page(number)
    known = Page.objects.in_bulk([page for page, _size in rows])
    return {"rows": rows, "pages": [(known[page], size) for page, size in rows if page in known]}
