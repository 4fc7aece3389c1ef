"""The quality screen of admins."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator.annotations.study.queries import newest
from annotator.corpora.access import CorpusRequest
from annotator.quality.checks import queries

FAST_AT_ONCE = 20


@require_GET
def quality_checks(request: CorpusRequest, slug: str) -> HttpResponse:
    """Gold checks, repeat annotations and speed, by annotator."""
    corpus = request.access.corpus
    context = {
        "rows": queries.rows(corpus),
        "too_fast": Paginator(queries.too_fast(corpus), FAST_AT_ONCE).get_page(request.GET.get("page")),
        "design": newest(corpus),
        "fastest": queries.FASTEST,
    }
    return render(request, "quality_checks/quality_checks.html", context)
