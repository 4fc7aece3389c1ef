"""Downloads that go on where they were cut off: a stored file, or one range of it (RFC 9110, section 14)."""

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import IO, NamedTuple

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from annotator.common.csv_files import download

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)
_CHUNK = 1 << 16
_KIND = "application/octet-stream"


class ByteRange(NamedTuple):
    """The bytes from the first to the last, both of them included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


class Unsatisfiable(Exception):
    """The range begins behind the end of the file."""


def requested_range(request: HttpRequest, *, size: int, etag: str) -> ByteRange | None:
    """Return the range that a request asks for; None for the whole file.

    That is what it gets for several ranges, for what is no range, and if its `If-Range` is not this file's.
    Raises Unsatisfiable.
    """
    found = _RANGE.fullmatch(request.headers.get("Range", "").strip())
    condition = request.headers.get("If-Range", etag)
    if not found or condition != etag or found.groups() == ("", ""):
        return None
    first, last = found.groups()
    if not first:
        start, end = max(0, size - int(last)), size - 1
    else:
        start, end = int(first), min(int(last or size), size - 1)
        if last and int(last) < start:
            return None
    if start >= size or not size:
        raise Unsatisfiable
    return ByteRange(start, end)


def file_response(
    request: HttpRequest, file: IO[bytes], *, name: str, size: int, sha256: str
) -> HttpResponseBase:
    """Answer with a file, or with the part of it that is asked for; its digest is its ETag."""
    etag = f'"{sha256}"'
    try:
        part = requested_range(request, size=size, etag=etag)
    except Unsatisfiable:
        file.close()
        return HttpResponse(
            status=416, headers={"Content-Range": f"bytes */{size}", "Accept-Ranges": "bytes"}
        )
    response: FileResponse | StreamingHttpResponse
    if part is None:
        response = FileResponse(file, content_type=_KIND)
    else:
        response = StreamingHttpResponse(_part_of(file, part), status=206, content_type=_KIND)
        response["Content-Range"] = f"bytes {part.first}-{part.last}/{size}"
        response["Content-Length"] = str(part.length)
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    response["Repr-Digest"] = f"sha-256=:{b64encode(bytes.fromhex(sha256)).decode()}:"
    return download(response, name)


def _part_of(file: IO[bytes], part: ByteRange) -> Iterator[bytes]:
    with file:
        file.seek(part.first)
        left = part.length
        while left and (chunk := file.read(min(_CHUNK, left))):
            left -= len(chunk)
            yield chunk
