"""Runs of extractors: start one or upload its outputs, follow it, pause, resume or cancel it."""

from itertools import chain
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotator import pipeline
from annotator.common.csv_files import csv_response
from annotator.common.errors import GoldpanError
from annotator.common.http import shows_errors
from annotator.common.roles import ADMIN
from annotator.corpora.access import CorpusRequest
from annotator.runs import actions, causes, queries, running, uploads
from annotator.runs.models import NOT_ENDED, Run
from annotator.runs.tasks import follow
from extraction import extractors
from extraction.formats.records import MAX_BYTES

LISTED = 30
HEADER = ("record", "id", "outcome", "sha256", "placed", "characters", "reason")


# ---- screens ----


@require_GET
def runs(request: CorpusRequest, slug: str) -> HttpResponse:
    """The runs that are not over, failures by cause, the forms to start one, and the runs before."""
    corpus = request.access.corpus
    context = {
        **_now(request),
        "history": queries.runs_of(corpus).exclude(NOT_ENDED)[:LISTED],
        "startable": [_described(extractors.get(name)) for name in actions.can_be_enabled()],
        "families": extractors.names(),
        "failures": causes.failures(corpus),
        "retried": causes.retried(corpus),
    }
    return render(request, "runs/runs.html", context)


def _described(spec: extractors.ExtractorSpec) -> dict[str, Any]:
    """What a template may know of an extractor; it would call the spec itself."""
    return {"name": spec.name, "version": spec.version, "parameters": list(spec.parameters.items())}


@require_GET
def now(request: CorpusRequest, slug: str) -> HttpResponse:
    """The runs that are not over, fetched by the open screen."""
    return render(request, "runs/now.html", _now(request))


def _now(request: CorpusRequest) -> dict[str, Any]:
    open_runs = queries.runs_of(request.access.corpus).filter(NOT_ENDED)
    return {"runs": open_runs, "is_admin": ADMIN in request.access.roles}


@require_GET
def run(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """One run: how far it is, what replaced what, and its failures by cause."""
    return render(request, "runs/run.html", _state(request, pk))


@require_GET
def state(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """How far a run is, fetched by its open screen."""
    return render(request, "runs/state.html", _state(request, pk))


def _state(request: CorpusRequest, pk: int) -> dict[str, Any]:
    shown = run_or_404(request, pk)
    corpus = request.access.corpus
    return {
        "run": shown,
        "outputs": queries.outputs_of(shown) if shown.is_upload else None,
        "earlier": [] if shown.ended_at else queries.earlier_versions(corpus, shown.extractor),
        "failures": causes.failures(corpus, shown.extractor),
        "retried": causes.retried(corpus, shown.extractor),
        "is_admin": ADMIN in request.access.roles,
    }


@require_GET
def report(request: CorpusRequest, slug: str, pk: int) -> StreamingHttpResponse:
    """What became of every record of an upload, as CSV."""
    shown = run_or_404(request, pk)
    rows = shown.outputs.order_by("number").values_list(
        "number", "name", "outcome", "page__sha256", "placed", "total", "reason"
    )
    return csv_response(chain([HEADER], rows.iterator()), f"{slug}-outputs-{shown.pk}.csv")


# ---- what a person asks for ----


@require_POST
@shows_errors("runs")
def start(request: CorpusRequest, slug: str) -> HttpResponse:
    """Start a run of an extractor with parameters, as `key=value, ...`, over the corpus or a part of it."""
    name, parameters = request.POST.get("extractor", ""), request.POST.get("parameters", "")
    extractor = actions.register_as_written(name, parameters)
    part = ":".join(filter(None, (request.POST.get(field, "") for field in ("part", "part_value"))))
    started = running.start_run(
        corpus=request.access.corpus, extractor=extractor, user=request.user, part=part
    )
    follow(started)
    return redirect("run", slug, started.pk)


@require_POST
@shows_errors("runs")
def upload(request: CorpusRequest, slug: str) -> HttpResponse:
    """Take a file of outputs made elsewhere, and what is stated about its system; a worker reads it."""
    file = request.FILES.get("file")
    if not file:
        raise GoldpanError(_("Choose a file of outputs."))
    stated = ("name", "version", "source", "licence", "family", "tuned_on")
    started = uploads.start_upload(
        corpus=request.access.corpus,
        system=uploads.UploadedSystem(**{name: request.POST.get(name, "") for name in stated}),
        file_name=file.name or "",
        data=file.read(MAX_BYTES + 1),
        missing=request.POST.get("missing", ""),
        user=request.user,
    )
    pipeline.run_requested(started)
    return redirect("run", slug, started.pk)


@require_POST
@shows_errors("run", "pk")
def pause(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    running.pause_run(run=_own_run(request, pk))
    return redirect("run", slug, pk)


@require_POST
@shows_errors("run", "pk")
def resume(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    resumed = _own_run(request, pk)
    running.resume_run(run=resumed)
    pipeline.run_requested(resumed)
    return redirect("run", slug, pk)


@require_POST
@shows_errors("run", "pk")
def cancel(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    running.cancel_run(run=_own_run(request, pk), user=request.user)
    return redirect("run", slug, pk)


def _own_run(request: CorpusRequest, pk: int) -> Run:
    """A run that this person may change. Raises NotAllowed for one that somebody else has started."""
    found = run_or_404(request, pk)
    request.access.check_may_change(found)
    return found


def run_or_404(request: CorpusRequest, pk: int) -> Run:
    """A run of the corpus."""
    return get_object_or_404(queries.runs_of(request.access.corpus), pk=pk)
