"""Runs of extractors, and outputs made elsewhere."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from ninja import File, Form, Query, Router, Schema, Status, UploadedFile
from pydantic import Field

from annotator import pipeline
from annotator.api.fields import FormBody, Key, Listed, RequestFields, Text, Window, listed
from annotator.api.routing import operation
from annotator.corpora.access import CorpusRequest
from annotator.runs import actions, queries, running, uploads
from annotator.runs.models import MissingOutputs, OutputOutcome, Run, RunStage, UploadedOutput
from annotator.runs.tasks import follow
from annotator.runs.views import run_or_404
from extraction.formats.records import MAX_BYTES

router = Router(tags=["extractors"])
RUN = "/corpora/{slug:slug}/runs/{id:run}"


class ExtractorOut(Schema):
    id: int
    name: str
    version: str
    parameters: dict[str, Any]
    is_uploaded: bool = Field(description="Whether its outputs were made elsewhere")


class RunOut(Schema):
    """An extractor over all pages of the corpus or a part; once it is completed, it is on the board."""

    id: int
    extractor: ExtractorOut
    part: str = Field(description="`language:CODE`, `site:HOST`, `failed`, `missing`; empty for all pages")
    stage: RunStage
    pages: int
    done: int
    failed: int
    error: str
    requested_at: datetime
    completed_at: datetime | None


class NewRun(RequestFields):
    extractor: Text = Field(max_length=60)
    parameters: Text = Field("", max_length=500, description="`key=value, ...`; others are its defaults")
    part: Text = Field(
        "",
        max_length=300,
        description="`language:CODE`, `site:HOST`, `failed` or `missing` (on which another version failed, or"
        " which it lacks); empty for all pages",
    )


class Predictions(FormBody):
    """What is stated about a system whose outputs are uploaded."""

    name: Text = Field(min_length=1, max_length=60)
    version: Text = Field(min_length=1, max_length=60)
    source: Text = Field("", max_length=2000, description="Who published them, and where")
    licence: Text = Field("", max_length=200)
    family: Text = Field("", max_length=60, description="The extractor of Goldpan on which it is based")
    tuned_on: Text = Field(
        "", description="Digests, addresses or sites, one a line, of pages on which it was trained or tuned"
    )
    missing: MissingOutputs = Field(
        MissingOutputs.LEFT_OUT, description="What becomes of pages without output: left_out, or empty"
    )


class PredictionOut(Schema):
    """What became of one record of an upload."""

    number: int
    name: str = Field(description="What the file calls the page")
    outcome: OutputOutcome
    page_sha256: str | None
    placed: int | None = Field(description="Visible characters of a text that were found in the page")
    total: int | None
    reason: str

    @staticmethod
    def resolve_page_sha256(output: UploadedOutput) -> str | None:
        return output.page.sha256 if output.page else None


@operation(router, "GET", "/corpora/{slug:slug}/runs", "list-runs", response=Listed[RunOut])
def list_runs(request: CorpusRequest, slug: str, window: Query[Window]) -> dict[str, Any]:
    return listed(queries.runs_of(request.access.corpus), window)


@operation(router, "POST", "/corpora/{slug:slug}/runs", "start-run", response=RunOut, status=202)
def start(request: CorpusRequest, slug: str, new: NewRun) -> Status[Any]:
    """Start an extractor, or return its run that is under way."""
    extractor = actions.register_as_written(new.extractor, new.parameters)
    run = running.start_run(
        corpus=request.access.corpus, extractor=extractor, user=request.user, part=new.part
    )
    follow(run)
    return Status(202, run_or_404(request, run.pk))


@operation(router, "GET", RUN, "get-run", response=RunOut)
def get_run(request: CorpusRequest, slug: str, run: Key) -> Run:
    return run_or_404(request, run)


@operation(router, "POST", f"{RUN}/pause", "pause-run", response=RunOut)
def pause(request: CorpusRequest, slug: str, run: Key) -> Run:
    return _do(request, run, lambda found: running.pause_run(run=found))


@operation(router, "POST", f"{RUN}/resume", "resume-run", response=RunOut)
def resume(request: CorpusRequest, slug: str, run: Key) -> Run:
    return _do(request, run, lambda found: running.resume_run(run=found), goes_on=True)


@operation(router, "POST", f"{RUN}/cancel", "cancel-run", response=RunOut)
def cancel(request: CorpusRequest, slug: str, run: Key) -> Run:
    """End it; what was extracted stays, and does not count."""
    return _do(request, run, lambda found: running.cancel_run(run=found, user=request.user))


@operation(
    router, "POST", "/corpora/{slug:slug}/predictions", "upload-predictions", response=RunOut, status=202
)
def upload(
    request: CorpusRequest, slug: str, form: Form[Predictions], file: File[UploadedFile]
) -> Status[Any]:
    """Upload the outputs of a system; they become a run, which is completed once they are scored."""
    stated = form.dict()
    missing = stated.pop("missing")
    run = uploads.start_upload(
        corpus=request.access.corpus,
        system=uploads.UploadedSystem(**stated),
        file_name=file.name or "",
        data=file.read(MAX_BYTES + 1),
        missing=missing,
        user=request.user,
    )
    pipeline.run_requested(run)
    return Status(202, run_or_404(request, run.pk))


@operation(router, "GET", f"{RUN}/predictions", "list-predictions", response=Listed[PredictionOut])
def list_predictions(request: CorpusRequest, slug: str, run: Key, window: Query[Window]) -> dict[str, Any]:
    """What became of each record of an upload."""
    outputs = run_or_404(request, run).outputs.select_related("page").defer("text", "spans")
    return listed(outputs, window)


def _do(request: CorpusRequest, pk: int, act: Callable[[Run], None], *, goes_on: bool = False) -> Run:
    run = run_or_404(request, pk)
    request.access.check_may_change(run)
    act(run)
    if goes_on:
        pipeline.run_requested(run)
    return run_or_404(request, pk)
