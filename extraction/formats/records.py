"""What every reader yields and every writer takes: a page with what is known of it, or why there is none."""

import gzip
import hashlib
import io
import json
import zlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extraction.formats.gold import GoldRecord
from extraction.spans import Span

if TYPE_CHECKING:
    from extraction.documents.document import Document

#: Bytes of one page after decompression. An import refuses smaller ones; this bounds memory before that.
MAX_BYTES = 32 * 1024 * 1024

#: The first bytes of what gzip has packed.
GZIP = b"\x1f\x8b"

#: Of a page without bytes.
EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()


class Cause(StrEnum):
    """Why a record cannot be read, for advice on what to do."""

    DAMAGED = "damaged"  # cut off, or changed on its way
    MISSING_FILE = "missing-file"  # what the corpus names is not there
    TOO_LARGE = "too-large"
    BOMB = "bomb"  # unpacked it would be many times its size
    UNSAFE_NAME = "unsafe-name"  # leads out of the archive
    NESTED = "nested"  # an archive in an archive
    ENCRYPTED = "encrypted"
    LINK = "link"
    SYNTAX = "syntax"  # of JSON, or of a header
    ENTITIES = "entities"  # XML that defines some
    REPEATED = "repeated"  # an id or a name that came before
    NOT_A_PAGE = "not-a-page"
    FEED = "feed"  # or a sitemap
    GOLD = "gold"  # its gold cannot be read, or is not there
    LIMITS = "limits"  # took too long or too much memory


class FormatError(ValueError):
    """A corpus that cannot be read at all, or a record that cannot be; the message says why."""

    def __init__(self, message: str, cause: str = "") -> None:
        super().__init__(message)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Asset:
    """A style sheet or image captured with a page: its absolute address and its bytes as captured.

    `media_type` is what the capture declares, without parameters, in lower case; empty if unknown.
    """

    url: str
    raw: bytes
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The canonical text that a page's gold speaks of, its digest, and the parser version that made it."""

    text: str
    sha256: str
    parser: str


@dataclass(frozen=True, slots=True)
class AnnotationRecord:
    """What one annotator submitted, before adjudication, under a pseudonym."""

    annotator: str
    verdict: str
    spans: tuple[Span, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OutputRecord:
    """What one version of an extractor took of a page; nothing where it failed.

    `text` is what is under the labels of the format's plain text.
    """

    extractor: str
    version: str
    spans: tuple[Span, ...]
    text: str = ""
    is_failed: bool = False


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One page of a corpus. `location` says where it stood, for people; `raw` are its bytes as captured.

    `charset` is what the HTTP headers declared, `captured_at` an ISO 8601 time, `language` a BCP 47 tag.
    `assets` are the style sheets and images that the capture holds.
    `default_label_set` names the label set on which its gold is scored unless another is requested.
    What follows `assets` goes out, and does not come in: `document` is the text of the gold's spans,
    `annotations` what it was made of, `outputs` what extractors took, `split` the part of its release. `tree`
    is the document with its elements, `canonical_gold` the JSON whose digest a manifest has, both for writers
    that ask for them. A page that goes out without its bytes has its digest as `known_sha256`.
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
    document: DocumentText | None = None
    annotations: tuple[AnnotationRecord, ...] = ()
    outputs: tuple[OutputRecord, ...] = ()
    split: str = ""
    site: str = ""
    tree: "Document | None" = None
    canonical_gold: str = ""
    known_sha256: str = ""

    @property
    def sha256(self) -> str:
        """The digest of the raw bytes, by which a page is known."""
        return self.known_sha256 or hashlib.sha256(self.raw).hexdigest()

    @property
    def has_raw(self) -> bool:
        """Whether its bytes are here: a page that goes out without them has its digest only."""
        return bool(self.raw) or not self.known_sha256 or self.known_sha256 == EMPTY_SHA256


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that could not be read: where it stood, and why, in words and as a `Cause` where it is one."""

    location: str
    reason: str
    cause: str = ""

    @classmethod
    def of(cls, location: str, error: FormatError) -> "BadRecord":
        """The record that could not be read because of this error."""
        return cls(location, str(error), error.cause)


def breakage(error: Exception) -> tuple[str, Cause]:
    """What to say of an error of a reader that nobody foresaw, and its cause."""
    if isinstance(error, MemoryError):
        return "it needs more memory than it may have", Cause.LIMITS
    return type(error).__name__, Cause.DAMAGED


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """A file's bytes, decompressed if it is gzip, or named so; raises `FormatError` where it cannot."""
    try:
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        cause = Cause.MISSING_FILE if isinstance(error, FileNotFoundError) else ""
        raise FormatError(f"cannot be read: {error.strerror}", cause) from error
    if path.suffix.lower() == ".gz" or data.startswith(GZIP):
        data = gunzip(data, most)
    if len(data) > most:
        raise FormatError(f"is larger than {most >> 20} MiB", Cause.TOO_LARGE)
    return data


def read_json(file: Path, most: int = MAX_BYTES, **hooks: Any) -> Any:
    """What a file of JSON holds; raises `FormatError`, which names the file, where it cannot be read."""
    try:
        return json.loads(read_bytes(file, most), **hooks)
    except FormatError as error:
        raise FormatError(f"{file.name} {error}", error.cause) from error
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{file.name} is not in UTF-8: save the file again in that encoding", Cause.SYNTAX
        ) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{file.name} is not valid JSON: {error}", Cause.SYNTAX) from error


def gunzip(data: bytes, most: int = MAX_BYTES) -> bytes:
    """Decompress, but no further than one byte over the limit."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return stream.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"is not valid gzip: {error}", Cause.DAMAGED) from error
