"""What a log line says besides its message, and what it never says.

A line names the request that led to it, in the web server and in the workers (`request_id`), who was signed
in, and the task. It holds no secret: a link for an invitation or a password is a path, so the route's name
stands in its place; of an exception's message only the first line is logged, as the rest may quote a page.
"""

import json
import logging
import re
import time
import traceback
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from celery import current_task
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
# PostgreSQL's description of an error, from where it quotes the row; in an exception's repr, too.
DETAIL = re.compile(r"\s*(?:\n|\\n)(?:DETAIL|CONTEXT):.*", re.DOTALL)
LONGEST_MESSAGE = 300

request_id: ContextVar[str] = ContextVar("request_id", default="")
user_id: ContextVar[int | None] = ContextVar("user_id", default=None)
_began: ContextVar[float] = ContextVar("began", default=0.0)

# One line per request and per task, where LOG_FORMAT is json.
requests = logging.getLogger("annotator.access.request")
tasks = logging.getLogger("annotator.access.task")


def follow_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: give the request an id, the client's own if it is well-formed, and return it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        request_id.set(given if WELL_FORMED.fullmatch(given) else uuid4().hex)
        user_id.set(None)
        began = time.perf_counter()
        response = get_response(request)
        response.headers[HEADER] = request_id.get()
        taken = 1000 * (time.perf_counter() - began)
        requests.info("%s %s %d, %.0f ms", request.method, route_of(request), response.status_code, taken)
        return response

    return middleware


def begin_task(given: str | None) -> None:
    """Log under the id that came with the task's message; one from the sweeper has none and gets its own."""
    request_id.set(given or uuid4().hex)
    _began.set(time.perf_counter())


def end_task(name: str, arguments: Iterable[object], state: str) -> None:
    """Arguments of tasks are primary keys."""
    taken = 1000 * (time.perf_counter() - _began.get())
    keys = ", ".join(str(key) for key in arguments)
    tasks.info("%s(%s) %s, %.0f ms", name, keys, state, taken)
    request_id.set("")


def route_of(request: HttpRequest) -> str:
    """The name of the route, which unlike the path holds no token; "-" where there is none."""
    return request.resolver_match.view_name if request.resolver_match else "-"


class Context(logging.Filter):
    """Adds to each record what led to it, and removes what must not be logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        record.user_id = user_id.get()
        record.task_id = current_task.request.id if current_task else None
        record.task = current_task.name if current_task else None
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            # Django escapes the arguments of its messages about requests.
            path = request.path.encode("unicode_escape").decode("ascii")
            record.args = tuple(route_of(request) if arg == path else arg for arg in record.args)
        record.msg, record.args = DETAIL.sub("", record.getMessage()), None
        if record.exc_info and record.exc_info[1]:
            record.exc_text = describe(record.exc_info[1])
        return True


def describe(error: BaseException) -> str:
    """The tracebacks of the exception and of those that led to it, with the first lines of their messages."""
    parts = []
    at: BaseException | None = error
    while at is not None:
        message = (str(at).splitlines() or [""])[0][:LONGEST_MESSAGE]
        frames = "".join(traceback.format_tb(at.__traceback__))
        parts.append(f"{frames}{type(at).__qualname__}: {message}")
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return "\n".join(reversed(parts))


class JsonFormatter(logging.Formatter):
    """One JSON object a line, of these fields and no other; those without a value are left out."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        for field in ("request_id", "user_id", "task_id", "task"):
            line[field] = getattr(record, field, None)
        line["exception"] = record.exc_text
        return json.dumps({name: value for name, value in line.items() if value not in (None, "")})
