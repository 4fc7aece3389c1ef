"""The audit log: of a corpus, for its admins; of the site, for superusers."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotator.common.key_slice import key_slice
from annotator.corpora.access import CorpusRequest, UserRequest
from annotator.corpora.audit.files import FORMATS
from annotator.corpora.audit.forms import AuditFilter
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.audit.queries import events_for, events_of, filtered

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
    context = {
        "form": form,
        "shown": key_slice(filtered(events, form.filters()), size=EVENTS_AT_ONCE, **form.keys()),
        "query": form.query(),
        "file": file,
    }
    return render(request, "corpora/audit_log.html", context)


def _file(request: HttpRequest, events: QuerySet[AuditEvent], *, name: str) -> StreamingHttpResponse:
    """The events that the filters of the screen select, as CSV or JSON lines."""
    form = AuditFilter(request.GET)
    format_ = "jsonl" if request.GET.get("format") == "jsonl" else "csv"
    lines, content_type = FORMATS[format_]
    rows = filtered(events, form.filters()).iterator(chunk_size=ROWS_READ_AT_ONCE)
    response = StreamingHttpResponse(lines(rows), content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.{format_}"'
    response["Cache-Control"] = "private, no-store"
    return response
