"""Ten older pages, which are awkward in ten ways: `pages/`, with a manifest that quotes their gold."""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from annotator.common import storage
from annotator.corpora.models import Corpus
from annotator.home import pending
from annotator.pages.actions import add_page, store_imported_gold
from annotator.pages.models import Page
from annotator.runs.queries import document_of_page
from extraction.documents.document import PARSER_VERSION, Document
from extraction.formats.gold import GoldRecord, to_json
from extraction.spans import LABELS, Span, clip

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


PAGES = Path(__file__).parent / "pages"


def add_pages_with_gold(corpus: Corpus) -> None:
    """Add the pages that have gold, with it."""
    records = json.loads((PAGES / "pages.json").read_text(encoding="utf-8"))
    pages = [(_add(corpus, record), record) for record in records if record["gold"] is not None]
    pending.run_pending(corpus)
    for page, record in pages:
        _import_gold(page, record)


def _add(corpus: Corpus, record: dict[str, Any]) -> Page:
    return add_page(
        corpus=corpus,
        raw=(PAGES / record["file"]).read_bytes(),
        url=record["url"],
        charset=record["charset"],
        captured_at=datetime.fromisoformat(record["captured_at"]),
        language=record["language"],
    ).page


def _import_gold(page: Page, record: dict[str, Any]) -> None:
    document = document_of_page(page.pk)
    assert document
    parsed = Document.unpack(storage.get(document.packed_sha256))
    gold = GoldRecord(
        verdict=record["verdict"],
        reason=record["reason"] or "",
        spans=tuple(spans_of(parsed, record["gold"])),
        labels=frozenset(LABELS),
        parser=PARSER_VERSION,
    )
    store_imported_gold(page=page, content=to_json(gold), source="demo")
