"""What every reader yields and every writer takes: a page with what is known of it, or why there is none."""

import gzip
import hashlib
import io
import zlib
from dataclasses import dataclass
from pathlib import Path

from extraction.formats.gold import GoldRecord

#: Bytes of one page after decompression. Parsing refuses smaller ones; this bounds memory before that.
MAX_BYTES = 32 * 1024 * 1024


class FormatError(ValueError):
    """A corpus that cannot be read at all, or a record that cannot be; the message says why."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A style sheet or image captured with a page: its absolute address and its bytes as captured.

    `media_type` is what the capture declares, without parameters, in lower case; empty if unknown.
    """

    url: str
    raw: bytes
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One page of a corpus. `location` says where it stood, for people; `raw` are its bytes as captured.

    `charset` is what the HTTP headers declared, `captured_at` an ISO 8601 time, `language` a BCP 47 tag.
    `assets` are the style sheets and images that the capture holds.
    `default_label_set` names the label set on which its gold is scored unless another is requested.
    """

    location: str
    raw: bytes
    url: str = ""
    charset: str | None = None
    captured_at: str | None = None
    language: str | None = None
    gold: GoldRecord | None = None
    default_label_set: str = "article"
    assets: tuple[Asset, ...] = ()

    @property
    def sha256(self) -> str:
        """The digest of the raw bytes, by which a page is known."""
        return hashlib.sha256(self.raw).hexdigest()


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that could not be read: where it stood, and why."""

    location: str
    reason: str


def read_bytes(path: Path) -> bytes:
    """A file's bytes, decompressed if its name ends in `.gz`; raises `FormatError` where it cannot."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}") from error
    if path.suffix == ".gz":
        data = gunzip(data)
    if len(data) > MAX_BYTES:
        raise FormatError(f"is larger than {MAX_BYTES} bytes")
    return data


def gunzip(data: bytes) -> bytes:
    """Decompress, but no further than one byte over the limit."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"is not valid gzip: {error}") from error
