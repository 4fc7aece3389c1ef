"""The requests of the workbench as domain values; a GoldpanError names what is invalid."""

import uuid
from typing import Any

from django.utils.translation import gettext as _

from annotator.annotations.actions import Draft
from annotator.common.errors import GoldpanError
from annotator.common.verdicts import NotArticleReason
from extraction.spans import Span

MAX_SPANS = 20_000
MAX_NOTE = 4_000
# A day.
MAX_SECONDS = 86_400


def draft_from(body: dict[str, Any]) -> Draft:
    """The untrusted body of a save as a Draft."""
    spans, quotes = quoted(body.get("spans"))
    return Draft(
        document_sha256=str(body.get("document", "")),
        based_on=whole(body, "based_on"),
        operation=_operation(body.get("operation")),
        spans=spans,
        quotes=quotes,
        verdict=str(body.get("verdict") or ""),
        reason=_reason(body.get("reason")),
        note=str(body.get("note") or "")[:MAX_NOTE],
        active_seconds=seconds(body),
    )


def quoted(value: Any) -> tuple[list[Span], list[str]]:
    """Spans, and the text that the browser shows at each."""
    if not isinstance(value, list) or len(value) > MAX_SPANS:
        raise GoldpanError(_("“spans” must be a list of at most %(most)d.") % {"most": MAX_SPANS})
    spans = [_span(item) for item in value]
    return [span for span, _quote in spans], [quote for _span, quote in spans]


def whole(body: dict[str, Any], name: str) -> int:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise GoldpanError(_("“%(name)s” must be a whole number.") % {"name": name})
    return value


def seconds(body: dict[str, Any]) -> int:
    return min(whole({"active_seconds": 0, **body}, "active_seconds"), MAX_SECONDS)


def _operation(value: Any) -> uuid.UUID:
    try:
        return uuid.UUID(str(value))
    except ValueError as error:
        raise GoldpanError(_("A save needs an operation: a UUID.")) from error


def _reason(value: Any) -> str:
    if value and value not in NotArticleReason.values:
        raise GoldpanError(_("Unknown reason “%(reason)s”.") % {"reason": value})
    return str(value or "")


def _span(item: Any) -> tuple[Span, str]:
    if not isinstance(item, dict):
        raise GoldpanError(_("A span is an object with start, end, label and text."))
    span = Span(whole(item, "start"), whole(item, "end"), str(item.get("label", "")))
    if span.start >= span.end:
        raise GoldpanError(_("A span must end after it starts."))
    return span, str(item.get("text", ""))
