"""The empty skeleton of the frame into which the workbench builds a page."""

from django.http import Http404, HttpRequest, HttpResponse

from annotator.common import storage
from annotator.pages.models import Document

# Nothing may run, load or leave; the parent builds the DOM. See docs/decisions on the inert frame.
FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)
SKELETON = '<html><head><meta charset="utf-8"><title>Page</title></head><body></body></html>'


def frame(request: HttpRequest) -> HttpResponse:
    return _skeleton("<!doctype html>" + SKELETON)


def frame_quirks(request: HttpRequest) -> HttpResponse:
    """Without a doctype: the browser's quirks mode, for pages that were written for it."""
    return _skeleton(SKELETON)


def _skeleton(html: str) -> HttpResponse:
    response = HttpResponse(html)
    response["Content-Security-Policy"] = FRAME_POLICY
    response["X-Frame-Options"] = "SAMEORIGIN"
    response["Cache-Control"] = "private, max-age=86400"
    return response


def send_view(document: Document) -> HttpResponse:
    """A document's view as stored: gzip as it lies, kept by the browser for as long as it likes.

    Raises Http404 where it is gone, as that of a page that was taken down.
    """
    try:
        stored = storage.compressed(document.view_sha256)
    except FileNotFoundError as error:
        raise Http404 from error
    response = HttpResponse(stored, content_type="application/json")
    response["Content-Encoding"] = "gzip"
    response["Cache-Control"] = "private, max-age=86400, immutable"
    response["ETag"] = f'"{document.view_sha256}"'
    return response
