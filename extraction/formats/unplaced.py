"""How much of a corpus's gold lies in its pages, and why the rest does not."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from html import unescape
from typing import NamedTuple

from extraction.alignment.matching import SEED, match
from extraction.alignment.visible_characters import visible_characters_of
from extraction.documents.document import Document
from extraction.formats.gold import GoldError, GoldRecord, place
from extraction.formats.records import BadRecord, PageRecord
from extraction.parsing.decode import decode
from extraction.parsing.errors import ParseError

#: A page with less text than this share of its gold is a stub.
STUB = 0.5
#: From this share of its characters on, a stretch counts as found in some part of the page.
FOUND = 0.8
# Of a stretch's words: from this share on, the page says them all, elsewhere or otherwise.
_MIN_SHARE_FOUND = 0.9

_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script", re.DOTALL | re.IGNORECASE)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_TAG_OR_ESCAPE = re.compile(r"</?[a-zA-Z][^>]{0,1000}>|\\[nrt/\"\\]?")
_WORD = re.compile(r"\w+")
_NOT_ASCII = re.compile(r"[^\x21-\x7e]+")


class UnplacedReason(StrEnum):
    """Why gold was not found in the text of its page."""

    UNREADABLE = "the page cannot be parsed"
    FOREIGN = "its spans are those of another document"
    STUB = "the page as saved is a stub"
    SCRIPT = "it stands in a script of the page"
    ATTRIBUTE = "it stands in an attribute, such as a description or an alternative text"
    HIDDEN = "it stands in an element whose text no browser shows"
    ENCODING = "its characters were decoded otherwise than the page's"
    WORDING = "the page says it in another order or in other words"
    ABSENT = "the page as saved does not say it"
    UNKNOWN = "unknown"


class Placement(NamedTuple):
    """How much of one record's gold was placed.

    `share` is from 0 to 1, `characters` the visible characters of the gold; then the reason for most of what
    was not placed, and the longest stretch of it.
    """

    location: str
    share: float
    characters: int
    reason: UnplacedReason | None = None
    example: str = ""


def placements(
    records: Iterable[PageRecord | BadRecord], parse: Callable[[bytes, str | None], Document]
) -> Iterator[Placement]:
    """The placement of every record with gold; what cannot be read is no record, and left out."""
    for record in records:
        if isinstance(record, BadRecord) or record.gold is None:
            continue
        try:
            yield placement(record.location, record.gold, parse(record.raw, record.charset), record.raw)
        except ParseError as error:
            yield Placement(record.location, 0.0, 0, UnplacedReason.UNREADABLE, str(error))
        except GoldError as error:
            yield Placement(record.location, 0.0, 0, UnplacedReason.FOREIGN, str(error))


def placement(location: str, gold: GoldRecord, document: Document, raw: bytes) -> Placement:
    """How much of a gold lies in a page; raises `GoldError` for gold whose spans are not its."""
    found = place(gold, document)
    if not found.missing:
        return Placement(location, found.share_placed, found.total)
    longest = max(found.missing, key=len)
    reason = _reason(found.missing, found.total, _Parts(document, raw))
    return Placement(location, found.share_placed, found.total, reason, longest)


def _reason(missing: list[str], total: int, parts: "_Parts") -> UnplacedReason:
    """The reason for most of the missing characters."""
    if len(visible_characters_of(parts.text)) < STUB * total:
        return UnplacedReason.STUB
    votes = Counter[UnplacedReason]()
    for stretch in missing:
        votes[_reason_of(stretch, parts)] += len(stretch)
    return votes.most_common(1)[0][0]


def _reason_of(stretch: str, parts: "_Parts") -> UnplacedReason:
    if len(visible_characters_of(stretch)) < SEED:
        return UnplacedReason.WORDING if stretch in parts.text else UnplacedReason.UNKNOWN
    if _says(parts.text, stretch):
        return UnplacedReason.WORDING
    for reason, text in parts.others:
        if _says(text, stretch):
            return reason
    if not stretch.isascii() and _NOT_ASCII.sub("", stretch) in _NOT_ASCII.sub("", parts.text):
        return UnplacedReason.ENCODING
    words = _WORD.findall(stretch.lower())
    found_words = sum(word in parts.words for word in words)
    return UnplacedReason.WORDING if found_words >= _MIN_SHARE_FOUND * len(words) else UnplacedReason.ABSENT


def _says(text: str, stretch: str) -> bool:
    wanted = visible_characters_of(stretch)
    return sum(run.length for run in match(wanted, visible_characters_of(text))) >= FOUND * len(wanted)


class _Parts:
    """A page's text, and the texts of the page that are not part of it, each with what that says."""

    def __init__(self, document: Document, raw: bytes) -> None:
        self.text = document.text
        self.words = set(_WORD.findall(document.text.lower()))
        scripts = "\n".join(_SCRIPT.findall(decode(raw).text))
        attributes = (value for each in document.structure.attributes for value in each.values())
        self.others = [
            (UnplacedReason.HIDDEN, "\n".join([document.title, *_hidden(document)])),
            (UnplacedReason.ATTRIBUTE, "\n".join(unescape(value) for value in attributes)),
            (UnplacedReason.SCRIPT, _TAG_OR_ESCAPE.sub(" ", unescape(_unescaped(scripts)))),
        ]


def _hidden(document: Document) -> Iterator[str]:
    for text, (start, _) in zip(document.structure.node_texts, document.nodes, strict=True):
        if start < 0 and not text.isspace():
            yield text


def _unescaped(script: str) -> str:
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), script)
