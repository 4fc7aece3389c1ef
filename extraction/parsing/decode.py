"""Decode the bytes of a page, and say where the encoding came from.

In order: a byte order mark; the charset of the HTTP headers; a `meta` element; but bytes that are valid
UTF-8, and not only ASCII, are UTF-8 whatever else was declared, because many pages were saved again without
updating it; then a guess from the bytes; then windows-1252.
"""

from typing import NamedTuple

import webencodings

from extraction.parsing.encoding_detection import FALLBACK, detect
from extraction.parsing.prescan import declared_in_meta

PRESCANNED = (1024, 64 * 1024)  # browsers look at the first 1,024 bytes; many pages declare it later

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
_CANNOT_READ_TEXT = frozenset({"x-user-defined", "replacement"})


class Decoded(NamedTuple):
    """`encoding` is a name of the Encoding standard; `source` is mark, http, meta, content,
    guess or default.
    """

    text: str
    encoding: str
    source: str


def decode(raw: bytes, charset: str | None = None) -> Decoded:
    """The text of a page; `charset` is what the HTTP headers declared. Undecodable bytes become U+FFFD."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return Decoded(_text(raw[len(mark) :], encoding), encoding, "mark")
    declared = _declared(raw, charset)
    if (declared is None or declared[0] != "utf-8") and not raw.isascii():
        text = _as_utf8(raw)
        if text is not None:
            return Decoded(text, "utf-8", "content")
    encoding, source = declared or _guess(raw)
    return Decoded(_text(raw, encoding), encoding, source)


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
    if encoding == "utf-8":
        return raw.decode("utf-8", "replace")
    return str(webencodings.lookup(encoding).codec_info.decode(raw, "replace")[0])
