"""The jobs tab of the settings."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from annotator.administration.jobs import actions, queries
from annotator.common.csv_files import csv_response
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus

HEADER = ("kind", "job", "requested_by", "requested_at", "finished_at", "result", "done", "total", "error")
# Jobs of one kind, the newest ones.
MOST = 10_000


def _rows(corpus: Corpus) -> Iterator[Iterable[str | int]]:
    """A header, and a row for each job, open or past, the newest first."""
    yield HEADER
    for job in queries.open_jobs(corpus, most=MOST) + queries.past_jobs(corpus, most=MOST):
        yield _cells(job)


def _cells(job: queries.Job) -> Iterator[str | int]:
    yield from (type(job.row).__name__, job.label, str(job.by or ""))
    yield job.row.requested_at.isoformat()
    yield job.row.finished_at.isoformat() if job.row.finished_at else ""
    yield job.state
    yield "" if job.done is None else job.done
    yield "" if job.total is None else job.total
    yield job.row.error


FAILED = "failed"


@require_GET
def jobs(request: CorpusRequest, slug: str) -> HttpResponse:
    """What goes on now, and what was done; `?kind=` and `?kind=failed` choose from the latter."""
    past = queries.past_jobs(request.access.corpus)
    kinds = {job.model.__name__: job.title for job in past}
    chosen = request.GET.get("kind", "")
    if chosen not in (*kinds, FAILED):
        chosen = ""
    wanted = [job for job in past if not chosen or chosen in (job.model.__name__, job.state)]
    context = {
        **_now(request),
        "past": wanted[: queries.SHOWN],
        "kinds": kinds,
        "chosen": chosen,
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
    return csv_response(_rows(request.access.corpus), f"{slug}-jobs.csv")


def _now(request: CorpusRequest) -> dict[str, Any]:
    corpus = request.access.corpus
    return {"jobs": queries.open_jobs(corpus), "background": queries.background(corpus)}
