"""The facts about a page in JSON: shared by our own format and by what lies beside a saved page."""

from typing import Any

from extraction.formats.gold import GoldError, from_json, to_json
from extraction.formats.records import FormatError, Record
from extraction.formats.texts import is_text

_TEXTS = ("url", "charset", "captured_at", "language")


def record_from_json(place: str, raw: bytes, facts: Any) -> Record:
    """A record of these bytes with the facts of a JSON object; raises `FormatError` for a wrong one."""
    if not isinstance(facts, dict):
        raise FormatError("is not a JSON object")
    wrong = next((key for key in _TEXTS if not is_text(facts.get(key) or "")), None)
    if wrong:
        raise FormatError(f"{wrong} is not a text")
    try:
        gold = None if facts.get("gold") is None else from_json(facts["gold"])
    except GoldError as error:
        raise FormatError(str(error)) from error
    return Record(
        place,
        raw,
        url=facts.get("url") or "",
        charset=facts.get("charset"),
        captured_at=facts.get("captured_at"),
        language=facts.get("language"),
        gold=gold,
        default_label_set=gold.default_label_set if gold else "article",
    )


def facts_of(record: Record) -> dict[str, Any]:
    """What `record_from_json` reads back; unknown facts are left out."""
    facts = {key: getattr(record, key) for key in _TEXTS if getattr(record, key)}
    return facts | ({"gold": to_json(record.gold)} if record.gold else {})
