"""Where a write comes from: a request, a command or a worker."""

from collections.abc import Callable
from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple

from celery import current_task
from django.conf import settings
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
    return Origin(source, person, client_address(request))


def client_address(request: HttpRequest) -> str | None:
    """The address of the browser; of an IPv6 address the network, as one customer has all addresses of it.

    `X-Forwarded-For` is believed as far as our own proxies wrote it: each appends whom it was asked by.
    """
    given: Any = request.META.get("REMOTE_ADDR")
    forwarded = request.headers.get("X-Forwarded-For", "").replace(",", " ").split()
    if 0 < settings.PROXIES <= len(forwarded):
        given = forwarded[-settings.PROXIES]
    try:
        address = ip_address(given)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, 64), strict=False).network_address)
    return str(address)
