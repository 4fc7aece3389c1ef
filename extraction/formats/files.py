"""`files`: saved pages and archives of pages in any mixture, each file read as what its content says it is.

HTML with its `.json` beside it (see `html`), HTML that SingleFile or a browser saved, MHTML, WARC and JSONL,
plain or compressed by gzip. Other files are refused one by one, but for what a browser saves beside a page.
"""

import gzip
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from extraction.formats import html, jsonl, mhtml, warc
from extraction.formats.records import GZIP, BadRecord, Cause, FormatError, PageRecord, breakage
from extraction.formats.texts import shown_path

_HEAD = 4096  # bytes in which a file says what it is
_COMPANIONS = re.compile(r"(?:_files|_archivos|_fichiers|_dateien|_bestanden)$", re.IGNORECASE)
# What lies beside the WARC files of a WACZ archive, for its own readers.
_WACZ_PARTS = frozenset({"datapackage.json", "datapackage-digest.json"})
_JSONL = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
# Data, whatever HTML is quoted in it: read as a page, it would be one page of their source.
_DATA = (".json", ".json.gz", ".csv", ".csv.gz", ".tsv", ".tsv.gz")
# Comments and declarations, which may stand before the first element.
_BESIDE = re.compile(rb"<!--.*?-->|<[?!][^>]*>", re.DOTALL)
# As the first element: what a feed lists may be HTML.
_FEED = re.compile(rb"[^<]*<(?:rss|feed|urlset|sitemapindex|rdf:RDF)[\s>]", re.IGNORECASE)
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|div|p|article|text)[\s>]", re.IGNORECASE)
_SINGLE_FILE = re.compile(
    r"<!--\s*Page saved with SingleFile\s+url:\s*(?P<url>https?://\S+)\s+saved date:\s*(?P<date>[^\n]{1,100})"
)
_SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d+\)(?P<url>https?://\S+)\s*-->")
_DATE = re.compile(r"\w{3} (\w{3} \d{2} \d{4} \d{2}:\d{2}:\d{2}) GMT([+-]\d{4})")


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages of a file or folder, file by file in the order of their names.

    Raises `FormatError` if it cannot be read. Links are not followed.
    """
    for file in _files(path):
        location = shown_path(file, path)
        try:
            yield from _located(_read_file(file, location), file.name, location)
        except FormatError as error:
            yield BadRecord.of(location, error)
        except OSError:  # the machine's
            raise
        except Exception as error:  # noqa: BLE001 - whatever a hostile file breaks is the end of that file
            reason, cause = breakage(error)
            yield BadRecord(location, f"cannot be read to its end: {reason}", cause)


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise FormatError(f"{path} does not exist")
    for folder, folders, names in os.walk(path):
        here = Path(folder)
        if _WACZ_PARTS & set(names) and "archive" in folders:  # a WACZ file, unpacked
            folders[:] = ["archive"]
            continue
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and not _is_companion(here, name)
        )
        yield from (here / name for name in sorted(names) if not _is_beside_a_page(here, name))


def _is_companion(folder: Path, name: str) -> bool:
    """Whether a folder is what a browser saved beside a page: `Story_files` beside `Story.html`."""
    stem = _COMPANIONS.sub("", name)
    return stem != name and any((folder / f"{stem}{suffix}").exists() for suffix in (".html", ".htm"))


def _is_beside_a_page(folder: Path, name: str) -> bool:
    """Whether it is a page's metadata, or a file that operating systems hide."""
    page = name.removesuffix(".json")
    beside = page != name and any((folder / f"{page}{suffix}").exists() for suffix in html.SUFFIXES)
    return beside or name.startswith(".")


def _located(
    records: Iterator[PageRecord | BadRecord], name: str, location: str
) -> Iterator[PageRecord | BadRecord]:
    """The records of a file, located by its whole path."""
    for record in records:
        rest = record.location.removeprefix(name)
        yield replace(record, location=location + rest if rest != record.location else location)


def _read_file(file: Path, location: str) -> Iterator[PageRecord | BadRecord]:
    if file.is_symlink() or not file.is_file():
        raise FormatError("is a link or no file: links are not followed", Cause.LINK)
    head, name = _head_of(file), file.name.lower()
    if head.startswith(b"WARC/"):
        return warc.read(file)
    if name.endswith(_JSONL):
        return jsonl.read(file)
    if mhtml.is_mhtml(head):
        return mhtml.read(file)
    _check_is_html(head, name)
    return iter([_saved_page(file, location)])


def _head_of(file: Path) -> bytes:
    """The first bytes of a file, decompressed where it is gzip."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
        if not head.startswith(GZIP):
            return head
        with gzip.open(file) as unpacked:
            return unpacked.read(_HEAD)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"cannot be read: {error}", Cause.DAMAGED) from error


def _check_is_html(head: bytes, name: str) -> None:
    """Raise FormatError for what is no page, as far as its beginning says so."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) or head[257:262] == b"ustar":
        raise FormatError("is an archive in an archive, or an office document", Cause.NESTED)
    if b"<!ENTITY" in head or b"<!entity" in head:
        raise FormatError("is XML that defines entities, not a page", Cause.ENTITIES)
    text = head.replace(b"\0", b"")
    if _FEED.match(_BESIDE.sub(b"", text)):
        raise FormatError("is a feed or a sitemap, not a page", Cause.FEED)
    if name.endswith(_DATA):
        raise FormatError("is data, not a page: lines of JSON with pages are read as JSONL", Cause.NOT_A_PAGE)
    is_named = name.endswith((*html.SUFFIXES, ".xhtml"))
    if not is_named and not _HTML.search(text):
        raise FormatError("is no page: it has neither the name nor the beginning of one", Cause.NOT_A_PAGE)


def _saved_page(file: Path, location: str) -> PageRecord:
    record = html.record_of(file, location)
    head = record.raw[:_HEAD].decode("latin-1")
    single, saved = _SINGLE_FILE.search(head), _SAVED_FROM.search(head)
    url = (single or saved or {"url": ""})["url"]
    captured_at = _date_of(single["date"]) if single else None
    return replace(record, url=record.url or url, captured_at=record.captured_at or captured_at)


def _date_of(text: str) -> str | None:
    """JavaScript's date in ISO 8601; None for any other."""
    found = _DATE.search(text)
    try:
        return (
            datetime.strptime(f"{found[1]} {found[2]}", "%b %d %Y %H:%M:%S %z").isoformat() if found else None
        )
    except ValueError:
        return None
