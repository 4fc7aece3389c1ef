"""Small helpers of views: answers, refusals, headers."""

import json
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotator.common.errors import GoldpanError

View = Callable[..., HttpResponse]

TRUSTED_TYPES = {"require-trusted-types-for": ["'script'"], "trusted-types": ["'none'"]}


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def refuse(request: HttpRequest, status: int, message: str, **more: Any) -> HttpResponse:
    """Say no, in the form in which the request asked: JSON for programs, a page for people."""
    if wants_json(request):
        return JsonResponse({"error": message, **more}, status=status)
    return render(request, "error.html", {"status": status, "message": message}, status=status)


def json_body(request: HttpRequest) -> dict[str, Any]:
    """The request's JSON object; GoldpanError when it is none."""
    try:
        body = json.loads(request.body)
    except ValueError as error:
        raise GoldpanError(_("The request is not JSON: %(error)s") % {"error": error}) from error
    if not isinstance(body, dict):
        raise GoldpanError(_("The request must be a JSON object."))
    return body


def answers_errors(view: View) -> View:
    """Turn a GoldpanError of the action into its answer; anything else stays a 500."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except GoldpanError as error:
            return refuse(request, error.status, error.message, **getattr(error, "details", {}))

    return wrapped


def resource_policy(get_response: View) -> View:
    """No other site embeds or reads what we serve."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        if "text/html" in response.get("Content-Type", ""):
            response.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def trusted_types(view: View) -> View:
    """For the screens that show captured pages: there no string becomes markup or a script, by any policy."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.setdefault(HEADER, _policy(trusted_types=True))
        return response

    return wrapped


def content_policy(get_response: View) -> View:
    """What a screen may load and run, unless it says so itself.

    As django-csp's own middleware, which writes the same text anew for every response.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault(HEADER, _policy(trusted_types=False))
        return response

    return middleware


@cache
def _policy(*, trusted_types: bool) -> str:
    return str(build_policy(update=TRUSTED_TYPES if trusted_types else None))


def screen(request: HttpRequest) -> dict[str, Any]:
    """What every template may use."""
    from annotator import __version__

    standing = getattr(request, "standing", None)
    return {
        "goldpan_version": __version__,
        "corpus": standing.corpus if standing else None,
        "my_roles": standing.roles if standing else frozenset(),
        "languages": settings.LANGUAGES,
    }
