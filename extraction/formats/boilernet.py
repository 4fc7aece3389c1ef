"""`boilernet`: GoogleTrends-2017 in the shape of its repository.

A folder with `raw_html/NAME` and `prepared_html/NAME`. In the prepared page every text stands in an element
with `__boilernet_label`, 1 for content and 0 for boilerplate. Annotators marked everything but comments.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from extraction.formats.marked_pages import gold_of, losses_in_copy, write_copies
from extraction.formats.records import BadRecord, FormatError, PageRecord, read_bytes
from extraction.formats.texts import by_name
from extraction.formats.writing import DatasetFacts, FolderWriter, Loss, PageParts, Sink, spans_of
from extraction.spans import CONTENT, LABEL_SETS, Span, normalise, together

LABELS = frozenset({together(LABEL_SETS["article"])})
PAGES, PREPARED = "raw_html", "prepared_html"
_ATTRIBUTE = "__boilernet_label"


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages in the order of their names; raises `FormatError` where a folder is missing."""
    if not ((path / PAGES).is_dir() and (path / PREPARED).is_dir()):
        raise FormatError(f"{path} has no folders {PAGES} and {PREPARED}")
    for file in by_name(_pages(path)):
        try:
            gold = gold_of(read_bytes(path / PREPARED / file.name), _mark, LABELS)
            yield PageRecord(file.stem, read_bytes(file), gold=gold)
        except FormatError as error:
            yield BadRecord.of(file.stem, error)


def count(path: Path) -> int:
    """How many records there are."""
    return sum(1 for _ in _pages(path))


def _pages(path: Path) -> Iterator[Path]:
    return (file for file in (path / PAGES).glob("*") if file.suffix in (".html", ".htm"))


def _mark(attributes: dict[str, str]) -> str | None:
    return {"1": CONTENT, "0": ""}.get(attributes.get(_ATTRIBUTE, ""))


# ---- writing ----


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write `raw_html/ID.html` and `prepared_html/ID.html`; the id is the page's digest."""
    write_copies(records, sink, (PAGES, PREPARED), _content, _opening)


def _content(record: PageRecord) -> list[Span]:
    """Everything but comments and related articles, as one label."""
    kept = (span for span in spans_of(record) if span.label in LABEL_SETS["article"] | {CONTENT})
    return normalise(Span(start, end, CONTENT) for start, end, _label in kept)


def _opening(label: str) -> str:
    return f'{_ATTRIBUTE}="{1 if label else 0}"'


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.ALWAYS,
    articles="article",
    needs_tree=True,
    always=frozenset({Loss.LABELS, Loss.METADATA, Loss.SPLITS}),
    sometimes=frozenset({Loss.NEIGHBOURS, Loss.ELEMENTS}),
    losses_of=losses_in_copy,
)
