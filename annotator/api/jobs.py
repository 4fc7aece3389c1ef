"""Jobs, exports and releases."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from annotator import pipeline
from annotator.administration.jobs import queries as jobs
from annotator.api.fields import Key, Listed, RequestFields, Text, Window, listed
from annotator.api.routing import operation
from annotator.corpora.access import CorpusRequest
from annotator.releases import actions as releasing
from annotator.releases import queries as releases
from annotator.releases.exports import actions as exporting
from annotator.releases.exports import views as export_views
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.models import Export
from annotator.releases.models import Release
from annotator.releases.views import manifest

router = Router(tags=["jobs, exports, releases"])
EXPORT = "/corpora/{slug:slug}/exports/{id:export}"
RELEASE = "/corpora/{slug:slug}/releases/{id:number}"


class JobOut(Schema):
    """A piece of background work that somebody asked for."""

    kind: str
    label: str
    state: str
    done: int | None
    total: int | None
    error: str
    requested_at: datetime
    finished_at: datetime | None


class Jobs(Schema):
    open: list[JobOut]
    past: list[JobOut] = Field(description="The last ones")


class ExportOut(Schema):
    id: int
    format: str
    release: int | None = Field(description="Null: the gold that was current")
    state: str
    pages: int
    done: int
    size: int = Field(description="Bytes of the file")
    sha256: str = Field(description="Of the file; empty until it is written")
    is_withdrawn: bool = Field(description="Whether its file was removed, as a page was taken down")
    error: str
    requested_at: datetime

    @staticmethod
    def resolve_release(export: Export) -> int | None:
        return export.release.number if export.release else None

    @staticmethod
    def resolve_is_withdrawn(export: Export) -> bool:
        return export.withdrawn_at is not None


class NewExport(RequestFields):
    format: Text = Field(max_length=20)
    release: Key | None = Field(None, description="Its number; the current gold by default")
    pages: bool = Field(
        True,
        description="With the pages as captured, where the format can hold them; some always do",
    )
    annotations: bool = Field(
        False,
        description="With annotations before adjudication, under pseudonyms; not in every format",
    )
    outputs: bool = Field(
        False,
        description="With what extractors take, for the current gold; not in every format",
    )


class ReleaseOut(Schema):
    number: int
    note: str
    state: str
    pages: int
    done: int
    sha256: str = Field(description="Of the manifest, which identifies it; empty until it is made")
    error: str
    requested_at: datetime


class NewRelease(RequestFields):
    note: Text = Field("", max_length=500)


WITHOUT_NOTE = NewRelease.model_validate({})


@operation(router, "GET", "/corpora/{slug:slug}/jobs", "list-jobs", response=Jobs)
def list_jobs(request: CorpusRequest, slug: str) -> dict[str, Any]:
    """The newest imports, runs, exports, releases and the like: 30 of each kind."""
    corpus = request.access.corpus
    return {
        "open": [_job(each) for each in jobs.open_jobs(corpus)],
        "past": [_job(each) for each in jobs.past_jobs(corpus)],
    }


# ---- exports ----


@operation(router, "GET", "/corpora/{slug:slug}/exports", "list-exports", response=Listed[ExportOut])
def list_exports(request: CorpusRequest, slug: str, window: Query[Window]) -> dict[str, Any]:
    found = Export.objects.filter(corpus=request.access.corpus).select_related("release")
    return listed(found, window)


@operation(router, "POST", "/corpora/{slug:slug}/exports", "request-export", response=ExportOut, status=202)
def request_export(request: CorpusRequest, slug: str, new: NewExport) -> Status[Any]:
    """Ask for a file of the current gold or of a release."""
    corpus = request.access.corpus
    release = None
    if new.release is not None:
        release = get_object_or_404(releases.finished(corpus), number=new.release)
    contents = Contents(**new.dict() | {"corpus": corpus, "release": release})
    export = exporting.request_export(contents, user=request.user)
    pipeline.enqueue(export)
    return Status(202, export)


@operation(router, "GET", EXPORT, "get-export", response=ExportOut)
def get_export(request: CorpusRequest, slug: str, export: Key) -> Export:
    return export_views.export_or_404(request, export)


@operation(router, "POST", f"{EXPORT}/stop", "stop-export", response=ExportOut)
def stop_export(request: CorpusRequest, slug: str, export: Key) -> Export:
    exporting.stop_export(export=export_views.export_or_404(request, export))
    return export_views.export_or_404(request, export)


@operation(router, "GET", f"{EXPORT}/file", "get-export-file", content="application/octet-stream")
def get_export_file(request: CorpusRequest, slug: str, export: Key) -> HttpResponseBase:
    """The finished file."""
    return export_views.file(request, slug, export)


# ---- releases ----


@operation(router, "GET", "/corpora/{slug:slug}/releases", "list-releases", response=list[ReleaseOut])
def list_releases(request: CorpusRequest, slug: str) -> QuerySet[Release]:
    """All releases, the newest first."""
    return releases.releases_of(request.access.corpus)


@operation(
    router, "POST", "/corpora/{slug:slug}/releases", "request-release", response=ReleaseOut, status=202
)
def request_release(request: CorpusRequest, slug: str, new: NewRelease = WITHOUT_NOTE) -> Status[Any]:
    """Freeze the current gold as the next release."""
    release = releasing.request_release(corpus=request.access.corpus, user=request.user, note=new.note)
    pipeline.enqueue(release)
    return Status(202, release)


@operation(router, "GET", RELEASE, "get-release", response=ReleaseOut)
def get_release(request: CorpusRequest, slug: str, number: Key) -> Release:
    return _release_or_404(request, number)


@operation(router, "POST", f"{RELEASE}/stop", "stop-release", response=ReleaseOut)
def stop_release(request: CorpusRequest, slug: str, number: Key) -> Release:
    releasing.stop_release(release=_release_or_404(request, number))
    return _release_or_404(request, number)


@operation(router, "GET", f"{RELEASE}/manifest", "get-release-manifest", content="application/json")
def get_manifest(request: CorpusRequest, slug: str, number: Key) -> HttpResponseBase:
    """The manifest of a finished release: its pages by digest, with splits and counts."""
    return manifest(request, slug, number)


def _release_or_404(request: CorpusRequest, number: int) -> Release:
    return get_object_or_404(releases.releases_of(request.access.corpus), number=number)


def _job(job: jobs.Job) -> dict[str, Any]:
    return {
        "kind": job.model.__name__,
        **{name: getattr(job, name) for name in ("label", "state", "done", "total")},
        **{name: getattr(job.row, name) for name in ("error", "requested_at", "finished_at")},
    }
