"""Records of WARC files (ISO 28500), plain or with a gzip member for each record, as a stream."""

import gzip
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import NamedTuple

from extraction.formats.records import MAX_BYTES, FormatError

MAX_HEADER_LINES = 200
MAX_LINE = 64 * 1024


class WarcRecord(NamedTuple):
    """One record: its header fields under lower-case names, and its content block."""

    fields: dict[str, str]
    block: bytes

    @property
    def type(self) -> str:
        """What it holds: `resource`, `conversion`, `response` ..."""
        return self.fields.get("warc-type", "").lower()

    @property
    def id(self) -> str:
        """Its identifier, without the `<urn:uuid:` around it."""
        return _bare(self.fields.get("warc-record-id", ""))

    @property
    def refers_to(self) -> str:
        """The identifier of the record that it was made from."""
        return _bare(self.fields.get("warc-refers-to", ""))

    @property
    def is_http(self) -> bool:
        """Whether its block is a message with a head, and not just its content."""
        return self.fields.get("content-type", "").lower().startswith("application/http")

    @property
    def content_type(self) -> str:
        """The media type of the payload, with its parameters."""
        if not self.is_http:
            return self.fields.get("content-type", "")
        head = self.block.partition(b"\r\n\r\n")[0].decode("latin-1")
        lines = (line.partition(":") for line in head.splitlines())
        return next((value.strip() for name, _, value in lines if name.lower() == "content-type"), "")

    @property
    def payload(self) -> bytes:
        """The content, without the head of an HTTP message if it is one."""
        return self.block.partition(b"\r\n\r\n")[2] if self.is_http else self.block


def _bare(identifier: str) -> str:
    return identifier.strip("<>").removeprefix("urn:uuid:")


def read_warc(path: Path) -> Iterator[WarcRecord | FormatError]:
    """Yield the records of a file; last, if there is one, what is wrong with the rest of it.

    Without its length no record says where the next one starts, so reading ends at the first damage. Raises
    `FormatError` where the file cannot be opened.
    """
    try:
        with path.open("rb") as file:
            stream: BufferedIOBase = gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
            yield from _records(stream)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from error


def _records(stream: BufferedIOBase) -> Iterator[WarcRecord | FormatError]:
    while True:
        try:
            record = _next(stream)
        except FormatError as error:
            yield error
            return
        except (OSError, EOFError, zlib.error) as error:
            yield FormatError(f"the file is damaged from here on: {error}")
            return
        if record is None:
            return
        yield record


def _next(stream: BufferedIOBase) -> WarcRecord | None:
    """The next record, None at the end of the file."""
    line = b"\r\n"
    while line in (b"\r\n", b"\n"):
        line = stream.readline(MAX_LINE)
    if not line:
        return None
    if not line.startswith(b"WARC/"):
        raise FormatError("is not a WARC record")
    fields = _fields(stream)
    length = fields.get("content-length", "")
    if not length.isdecimal():
        raise FormatError("has no Content-Length")
    if int(length) > MAX_BYTES:
        raise FormatError(f"is larger than {MAX_BYTES} bytes")
    block = stream.read(int(length))
    if len(block) < int(length):
        raise FormatError("the file ends inside a record")
    return WarcRecord(fields, block)


def _fields(stream: BufferedIOBase) -> dict[str, str]:
    fields: dict[str, str] = {}
    for _ in range(MAX_HEADER_LINES):
        line = stream.readline(MAX_LINE).decode("utf-8", "replace").strip()
        if not line:
            return fields
        name, _, value = line.partition(":")
        fields[name.strip().lower()] = value.strip()
    raise FormatError(f"has more than {MAX_HEADER_LINES} header lines")
