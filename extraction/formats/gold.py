"""Gold as corpora carry it, and its way into a document."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from extraction.alignment import Alignment, align, project
from extraction.formats.texts import is_text
from extraction.spans import (
    CONTENT,
    LABEL_SETS,
    LABELS,
    HasText,
    Span,
    SpanError,
    can_tell,
    check,
    normalise,
    visible_length,
)

ARTICLE = "article"


class GoldError(ValueError):
    """Gold that is malformed, or that cannot be brought into a document."""


@dataclass(frozen=True, slots=True)
class GoldRecord:
    """A page's final verdict and text: as spans of one parser version's document, as plain text, or both.

    `reason` says why a page is not an article, in one word.
    `labels` are those that it can tell apart: it is scored on a label set only if it has all of its labels.
    `base` is the text that the spans speak of where that is not a document of `parser`: an annotated copy of
    the page, or the gold text alone with its parts labelled.
    `"body+headline"` (see `spans.together`) stands for both at once: such gold is scored on `main`, and not
    on `body`. `marked` is the text with CleanEval's `<p>`, `<h>` and `<l>` before its paragraphs.
    """

    verdict: str = ARTICLE
    reason: str = ""
    spans: tuple[Span, ...] | None = None
    text: str | None = None
    labels: frozenset[str] = frozenset(LABELS)
    parser: str | None = None
    marked: str | None = None
    base: str | None = None

    def can_tell(self, label_set: Collection[str]) -> bool:
        """Whether it can be scored on these labels."""
        return can_tell(self.labels, label_set)

    @property
    def default_label_set(self) -> str:
        """The widest of the usual label sets on which it can be scored."""
        usual = ("article", "main", "body", "any")
        return next((name for name in usual if self.can_tell(LABEL_SETS[name])), "article")


class ParsedText(HasText, Protocol):
    """All that gold asks of a document: its text, and the parser version by which spans count."""

    @property
    def version(self) -> str: ...


def place(gold: GoldRecord, document: ParsedText) -> Alignment:
    """Bring gold into a document: its spans if they were made for this parser version, else by alignment.

    Raises `GoldError` when the spans do not fit, or belong to another version and there is no text.
    """
    if gold.base is None and gold.spans is not None and gold.parser == document.version:
        return _as_they_are(gold.spans, document)
    if gold.spans is not None and gold.base is not None:
        return project(gold.base, gold.spans, document)
    if gold.text is not None:
        return align(gold.text, document, _label_of_text(gold))
    if gold.spans:
        raise GoldError(f"its spans are those of parser {gold.parser}, and there is no text to align")
    return Alignment([], 0, 0, [])


def _label_of_text(gold: GoldRecord) -> str:
    """The one label of a gold, if it has one."""
    only = next(iter(gold.labels)) if len(gold.labels) == 1 else CONTENT
    return CONTENT if "+" in only else only


def _as_they_are(spans: tuple[Span, ...], document: ParsedText) -> Alignment:
    try:
        check(spans, document)
    except SpanError as error:
        raise GoldError(str(error)) from error
    visible = sum(visible_length(document.text[start:end]) for start, end, _ in spans)
    return Alignment(list(spans), visible, visible, [])


def to_json(gold: GoldRecord) -> dict[str, Any]:
    """The object that `from_json` reads."""
    result: dict[str, Any] = {"verdict": gold.verdict, "labels": sorted(gold.labels)}
    if gold.reason:
        result["reason"] = gold.reason
    if gold.spans is not None:
        result["spans"] = [list(span) for span in gold.spans]
    texts = {"text": gold.text, "parser": gold.parser, "marked": gold.marked, "base": gold.base}
    return result | {name: text for name, text in texts.items() if text is not None}


def from_json(value: Any) -> GoldRecord:
    """Gold from a JSON object; raises `GoldError` that says which key is wrong."""
    if not isinstance(value, dict):
        raise GoldError("gold is not an object")
    gold = GoldRecord(
        verdict=_text(value, "verdict") or ARTICLE,
        reason=_text(value, "reason") or "",
        spans=_spans(value.get("spans")),
        text=_text(value, "text"),
        labels=_labels(value.get("labels")),
        parser=_text(value, "parser"),
        marked=_text(value, "marked"),
        base=_text(value, "base"),
    )
    if gold.spans and gold.base is not None and gold.spans[-1].end > len(gold.base):
        raise GoldError("gold: its spans go beyond its base")
    return gold


def _text(value: dict[str, Any], key: str) -> str | None:
    found = value.get(key)
    if found is None:
        return None
    if is_text(found):
        return str(found)
    raise GoldError(f"gold: {key} is not a text")


def _spans(rows: Any) -> tuple[Span, ...] | None:
    if rows is None:
        return None
    try:
        return tuple(normalise(_span(row) for row in rows))
    except (TypeError, ValueError) as error:
        raise GoldError(f"gold: spans are not [start, end, label]: {error}") from error


def _span(row: Any) -> Span:
    start, end, label = row
    if type(start) is int and type(end) is int and is_text(label):
        return Span(start, end, label)
    raise TypeError(f"{row!r}")


def _labels(value: Any) -> frozenset[str]:
    if value is None:
        return frozenset(LABELS)
    if isinstance(value, list) and all(map(is_text, value)):
        return frozenset(value)
    raise GoldError("gold: labels is not a list of texts")
