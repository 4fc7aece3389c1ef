"""`warc`: web archives (ISO 28500), plain or with a gzip member for each record; a file or a folder of them.

The pages are the HTML that was answered with 200, or stored as a resource. The style sheets and images of the
same file that a page refers to come with it. Reading is warcio's.
"""

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from extraction.formats import references
from extraction.formats.records import GZIP, MAX_BYTES, Asset, BadRecord, Cause, FormatError, PageRecord
from extraction.formats.texts import is_text

SUFFIXES = (".warc", ".warc.gz")
PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_OK = 200
# What warcio raises at damage: its own error, and those of what it takes for a header.
_WARCIO_ERRORS = (
    ArchiveLoadFailed,
    EOFError,
    ValueError,
    OverflowError,
    OSError,
    LookupError,
    AttributeError,
)

# Of one page: how many style sheets and images, of how many bytes together.
MAX_ASSETS, MAX_ASSET_BYTES = 400, 20 << 20
# How many style sheets and images of one file are remembered.
_MAX_INDEXED = 200_000
# Style sheets import style sheets.
_MAX_DEPTH = 3


class WarcRecord(NamedTuple):
    """One record. `payload` is its content without the head of an HTTP message, decoded; None if not read."""

    number: int
    offset: int
    type: str
    id: str
    refers_to: str
    url: str
    date: str
    status: int
    content_type: str
    payload: bytes | None

    @property
    def media_type(self) -> str:
        """The media type without parameters, in lower case."""
        return self.content_type.partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The encoding that the HTTP headers declared."""
        found = _CHARSET.search(self.content_type)
        return found[1] if found else None

    @property
    def is_answer(self) -> bool:
        """Whether it holds something that a browser would show or use."""
        return self.type == "resource" or (self.type == "response" and self.status == _OK)

    @property
    def is_page(self) -> bool:
        """Whether it is a page."""
        return self.is_answer and self.media_type in PAGE_TYPES

    @property
    def is_asset(self) -> bool:
        """Whether it is a style sheet or an image."""
        return self.is_answer and (self.media_type == "text/css" or self.media_type.startswith("image/"))


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages of a file, or of the files of a folder; raises `FormatError` where there are none."""
    for file in files_of(path):
        yield from _pages(file)


def files_of(path: Path) -> list[Path]:
    """The file, or the WARC files of a folder, in the order of their names."""
    if path.is_file():
        return [path]
    files = sorted(file for file in path.rglob("*") if file.name.lower().endswith(SUFFIXES))
    if not files:
        raise FormatError(f"{path} has no WARC files")
    return files


def _pages(file: Path) -> Iterator[PageRecord | BadRecord]:
    # With the first page, as most files are read to their end.
    captured = _Captured(file)
    for record in read_records(file, lambda record: record.is_page):
        location = f"{file.name}:{record.number}" if isinstance(record, WarcRecord) else file.name
        if isinstance(record, FormatError):
            yield BadRecord.of(location, record)
        elif record.is_page:
            yield _page(location, record, captured)


def _page(location: str, record: WarcRecord, captured: "_Captured") -> PageRecord | BadRecord:
    raw = record.payload or b""
    if len(raw) > MAX_BYTES:
        return BadRecord(location, f"is larger than {MAX_BYTES >> 20} MiB", Cause.TOO_LARGE)
    url = record.url if is_text(record.url) else ""
    return PageRecord(
        location,
        raw,
        url=url,
        charset=record.charset,
        captured_at=record.date or None,
        assets=tuple(captured.assets_of(raw, url)),
    )


def read_records(
    file: Path, has_payload: Callable[[WarcRecord], bool] = lambda _: True
) -> Iterator[WarcRecord | FormatError]:
    """Yield the records of a file; last, if there is one, what is wrong with the rest of it.

    Without its length no record says where the next one starts, so reading ends at the first damage. The
    payload is read where it is asked for, to one byte more than a page may have. Raises `FormatError` where
    the file cannot be opened.
    """
    try:
        with file.open("rb") as stream:
            # Unpacked here rather than by warcio, which takes the end of a cut off file for its end.
            unpacked = _Unpacked(gzip.GzipFile(fileobj=stream) if _is_gzip(stream) else stream)
            last: WarcRecord | FormatError | None = None
            for last in _read(unpacked, has_payload):
                yield last
            # What is cut off inside a record has been said already.
            if unpacked.damage and not isinstance(last, FormatError):
                yield FormatError(f"the file is damaged from here on: {unpacked.damage}", Cause.DAMAGED)
    except OSError as error:
        raise FormatError(f"{file} cannot be read: {error.strerror}") from error


def _is_gzip(stream: BufferedReader) -> bool:
    found = stream.read(2) == GZIP
    stream.seek(0)
    return found


class _Unpacked:
    """A stream that ends at the first damage, and remembers it."""

    def __init__(self, stream: BufferedReader | gzip.GzipFile) -> None:
        self._stream = stream
        self.damage = ""

    def read(self, size: int = -1) -> bytes:
        try:
            # One block: a longer read would lose what came before the damage.
            return self._stream.read1(size)
        except (EOFError, OSError, zlib.error) as error:
            self.damage = str(error)
            return b""

    def tell(self) -> int:
        return self._stream.tell()

    def close(self) -> None:
        """Whoever opened the file closes it."""


def _read(
    stream: "_Unpacked | IO[bytes]", has_payload: Callable[[WarcRecord], bool]
) -> Iterator[WarcRecord | FormatError]:
    archive = ArchiveIterator(stream, arc2warc=True)
    number = 0
    while True:
        try:
            found = next(archive, None)
            if found is None:
                return
            number += 1
            yield _record(number, archive, found, has_payload)
        except FormatError as error:
            yield error
            return
        except _WARCIO_ERRORS as error:
            yield FormatError(f"the file is damaged from here on: {error}", Cause.DAMAGED)
            return


def _record(number: int, archive: Any, found: Any, has_payload: Callable[[WarcRecord], bool]) -> WarcRecord:
    """One of warcio's records as ours; raises FormatError where it is cut off."""
    fields, http = found.rec_headers, found.http_headers
    content_type = (http if http is not None else fields).get_header("Content-Type") or ""
    if not (fields.get_header("Content-Length") or "").isdecimal():
        raise FormatError("the file is damaged from here on: a record has no Content-Length", Cause.DAMAGED)
    status = (http.get_statuscode() or "") if http is not None else ""
    record = WarcRecord(
        number=number,
        offset=0,
        type=found.rec_type or "",
        id=_bare(fields.get_header("WARC-Record-ID") or ""),
        refers_to=_bare(fields.get_header("WARC-Refers-To") or ""),
        url=fields.get_header("WARC-Target-URI") or "",
        date=fields.get_header("WARC-Date") or "",
        status=int(status) if status.isdecimal() else 0,
        content_type=content_type,
        payload=None,
    )
    if has_payload(record):
        record = record._replace(payload=_read_up_to(found.content_stream(), MAX_BYTES + 1))
    is_whole = len(record.payload or b"") <= MAX_BYTES
    # Asked for last, as that reads to the end of the record.
    offset = archive.get_record_offset()
    if is_whole and getattr(found.raw_stream, "limit", 0) > 0:
        raise FormatError("the file is damaged from here on: it ends inside a record", Cause.DAMAGED)
    return record._replace(offset=offset)


def _read_up_to(stream: Any, size: int) -> bytes:
    """So many bytes, or all there are; one read gives a block at most."""
    blocks: list[bytes] = []
    while size > 0 and (block := stream.read(min(size, 1 << 16))):
        blocks.append(block)
        size -= len(block)
    return b"".join(blocks)


def _bare(identifier: str) -> str:
    return identifier.strip("<>").removeprefix("urn:uuid:")


class _Captured:
    """The style sheets and images of a file, by their addresses, read where a page refers to them."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._offsets: dict[str, tuple[int, str]] | None = None

    def assets_of(self, raw: bytes, url: str) -> Iterator[Asset]:
        """What the page refers to, and what its style sheets do, under limits."""
        if self._offsets is None:
            self._offsets = dict(self._index())
        seen: set[str] = set()
        wanted = [(address, 1) for address in references.of_page(raw, url)] if self._offsets else []
        size = 0
        while wanted and len(seen) < MAX_ASSETS:
            address, depth = wanted.pop(0)
            if address in seen or address not in self._offsets:
                continue
            seen.add(address)
            asset = self._read(address)
            if asset is None or size + len(asset.raw) > MAX_ASSET_BYTES:
                continue
            size += len(asset.raw)
            yield asset
            if asset.media_type == "text/css" and depth < _MAX_DEPTH:
                wanted += [(inner, depth + 1) for inner in references.of_sheet(asset.raw, address)]

    def _index(self) -> Iterator[tuple[str, tuple[int, str]]]:
        with self._file.open("rb") as stream:
            # By warcio, which knows where in the packed file a record begins.
            answers = (record for record in _read(stream, lambda _: False) if isinstance(record, WarcRecord))
            assets = (record for record in answers if record.is_asset)
            for record in islice(assets, _MAX_INDEXED):
                yield record.url, (record.offset, record.media_type)

    def _read(self, address: str) -> Asset | None:
        offset, media_type = (self._offsets or {})[address]
        with self._file.open("rb") as stream:
            stream.seek(offset)
            record = next(_read(stream, lambda _: True), None)
        if not isinstance(record, WarcRecord) or not record.payload or len(record.payload) > MAX_ASSET_BYTES:
            return None
        return Asset(address, record.payload, media_type)
