"""`parquet`: a table of one row a page, in columns; for pandas, Polars, DuckDB and Spark.

Spans are lists of `{start, end, label}`, in code points of the column `text`.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from extraction.formats.records import AnnotationRecord, PageRecord
from extraction.formats.writing import (
    DatasetFacts,
    FileWriter,
    PageParts,
    document_of,
    spans_of,
    verdict_of,
)
from extraction.spans import Span

if TYPE_CHECKING:
    import pyarrow as pa

# A group of rows ends with the page that makes it this large, in characters and bytes.
_GROUP = 16 << 20
_ROWS = 5000
SPLITS = ("train", "dev", "test")
#: The name of the part for pages without a split, which is what programs call a set that is not split.
UNSPLIT = "train"


class ParquetColumn(NamedTuple):
    """A column, its type as Arrow and as Croissant call it, and what is in it."""

    name: str
    arrow: str
    croissant: str
    meaning: str


COLUMNS = (
    ParquetColumn("sha256", "string", "sc:Text", "SHA-256 of the page's bytes as captured"),
    ParquetColumn("url", "string", "sc:URL", "where the page came from"),
    ParquetColumn("site", "string", "sc:Text", "the site by the public suffix list"),
    ParquetColumn("language", "string", "sc:Text", "BCP 47 tag"),
    ParquetColumn("captured_at", "string", "sc:Text", "when it was captured, ISO 8601"),
    ParquetColumn("charset", "string", "sc:Text", "what the HTTP headers declared"),
    ParquetColumn("split", "string", "sc:Text", "train, dev or test; empty where there are no splits"),
    ParquetColumn("verdict", "string", "sc:Text", "article, not_article, several or cannot_tell"),
    ParquetColumn("reason", "string", "sc:Text", "why a page is no article"),
    ParquetColumn("parser", "string", "sc:Text", "the parser version that made the text"),
    ParquetColumn("document_sha256", "string", "sc:Text", "SHA-256 of the text in UTF-8"),
    ParquetColumn("text", "string", "sc:Text", "the canonical text of the page"),
    ParquetColumn("labels", "strings", "sc:Text", "the labels that this gold can tell apart"),
    ParquetColumn("spans", "spans", "", "the gold: [start, end) in code points of the text, with a label"),
)
ANNOTATIONS = ParquetColumn(
    "annotations", "annotations", "", "what each annotator submitted, before adjudication"
)
HTML = ParquetColumn("html", "bytes", "sc:Text", "the page's bytes as captured")


def columns_of(facts: DatasetFacts) -> list[ParquetColumn]:
    """The columns of an export."""
    more = [ANNOTATIONS] if facts.annotations else []
    return [*COLUMNS, *more, *([HTML] if facts.raw_pages else [])]


def schema_of(facts: DatasetFacts) -> "pa.Schema":
    """The columns with Arrow's types."""
    import pyarrow as pa  # large: nobody else waits for it

    span = pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64()), ("label", pa.string())]))
    types = {
        "string": pa.string(),
        "bytes": pa.binary(),
        "strings": pa.list_(pa.string()),
        "spans": span,
        "annotations": pa.list_(
            pa.struct(
                [
                    ("annotator", pa.string()),
                    ("verdict", pa.string()),
                    ("reason", pa.string()),
                    ("spans", span),
                ]
            )
        ),
    }
    return pa.schema([(column.name, types[column.arrow]) for column in columns_of(facts)])


def row_of(record: PageRecord, facts: DatasetFacts) -> dict[str, Any]:
    """A row: what `COLUMNS` names."""
    document, gold = document_of(record), record.gold
    row: dict[str, Any] = {
        "sha256": record.sha256,
        "url": record.url,
        "site": record.site,
        "language": record.language or "",
        "captured_at": record.captured_at or "",
        "charset": record.charset or "",
        "split": record.split,
        "verdict": verdict_of(record),
        "reason": gold.reason if gold else "",
        "parser": document.parser,
        "document_sha256": document.sha256,
        "text": document.text,
        "labels": sorted(gold.labels) if gold else [],
        "spans": spans_as_objects(spans_of(record)),
    }
    if facts.annotations:
        row["annotations"] = [annotation_as_object(each) for each in record.annotations]
    if facts.raw_pages:
        row["html"] = record.raw
    return row


def spans_as_objects(spans: Iterable[Span]) -> list[dict[str, Any]]:
    """Spans as a program of another language likes them."""
    return [{"start": start, "end": end, "label": label} for start, end, label in spans]


def annotation_as_object(annotation: AnnotationRecord) -> dict[str, Any]:
    """An annotation as JSON and Arrow have it."""
    return {
        "annotator": annotation.annotator,
        "verdict": annotation.verdict,
        "reason": annotation.reason,
        "spans": spans_as_objects(annotation.spans),
    }


class TableWriter:
    """Writes rows to a Parquet file, a group at a time."""

    def __init__(self, stream: BinaryIO | Path, facts: DatasetFacts) -> None:
        import pyarrow.parquet as pq

        self._facts, self._schema = facts, schema_of(facts)
        self._writer = pq.ParquetWriter(stream, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._size = 0
        self.count = 0

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()

    def add(self, record: PageRecord) -> None:
        """Add a page."""
        row = row_of(record, self._facts)
        self._rows.append(row)
        self._size += len(row["text"]) + len(row.get("html", b""))
        self.count += 1
        if self._size > _GROUP or len(self._rows) >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self._size = [], 0


def produce(records: Iterable[PageRecord], stream: BinaryIO, facts: DatasetFacts) -> None:
    """Write one file."""
    with TableWriter(stream, facts) as table:
        for record in records:
            table.add(record)


class Part(NamedTuple):
    """A split with pages: its finished file and how many there are."""

    split: str
    path: Path
    pages: int


@contextmanager
def parts_of(records: Iterable[PageRecord], scratch: Path, facts: DatasetFacts) -> Iterator[list[Part]]:
    """A file in `scratch` for each split, side by side: train, dev, test. Afterwards they are gone."""
    tables: dict[str, TableWriter] = {}
    with TemporaryDirectory(dir=scratch) as folder:
        paths = {split: Path(folder, f"{split}.parquet") for split in SPLITS}
        with ExitStack() as opened:
            for record in records:
                split = record.split or UNSPLIT
                if split not in tables:
                    tables[split] = opened.enter_context(TableWriter(paths[split], facts))
                tables[split].add(record)
        yield [Part(split, paths[split], tables[split].count) for split in SPLITS if split in tables]


WRITER = FileWriter(
    produce=produce,
    suffix="parquet",
    pages=PageParts.OPTIONAL,
    annotations=True,
)
