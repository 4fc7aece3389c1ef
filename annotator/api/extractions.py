"""What an extractor takes of a page that is stored nowhere: for the browser extension, on the open page."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import BoundedSemaphore
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import File, Form, Router, Schema, UploadedFile
from pydantic import Field

from annotator.api.fields import FormBody, Text
from annotator.api.limits import TooManyRequests, count_extraction
from annotator.api.routing import operation
from annotator.common.errors import GoldpanError, Missing
from extraction.extractor_sandbox import marks_of_page
from extraction.extractors import ExtractorSpec, get, names
from extraction.parsing.errors import ParseError

router = Router(tags=["extractors"])

# Somebody waits for each, so it is done in the request; but no process does two at once, or waits for long.
# A thread that waits answers nobody: two of them may, and the others have to ask again.
_FREE, _ROOM = BoundedSemaphore(1), BoundedSemaphore(3)
_PATIENCE = 20  # seconds


class NoAnswer(GoldpanError):
    """The machine was too busy to answer, which says nothing about the page."""

    status = 503


class ExtractionMethodOut(Schema):
    """An extractor that can be run here."""

    name: str
    version: str
    family: str


class Range(Schema):
    label: str
    start: int = Field(description="In UTF-16 code units of the node's text, as JavaScript counts")
    end: int


class MarkedNodeOut(Schema):
    """A text node of the page, as written there, and what is taken of it."""

    text: str
    ranges: list[Range]


class Extracted(Schema):
    extractor: str
    nodes: list[MarkedNodeOut]


class ExtractionForm(FormBody):
    extractor: Text = Field("goldpan", max_length=60)


@operation(router, "GET", "/extractors", "list-extractors", response=list[ExtractionMethodOut])
def list_extractors(request: HttpRequest) -> list[ExtractorSpec]:
    """The extractors that are installed on the server."""
    return [spec for spec in map(get, names()) if spec.missing is None]


@operation(router, "POST", "/extractions", "extract-page", response=Extracted)
def extract_page(
    request: HttpRequest, form: Form[ExtractionForm], file: File[UploadedFile]
) -> dict[str, Any]:
    """Run an extractor on a page of HTML in UTF-8. Nothing is stored."""
    count_extraction(request.user.pk)
    if form.extractor not in names() or get(form.extractor).missing is not None:
        raise Missing(_("There is no extractor “%(name)s” on this server.") % {"name": form.extractor})
    try:
        with _turn():
            nodes = marks_of_page(file.read(), form.extractor)
    except ParseError as error:
        raise GoldpanError(error.message) from error
    except (TimeoutError, ChildProcessError) as error:
        raise NoAnswer(_("The server is too busy. Try again in a minute.")) from error
    return {"extractor": form.extractor, "nodes": nodes}


@contextmanager
def _turn() -> Iterator[None]:
    """Wait until this process runs no other extraction. Raises TooManyRequests where others wait already."""
    with ExitStack() as stack:
        for semaphore, seconds in ((_ROOM, 0), (_FREE, _PATIENCE)):
            if not semaphore.acquire(timeout=seconds):
                raise TooManyRequests(retry_after=_PATIENCE)
            stack.callback(semaphore.release)
        yield
