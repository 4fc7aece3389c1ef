"""The screen of one page, and the view of its document."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from annotator.common.http import trusted_types
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.gold import finalisation
from annotator.home import page_screen, queries
from annotator.pages.models import Page
from annotator.pages.views import send_view


@require_GET
@trusted_types
def page_gold(request: CorpusRequest, slug: str, page: int) -> HttpResponse:
    """The page with a version of its gold, or without gold; in words where it could not be built."""
    corpus = request.access.corpus
    found = get_object_or_404(queries.with_state(Page.objects.filter(corpus=corpus)), pk=page)
    if found.document is None:
        return render(request, "home/page_unbuilt.html", {"page": found})
    number = read_id(request.GET["version"]) if request.GET.get("version") else None
    screen = page_screen.of_page(corpus, found, number, request.user)
    if screen is None:
        raise Http404
    context = {
        "screen": screen,
        "page": found,
        "gold": screen.shown,
        "payload": screen.payload,
        "max_why": finalisation.MAX_WHY,
        "why": request.GET.get("why", "")[: finalisation.MAX_WHY],
    }
    return render(request, "home/page.html", context)


@require_GET
def page_gold_view(request: CorpusRequest, slug: str, page: int, number: int) -> HttpResponse:
    """The inert view of the document of a version of the gold; of the page's document where it is 0."""
    found = get_object_or_404(Page, corpus=request.access.corpus, pk=page)
    gold = get_object_or_404(found.gold.select_related("document"), number=number) if number else None
    document = page_screen.document_of(found, gold)
    if document is None:
        raise Http404
    return send_view(document)
