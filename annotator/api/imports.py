"""Imports: of files of any format that is read, and of addresses."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from ninja import File, Form, Query, Router, Schema, Status, UploadedFile
from pydantic import Field

from annotator import pipeline
from annotator.api.fields import Address, FormBody, Key, Listed, RequestFields, Text, Window, listed
from annotator.api.routing import operation
from annotator.common.errors import GoldpanError
from annotator.corpora.access import CorpusRequest
from annotator.pages.imports import actions, addresses, queries, uploads
from annotator.pages.imports.models import Import, Stage

router = Router(tags=["imports"])
IMPORT = "/corpora/{slug:slug}/imports/{id:imported}"


class ImportOut(Schema):
    """An import, and what became of its records."""

    id: int
    name: str
    format: str
    stage: Stage
    total: int | None = Field(description="Records, where that is known")
    position: int = Field(description="Records processed")
    new: int
    duplicates: int
    refused: int
    gold: int
    preview: dict[str, Any] | None = Field(description="What was found before anything is imported")
    error: str
    requested_at: datetime


class ImportForm(FormBody):
    format: Text = Field("", max_length=20, description="As it is recognised, if empty")


class StartedImport(RequestFields):
    with_gold: bool = Field(False, description="Gold that comes with the pages too")
    with_assets: bool = Field(True, description="Style sheets and images too")


PAGES_WITH_ASSETS = StartedImport.model_validate({})


class Addresses(RequestFields):
    addresses: list[Address] = Field(min_length=1, max_length=addresses.MAX_ADDRESSES)
    with_assets: bool = True
    fetch_known: bool = Field(False, description="Also those of which the corpus has a page")


@operation(router, "GET", "/corpora/{slug:slug}/imports", "list-imports", response=Listed[ImportOut])
def list_imports(request: CorpusRequest, slug: str, window: Query[Window]) -> dict[str, Any]:
    return listed(queries.imports_of(request.access.corpus), window)


@operation(router, "POST", "/corpora/{slug:slug}/imports", "import-files", response=ImportOut, status=202)
def import_files(
    request: CorpusRequest, slug: str, form: Form[ImportForm], files: File[list[UploadedFile]]
) -> Status[Any]:
    """Upload MHTML, WARC, JSON lines, an archive or others; start the import once it is “previewed”."""
    run = uploads.start_upload(corpus=request.access.corpus, user=request.user)
    try:
        actions.check_format(form.format)
        for file in files:
            _store(run, file)
        uploads.finish_upload(run=run, format=form.format)
    except GoldpanError:
        uploads.remove_files(run)
        raise
    pipeline.import_requested(run, is_preview=True)
    return Status(202, _import_or_404(request, run.pk))


def _store(run: Import, sent: UploadedFile) -> None:
    file, offset = uploads.add_file(run=run, name=sent.name or "page.html", size=sent.size or 0), 0
    # `chunks` gives what Django holds in memory as one part, whatever its size.
    while part := sent.read(uploads.PART_BYTES):
        offset = uploads.add_part(file=file, offset=offset, data=part)


@operation(
    router,
    "POST",
    "/corpora/{slug:slug}/imports/addresses",
    "import-addresses",
    response=ImportOut,
    status=202,
)
def import_addresses(request: CorpusRequest, slug: str, asked: Addresses) -> Status[Any]:
    """Fetch pages by their addresses."""
    # What is refused leaves no import that nobody can start.
    with transaction.atomic():
        run = actions.import_addresses(
            corpus=request.access.corpus,
            text="\n".join(asked.addresses),
            user=request.user,
            with_assets=asked.with_assets,
        )
        actions.confirm_addresses(run=run, fetch_known=asked.fetch_known, user=request.user)
    pipeline.import_requested(run)
    return Status(202, _import_or_404(request, run.pk))


@operation(router, "GET", IMPORT, "get-import", response=ImportOut)
def get_import(request: CorpusRequest, slug: str, imported: Key) -> Import:
    return _import_or_404(request, imported)


@operation(router, "POST", f"{IMPORT}/start", "start-import", response=ImportOut)
def start(
    request: CorpusRequest, slug: str, imported: Key, asked: StartedImport = PAGES_WITH_ASSETS
) -> Import:
    """Import what was previewed."""
    return _do(
        request,
        imported,
        lambda run: actions.confirm_import(run=run, user=request.user, **asked.dict()),
        goes_on=True,
    )


@operation(router, "POST", f"{IMPORT}/pause", "pause-import", response=ImportOut)
def pause(request: CorpusRequest, slug: str, imported: Key) -> Import:
    return _do(request, imported, lambda run: actions.pause_import(run=run))


@operation(router, "POST", f"{IMPORT}/resume", "resume-import", response=ImportOut)
def resume(request: CorpusRequest, slug: str, imported: Key) -> Import:
    return _do(request, imported, lambda run: actions.resume_import(run=run), goes_on=True)


@operation(router, "POST", f"{IMPORT}/cancel", "cancel-import", response=ImportOut)
def cancel(request: CorpusRequest, slug: str, imported: Key) -> Import:
    """End it; the pages that are there stay."""
    return _do(request, imported, lambda run: actions.cancel_import(run=run, user=request.user))


def _do(request: CorpusRequest, pk: int, act: Callable[[Import], None], *, goes_on: bool = False) -> Import:
    run = _import_or_404(request, pk)
    act(run)
    if goes_on:
        pipeline.import_requested(run)
    return _import_or_404(request, pk)


def _import_or_404(request: CorpusRequest, pk: int) -> Import:
    return get_object_or_404(queries.imports_of(request.access.corpus).select_related("corpus"), pk=pk)
