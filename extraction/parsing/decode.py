"""Decode the bytes of a page, and say where the encoding came from.

In order: a byte order mark; a tag in UTF-16 or UTF-32, as no other encoding has zeros in its tags; the
charset of the HTTP headers; a `meta` element; but bytes that are valid UTF-8, and not only ASCII, are UTF-8
whatever else was declared, because many pages were saved again without updating it; then a guess from the
bytes; then windows-1252.
"""

import re
from typing import NamedTuple

import webencodings

from extraction.parsing.encoding_detection import FALLBACK, detect
from extraction.parsing.prescan import declared_in_meta

PRESCANNED = (1024, 64 * 1024)  # browsers look at the first 1,024 bytes; many pages declare it later

# The Encoding standard has no UTF-32, but files have. Its mark comes first, as it begins with that of UTF-16.
_UTF_32 = frozenset({"utf-32le", "utf-32be"})
_MARKS = (
    (b"\xff\xfe\0\0", "utf-32le"),
    (b"\0\0\xfe\xff", "utf-32be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
)
_WIDE_TAGS = [
    (re.compile(pattern, re.DOTALL), encoding)
    for pattern, encoding in (
        (rb"(?:.{4})*?<\0\0\0[!?/a-zA-Z]\0\0\0", "utf-32le"),
        (rb"(?:.{4})*?\0\0\0<\0\0\0[!?/a-zA-Z]", "utf-32be"),
        (rb"(?:.{2})*?<\0[!?/a-zA-Z]\0", "utf-16le"),
        (rb"(?:.{2})*?\0<\0[!?/a-zA-Z]", "utf-16be"),
    )
]
_WIDE_HEAD = 4096  # bytes
_CANNOT_READ_TEXT = frozenset({"x-user-defined", "replacement"})


class Decoded(NamedTuple):
    """`encoding` is a name of the Encoding standard, or utf-32le or utf-32be; `source` is mark, http, meta,
    content, guess or default.
    """

    text: str
    encoding: str
    source: str


def decode(raw: bytes, charset: str | None = None) -> Decoded:
    """The text of a page; `charset` is what the HTTP headers declared. Undecodable bytes become U+FFFD."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return Decoded(_text(raw[len(mark) :], encoding), encoding, "mark")
    if wide := _wide(raw[:_WIDE_HEAD]):
        return Decoded(_text(raw, wide), wide, "content")
    declared = _declared(raw, charset)
    if (declared is None or declared[0] != "utf-8") and not raw.isascii():
        text = _as_utf8(raw)
        if text is not None:
            return Decoded(text, "utf-8", "content")
    encoding, source = declared or _guess(raw)
    return Decoded(_text(raw, encoding), encoding, source)


def _wide(head: bytes) -> str | None:
    """The encoding of two or four bytes a character that these bytes have a tag in."""
    if b"\0" not in head:
        return None
    return next((encoding for tag, encoding in _WIDE_TAGS if tag.match(head)), None)


def _declared(raw: bytes, charset: str | None) -> tuple[str, str] | None:
    found = webencodings.lookup(charset) if charset else None
    if found is not None:
        return _readable(str(found.name)), "http"
    name = next(filter(None, (declared_in_meta(raw[:size]) for size in PRESCANNED)), None)
    return (_readable(name), "meta") if name else None


def _as_utf8(raw: bytes) -> str | None:
    """The text, if these bytes are valid UTF-8, perhaps cut off inside the last character."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before, rest = raw[: error.start], raw[error.start :]
        cut_off = error.reason == "unexpected end of data" and len(rest) <= 3
        return raw.decode("utf-8", "replace") if cut_off and not before.isascii() else None


def _guess(raw: bytes) -> tuple[str, str]:
    name = None if raw.isascii() else detect(raw)
    return (_readable(name), "guess") if name else (FALLBACK, "default")


def _readable(encoding: str) -> str:
    return FALLBACK if encoding in _CANNOT_READ_TEXT else encoding


def _text(raw: bytes, encoding: str) -> str:
    if encoding == "utf-8" or encoding in _UTF_32:
        return raw.decode(encoding, "replace")
    return str(webencodings.lookup(encoding).codec_info.decode(raw, "replace")[0])
