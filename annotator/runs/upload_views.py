"""Uploading outputs made elsewhere, and the report of what became of each."""

from itertools import chain

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common.csv_files import csv_response
from annotator.common.errors import GoldpanError
from annotator.common.http import shows_errors
from annotator.corpora.access import CorpusRequest
from annotator.runs import queries, uploads
from extraction.formats.records import MAX_BYTES

HEADER = ("record", "id", "outcome", "sha256", "placed", "characters", "reason")


@require_POST
@shows_errors("runs")
def upload(request: CorpusRequest, slug: str) -> HttpResponse:
    """Take a file of outputs and what is stated about its system; a worker reads it."""
    file = request.FILES.get("file")
    if not file:
        raise GoldpanError(_("Choose a file of outputs."))
    stated = ("name", "version", "source", "licence", "family", "tuned_on")
    run = uploads.start_upload(
        corpus=request.access.corpus,
        system=uploads.UploadedSystem(**{name: request.POST.get(name, "") for name in stated}),
        file_name=file.name or "",
        data=file.read(MAX_BYTES + 1),
        missing=request.POST.get("missing", ""),
        user=request.user,
    )
    pipeline.run_requested(run)
    return redirect("run", slug, run.pk)


@require_GET
def report(request: CorpusRequest, slug: str, pk: int) -> StreamingHttpResponse:
    """What became of every record of an upload, as CSV."""
    run = get_object_or_404(queries.runs_of(request.access.corpus), pk=pk)
    rows = run.outputs.order_by("number").values_list(
        "number", "name", "outcome", "page__sha256", "placed", "total", "reason"
    )
    return csv_response(chain([HEADER], rows.iterator()), f"{slug}-outputs-{run.pk}.csv")
