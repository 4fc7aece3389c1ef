"""The audit log: of a corpus, for its admins; of the site, for superusers."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotator.common.csv_files import csv_response, download
from annotator.common.key_slice import key_slice
from annotator.corpora.access import CorpusRequest, UserRequest
from annotator.corpora.audit.forms import AuditFilter
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.audit.queries import events_for, events_of, filtered

COLUMNS = ("at", "action", "source", "person", "address", "corpus", "about", "item", "changes")


def _rows(events: Iterable[AuditEvent]) -> Iterator[Iterable[str]]:
    yield COLUMNS
    for event in events:
        changes = json.dumps(event.changes, ensure_ascii=False, sort_keys=True)
        yield (_record(event) | {"changes": changes}).values()


def _json_lines(events: Iterable[AuditEvent]) -> Iterator[str]:
    for event in events:
        yield json.dumps(_record(event), ensure_ascii=False) + "\n"


def _record(event: AuditEvent) -> dict[str, Any]:
    return {
        "at": event.at.isoformat(),
        "action": event.action,
        "source": event.source,
        "person": event.person.username if event.person else None,
        "address": event.address,
        "corpus": event.corpus.slug if event.corpus else None,
        "about": event.about.username if event.about else None,
        "item": event.item,
        "changes": event.changes,
    }


EVENTS_AT_ONCE = 50
ROWS_READ_AT_ONCE = 500


@require_GET
def audit_log(request: CorpusRequest, slug: str) -> HttpResponse:
    return _list(request, events_of(request.access.corpus), file=reverse("audit-log-file", args=[slug]))


@require_GET
def audit_log_file(request: CorpusRequest, slug: str) -> StreamingHttpResponse:
    return _file(request, events_of(request.access.corpus), name=f"{slug}-audit-log")


@require_GET
def site_audit_log(request: UserRequest) -> HttpResponse:
    return _list(request, events_for(request.user), file=reverse("site-audit-log-file"))


@require_GET
def site_audit_log_file(request: UserRequest) -> StreamingHttpResponse:
    return _file(request, events_for(request.user), name="goldpan-audit-log")


def _list(request: HttpRequest, events: QuerySet[AuditEvent], *, file: str) -> HttpResponse:
    form = AuditFilter(request.GET)
    known, rows = form.known(), filtered(events, form.filters())
    context = {
        "form": form,
        "shown": key_slice(rows, size=EVENTS_AT_ONCE, before=known["before"], after=known["after"]),
        "query": form.query(),
        "file": file,
    }
    return render(request, "corpora/audit_log.html", context)


def _file(request: HttpRequest, events: QuerySet[AuditEvent], *, name: str) -> StreamingHttpResponse:
    """The events that the filters of the screen select, as CSV or JSON lines."""
    form = AuditFilter(request.GET)
    rows = filtered(events, form.filters()).iterator(chunk_size=ROWS_READ_AT_ONCE)
    if request.GET.get("format") == "jsonl":
        lines = StreamingHttpResponse(_json_lines(rows), content_type="application/x-ndjson; charset=utf-8")
        return download(lines, f"{name}.jsonl")
    return csv_response(_rows(rows), f"{name}.csv")
