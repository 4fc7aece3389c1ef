"""Where a write comes from: a request, a command or a worker."""

from collections.abc import Callable
from contextvars import ContextVar
from ipaddress import ip_address
from typing import NamedTuple

from axes.helpers import get_client_ip_address
from celery import current_task
from django.http import HttpRequest, HttpResponse

from annotator.corpora.audit.models import AuditSource
from annotator.corpora.models import User

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class Origin(NamedTuple):
    source: AuditSource
    person: User | None = None
    address: str | None = None


def remember_request(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: what is written in this thread until the response comes from this request."""

    def middleware(request: HttpRequest) -> HttpResponse:
        token = _request.set(request)
        try:
            return get_response(request)
        finally:
            _request.reset(token)

    return middleware


def current_origin() -> Origin:
    request = _request.get()
    if request is None:
        return Origin(AuditSource.WORKER if current_task else AuditSource.COMMAND_LINE)
    person = request.user if request.user.is_authenticated else None
    source = AuditSource.API if getattr(request, "api_token", None) else AuditSource.WEB
    return Origin(source, person, address_of(request))


def address_of(request: HttpRequest) -> str | None:
    """The client's address, as the lockout after failed sign-ins sees it; None through a Unix socket."""
    given = get_client_ip_address(request) or ""
    try:
        # PostgreSQL's addresses have no zone.
        return str(ip_address(given.partition("%")[0]))
    except ValueError:
        return None
