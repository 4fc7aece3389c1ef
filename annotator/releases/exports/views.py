"""Exports: request, follow, stop and download them."""

from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common import storage
from annotator.common.csv_files import download
from annotator.common.http import answers_errors, shows_errors
from annotator.common.ids import read_id
from annotator.common.ranges import file_response
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus
from annotator.gold.queries import current_gold
from annotator.releases.exports import actions, presentation
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.formats import WRITERS
from annotator.releases.exports.models import Export
from annotator.releases.models import Release
from annotator.releases.queries import finished

LISTED = 30


@require_GET
def exports(request: CorpusRequest, slug: str) -> HttpResponse:
    corpus = request.access.corpus
    articles = Count("pk", filter=Q(verdict__in=WITH_SPANS))
    gold = current_gold(corpus).aggregate(pages=Count("pk"), articles=articles)
    context = {
        "exports": _exports(corpus)[:LISTED],
        "formats": presentation.choices(gold["pages"] - gold["articles"]),
        "gold_pages": gold["pages"],
        "releases": finished(corpus),
    }
    return render(request, "exports/exports.html", context)


@require_POST
@shows_errors("exports")
def request_export(request: CorpusRequest, slug: str) -> HttpResponse:
    contents = Contents(
        corpus=request.access.corpus,
        format=request.POST.get("format", ""),
        release=_release_of(request),
        pages="no_pages" not in request.POST,
        annotations="annotations" in request.POST,
        outputs="outputs" in request.POST,
    )
    pipeline.enqueue(actions.request_export(contents, user=request.user))
    return redirect("exports", slug)


@require_GET
def state(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """One line of the list; polled by the screen while the export runs."""
    return render(request, "exports/line.html", {"export": export_or_404(request, pk)})


@require_POST
@answers_errors
def stop(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    actions.stop_export(export=export_or_404(request, pk))
    return redirect("exports", slug)


@require_GET
def file(request: CorpusRequest, slug: str, pk: int) -> HttpResponseBase:
    """Download the finished file, or the rest of it."""
    export = _finished_or_404(request, pk)
    try:
        stored = storage.open_file(export.sha256)
    except FileNotFoundError as error:
        raise Http404 from error
    actions.record_download(export=export)
    return file_response(
        request,
        stored,
        name=_name_of(export),
        size=export.size,
        sha256=export.sha256,
    )


@require_GET
def checksum(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """The digest of the file as `sha256sum --check` reads it."""
    export = _finished_or_404(request, pk)
    name = _name_of(export)
    response = HttpResponse(f"{export.sha256}  {name}\n", content_type="text/plain; charset=utf-8")
    return download(response, f"{name}.sha256")


def _name_of(export: Export) -> str:
    what, digest = f"{export.corpus.slug}-{export.format}", export.sha256[:8]
    if export.release:
        return f"{what}-release-{export.release.number}-{digest}.zip"
    return f"{what}-{digest}.{WRITERS[export.format].suffix}"


def _release_of(request: CorpusRequest) -> Release | None:
    """Return the requested release; None means the current gold."""
    number = read_id(request.POST.get("release", ""))
    return get_object_or_404(finished(request.access.corpus), number=number) if number is not None else None


def _exports(corpus: Corpus) -> QuerySet[Export]:
    return Export.objects.filter(corpus=corpus).select_related("requested_by", "release", "corpus")


def export_or_404(request: CorpusRequest, pk: int) -> Export:
    return get_object_or_404(_exports(request.access.corpus), pk=pk)


def _finished_or_404(request: CorpusRequest, pk: int) -> Export:
    export = export_or_404(request, pk)
    if not export.sha256 or export.withdrawn_at:
        raise Http404
    return export
