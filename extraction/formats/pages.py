"""The metadata of a page in JSON: shared by our own format and by what lies beside a saved page."""

import base64
from collections.abc import Mapping
from typing import Any

from extraction.formats.gold import GoldError, from_json, to_json
from extraction.formats.records import FormatError, PageRecord
from extraction.formats.texts import is_text

_TEXTS = ("url", "charset", "captured_at", "language")


def record_from_json(location: str, raw: bytes, metadata: Any) -> PageRecord:
    """A record of these bytes with the metadata of a JSON object; raises `FormatError` for a wrong one."""
    if not isinstance(metadata, dict):
        raise FormatError("is not a JSON object")
    wrong = next((key for key in _TEXTS if not (metadata.get(key) is None or is_text(metadata[key]))), None)
    if wrong:
        raise FormatError(f"{wrong} is not a text")
    try:
        gold = None if metadata.get("gold") is None else from_json(metadata["gold"])
    except GoldError as error:
        raise FormatError(str(error)) from error
    return PageRecord(
        location,
        raw,
        url=metadata.get("url") or "",
        charset=metadata.get("charset"),
        captured_at=metadata.get("captured_at"),
        language=metadata.get("language"),
        gold=gold,
        default_label_set=gold.default_label_set if gold else "article",
    )


def raw_as_json(raw: bytes) -> dict[str, str]:
    """The bytes of a page as a JSON object holds them: as text where they are UTF-8."""
    try:
        return {"html": raw.decode()}
    except UnicodeDecodeError:
        return {"html_base64": base64.b64encode(raw).decode()}


def raw_from_json(values: Mapping[str, Any]) -> bytes | None:
    """What `raw_as_json` wrote; None where there is no page. Of both, the bytes as captured count."""
    html, encoded = values.get("html"), values.get("html_base64")
    try:
        if isinstance(encoded, str):
            return base64.b64decode(encoded, validate=True)
        return html.encode() if isinstance(html, str) else None
    except ValueError as error:  # half of a surrogate pair, or no base64
        raise FormatError(f"html cannot be read: {error}") from error


def metadata_of(record: PageRecord) -> dict[str, Any]:
    """What `record_from_json` reads back; unknown metadata are left out."""
    metadata = {key: getattr(record, key) for key in _TEXTS if getattr(record, key)}
    return metadata | ({"gold": to_json(record.gold)} if record.gold else {})
