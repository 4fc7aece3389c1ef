"""Imports: upload files, look at what they hold, import it, follow that, undo it."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common.csv_files import csv_response
from annotator.common.errors import BadRequest
from annotator.common.http import answers_errors, json_body, shows_errors
from annotator.common.ids import read_id
from annotator.common.roles import ANNOTATOR
from annotator.common.templatetags.names import advice
from annotator.corpora.access import CorpusRequest
from annotator.corpora.queries import has_members
from annotator.pages.assets import queries as assets
from annotator.pages.feeds.forms import EVERY
from annotator.pages.feeds.queries import feeds_of
from annotator.pages.imports import actions, addresses, queries, undoing, uploads
from annotator.pages.imports.models import Import, ImportFile, Outcome
from extraction import formats

HEADER = ("line", "location", "outcome", "address", "sha256", "gold", "reason", "what to do")


def _rows(run: Import) -> Iterator[Iterable[str | int]]:
    """A header, and a row for each record in the order of the source."""
    yield HEADER
    for record in run.records.select_related("page").order_by("position").iterator(chunk_size=500):
        page = record.page
        yield (
            record.position,
            record.location,
            record.outcome,
            page.url if page else "",
            page.sha256 if page else "",
            "added" if record.gold else "",
            record.reason,
            advice(record.cause),
        )


RECORDS_PER_PAGE = 50
LISTED = 30
NOT_FETCHED_LISTED = 50
# What may be chosen instead of the format that was recognised.
FORMATS = sorted(formats.READERS)


# ---- screens ----


@require_GET
def imports(request: CorpusRequest, slug: str) -> HttpResponse:
    """New imports, and those before; the one that is under way, if there is one."""
    return _screen(request, queries.unfinished_imports(request.access.corpus).first())


@require_GET
def detail(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """One import: its preview, its progress, its report."""
    return _screen(request, _run_or_404(request, pk))


def _screen(request: CorpusRequest, run: Import | None) -> HttpResponse:
    corpus = request.access.corpus
    context = {
        "history": Paginator(queries.imports_of(corpus), LISTED).get_page(request.GET.get("history")),
        "part_bytes": uploads.PART_BYTES,
        "feeds": feeds_of(corpus),
        "every": EVERY,
        **_state(run),
        **(_records(request, run) if run else {}),
    }
    return render(request, "imports/imports.html", context)


@require_GET
def state(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """How far the import is; polled by the screen while that changes."""
    return render(request, "imports/run.html", _state(_run_or_404(request, pk)))


def _state(run: Import | None) -> dict[str, Any]:
    if run is None:
        return {"run": None}
    has_stored = run.confirmed_at is not None
    is_fetched = run.format in addresses.FETCHED_FORMATS
    added = queries.pages_added_by(run)
    return {
        "run": run,
        "stage": run.stage,
        "formats": FORMATS,
        "fetched_formats": addresses.FETCHED_FORMATS,
        "waiting": queries.waiting_addresses(run) if is_fetched else None,
        "parsing": queries.parsing_of(run) if has_stored else None,
        "styles": assets.styles_of(added) if has_stored else None,
        "fetches": assets.fetches_of(added) if is_fetched else None,
        "not_fetched": assets.not_fetched(added, NOT_FETCHED_LISTED) if is_fetched else [],
        "clusters": queries.near_duplicates_of(run) if has_stored else None,
        "obstacle": undoing.obstacle_to(run) if run.ended_at and not run.undo_requested_at else "",
        "languages_found": queries.languages_of(run) if has_stored else [],
        "has_annotators": has_members(run.corpus, ANNOTATOR),
    }


def _records(request: CorpusRequest, run: Import) -> dict[str, Any]:
    kinds = queries.record_kinds(run)
    kind = request.GET.get("kind", "")
    kind = kind if kind in kinds else next((name for name in ("refused", "noted") if kinds[name][1]), "all")
    rows, _number = kinds[kind]
    page = Paginator(rows.select_related("page"), RECORDS_PER_PAGE).get_page(request.GET.get("page"))
    return {"kind": kind, "kinds": kinds, "page_obj": page, "outcomes": Outcome}


@require_GET
def report(request: CorpusRequest, slug: str, pk: int) -> StreamingHttpResponse:
    """What became of every record, as CSV."""
    run = _run_or_404(request, pk)
    return csv_response(_rows(run), f"{slug}-import-{run.pk}.csv")


@require_POST
@shows_errors("imports")
def import_addresses(request: CorpusRequest, slug: str) -> HttpResponse:
    """Show what a list of addresses would fetch, one a line; a file of them is appended."""
    run = actions.import_addresses(
        corpus=request.access.corpus,
        text=_list_of_addresses(request),
        user=request.user,
        with_assets="with_assets" in request.POST,
    )
    return redirect("import", slug, run.pk)


def _list_of_addresses(request: CorpusRequest) -> str:
    file = request.FILES.get("file")
    if file and (file.size or 0) > addresses.MAX_LIST_BYTES:
        raise BadRequest(_("The file is too large for a list of addresses."))
    listed = addresses.text_of_list(file.read()) if file else ""
    return f"{request.POST.get('addresses', '')}\n{listed}"


# ---- uploading: requests of the screen's script ----


@require_POST
@answers_errors
def start(request: CorpusRequest, slug: str) -> JsonResponse:
    """Begin an upload; answer where its files go."""
    run = uploads.start_upload(corpus=request.access.corpus, user=request.user)
    return JsonResponse(
        {
            "files": reverse("import-file", args=[slug, run.pk]),
            "ready": reverse("import-ready", args=[slug, run.pk]),
        },
        status=201,
    )


@require_POST
@answers_errors
def add_file(request: CorpusRequest, slug: str, pk: int) -> JsonResponse:
    """Announce a file, by name and size; answer where its parts go."""
    body = json_body(request)
    name, size = body.get("name"), body.get("size")
    if not isinstance(name, str) or type(size) is not int or size < 0:
        raise BadRequest(_("A file needs a name and a size."))
    file = uploads.add_file(run=_run_or_404(request, pk), name=name, size=size)
    return JsonResponse({"parts": reverse("import-part", args=[slug, pk, file.pk])}, status=201)


@require_POST
@answers_errors
def add_part(request: CorpusRequest, slug: str, pk: int, number: int) -> JsonResponse:
    """Take the next bytes of a file, as the body of the request."""
    file = get_object_or_404(ImportFile, pk=number, run=_run_or_404(request, pk))
    offset = read_id(request.GET.get("offset", ""))
    if offset is None:
        raise BadRequest(_("The request does not say where its bytes belong."))
    received = uploads.add_part(file=file, offset=offset, data=request.read(uploads.PART_BYTES + 1))
    return JsonResponse({"received": received})


@require_POST
@answers_errors
def ready(request: CorpusRequest, slug: str, pk: int) -> JsonResponse:
    """All files are here: look through them. Answers the address of the import's screen."""
    run = _run_or_404(request, pk)
    uploads.finish_upload(run=run)
    pipeline.import_requested(run, is_preview=True)
    return JsonResponse({"screen": reverse("import", args=[slug, pk])})


# ---- what a person asks of an import ----

Act = Callable[[CorpusRequest, Import], None]


def _asks(act: Act) -> Callable[..., HttpResponse]:
    """A view that does something to an import and shows it again, with the reason if that was refused."""

    @require_POST
    @shows_errors("import", "pk")
    @wraps(act)
    def view(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
        act(request, _run_or_404(request, pk))
        return redirect("import", slug, pk)

    return view


@_asks
def preview_again(request: CorpusRequest, run: Import) -> None:
    actions.preview_again(run=run, format=request.POST.get("format", ""))
    pipeline.import_requested(run, is_preview=True)


@_asks
def confirm(request: CorpusRequest, run: Import) -> None:
    if run.format in addresses.FETCHED_FORMATS:
        actions.confirm_addresses(run=run, fetch_known="fetch_known" in request.POST, user=request.user)
    else:
        actions.confirm_import(
            run=run,
            with_gold="with_gold" in request.POST,
            with_assets="with_assets" in request.POST,
            user=request.user,
        )
    pipeline.import_requested(run)


@_asks
def pause(request: CorpusRequest, run: Import) -> None:
    actions.pause_import(run=run)


@_asks
def resume(request: CorpusRequest, run: Import) -> None:
    actions.resume_import(run=run)
    pipeline.import_requested(run)


@_asks
def cancel(request: CorpusRequest, run: Import) -> None:
    actions.cancel_import(run=run, user=request.user)


@_asks
def undo(request: CorpusRequest, run: Import) -> None:
    undoing.request_undo(run=run, user=request.user)
    pipeline.import_requested(run)


def _run_or_404(request: CorpusRequest, pk: int) -> Import:
    runs = Import.objects.filter(corpus=request.access.corpus).select_related("requested_by", "corpus")
    return get_object_or_404(runs, pk=pk)
