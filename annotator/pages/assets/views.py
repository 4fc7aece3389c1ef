"""The frame of a page with captured images, and the images: as made here, never as captured."""

from csp.decorators import csp
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotator.common import storage
from annotator.corpora.access import CorpusAccess
from annotator.pages.assets import queries
from annotator.pages.assets.addresses import image_source, is_token_of
from annotator.pages.models import Page
from annotator.pages.views import FRAME_POLICY, skeleton

# Should somebody open an image by itself: a drawing may have styles, and nothing else.
_IMAGE_POLICY = {
    "default-src": ["'none'"],
    "style-src": ["'unsafe-inline'"],
    "frame-ancestors": ["'self'"],
    "sandbox": True,
}


@require_GET
def frame(request: HttpRequest, page_id: int, token: str) -> HttpResponse:
    return _frame(request, page_id, token, quirks=False)


@require_GET
def frame_quirks(request: HttpRequest, page_id: int, token: str) -> HttpResponse:
    return _frame(request, page_id, token, quirks=True)


def _frame(request: HttpRequest, page_id: int, token: str, *, quirks: bool) -> HttpResponse:
    if not (request.user.is_authenticated and is_token_of(request.user, page_id, token)):
        raise Http404
    response = skeleton(quirks=quirks)
    images = ["data:", image_source(request, page_id, token)]
    response._csp_config = FRAME_POLICY | {"img-src": images}  # type: ignore[attr-defined]  # as `csp` does
    return response


@require_GET
@csp(_IMAGE_POLICY)  # type: ignore[arg-type]  # its views take no arguments
def image(request: HttpRequest, page_id: int, token: str, digest: str) -> HttpResponse:
    """An image of a page, for the person whom the page was shown to and who is still a member."""
    if not (request.user.is_authenticated and is_token_of(request.user, page_id, token)):
        raise Http404
    page = Page.objects.filter(pk=page_id).select_related("corpus").first()
    if page is None or not CorpusAccess(request.user, page.corpus).roles:
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
