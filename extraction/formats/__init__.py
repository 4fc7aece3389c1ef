"""Readers and writers of corpora: a module a format, with `read(path)` and mostly `write(records, stream)`.

Readers stream. A record that cannot be read is a `BadRecord` with its place and reason, and reading goes on.
"""

from types import ModuleType

from extraction.formats import html, jsonl, scrapinghub
from extraction.formats.gold import Gold, GoldError, Placed, place
from extraction.formats.records import BadRecord, FormatError, Record

READERS: dict[str, ModuleType] = {"html": html, "jsonl": jsonl, "scrapinghub": scrapinghub}
WRITERS: dict[str, ModuleType] = {"jsonl": jsonl, "scrapinghub": scrapinghub}

__all__ = [
    "READERS",
    "WRITERS",
    "BadRecord",
    "FormatError",
    "Gold",
    "GoldError",
    "Placed",
    "Record",
    "place",
]
