"""`csv`: one row a page, for spreadsheets and pandas.

The text of each label stands in a column of its own; `text` is the canonical text, `spans` its spans as JSON.
What a spreadsheet would run as a formula begins with an apostrophe: see `escaped`.
"""

import codecs
import csv
import json
from collections.abc import Iterable
from typing import BinaryIO

from extraction.formats.records import PageRecord
from extraction.formats.writing import (
    DatasetFacts,
    FileWriter,
    Loss,
    document_of,
    spans_of,
    verdict_of,
)
from extraction.spans import CONTENT, Span

FACTS = ("sha256", "url", "site", "language", "captured_at", "split", "verdict", "reason")
# A cell that begins so is a formula to a spreadsheet, or would be after the apostrophe is taken off.
_FORMULAS = frozenset("=+-@\t\r'")


def produce(records: Iterable[PageRecord], stream: BinaryIO, facts: DatasetFacts) -> None:
    """Write the rows in UTF-8, with the columns of the corpus's labels."""
    labels = [*facts.labels, CONTENT]
    writer = csv.writer(codecs.getwriter("utf-8")(stream), lineterminator="\r\n")
    writer.writerow([*FACTS, *labels, "text", "document_sha256", "parser", "spans"])
    for record in records:
        writer.writerow(map(escaped, _row(record, labels)))


def _row(record: PageRecord, labels: list[str]) -> list[str]:
    document, spans = document_of(record), spans_of(record)
    return [
        record.sha256,
        record.url,
        record.site,
        record.language or "",
        record.captured_at or "",
        record.split,
        verdict_of(record),
        record.gold.reason if record.gold else "",
        *(text_under(label, spans, document.text) for label in labels),
        document.text,
        document.sha256,
        document.parser,
        json.dumps([list(span) for span in spans], separators=(",", ":")),
    ]


def text_under(label: str, spans: Iterable[Span], text: str) -> str:
    """The texts of one label, a line each."""
    return "\n".join(text[span.start : span.end] for span in spans if span.label == label)


def escaped(cell: str) -> str:
    """The cell, with an apostrophe before what a spreadsheet would run; `unescaped` takes it off."""
    return f"'{cell}" if cell[:1] in _FORMULAS else cell


def unescaped(cell: str) -> str:
    """The cell as it was."""
    return cell[1:] if cell.startswith("'") and cell[1:2] in _FORMULAS else cell


def _losses(record: PageRecord) -> frozenset[Loss]:
    # The cells of other labels are empty.
    labels = sorted({span.label for span in spans_of(record)})
    is_escaped = any(escaped(cell) != cell for cell in _row(record, labels))
    return frozenset({Loss.FORMULAS} if is_escaped else ())


WRITER = FileWriter(
    produce=produce,
    suffix="csv",
    sometimes=frozenset({Loss.FORMULAS}),
    losses_of=_losses,
)
