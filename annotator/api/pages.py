"""Pages: listed, added, with their text, document and bytes."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import File, Form, Query, Router, Schema, Status, UploadedFile
from pydantic import Field, StringConstraints

from annotator import pipeline
from annotator.api.fields import (
    CapturedAt,
    Digest,
    FormBody,
    Listed,
    OptionalAddress,
    OptionalLanguage,
    Text,
    Window,
    listed,
)
from annotator.api.routing import operation
from annotator.common import storage
from annotator.common.csv_files import download
from annotator.common.errors import Missing
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.home.queries import pages_of
from annotator.home.states import STATES
from annotator.pages.actions import TakenDown, add_page
from annotator.pages.models import Capture, Page, StoredDocument

router = Router(tags=["pages"])

State = Literal["gold", "due", "half", "waiting", "building", "failed", "taken_down"]
assert set(State.__args__) == {state.name for state in STATES}  # type: ignore[attr-defined]


class PageOut(Schema):
    """A page, by the SHA-256 of its bytes."""

    sha256: str
    url: str
    site: str
    title: str
    language: str
    captured_at: datetime | None
    capture: Literal["sent", "rendered"]
    added_at: datetime
    size: int = Field(description="Bytes")
    state: State = Field(validation_alias="stage")
    slots: int = Field(description="Slots of its main round")
    submitted: int = Field(validation_alias="done", description="Of these submitted")
    verdict: str | None = Field(description="Of its gold")
    document_sha256: str | None = Field(description="Of its text; null until it is parsed")
    is_taken_down: bool

    @staticmethod
    def resolve_document_sha256(page: Page) -> str | None:
        return page.document.sha256 if page.document else None

    @staticmethod
    def resolve_is_taken_down(page: Page) -> bool:
        return is_taken_down(page)


class PageDetail(PageOut):
    error: str = Field(description="Why it could not be parsed")
    note: str


class PageText(Schema):
    """The canonical text, to whose code points all offsets refer."""

    text: str
    sha256: str


class PageDocument(Schema):
    """What a version of the parser made of the page."""

    sha256: str = Field(description="Of the text")
    version: str
    length: int = Field(description="Code points of the text")
    blocks: list[tuple[int, int]]
    encoding: str
    encoding_source: str
    repairs: list[Any]


class PageForm(FormBody):
    """What is known of an added page besides its bytes."""

    url: OptionalAddress = ""
    charset: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:+-]{0,40}$")] = Field(
        "", description="As declared by its server"
    )
    captured_at: CapturedAt | None = None
    language: OptionalLanguage = ""
    capture: Literal["sent", "rendered"] = Field("sent", description="What the bytes are: see `Capture`")
    note: Text = Field("", max_length=1000, description="What admins and researchers should know of it")


class AddedPageOut(Schema):
    page: PageDetail
    is_new: bool = Field(description="False where the corpus has a page with the same bytes")


class PageWindow(Window):
    state: State | None = None


@operation(router, "GET", "/corpora/{slug:slug}/pages", "list-pages", response=Listed[PageOut])
def list_pages(request: CorpusRequest, slug: str, window: Query[PageWindow]) -> dict[str, Any]:
    """The pages in the order in which they were added."""
    pages = pages_of(request.access.corpus, state=window.state or "")
    return listed(pages.select_related("document", "takedown").defer(*UNREAD), window)


@operation(
    router, "POST", "/corpora/{slug:slug}/pages", "add-page", response={200: AddedPageOut, 201: AddedPageOut}
)
def add(request: CorpusRequest, slug: str, form: Form[PageForm], file: File[UploadedFile]) -> Status[Any]:
    """Add a page of HTML as captured; 200 where the corpus has it already. Other files are imported."""
    return added(request, raw=file.read(), form=form)


@operation(router, "GET", "/corpora/{slug:slug}/pages/{sha256}", "get-page", response=PageDetail)
def get_page(request: CorpusRequest, slug: str, sha256: Digest) -> Page:
    """A page and its state."""
    return detail(request.access.corpus, sha256)


@operation(router, "GET", "/corpora/{slug:slug}/pages/{sha256}/text", "get-page-text", response=PageText)
def get_text(request: CorpusRequest, slug: str, sha256: Digest) -> dict[str, Any]:
    """The text of its current document."""
    document = document_of(page_or_404(request.access.corpus, sha256))
    return {"text": document.text, "sha256": document.sha256}


@operation(
    router,
    "GET",
    "/corpora/{slug:slug}/pages/{sha256}/document",
    "get-page-document",
    response=PageDocument,
)
def get_document(request: CorpusRequest, slug: str, sha256: Digest) -> dict[str, Any]:
    """Its current document without the text."""
    document = document_of(page_or_404(request.access.corpus, sha256))
    fields = ("sha256", "version", "length", "blocks", "encoding", "encoding_source", "repairs")
    return {name: getattr(document, name) for name in fields}


@operation(
    router,
    "GET",
    "/corpora/{slug:slug}/pages/{sha256}/source",
    "get-page-source",
    content="application/octet-stream",
)
def get_source(request: CorpusRequest, slug: str, sha256: Digest) -> HttpResponse:
    """Its bytes as captured. Never let a browser open them as a page."""
    page = page_or_404(request.access.corpus, sha256)
    response = HttpResponse(storage.get(page.sha256), content_type="application/octet-stream")
    return download(response, f"{page.sha256}.html")


# Columns of a page's document that no list shows.
UNREAD = tuple(f"document__{name}" for name in ("text", "blocks", "repairs"))


def added(request: CorpusRequest, *, raw: bytes, form: PageForm) -> Status[Any]:
    """Add a page, and have it parsed if it is new."""
    corpus = request.access.corpus
    made = add_page(
        corpus=corpus,
        raw=raw,
        url=form.url,
        charset=form.charset or None,
        captured_at=form.captured_at,
        language=form.language or None,
        capture=Capture(form.capture),
        note=form.note,
    )
    if made.new:
        pipeline.enqueue(made.page)
    answer = {"page": detail(corpus, made.page.sha256), "is_new": made.new}
    return Status(201 if made.new else 200, answer)


def detail(corpus: Corpus, sha256: str) -> Page:
    pages = pages_of(corpus).select_related("document", "takedown").defer(None).defer(*UNREAD)
    return get_object_or_404(pages, sha256=sha256)


def is_taken_down(page: Page) -> bool:
    return hasattr(page, "takedown")


def page_or_404(corpus: Corpus, sha256: str) -> Page:
    """The page. Raises TakenDown where nothing of it is left to read."""
    pages = Page.objects.filter(corpus=corpus).select_related("document", "takedown")
    page = get_object_or_404(pages, sha256=sha256)
    if is_taken_down(page):
        raise TakenDown(_("This page was taken down."))
    return page


def document_of(page: Page) -> StoredDocument:
    """Its current document. Raises Missing where there is none."""
    if page.document is None:
        why = page.error or _("It waits to be parsed: try again in a moment.")
        raise Missing(_("This page has no document. %(why)s") % {"why": why})
    return page.document
