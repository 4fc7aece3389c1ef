"""Readers and writers of corpora: a module a format, with `read(path)`, a `WRITER` or both, and its row here.

Readers stream. A record that cannot be read is a `BadRecord` with location and reason, and reading goes on.
Where that is known without reading them, `count(path)` says how many records there are at most; for a path
that cannot be read it may raise `FormatError`, as `read` does. `WRITER` says what the format holds: see
`writing`.
"""

from types import ModuleType

from extraction.formats import (
    boilernet,
    cleaneval,
    croissant,
    csv_table,
    dragnet,
    files,
    html,
    huggingface,
    inception,
    jsonl,
    l3s,
    label_studio,
    mhtml,
    parquet,
    scrapinghub,
    warc,
    wcxb,
    web_annotation,
    webanno_tsv,
)
from extraction.formats.gold import GoldError, GoldRecord, place
from extraction.formats.records import BadRecord, FormatError, PageRecord
from extraction.formats.writing import Writer

FORMATS: dict[str, ModuleType] = {
    "boilernet": boilernet,
    "cleaneval": cleaneval,
    "croissant": croissant,
    "csv": csv_table,
    "dragnet": dragnet,
    "files": files,
    "html": html,
    "huggingface": huggingface,
    "inception": inception,
    "jsonl": jsonl,
    "l3s-gn1": l3s,
    "label-studio": label_studio,
    "mhtml": mhtml,
    "parquet": parquet,
    "scrapinghub": scrapinghub,
    "warc": warc,
    "wcxb": wcxb,
    "web-annotation": web_annotation,
    "webanno-tsv": webanno_tsv,
}
READERS = {name: module for name, module in FORMATS.items() if hasattr(module, "read")}
WRITERS: dict[str, Writer] = {
    name: module.WRITER for name, module in FORMATS.items() if hasattr(module, "WRITER")
}

__all__ = [
    "FORMATS",
    "READERS",
    "WRITERS",
    "BadRecord",
    "FormatError",
    "GoldError",
    "GoldRecord",
    "PageRecord",
    "Writer",
    "place",
]
