"""From the passages that the demo manifest quotes to spans of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from extraction.document import Document
from extraction.spans import Span, clip

SHOWN = 60  # characters of a passage that an error quotes


class DemoError(Exception):
    """The demo manifest says something that its pages do not bear out."""


def spans_of(document: Document, passages: Iterable[Sequence[str]]) -> list[Span]:
    """The spans of `(label, passage)` pairs, which stand in the order of the text.

    A passage is looked for from the end of the one before it, so that a pull quote is told from the
    sentence that it repeats; any whitespace in it stands for any in the text. A passage over several
    blocks gives a span for each. Raises `DemoError` for the first passage that is not found.
    """
    found: list[Span] = []
    position = 0
    for label, passage in passages:
        start, position = _place(document.text, passage, position)
        found.append(Span(start, position, label))
    return clip(found, document.blocks, document.text)


def _place(text: str, passage: str, position: int) -> tuple[int, int]:
    words = passage.split()
    match = re.compile(r"\s+".join(map(re.escape, words))).search(text, position)
    if match is None or not words:
        shown = " ".join(words)[:SHOWN]
        raise DemoError(f"not found from character {position} on: “{shown}”")
    return match.start(), match.end()
