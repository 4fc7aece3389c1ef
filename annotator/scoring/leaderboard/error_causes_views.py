"""The errors of an extractor by cause and by site, each figure leading to the pages behind it."""

from dataclasses import dataclass
from typing import Self, TypeVar

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from annotator import pipeline
from annotator.corpora.access import CorpusRequest
from annotator.pages.models import Page
from annotator.scoring.leaderboard import queries
from annotator.scoring.leaderboard.analyses import is_small, request_analysis
from annotator.scoring.leaderboard.error_causes import MOST_PAGES, ErrorsByCause
from annotator.scoring.leaderboard.filters import filters_from
from annotator.scoring.leaderboard.views import PAGES_AT_ONCE, choices
from annotator.scoring.models import AnalysisKind
from extraction.evaluation.causes import Cause, Kind

LISTED_SITES = 15

_Choice = TypeVar("_Choice", Kind, Cause)


@dataclass(frozen=True)
class _Selection:
    """Whose pages are listed: of a kind, a cause and a site; None stands for all."""

    kind: Kind | None = None
    cause: Cause | None = None
    site: str | None = None

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        return cls(_known(Kind, query.get("kind")), _known(Cause, query.get("cause")), query.get("site"))

    @property
    def query(self) -> str:
        named = {"kind": self.kind, "cause": self.cause, "site": self.site}
        return urlencode({name: value for name, value in named.items() if value is not None})

    def __bool__(self) -> bool:
        return any(each is not None for each in (self.kind, self.cause, self.site))


def _known(choices_: type[_Choice], value: str | None) -> _Choice | None:
    return choices_(value) if value in list(choices_) else None


@require_GET
def error_causes(request: CorpusRequest, slug: str, extractor: int) -> HttpResponse:
    """Characters missed and wrong by cause and by site; the pages with such errors, the most first."""
    corpus, filters = request.access.corpus, filters_from(request.GET)
    found = queries.extractor_of_corpus(corpus, extractor)
    if found is None:
        raise Http404
    labels = filters.labels or queries.default_labels(corpus)
    asked = {"extractor": str(found.pk), "labels": labels, "gold": filters.gold}
    analysis, is_asked = request_analysis(corpus=corpus, name=AnalysisKind.ERRORS, filters=asked)
    if is_asked:
        pipeline.analysis_requested(analysis, is_small=is_small(analysis))
    selection = _Selection.of(request.GET)
    errors = ErrorsByCause.from_json(analysis.result) if analysis.result else None
    sites = errors.sites if errors else []
    context = {
        "extractor": found,
        "filters": filters,
        "labels": labels,
        **choices(corpus, filters),
        "analysis": analysis,
        "errors": errors,
        "sites": sites if request.GET.get("sites") == "all" else sites[:LISTED_SITES],
        "more_sites": max(0, len(sites) - LISTED_SITES),
        "largest_site": max((site.characters for site in sites), default=0),
        "most_pages": MOST_PAGES,
        "selection": selection,
        **(_listed(errors, selection, request.GET.get("page")) if errors else {}),
    }
    return render(request, "leaderboard/error_causes.html", context)


def _listed(errors: ErrorsByCause, selection: _Selection, number: str | None) -> dict[str, object]:
    """Return one page of the list, and its pages of the corpus with their characters in error."""
    amounts = errors.pages(selection.kind, selection.cause, selection.site)
    rows = Paginator(amounts, PAGES_AT_ONCE).get_page(number)
    known = Page.objects.in_bulk([page for page, _size in rows])
    return {"rows": rows, "pages": [(known[page], size) for page, size in rows if page in known]}
