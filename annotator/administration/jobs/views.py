"""The jobs tab of the settings."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotator.administration.jobs import actions, queries
from annotator.administration.jobs.csv_file import csv_lines
from annotator.corpora.access import CorpusRequest

FAILED = "failed"


@require_GET
def jobs(request: CorpusRequest, slug: str) -> HttpResponse:
    """What goes on now, and what was done; `?kind=` and `?kind=failed` choose from the latter."""
    past = queries.past_jobs(request.access.corpus)
    kinds = {job.model.__name__: job.title for job in past}
    chosen = request.GET.get("kind", "")
    context = {
        **_now(request),
        "past": [job for job in past if not chosen or chosen in (job.model.__name__, job.state)],
        "kinds": kinds,
        "chosen": chosen if chosen in (*kinds, FAILED) else "",
        "failed": sum(job.state == FAILED for job in past),
    }
    return render(request, "administration/jobs.html", context)


@require_GET
def progress(request: CorpusRequest, slug: str) -> HttpResponse:
    """What goes on now, fetched by the open screen."""
    return render(request, "administration/jobs_now.html", _now(request))


@require_POST
def pause_all(request: CorpusRequest, slug: str) -> HttpResponse:
    """Pause all jobs that can be resumed."""
    paused = actions.pause_all(corpus=request.access.corpus)
    messages.success(request, ngettext("%(n)d job paused.", "%(n)d jobs paused.", paused) % {"n": paused})
    return redirect("jobs", slug)


@require_GET
def history(request: CorpusRequest, slug: str) -> StreamingHttpResponse:
    """Every job with its result, as CSV."""
    lines = csv_lines(request.access.corpus)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-jobs.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


def _now(request: CorpusRequest) -> dict[str, Any]:
    corpus = request.access.corpus
    return {"jobs": queries.open_jobs(corpus), "background": queries.background(corpus)}
