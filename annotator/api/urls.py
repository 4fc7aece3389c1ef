"""The API's application: its operations, and how it answers errors."""

import json
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, RawPostDataException
from django.urls import URLPattern, path, re_path
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser

from annotator import __version__
from annotator.api import (
    corpora,
    extractions,
    gold,
    imports,
    jobs,
    pages,
    runs,
    scores,
    single_file,
    training,
)
from annotator.api.fields import EXPECTED
from annotator.api.limits import TooManyRequests
from annotator.api.routing import operation
from annotator.api.webhooks import endpoints as webhooks
from annotator.common.errors import GoldpanError
from annotator.common.http import problem

PREFIX = "api/v1/"


class _Parser(Parser):
    """JSON objects, which every operation takes: of another value, pydantic would read the attributes."""

    def parse_body(self, request: HttpRequest) -> Any:
        try:
            body = json.loads(request.body)
        except RecursionError as error:
            raise ValueError("it nests too deep") from error
        if not isinstance(body, dict):
            raise TypeError
        return body


def _nobody(request: HttpRequest) -> None:
    """The guard of an operation that was declared without one."""


api = NinjaAPI(
    title="Goldpan",
    version="1",
    description="Corpora of news pages, their gold, and extractors scored on it. See docs/api.md.",
    openapi_url=None,
    docs_url=None,
    auth=_nobody,
    parser=_Parser(),
    urls_namespace="api",
)
for module in (
    corpora,
    extractions,
    pages,
    single_file,
    imports,
    gold,
    runs,
    training,
    scores,
    jobs,
    webhooks,
):
    api.add_router("", module.router)


@operation(api.default_router, "GET", "/openapi.json", "get-schema", response=dict[str, Any])
def get_schema(request: HttpRequest) -> dict[str, Any]:
    """This description of the API, as OpenAPI 3.1."""
    return schema()


def schema() -> dict[str, Any]:
    """The description of the API."""
    found: dict[str, Any] = api.get_openapi_schema(path_prefix=f"/{PREFIX}")
    found["info"]["x-goldpan-version"] = __version__
    return found


# ---- errors ----


@api.exception_handler(GoldpanError)
def _refused(request: HttpRequest, error: GoldpanError) -> HttpResponse:
    answer = problem(error.status, error.message)
    if isinstance(error, TooManyRequests):
        answer["Retry-After"] = str(error.retry_after)
    return answer


@api.exception_handler(Http404)
def _missing(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404, _("There is nothing here, or you may not see it."))


@api.exception_handler(AuthenticationError)
def _unknown(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    answer = problem(401, error.message)
    answer["WWW-Authenticate"] = 'Bearer realm="Goldpan"'
    return answer


@api.exception_handler(RawPostDataException)
def _form(request: HttpRequest, error: RawPostDataException) -> HttpResponse:
    """The body was read as a form with files, which this operation does not take."""
    return problem(400, _("The request must be a JSON object."))


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Raised by django-ninja itself, for what the parser refuses."""
    if isinstance(error.__cause__, TypeError):
        return problem(400, _("The request must be a JSON object."))
    return problem(400, _("The request is not JSON: %(error)s") % {"error": error.__cause__})


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    found = [{"field": _field(*each["loc"]), "message": _message(each)} for each in error.errors]
    named = "; ".join(f"{each['field']}: {each['message']}" for each in found[:3])
    return problem(422, _("The request is not valid. %(what)s") % {"what": named}, errors=found)


def _field(part: str, *path: str | int) -> str:
    """What a field is called in the request: the first step of several is our own name for all of it."""
    return ".".join(map(str, path[1:] if part == "body" or len(path) > 1 else path)) or part


def _message(error: dict[str, Any]) -> str:
    if error["type"] == "extra_forbidden":
        return _("There is no such field here. Is it misspelt?")
    expected = EXPECTED.get(error.get("ctx", {}).get("pattern"))
    return str(expected or error["msg"].removeprefix("Value error, "))


@csrf_exempt  # a token counts here, and no session
def unknown(request: HttpRequest, **more: object) -> HttpResponse:
    """The answer at addresses of no operation."""
    return problem(404, _("There is no such address in the API. See docs/api.md."))


def _with_our_405(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The view of a path: django-ninja refuses other methods with a page, past the handlers above."""

    @wraps(view)
    def wrapped(request: HttpRequest, **parameters: object) -> HttpResponse:
        answer = view(request, **parameters)
        if not isinstance(answer, HttpResponseNotAllowed):
            return answer
        allowed = answer["Allow"]
        refused = problem(answer.status_code, f"This address takes {allowed}, not {request.method}.")
        refused["Allow"] = allowed
        return refused

    return wrapped


def _routes() -> Iterator[URLPattern]:
    """The route of each operation, without the namespace in which django-ninja puts them."""
    for each in api.urls[0]:
        if isinstance(each, URLPattern) and each.name != "api-root":
            yield path(f"{PREFIX}{each.pattern}", _with_our_405(each.callback), name=each.name)


urlpatterns = [*_routes(), re_path("^api/", unknown, name="api-unknown")]
