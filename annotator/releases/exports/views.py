"""Exports: request, follow, stop and download them."""

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common import storage
from annotator.common.errors import GoldpanError
from annotator.common.http import answers_errors
from annotator.common.ids import read_id
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.gold.queries import current_gold
from annotator.releases.exports import actions
from annotator.releases.exports.models import Export
from annotator.releases.models import Release
from annotator.releases.queries import finished
from extraction import formats

LISTED = 30
# File name extensions of formats whose name is not the extension.
SUFFIXES = {"scrapinghub": "zip"}


@require_GET
def exports(request: CorpusRequest, slug: str) -> HttpResponse:
    corpus = request.access.corpus
    context = {
        "exports": _listed(corpus),
        "formats": sorted(formats.WRITERS),
        "gold_pages": current_gold(corpus).count(),
        "releases": finished(corpus),
    }
    return render(request, "exports/exports.html", context)


@require_POST
def request_export(request: CorpusRequest, slug: str) -> HttpResponse:
    try:
        export = actions.request_export(
            corpus=request.access.corpus,
            format=request.POST.get("format", ""),
            user=request.user,
            release=_release_of(request),
        )
        pipeline.export_requested(export)
    except GoldpanError as error:
        messages.error(request, error.message)
    return redirect("exports", slug)


@require_GET
def state(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """One line of the list; polled by the screen while the export runs."""
    return render(request, "exports/line.html", {"export": _export_or_404(request, pk)})


@require_POST
@answers_errors
def stop(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    actions.stop_export(export=_export_or_404(request, pk))
    return redirect("exports", slug)


@require_GET
def file(request: CorpusRequest, slug: str, pk: int) -> FileResponse:
    """Download the finished file."""
    export = _export_or_404(request, pk)
    if not export.sha256 or export.withdrawn_at:
        raise Http404
    actions.record_download(export=export)
    response = FileResponse(
        storage.open_file(export.sha256),
        as_attachment=True,
        filename=_name_of(export),
        content_type="application/octet-stream",
    )
    response["Cache-Control"] = "private, no-store"
    return response


def _name_of(export: Export) -> str:
    what, digest = f"{export.corpus.slug}-{export.format}", export.sha256[:8]
    if export.release:
        return f"{what}-release-{export.release.number}-{digest}.zip"
    return f"{what}-{digest}.{SUFFIXES.get(export.format, export.format)}"


def _release_of(request: CorpusRequest) -> Release | None:
    """Return the requested release; None means the current gold."""
    number = read_id(request.POST.get("release", ""))
    return get_object_or_404(finished(request.access.corpus), number=number) if number is not None else None


def _listed(corpus: Corpus) -> list[Export]:
    return list(
        Export.objects.filter(corpus=corpus).select_related("requested_by", "release", "corpus")[:LISTED]
    )


def _export_or_404(request: CorpusRequest, pk: int) -> Export:
    exports = Export.objects.filter(corpus=request.access.corpus).select_related(
        "requested_by", "release", "corpus"
    )
    return get_object_or_404(exports, pk=pk)
