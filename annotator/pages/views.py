"""The empty frame in which the workbench builds a page, and the stored view of a document."""

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp
from django.http import Http404, HttpRequest, HttpResponse

from annotator.common import storage
from annotator.pages.assets.queries import look_of
from annotator.pages.models import StoredDocument

# Nothing may run, load or leave; the parent builds the DOM. See docs/decisions on the inert frame.
FRAME_POLICY = {
    "default-src": [NONE],
    "style-src": [UNSAFE_INLINE],
    "img-src": ["data:"],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": [SELF],
    "sandbox": ["allow-same-origin"],
}
SKELETON = '<html><head><meta charset="utf-8"><title>Page</title></head><body></body></html>'


@csp(FRAME_POLICY)
def frame(request: HttpRequest, *, quirks: bool = False) -> HttpResponse:
    return skeleton(quirks=quirks)


def skeleton(*, quirks: bool) -> HttpResponse:
    """The empty page; without a doctype for pages that are rendered in quirks mode."""
    response = HttpResponse(SKELETON if quirks else "<!doctype html>" + SKELETON)
    response["X-Frame-Options"] = "SAMEORIGIN"
    response["Cache-Control"] = "private, max-age=86400"
    return response


def send_view(document: StoredDocument) -> HttpResponse:
    """Return a document's view, with the page's assets if it has any, compressed and cacheable without limit.

    Raises Http404 if it is gone because its page was taken down.
    """
    digest = look_of(document) or document.view_sha256
    try:
        stored = storage.compressed(digest)
    except FileNotFoundError as error:
        raise Http404 from error
    response = HttpResponse(stored, content_type="application/json")
    response["Content-Encoding"] = "gzip"
    response["Cache-Control"] = "private, max-age=86400, immutable"
    response["ETag"] = f'"{digest}"'
    return response
