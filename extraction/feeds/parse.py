"""RSS, Atom, sitemaps and indexes of sitemaps, from bytes to the addresses that they list."""

import calendar
import gzip
import io
import re
import zlib
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from urllib.parse import urljoin
from xml.parsers import expat

import feedparser
import webencodings

from extraction.formats.texts import storable

MAX_BYTES = 50 << 20  # unpacked; the largest that the sitemap protocol allows
MAX_DEPTH = 100
# Of one file, the newest ones; a sitemap may list 50,000.
MAX_ENTRIES = 1_000

FEED, SITEMAP, INDEX = "feed", "sitemap", "index"

_ROOTS = {"urlset": SITEMAP, "sitemapindex": INDEX}
_ITEMS = {"url", "sitemap"}
_GZIP = b"\x1f\x8b"
_DECLARED = re.compile(rb"<\?xml[^>]*\sencoding\s*=\s*[\"']([\w.:-]+)")


class FeedError(ValueError):
    """These bytes list no pages; the message says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page that is listed, or a sitemap of an index; `at` is when it was published or changed, if known."""

    url: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a file lists, the newest first; entries without a date keep their order, behind the others."""

    kind: str
    title: str
    entries: tuple[Entry, ...]


def parse(raw: bytes, *, base: str, content_type: str = "") -> Listing:
    """Read a feed or a sitemap fetched from `base`. Raises FeedError."""
    raw = _unpacked(raw)
    outline = _Outline()
    is_well_formed = outline.read(raw)
    kind = _ROOTS.get(outline.root)
    if kind is None:
        return _feed(raw, base, content_type)
    if not is_well_formed:
        raise FeedError("the sitemap is no well-formed XML")
    return Listing(kind, "", _newest(outline.entries, base))


def _unpacked(raw: bytes) -> bytes:
    if not raw.startswith(_GZIP):
        return raw
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
            unpacked = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FeedError(f"it is no valid gzip: {error}") from error
    if len(unpacked) > MAX_BYTES:
        raise FeedError(f"unpacked it has more than {MAX_BYTES:,} bytes")
    return unpacked


class _Outline:
    """Reads XML without expanding anything: its root, and the places and dates of a sitemap's items."""

    def __init__(self) -> None:
        self.root = ""
        self.entries: list[tuple[str, datetime | None]] = []
        self._path: list[str] = []
        self._text: list[str] = []
        self._found: dict[str, str] = {}

    def read(self, raw: bytes) -> bool:
        """Return whether it is well-formed as far as it matters. Raises FeedError for entities of its own."""
        declared = _DECLARED.match(raw)
        if declared:  # expat knows few encodings, and of several bytes a character only Unicode's
            encoding = webencodings.lookup(declared[1].decode()) or webencodings.UTF8
            raw = webencodings.decode(raw, encoding)[0].encode()
        parser = expat.ParserCreate("utf-8" if declared else None)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parser.EntityDeclHandler = _refuse_entities
        try:
            parser.Parse(raw, True)
        except expat.ExpatError:
            return False
        return True

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name.rpartition(":")[2])
        self.root = self.root or self._path[0]
        if len(self._path) > MAX_DEPTH:
            raise FeedError("its elements are nested too deeply")
        self._text.clear()

    def _end(self, name: str) -> None:
        local = self._path.pop()
        if self.root in _ROOTS:
            if len(self._path) == 2 and local in ("loc", "lastmod"):
                self._found[local] = "".join(self._text).strip()
            elif len(self._path) == 1 and local in _ITEMS:
                if self._found.get("loc"):
                    self.entries.append((self._found["loc"], _iso_time(self._found.get("lastmod", ""))))
                self._found = {}
        self._text.clear()


def _refuse_entities(*_: object) -> None:
    raise FeedError("it defines entities of its own, which are never expanded")


def _iso_time(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    # Some servers date so what has no date; in another time zone it is in no year that Python knows.
    if at.year in (MINYEAR, MAXYEAR):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _feed(raw: bytes, base: str, content_type: str) -> Listing:
    # As a stream: bytes alone it might take for an address, or for the name of a file.
    headers = {"content-type": content_type or "application/xml", "content-location": base}
    found = feedparser.parse(
        io.BytesIO(raw), response_headers=headers, sanitize_html=False, resolve_relative_uris=False
    )
    if not found.get("version"):
        raise FeedError("it is neither an RSS or Atom feed nor a sitemap")
    entries = [(storable(str(entry.get("link") or "")), _published(entry)) for entry in found.entries]
    title = " ".join(storable(str(found.feed.get("title") or "")).split())
    return Listing(FEED, title[:200], _newest(entries, base))


def _published(entry: feedparser.FeedParserDict) -> datetime | None:
    parsed = entry.get("published_parsed") or entry.get("updated_parsed")
    try:
        return datetime.fromtimestamp(calendar.timegm(parsed), UTC) if parsed else None
    except (OverflowError, ValueError, TypeError):
        return None


def _newest(found: list[tuple[str, datetime | None]], base: str) -> tuple[Entry, ...]:
    """The newest entries, each address once."""
    entries: dict[str, Entry] = {}
    for link, at in found:
        url = _absolute(base, link)
        if url:
            entries.setdefault(url, Entry(url, at))
    never = datetime.min.replace(tzinfo=UTC)
    return tuple(sorted(entries.values(), key=lambda entry: entry.at or never, reverse=True)[:MAX_ENTRIES])


def _absolute(base: str, link: str) -> str:
    try:
        return urljoin(base, link.strip()).partition("#")[0] if link.strip() else ""
    except ValueError:
        return ""
