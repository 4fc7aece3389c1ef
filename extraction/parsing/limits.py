"""Limits on untrusted pages, and a cheap scan of the bytes that refuses most pages beyond them.

The scan is no guarantee: markup can pass it and still stall the parser. It saves the seconds that the usual
hostile page would cost; the sandbox's limits of time and memory catch the rest.
"""

import re

import numpy as np

from extraction.parsing.errors import ParseError
from extraction.parsing.file_type import check_is_page

MAX_BYTES = 10 * 1024 * 1024
MAX_TAG = 4 * 1024 * 1024  # bytes; saved pages carry whole images in one attribute
MAX_ATTRIBUTES = 2_000  # of one tag; the parser's time grows with their square: 10,000 take 0.1 s
MAX_NODES = 120_000  # of the tree, about 60,000 elements
MAX_DEPTH = 3_000  # of the tree; a real page stays below 100
MAX_UNCLOSED = 20_000  # elements open at once, in the bytes; their cost is quadratic too: 30,000 take 1 s
MAX_TEXT = 3_000_000  # code points of canonical text

# A shorter run of bytes without ">" cannot hold enough attributes to hurt; most pages have none longer.
_RUN = 16 * 1024
_SHORTEST_TAG = 3  # bytes: of <a><b>
_TAG_START = re.compile(rb"<[a-zA-Z]")
_ATTRIBUTE = re.compile(rb"""[\s/]++[^\s/=>]++(?>(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>"']++))?)""")
# Scripts and style sheets are read over whole: "a<b" is no tag there.
_TAG_NAME = re.compile(
    rb"<(?:(?:script|style)\b.*?(?:</(?:script|style)|\Z)|(/?)([a-z][^\s/>]*+))", re.IGNORECASE | re.DOTALL
)
# A new one of these closes the last one, or nothing is ever inside: unclosed, they do not nest.
_DO_NOT_NEST = frozenset(
    b"""p li dt dd tr td th thead tbody tfoot option optgroup rb rp rt rtc a button nobr html head body
    colgroup area base br col embed hr img input link meta param source track wbr""".split()
)


def check_bytes(raw: bytes) -> None:
    """Raise ParseError for too many bytes, no page, and what would stall the parser; takes microseconds."""
    if len(raw) > MAX_BYTES:
        raise ParseError("too-large", f"the page has {len(raw):,} bytes, more than {MAX_BYTES:,}")
    if not raw or raw.isspace():
        raise ParseError("empty", "the page has no bytes but whitespace")
    check_is_page(raw)
    _check_tags(raw)
    if len(raw) > _SHORTEST_TAG * MAX_UNCLOSED and _count(raw, b"<") > MAX_UNCLOSED:
        _check_nesting(raw)


def _count(raw: bytes, byte: bytes) -> int:
    """`bytes.count`, which stops at each one, in a third of its time."""
    return int(np.count_nonzero(np.frombuffer(raw, dtype=np.uint8) == ord(byte)))


def check_text(text: str) -> None:
    """Raise ParseError for more canonical text than a browser could show."""
    if len(text) > MAX_TEXT:
        raise ParseError(
            "text-too-long", f"the page has {len(text):,} characters of text, more than {MAX_TEXT:,}"
        )


def _check_tags(raw: bytes) -> None:
    """Look closely at each long stretch of bytes without the end of a tag."""
    position = 0
    while position + _RUN < len(raw):
        last = raw.rfind(b">", position, position + _RUN)
        if last >= 0:
            position = last + 1
            continue
        end = raw.find(b">", position)
        end = len(raw) if end < 0 else end
        start = _TAG_START.search(raw, position, end)
        if start and _may_be_too_much(raw[start.start() : end]) and not _is_raw_text(raw, start.start()):
            _check_long_tag(raw[start.start() : end])
        position = end + 1


def _may_be_too_much(tag: bytes) -> bool:
    """A blank or a slash comes before each attribute: most long tags have too few of these to look closer."""
    return len(tag) > MAX_TAG or len(tag) - len(tag.translate(None, b" \t\n\r\f\v/")) > MAX_ATTRIBUTES


def _is_raw_text(raw: bytes, position: int) -> bool:
    """True inside a script or a style sheet, where "a<b" is no tag."""
    before = raw[:position].lower()
    return any(before.rfind(b"<" + name) > before.rfind(b"</" + name) for name in (b"script", b"style"))


def _check_long_tag(tag: bytes) -> None:
    if len(tag) > MAX_TAG:
        raise ParseError("tag-too-long", f"one tag has {len(tag):,} bytes, more than {MAX_TAG:,}")
    for number, _ in enumerate(_ATTRIBUTE.finditer(tag)):
        if number >= MAX_ATTRIBUTES:
            raise ParseError("too-many-attributes", f"one tag has more than {MAX_ATTRIBUTES:,} attributes")


def _check_nesting(raw: bytes) -> None:
    unclosed = 0
    for slash, name in _TAG_NAME.findall(raw):
        if name and name.lower() not in _DO_NOT_NEST:
            unclosed = max(unclosed + (-1 if slash else 1), 0)
            if unclosed > MAX_UNCLOSED:
                raise ParseError("too-deep", f"more than {MAX_UNCLOSED:,} elements are open at once")
