"""Declaring operations."""

from collections.abc import Callable
from typing import Any, TypeVar

from ninja import Router
from ninja.constants import NOT_SET

from annotator.api.guard import Guard
from annotator.common.roles import route_of_operation

View = TypeVar("View", bound=Callable[..., Any])

_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was wrong, and what to do"},
        "errors": {
            "type": "array",
            "items": {"type": "object"},
            "description": "What is wrong in which field",
        },
    },
}
_ERRORS = {
    "4XX": {
        "description": "Refused, with the reason (RFC 9457)",
        "content": {"application/problem+json": {"schema": _PROBLEM}},
    }
}


def operation(
    router: Router,
    method: str,
    path: str,
    name: str,
    *,
    response: Any = NOT_SET,
    content: str = "",
    status: int = 200,
) -> Callable[[View], View]:
    """Declare an operation under its name in `common.roles.OPERATIONS`.

    `content` is the media type of an answer that is a file.
    """
    responses: dict[str, Any] = dict(_ERRORS)
    if content:
        file = {"type": "object"} if content == "application/json" else {"type": "string", "format": "binary"}
        responses[str(status)] = {"description": "The file", "content": {content: {"schema": file}}}
    declared: Callable[[View], View] = router.api_operation(
        [method],
        path,
        operation_id=name,
        url_name=route_of_operation(name),
        summary=name.replace("-", " ").capitalize(),
        auth=Guard(name),
        response=response if content or isinstance(response, dict) else {status: response},
        openapi_extra={"responses": responses},
    )
    return declared
