"""Readers and writers of corpora: a module a format, with `read(path)` and mostly `write(records, stream)`.

Readers stream. A record that cannot be read is a `BadRecord` with location and reason, and reading goes on.
`count(path)` says how many records there are at most, or None where only reading would tell; for a path that
cannot be read it may raise `FormatError`, as `read` does.
"""

from types import ModuleType

from extraction.formats import (
    boilernet,
    cleaneval,
    dragnet,
    files,
    html,
    jsonl,
    l3s,
    mhtml,
    scrapinghub,
    warc,
    wcxb,
)
from extraction.formats.gold import GoldError, GoldRecord, PlacedGold, place
from extraction.formats.records import BadRecord, FormatError, PageRecord

READERS: dict[str, ModuleType] = {
    "boilernet": boilernet,
    "cleaneval": cleaneval,
    "dragnet": dragnet,
    "files": files,
    "html": html,
    "jsonl": jsonl,
    "l3s-gn1": l3s,
    "mhtml": mhtml,
    "scrapinghub": scrapinghub,
    "warc": warc,
    "wcxb": wcxb,
}
WRITERS: dict[str, ModuleType] = {"jsonl": jsonl, "scrapinghub": scrapinghub}

__all__ = [
    "READERS",
    "WRITERS",
    "BadRecord",
    "FormatError",
    "GoldError",
    "GoldRecord",
    "PageRecord",
    "PlacedGold",
    "place",
]
