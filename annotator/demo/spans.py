"""Converts the passages quoted in the demo manifest to spans of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from extraction.documents.document import Document
from extraction.spans import Span, clip

MAX_QUOTE = 60  # characters of a passage in an error message


class DemoError(Exception):
    """The demo manifest does not match its pages."""


def spans_of(document: Document, passages: Iterable[Sequence[str]]) -> list[Span]:
    """Return the spans of `(label, passage)` pairs, which are in the order of the text.

    A passage is searched for from the end of the previous one, so that a pull quote is not confused with the
    sentence that it repeats. Whitespace matches any whitespace. A passage over several blocks gives a span
    for each. Raises `DemoError` for the first passage that is not found.
    """
    found: list[Span] = []
    position = 0
    for label, passage in passages:
        start, position = _locate(document.text, passage, position)
        found.append(Span(start, position, label))
    return clip(found, document.blocks, document.text)


def _locate(text: str, passage: str, position: int) -> tuple[int, int]:
    words = passage.split()
    match = re.compile(r"\s+".join(map(re.escape, words))).search(text, position)
    if match is None or not words:
        shown = " ".join(words)[:MAX_QUOTE]
        raise DemoError(f"not found from character {position} on: “{shown}”")
    return match.start(), match.end()
