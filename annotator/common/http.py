"""Helpers of views: error responses, JSON bodies, headers."""

import json
import os
import sys
from collections.abc import Callable, Iterable
from errno import EDQUOT, ENOSPC
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse, RawPostDataException
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.http import parse_header_parameters, url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views import defaults

from annotator.common.errors import BadRequest, GoldpanError, NotAllowed, StorageAway
from extraction.formats.texts import storable

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

View = Callable[..., HttpResponse]

# Seconds after which a client should try again when the database or the bucket cannot be reached.
RETRY_AFTER = 5
# What the system, and in its words PostgreSQL, says then.
DISK_FULL = (os.strerror(ENOSPC), os.strerror(EDQUOT))

# For screens that show captured pages: with Trusted Types, no string becomes markup or a script there.
trusted_types: Callable[[View], View] = csp_update(  # type: ignore[assignment]  # its views take no arguments
    {"require-trusted-types-for": ["'script'"], "trusted-types": ["'none'"]}
)


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def is_of_api(request: HttpRequest) -> bool:
    """Whether the request is for the API, whose errors are all of one format."""
    return request.path.startswith("/api/")


def problem(status: int, detail: str, **more: Any) -> JsonResponse:
    """An error response of the API, as RFC 9457 has it; `more` are further members."""
    title = HTTPStatus(status).phrase
    return JsonResponse(
        {"type": "about:blank", "title": title, "status": status, "detail": detail, **more},
        status=status,
        content_type="application/problem+json",
    )


def refuse(request: HttpRequest, status: int, message: str, **more: Any) -> HttpResponse:
    """Return an error response in the format that the request accepts: JSON or a page."""
    if is_of_api(request):
        return problem(status, message, **more)
    if wants_json(request):
        return JsonResponse({"error": message, **more}, status=status)
    context = {"status": status, "message": message, **_given_back(request)}
    return render(request, "error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400, with an answer to programs in the format of the API's errors.

    Screens send no such requests; the host of one may be none whose templates could be rendered.
    """
    if not is_of_api(request):
        return defaults.bad_request(request, exception)
    if isinstance(exception, (TooManyFilesSent, TooManyFieldsSent)):
        message = _(
            "A request may have %(files)d files and %(fields)d fields. Send more files as one archive, "
            "or in several requests."
        )
        limits = {
            "files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
            "fields": settings.DATA_UPLOAD_MAX_NUMBER_FIELDS,
        }
        return problem(400, message % limits)
    return problem(400, _("The request cannot be read: %(error)s") % {"error": exception})


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404."""
    if wants_json(request):
        return refuse(request, 404, _("There is nothing here, or you may not see it."))
    return render(request, "404.html", _given_back(request), status=404)


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Tell a script, or whoever submitted a form, that nobody is signed in any more."""
    if wants_json(request):
        return refuse(request, 401, _("You are signed out. Sign in again; nothing is lost."))
    return render(request, "401.html", _given_back(request), status=401)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's CSRF_FAILURE_VIEW, with an answer to scripts that sets no cookie.

    A new one would spoil the form in another tab with which the person is about to sign in again.
    """
    if wants_json(request):
        return ask_to_sign_in(request)
    return render(request, "403_csrf.html", _given_back(request), status=403)


def _given_back(request: HttpRequest) -> dict[str, Any]:
    """The texts of a form that was submitted on a screen of ours, to be copied, and the screen's address.

    They are not its choices, numbers and tokens, which are a word each, and not its passwords.
    What another site has sent is not shown as if somebody had typed it here.
    """
    ours = f"{request.scheme}://{request.get_host()}"
    if request.headers.get("Origin") != ours:
        return {}
    typed = [
        value
        for name, values in request.POST.lists()
        if "password" not in name
        for value in values
        if len(value.split()) > 1
    ]
    screen = request.headers.get("Referer", "").removeprefix(ours)
    is_here = url_has_allowed_host_and_scheme(screen, allowed_hosts=None)
    return {"typed": typed, "screen": screen if is_here else ""}


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: 503 with Retry-After where database or bucket are away, or the disk is full.

    It asks nothing of the database, and so nothing of the request's user.
    """
    error = sys.exception()
    is_full = isinstance(error, (OSError, OperationalError)) and any(full in str(error) for full in DISK_FULL)
    is_away = isinstance(error, StorageAway)
    unavailable = is_full or is_away or isinstance(error, (OperationalError, InterfaceError))
    status = 503 if unavailable else 500
    headers = {"Retry-After": str(RETRY_AFTER)} if unavailable else {}
    if wants_json(request) or is_of_api(request):
        if is_full:
            message = _("The disk of the server is full. Try again when an admin has freed space.")
        elif is_away:
            message = _("The storage of files does not answer. Try again in a moment.")
        elif unavailable:
            message = _("The database is restarting.")
        else:
            message = _("Something went wrong.")
        answer = refuse(request, status, message)
        for name, value in headers.items():
            answer[name] = value
        return answer
    what = {"status": status, "is_full": is_full, "is_away": is_away}
    page = render_to_string("500.html", {**what, **_given_back(request)})
    return HttpResponse(page, status=status, headers=headers)


def json_body(request: HttpRequest) -> dict[str, Any]:
    """Return the request's JSON object, with text that PostgreSQL can store.

    JSON may contain NUL and half of a surrogate pair: the one is left out, the other replaced, so that what
    stands around them is not lost. Raises BadRequest when the body is not a JSON object.
    """
    try:
        body = _storable(json.loads(request.body))
    except (ValueError, RecursionError, RawPostDataException) as error:
        raise BadRequest(_("The request is not JSON: %(error)s") % {"error": error}) from error
    if not isinstance(body, dict):
        raise BadRequest(_("The request must be a JSON object."))
    return body


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {_storable(key): _storable(each) for key, each in value.items()}
    return [_storable(each) for each in value] if isinstance(value, list) else value


def utf_8_only(application: "WSGIApplication") -> "WSGIApplication":
    """Refuse requests that name another character set than UTF-8, which no browser does.

    Before Django sees them, as it fails on codecs that are no character sets, and on forms in UTF-7.
    """

    def wrapped(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if _is_utf_8(environ.get("CONTENT_TYPE", "")):
            return application(environ, start_response)
        start_response("400 Bad Request", [("Content-Type", "text/plain")])
        return [b"The request has an unknown character set.\n"]

    return wrapped


def _is_utf_8(content_type: str) -> bool:
    try:
        _kind, parameters = parse_header_parameters(content_type)
    except (LookupError, ValueError):
        return False
    return bool(parameters.get("charset", "utf-8").lower() == "utf-8")


def understandable(get_response: View) -> View:
    """Middleware: refuse what is too large, and forms and queries with NUL, which is in no text."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.META.get("goldpan.body_left_out"):  # by `annotator.web_worker`
            message = _("The file is larger than %(n)s MiB. Compress it with gzip, or split it.")
            return refuse(request, 413, message % {"n": settings.DATA_UPLOAD_MAX_MEMORY_SIZE >> 20})
        fields = (*request.GET.lists(), *request.POST.lists())
        if any("\0" in value for name, values in fields for value in (name, *values)):
            return refuse(request, 400, _("The request has characters that are no text."))
        return get_response(request)

    return middleware


def answers_errors(view: View) -> View:
    """Turn a GoldpanError that the view raises into an error response."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except GoldpanError as error:
            return refuse(request, error.status, error.message, **getattr(error, "details", {}))

    return wrapped


def shows_errors(screen: str, *keys: str) -> Callable[[View], View]:
    """Go back to a screen of the corpus, with the message of the GoldpanError that the view raises.

    Whoever may not do it at all, or has typed a text that would be lost, gets an error page instead.
    `keys` name those arguments of the view, beside the slug, that are in the screen's address.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            try:
                return view(request, **kwargs)
            except GoldpanError as error:
                if isinstance(error, NotAllowed) or _given_back(request).get("typed"):
                    return refuse(request, error.status, error.message)
                messages.error(request, error.message)
                return redirect(screen, *(kwargs[key] for key in ("slug", *keys)))

        return wrapped

    return decorate


def resource_policy(get_response: View) -> View:
    """Middleware: no other site may embed or read a response, and no page is cached."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        if "text/html" in response.get("Content-Type", ""):
            response.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def template_context(request: HttpRequest) -> dict[str, Any]:
    """What every template can use."""
    from annotator import __version__

    access = getattr(request, "access", None)
    return {
        "goldpan_version": __version__,
        "corpus": access.corpus if access else None,
        "my_roles": access.roles if access else frozenset(),
        "languages": settings.LANGUAGES,
    }
