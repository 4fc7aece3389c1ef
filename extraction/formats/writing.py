"""What every format that is written declares of itself, and the two ways out: one file, or a folder.

    WRITER = FileWriter(produce=produce, suffix="csv", always=frozenset({Loss.METADATA}))

Writers stream: they hold one page, or what they say they hold. The same records give the same bytes: no
clocks, names, database keys or locations are in them.
"""

import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, ClassVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from extraction.formats.gold import ARTICLE, GoldRecord
from extraction.formats.records import DocumentText, FormatError, PageRecord
from extraction.spans import CONTENT, LABELS, Span

# ZIP knows no earlier time; a clock would change the bytes.
FIXED_DATE = (1980, 1, 1, 0, 0, 0)
# What is compressed already, or would have to be, is stored as it is.
_COMPRESSED = (".gz", ".parquet", ".zip")


class Loss(StrEnum):
    """What a format cannot hold of a page and its gold."""

    NOT_ARTICLES = "not-articles"  # pages that are no articles are left out
    LABELS = "labels"  # labels are merged, or left out
    OFFSETS = "offsets"  # texts without their positions
    PAGES = "pages"  # the bytes as captured
    METADATA = "metadata"  # address, language, capture time
    SPLITS = "splits"  # train, dev and test
    FORMULAS = "formulas"  # what a spreadsheet would run begins with an apostrophe
    NEIGHBOURS = "neighbours"  # marks that touch are one
    ELEMENTS = "elements"  # text inside pictures or form fields cannot be marked
    EDGES = "edges"  # blanks at the ends of marks
    ANNOTATIONS = "annotations"  # made in an earlier document of their page
    ORDER = "order"  # comments stand after the content, wherever they stood


class PageParts(StrEnum):
    """Whether the bytes of pages go out with a format."""

    NEVER = "never"
    OPTIONAL = "optional"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class DatasetFacts:
    """What is known of the whole: of a release from its manifest, of the current gold from its corpus.

    `version` is the release's number, "" for the current gold. `summary` is Markdown, the datasheet.
    """

    slug: str = "corpus"
    name: str = ""
    version: str = ""
    note: str = ""
    licence: str = ""
    collection: str = ""
    limitations: str = ""
    known_limitations: tuple[str, ...] = ()
    labels: tuple[str, ...] = LABELS
    languages: tuple[str, ...] = ()
    annotations: bool = False
    raw_pages: bool = False
    sources: Mapping[str, int] = field(default_factory=dict)
    agreement: str = ""
    captured: tuple[str, str] | None = None
    summary: str = ""
    manifest: str = ""
    sha256: str = ""

    @property
    def title(self) -> str:
        """The name of the corpus, with the number of the release."""
        name = self.name or self.slug
        return f"{name}, release {self.version}" if self.version else name

    @property
    def contributors(self) -> str:
        """Who made it: a name for all of them."""
        return f"Contributors of {self.name or self.slug}"


NO_FACTS = DatasetFacts()
_Records = Iterable[PageRecord]


class Sink(ABC):
    """Where the files of a folder go.

    What is not finished is in `scratch`, on the disk that the files are to be on: the temporary folder of the
    system may be small, or in memory.
    """

    scratch: Path

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a file as a whole."""

    @abstractmethod
    def add(self, name: str, path: Path) -> None:
        """Move a finished file there."""

    @contextmanager
    def open(self, name: str | Callable[[], str]) -> Iterator[BinaryIO]:
        """Write a file in pieces, while others are written; a function is asked for its name at the end."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as scratch:
            path = Path(scratch) / "file"
            with path.open("wb") as stream:
                yield stream
            self.add(name() if callable(name) else name, path)


class FolderSink(Sink):
    """A folder, which is made."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.scratch = folder, folder.parent
        folder.mkdir(parents=True, exist_ok=True)

    def _path(self, name: str) -> Path:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, name: str, data: bytes) -> None:
        self._path(name).write_bytes(data)

    def add(self, name: str, path: Path) -> None:
        shutil.move(path, self._path(name))


class ZipSink(Sink):
    """A ZIP archive; its files carry no time."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        # One in memory has no name.
        self.scratch = Path(archive.filename).parent if archive.filename else Path(tempfile.gettempdir())

    def write(self, name: str, data: bytes) -> None:
        info = _info(name)
        self._archive.writestr(info, data, compress_type=info.compress_type)

    def add(self, name: str, path: Path) -> None:
        with path.open("rb") as source, self._archive.open(_info(name), "w", force_zip64=True) as target:
            shutil.copyfileobj(source, target, 1 << 20)


def _info(name: str) -> ZipInfo:
    info = ZipInfo(name, FIXED_DATE)
    info.compress_type = ZIP_STORED if name.endswith(_COMPRESSED) else ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


@dataclass(frozen=True, kw_only=True)
class Writer(ABC):
    """How a format is written, and what it holds.

    Every page loses what is in `always`; of what is in `sometimes`, `losses_of` says what one page loses.
    `annotations` and `outputs`: whether it can hold those before adjudication, and those of extractors.
    `articles` names the label set of the plain text of a format that holds articles only. `suffix` is that of
    a download. `needs_tree` and `needs_canonical_gold`: of each record. `at_root`: of a release's folder,
    where others are in `gold`. `gold_only`: pages without gold are left out.
    """

    # Whether it is a folder, which is an archive as one file.
    is_folder: ClassVar[bool]

    suffix: str = "zip"
    pages: PageParts = PageParts.NEVER
    annotations: bool = False
    outputs: bool = False
    articles: str = ""
    needs_tree: bool = False
    needs_canonical_gold: bool = False
    at_root: bool = False
    gold_only: bool = False
    releases_only: bool = False
    always: frozenset[Loss] = frozenset()
    sometimes: frozenset[Loss] = frozenset()
    losses_of: Callable[[PageRecord], frozenset[Loss]] = lambda _: frozenset()

    def loses(self, *, with_pages: bool) -> frozenset[Loss]:
        """All that can be lost."""
        left_out = {Loss.NOT_ARTICLES} if self.articles else set()
        return self.always_loses(with_pages=with_pages) | self.sometimes | left_out

    def always_loses(self, *, with_pages: bool) -> frozenset[Loss]:
        """What every page loses."""
        return self.always if self.holds_pages(asked=with_pages) else self.always | {Loss.PAGES}

    def holds_pages(self, *, asked: bool) -> bool:
        """Whether the bytes of pages go out, where that is asked for, or not."""
        return self.pages is PageParts.ALWAYS or (asked and self.pages is PageParts.OPTIONAL)

    @abstractmethod
    def write(self, records: _Records, stream: BinaryIO, facts: DatasetFacts = NO_FACTS) -> int:
        """Write records to one file; return how many pages went out.

        Records come once and in the order of their digests; raises `FormatError` for others.
        """


@dataclass(frozen=True, kw_only=True)
class FileWriter(Writer):
    """A format that is one file."""

    produce: Callable[[_Records, BinaryIO, DatasetFacts], None]

    is_folder: ClassVar[bool] = False

    def write(self, records: _Records, stream: BinaryIO, facts: DatasetFacts = NO_FACTS) -> int:
        ordered = _Ordered(records, gold_only=self.gold_only)
        self.produce(ordered, stream, facts)
        return ordered.count


@dataclass(frozen=True, kw_only=True)
class FolderWriter(Writer):
    """A format that is a folder; as one file it is a ZIP archive of the same files."""

    produce: Callable[[_Records, Sink, DatasetFacts], None]

    is_folder: ClassVar[bool] = True

    def write(self, records: _Records, stream: BinaryIO, facts: DatasetFacts = NO_FACTS) -> int:
        with ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=6) as archive:
            return self._produce(records, ZipSink(archive), facts)

    def write_folder(self, records: _Records, folder: Path, facts: DatasetFacts = NO_FACTS) -> int:
        """Write the files into a folder, which is made; return how many pages went out."""
        return self._produce(records, FolderSink(folder), facts)

    def _produce(self, records: _Records, sink: Sink, facts: DatasetFacts) -> int:
        ordered = _Ordered(records, gold_only=self.gold_only)
        self.produce(ordered, sink, facts)
        return ordered.count


class _Ordered:
    """The records as they come, counted, and checked to be ordered by digest.

    Writers stream, and never sort in memory.
    """

    def __init__(self, records: _Records, *, gold_only: bool) -> None:
        self._records, self._gold_only = records, gold_only
        self.count = 0

    def __iter__(self) -> Iterator[PageRecord]:
        last = ""
        for record in self._records:
            if record.sha256 <= last:
                raise FormatError(
                    f"{record.sha256} comes after {last}: records must come once, ordered by digest"
                )
            last = record.sha256
            if record.gold is not None or not self._gold_only:
                self.count += 1
                yield record


# ---- what writers ask of a record ----


def document_of(record: PageRecord) -> DocumentText:
    """The text that the gold's spans speak of; empty for gold that came as plain text."""
    if record.document is not None:
        return record.document
    gold = record.gold or GoldRecord()
    return DocumentText(gold.base or "", "", gold.parser or "")


def spans_of(record: PageRecord) -> tuple[Span, ...]:
    """The spans of the gold; none where it is plain text, or where there is none."""
    return (record.gold.spans or ()) if record.gold else ()


def verdict_of(record: PageRecord) -> str:
    """The verdict of the gold."""
    return record.gold.verdict if record.gold else ARTICLE


def paragraphs(record: PageRecord, labels: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The label and text of each paragraph under these labels; `content` always counts.

    Blocks of the canonical text are joined by a blank line. Gold that is plain text is split the same way.
    """
    wanted = {*labels, CONTENT}
    if record.document is None:
        text = record.gold.text if record.gold else None
        yield from ((CONTENT, part) for part in (text or "").split("\n\n") if part.strip())
        return
    for start, end, label in spans_of(record):
        if label in wanted:
            parts = record.document.text[start:end].split("\n\n")
            yield from ((label, part) for part in parts if part.strip())
