"""The encoding that a page declares in a `meta` element, found in its bytes before anything is parsed.

This is the prescan of the HTML standard ("prescan a byte stream to determine its encoding"), with the tags
read by regular expressions. Every alternative starts with another byte, so that nothing is ever read twice.
Groups are made atomic by `(?>...)`: until Python 3.11.5, possessive ones match wrongly.
"""

import re
from collections.abc import Iterator

import webencodings

_MARKUP = re.compile(
    rb"<(?:(?P<comment>!--)|(?P<meta>meta)(?=[\t\n\f\r />])"
    rb"|(?P<tag>/?[a-z][^\t\n\f\r />]*)|(?P<other>[!/?]))",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    rb"""[\t\n\f\r /]*+(?P<name>[^\t\n\f\r />][^\t\n\f\r />=]*+)"""
    rb"""(?>(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'"""
    rb"""|(?P<bare>[^\t\n\f\r >"'][^\t\n\f\r >]*+)|(?P<unclosed>["'])|(?=>)))?)"""
)
# What comes before the next comment, meta or declaration: text, and whole tags. A tag that is cut off, or of
# which a value has no end, is left to the slower way.
_PASSED_OVER = re.compile(
    rb"""(?>(?:[^<]++|<(?![!?/a-z])|<(?!meta[\t\n\f\r />])/?[a-z][^\t\n\f\r />]*+"""
    rb"""(?>(?:[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"""
    rb"""(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+|(?=>))|(?![\t\n\f\r ]*+=[\t\n\f\r ]*+["'])))*)"""
    rb"""[\t\n\f\r /]*+>)*)""",
    re.IGNORECASE,
)
_CHARSET = re.compile(
    rb"""charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*+)"|'([^']*+)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*+))""",
    re.IGNORECASE,
)
_UTF_16 = frozenset({"utf-16le", "utf-16be"})


def declared_in_meta(head: bytes) -> str | None:
    """The name (of the Encoding standard) of the first usable declaration in these bytes."""
    if b"charset" not in head.lower():
        return None
    position = 0
    while markup := _MARKUP.search(head, _next_markup(head, position)):
        position = markup.end()
        if markup["comment"]:
            # The two hyphens of <!-- may be those that close it: <!--> is a whole comment.
            position = _after(head, b"-->", position - 2)
        elif markup["other"]:
            position = _after(head, b">", position)
        else:
            attributes = list(_attributes(head, position))
            position = attributes[-1][2] if attributes else position
            name = _declaration(attributes) if markup["meta"] else None
            if name:
                return name
    return None


def _next_markup(head: bytes, position: int) -> int:
    """Where the next markup is that may be something else than a whole tag without a declaration."""
    passed_over = _PASSED_OVER.match(head, position)
    return passed_over.end() if passed_over else position


def _after(head: bytes, mark: bytes, position: int) -> int:
    found = head.find(mark, position)
    return len(head) if found < 0 else found + len(mark)


def _attributes(head: bytes, position: int) -> Iterator[tuple[bytes, bytes, int]]:
    """Name, value and end of each attribute of the tag whose name ends here; none when the tag is cut off."""
    while attribute := _ATTRIBUTE.match(head, position):
        position = attribute.end()
        if attribute["unclosed"] or position == len(head):
            return
        value = attribute["double"] or attribute["single"] or attribute["bare"] or b""
        yield attribute["name"].lower(), value, position


def _declaration(attributes: list[tuple[bytes, bytes, int]]) -> str | None:
    first: dict[bytes, bytes] = {}
    for name, value, _ in attributes:
        first.setdefault(name, value)
    if b"charset" in first:
        return _encoding(first[b"charset"])
    if first.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CHARSET.search(first.get(b"content", b""))
        return _encoding(found[1] or found[2] or found[3]) if found else None
    return None


def _encoding(label: bytes | None) -> str | None:
    found = webencodings.lookup((label or b"").decode("latin-1"))
    if found is None:
        return None
    # The standard: "utf-16" declared in ASCII bytes cannot be true.
    return "utf-8" if found.name in _UTF_16 else str(found.name)
