"""`l3s-gn1`: 621 news pages with block labels (Kohlschütter, Fankhauser and Nejdl, 2010).

A WARC file, a folder of them, or a folder with `original/NAME` and `annotated/NAME`. In WARC a `resource` is
the page and a `conversion`, which refers to it, the annotated copy. In the copy texts stand in spans of the
classes `x-nc-sel0` to `x-nc-sel5`, whose numbers are our labels. The innermost span of a text counts.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from extraction.formats.marked_pages import gold_of, losses_in_copy, write_copies
from extraction.formats.records import BadRecord, FormatError, PageRecord, read_bytes
from extraction.formats.texts import by_name
from extraction.formats.warc import WarcRecord, read_records
from extraction.formats.writing import (
    DatasetFacts,
    FolderWriter,
    Loss,
    PageParts,
    Sink,
    spans_of,
)
from extraction.spans import LABELS

_PROBED = 10  # records
PAGES, ANNOTATED = "original", "annotated"
#: By the number of the class; 0 is boilerplate.
CLASSES = ("", "headline", "body", "supplemental", "related", "comments")
_CLASS = re.compile(r"(?:^|\s)x-nc-sel([0-5])(?=\s|$)")


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages; raises `FormatError` for a path of another shape. Pages of a WARC file are held until
    their annotated copies come."""
    if (path / PAGES).is_dir():
        yield from _from_folders(path)
        return
    for file in _warc_files(path):
        yield from _from_warc(file)


def has_annotated_copies(path: Path) -> bool:
    """Whether a folder holds WARC files of this corpus: their first records are a page and its copy."""
    files = sorted([*path.glob("*.warc"), *path.glob("*.warc.gz")])
    first = islice(read_records(files[0], lambda _: False), _PROBED) if files else ()
    return any(isinstance(record, WarcRecord) and record.type == "conversion" for record in first)


def count(path: Path) -> int | None:
    """How many records there are, for folders; a WARC file does not say."""
    return sum(1 for _ in (path / PAGES).iterdir()) if (path / PAGES).is_dir() else None


def _warc_files(path: Path) -> list[Path]:
    files = [path] if path.is_file() else sorted([*path.glob("*.warc"), *path.glob("*.warc.gz")])
    if not files:
        raise FormatError(f"{path} has neither WARC files nor folders {PAGES} and {ANNOTATED}")
    return files


def _from_folders(path: Path) -> Iterator[PageRecord | BadRecord]:
    for file in by_name((path / PAGES).iterdir()):
        try:
            page = PageRecord(file.stem, read_bytes(file))
            yield _with_gold(page, read_bytes(path / ANNOTATED / file.name))
        except FormatError as error:
            yield BadRecord.of(file.stem, error)


def _with_gold(page: PageRecord, annotated: bytes) -> PageRecord:
    """The page with its gold; raises `FormatError` where the copy cannot be parsed."""
    return replace(page, gold=gold_of(annotated, _mark, frozenset(LABELS)))


def _from_warc(file: Path) -> Iterator[PageRecord | BadRecord]:
    pages: dict[str, PageRecord] = {}
    copies: dict[str, WarcRecord] = {}
    for number, record in enumerate(read_records(file), 1):
        if isinstance(record, FormatError):
            yield BadRecord.of(f"{file.name}:{number}", record)
        elif record.type == "resource":
            pages[record.id] = PageRecord(
                record.id, record.payload or b"", record.url, record.charset, record.date or None
            )
        elif record.type == "conversion":
            copies[record.refers_to] = record
        else:
            continue
        for name in pages.keys() & copies.keys():
            yield _paired(pages.pop(name), copies.pop(name))
    yield from (BadRecord(name, "has no annotated copy") for name in pages)
    yield from (BadRecord(copy.id, "is the copy of a page that is not there") for copy in copies.values())


def _paired(page: PageRecord, copy: WarcRecord) -> PageRecord | BadRecord:
    try:
        return _with_gold(page, copy.payload or b"")
    except FormatError as error:
        return BadRecord.of(page.location, error)


def _mark(attributes: dict[str, str]) -> str | None:
    found = _CLASS.findall(attributes.get("class", ""))
    return CLASSES[int(found[-1])] if found else None


# ---- writing ----


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write `original/ID.html` and `annotated/ID.html`; the id is the page's digest."""
    write_copies(records, sink, (PAGES, ANNOTATED), spans_of, _opening)


def _opening(label: str) -> str:
    """The class of a label; one of a corpus's own has none, and is boilerplate."""
    return f'class="x-nc-sel{CLASSES.index(label) if label in CLASSES else 0}"'


def _losses(record: PageRecord) -> frozenset[Loss]:
    known = all(span.label in CLASSES for span in spans_of(record))
    return losses_in_copy(record) if known else losses_in_copy(record) | {Loss.LABELS}


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.ALWAYS,
    articles="article",
    needs_tree=True,
    always=frozenset({Loss.METADATA, Loss.SPLITS}),
    sometimes=frozenset({Loss.LABELS, Loss.NEIGHBOURS, Loss.ELEMENTS}),
    losses_of=_losses,
)
