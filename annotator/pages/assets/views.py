"""The frame of a page with captured images, the images, and the screen on which the missing ones are fetched.

Images are served as made here, never as captured.
"""

from typing import Any

from csp.decorators import csp
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common import storage
from annotator.common.errors import BadRequest
from annotator.common.http import answers_errors
from annotator.corpora.access import CorpusAccess, CorpusRequest
from annotator.corpora.models import Corpus
from annotator.pages.assets import queries
from annotator.pages.assets.addresses import image_source, page_of
from annotator.pages.assets.fetching import request_fetches
from annotator.pages.assets.models import FetchSource
from annotator.pages.models import Page
from annotator.pages.views import FRAME_POLICY, skeleton

LISTED = 200

# Should somebody open an image by itself: a drawing may have styles, and nothing else.
_IMAGE_POLICY = {
    "default-src": ["'none'"],
    "style-src": ["'unsafe-inline'"],
    "frame-ancestors": ["'self'"],
    "sandbox": True,
}


@require_GET
def frame(request: HttpRequest, token: str, *, quirks: bool = False) -> HttpResponse:
    _page_or_404(request, token)
    response = skeleton(quirks=quirks)
    images = ["data:", image_source(request, token)]
    response._csp_config = FRAME_POLICY | {"img-src": images}  # type: ignore[attr-defined]  # as `csp` does
    return response


@require_GET
@csp(_IMAGE_POLICY)  # type: ignore[arg-type]  # its views take no arguments
def image(request: HttpRequest, token: str, digest: str) -> HttpResponse:
    """An image of a page, for the person whom the page was shown to and who is still a member."""
    page_id = _page_or_404(request, token)
    page = Page.objects.filter(pk=page_id).select_related("corpus").first()
    if page is None or not request.user.is_authenticated or not CorpusAccess(request.user, page.corpus).roles:
        raise Http404
    media_type = queries.served_type(page_id, digest)
    if not media_type:
        raise Http404
    try:
        data = storage.get(digest)
    except FileNotFoundError as error:
        raise Http404 from error
    response = HttpResponse(data, content_type=media_type)
    response["Cache-Control"] = "private, max-age=2592000, immutable"
    return response


def _page_or_404(request: HttpRequest, token: str) -> int:
    page_id = page_of(request.user, token) if request.user.is_authenticated else None
    if page_id is None:
        raise Http404
    return page_id


# ---- what is missing ----


@require_GET
def styles(request: CorpusRequest, slug: str) -> HttpResponse:
    """Which pages lack style sheets, and the offer to fetch them."""
    corpus = request.access.corpus
    pages = Page.objects.filter(corpus=corpus, takedown=None)
    context = {
        **_progress(corpus),
        "rows": queries.without_styles(corpus)[:LISTED],
        "sources": FetchSource,
        "not_fetched": queries.not_fetched(pages, LISTED),
    }
    return render(request, "styles/styles.html", context)


@require_GET
def styles_state(request: CorpusRequest, slug: str) -> HttpResponse:
    """How far fetching is; polled by the screen while that changes."""
    return render(request, "styles/progress.html", _progress(request.access.corpus))


def _progress(corpus: Corpus) -> dict[str, Any]:
    pages = Page.objects.filter(corpus=corpus, takedown=None)
    return {"styles": queries.styles_of(pages), "fetches": queries.fetches_of(pages)}


@require_POST
@answers_errors
def styles_fetch(request: CorpusRequest, slug: str) -> HttpResponse:
    """Fetch what is missing, from where the admin says."""
    source = request.POST.get("source", "")
    if source not in FetchSource.values:
        raise BadRequest(_("Choose where to fetch from."))
    rows = request_fetches(corpus=request.access.corpus, source=FetchSource(source), by=request.user)
    pipeline.enqueue_first(rows)
    return redirect("styles", slug)
