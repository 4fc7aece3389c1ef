"""`boilernet`: GoogleTrends-2017 in the shape of its repository.

A folder with `raw_html/NAME` and `prepared_html/NAME`. In the prepared page every text stands in an element
with `__boilernet_label`, 1 for content and 0 for boilerplate. Annotators marked everything but comments.
"""

from collections.abc import Iterator
from pathlib import Path

from extraction.formats.marked_pages import gold_of
from extraction.formats.records import BadRecord, FormatError, PageRecord, read_bytes
from extraction.formats.texts import natural_key
from extraction.spans import CONTENT, LABEL_SETS, together

LABELS = frozenset({together(LABEL_SETS["article"])})
PAGES, PREPARED = "raw_html", "prepared_html"
_ATTRIBUTE = "__boilernet_label"


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages in the order of their names; raises `FormatError` where a folder is missing."""
    if not ((path / PAGES).is_dir() and (path / PREPARED).is_dir()):
        raise FormatError(f"{path} has no folders {PAGES} and {PREPARED}")
    for file in sorted(_pages(path), key=lambda file: natural_key(file.name)):
        try:
            gold = gold_of(read_bytes(path / PREPARED / file.name), _mark, LABELS)
            yield PageRecord(file.stem, read_bytes(file), gold=gold)
        except FormatError as error:
            yield BadRecord.of(file.stem, error)


def count(path: Path) -> int | None:
    """How many records there are."""
    return sum(1 for _ in _pages(path))


def _pages(path: Path) -> Iterator[Path]:
    return (file for file in (path / PAGES).glob("*") if file.suffix in (".html", ".htm"))


def _mark(attributes: dict[str, str]) -> str | None:
    return {"1": CONTENT, "0": ""}.get(attributes.get(_ATTRIBUTE, ""))
