"""`mhtml`: pages that a browser saved with their style sheets and images in one file, `*.mhtml` or `*.mht`.

A file is a message of several parts (RFC 2557): the page, and what it needs, each under the address by which
the page names it. Chromium gives style sheets that were changed, and frames, an address that begins with
`cid:`. The page is taken as its part has it; frames and scripts are left out.
"""

import base64
import binascii
import os
import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urljoin

from extraction.formats.records import (
    MAX_BYTES,
    Asset,
    BadRecord,
    Cause,
    FormatError,
    PageRecord,
    read_bytes,
)
from extraction.formats.texts import shown_path

SUFFIXES = (".mhtml", ".mht")
MAX_FILE = 4 * MAX_BYTES
MAX_PARTS = 3_000
MAX_HEADER = 64 * 1024
MAX_NESTING = 3

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_IS_MHTML = re.compile(rb"(?:^|\n)content-type:\s*multipart/(?:related|mixed|alternative)\b", re.IGNORECASE)
_PAGES = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True, slots=True)
class _Part:
    headers: Message
    body: bytes

    @property
    def type(self) -> str:
        return self.headers.get_content_type()

    @property
    def location(self) -> str:
        return " ".join(str(self.headers.get("Content-Location", "")).split())

    @property
    def id(self) -> str:
        return str(self.headers.get("Content-ID", "")).strip().strip("<>")

    def content(self) -> bytes:
        """The body without its transfer encoding; raises `FormatError` where it is damaged."""
        encoding = str(self.headers.get("Content-Transfer-Encoding", "")).strip().lower()
        try:
            if encoding == "base64":
                return base64.b64decode(self.body.translate(None, b" \t\r\n"), validate=True)
        except binascii.Error as error:
            what = self.location or self.id or "a part"
            raise FormatError(f"{what} is damaged: {error}", Cause.DAMAGED) from error
        return quopri.decodestring(self.body) if encoding == "quoted-printable" else self.body


def is_mhtml(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a message of several parts."""
    return _IS_MHTML.search(head[:MAX_HEADER]) is not None and head[:1].isalpha()


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the page of a file, or those of a folder in the order of their names.

    Raises `FormatError` if there is neither. Symbolic links are not followed.
    """
    for file in _files(path):
        location = shown_path(file, path)
        try:
            yield record_of(location, read_bytes(file, MAX_FILE))
        except FormatError as error:
            yield BadRecord.of(location, error)


def count(path: Path) -> int:
    """How many records there are; raises `FormatError` as `read` does."""
    return sum(1 for _ in _files(path))


def record_of(location: str, raw: bytes) -> PageRecord:
    """The page of one file, with its style sheets and images; raises `FormatError` where it has none."""
    headers, body = _split(raw)
    if headers.get_content_maintype() != "multipart":
        raise FormatError("is no MHTML file: its head does not say that it has several parts")
    parts, is_cut = _parts(headers, body)
    page = _main(parts, str(headers.get_param("start") or "").strip("<>"))
    if page is None:
        what = f"has no page among its {len(parts)} parts"
        if is_cut:
            raise FormatError(f"{what}; it ends within a part, so it was cut off", Cause.DAMAGED)
        raise FormatError(what)
    base = page.location or str(headers.get("Snapshot-Content-Location", "")).strip()
    url = base if base.startswith(("http://", "https://")) else ""
    html = page.content()
    return PageRecord(
        location,
        html,
        url=url,
        charset=page.headers.get_content_charset(),
        captured_at=_date(headers),
        assets=tuple(_assets(parts, page, base, html)),
    )


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise FormatError(f"{path} is neither a file nor a folder")
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(SUFFIXES) and not Path(folder, name).is_symlink():
                yield Path(folder, name)


def _split(raw: bytes) -> tuple[Message, bytes]:
    """The head and the rest of a message or part."""
    raw = raw.lstrip(b"\r\n") if raw[:2] not in (b"\r\n", b"\n") else raw
    end = _HEAD_END.search(raw, 0, MAX_HEADER)
    if end is None:
        raise FormatError("has a head that does not end")
    return BytesHeaderParser().parsebytes(raw[: end.end()]), raw[end.end() :]


def _parts(headers: Message, body: bytes, depth: int = 0) -> tuple[list[_Part], bool]:
    """The parts in order, those within parts too; and whether the last one is cut off."""
    boundary = headers.get_boundary()
    if not boundary:
        raise FormatError("does not say what stands between its parts")
    pieces = re.split(
        rb"(?:^|\r?\n)--" + re.escape(boundary.encode("latin-1", "replace")) + rb"(?=--|\s)", body
    )
    is_cut = len(pieces) < 2 or not pieces[-1].startswith(b"--")
    complete = pieces[1:-1]
    if len(complete) > MAX_PARTS:
        raise FormatError(f"has more than {MAX_PARTS:,} parts")
    parts: list[_Part] = []
    for piece in complete:
        inner, content = _split(piece.lstrip(b" \t").removeprefix(b"\r\n").removeprefix(b"\n"))
        if inner.get_content_maintype() == "multipart":
            if depth < MAX_NESTING:
                parts += _parts(inner, content, depth + 1)[0]
        else:
            parts.append(_Part(inner, content))
    return parts, is_cut


def _main(parts: list[_Part], start: str) -> _Part | None:
    pages = [part for part in parts if part.type in _PAGES]
    return next((part for part in pages if start and part.id == start), pages[0] if pages else None)


def _assets(parts: list[_Part], page: _Part, base: str, html: bytes) -> Iterator[Asset]:
    for part in parts:
        if part is page or not (part.type == "text/css" or part.headers.get_content_maintype() == "image"):
            continue
        try:
            raw = part.content()
        except FormatError:
            continue  # an image that cannot be read is an image that is not there
        if part.location:
            yield Asset(_address(base, part.location), raw, part.type)
        if part.id and part.location[:4].lower() != "cid:" and f"cid:{part.id}".encode() in html:
            yield Asset(f"cid:{part.id}", raw, part.type)


def _address(base: str, location: str) -> str:
    try:
        return urljoin(base, location)
    except ValueError:
        return location


def _date(headers: Message) -> str | None:
    try:
        date = parsedate_to_datetime(str(headers.get("Date", "")))
    except (ValueError, OverflowError):
        return None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).isoformat()
