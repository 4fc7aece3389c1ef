"""The jobs tab of the settings."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotator.administration.jobs import queries
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


def _now(request: CorpusRequest) -> dict[str, Any]:
    corpus = request.access.corpus
    return {"jobs": queries.open_jobs(corpus), "background": queries.background(corpus)}
