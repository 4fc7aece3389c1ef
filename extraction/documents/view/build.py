"""Document -> the inert page view: a flat list from which a browser builds the page, never parsing it.

A projection of the document's events: whitelisted tags and attributes, no address that could be fetched, and
every text a slice of the canonical text, in its order. The same whitelists stand in the browser's module.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from extraction.documents.canonical_text import UNWANTED
from extraction.documents.document import Document, Event
from extraction.documents.tags import DROPPED, KINDS
from extraction.documents.view.css import clean_declarations, clean_sheets
from extraction.documents.view.shadow_styles import ROOT, SLOT, scoped

MAX_OPEN = 200  # elements; what lies deeper is shown in the innermost of them

_ALLOWED = """
    html body address article aside blockquote center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6
    header hgroup hr li main nav ol p pre section table caption colgroup col thead tbody tfoot tr td th ul a
    abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd mark nobr q rb rp rt rtc ruby s
    samp small span strike strong sub sup time tt u var wbr
"""
_RENAMED = {
    **dict.fromkeys(("form", "fieldset", "legend", "marquee", "details", "summary", "search"), "div"),
    **dict.fromkeys(("listing", "xmp", "plaintext"), "pre"),
    **dict.fromkeys(("menu", "dir"), "ul"),
}
_UNKNOWN = "span"
_EMPTY = frozenset({"br", "hr", "img", "wbr", "col"})
_LEFT_OUT = frozenset(tag for tag, kind in KINDS.items() if kind == DROPPED) - {"head"}
_TAGS = {**{tag: tag for tag in _ALLOWED.split()}, **_RENAMED, "head": ""}  # "": only its children are shown

_PLAIN = """
    class id title align valign bgcolor color face alt hidden type reversed nowrap clear datetime role rules
    frame scope noshade compact text
"""
_LENGTHS = "width height size border cellpadding cellspacing hspace vspace"

_INTEGER = re.compile(r"\s*(-?\d{1,4})\b")
_LENGTH = re.compile(r"\s*[+-]?\d{1,4}(?:\.\d{1,4})?\s*(?:%|px|\*)?\s*")
_SCHEME = re.compile(r"[\x00-\x20]*([a-z][a-z0-9+.\-\s]*):", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,35}")
_MEDIA = re.compile(r"[\w\s(),:.<>=/-]{1,500}")
_IMPORT = re.compile(r"@import\b", re.IGNORECASE)
_MAX_SPAN = 200
_MAX_VALUE = 1_000


class _Projection(NamedTuple):
    ops: list[Any]
    starts: list[int]
    sheets: list[str]  # as written, for the screen
    lost_sheets: list[str]  # addresses of the external ones


def build_view(document: Document) -> dict[str, Any]:
    """The view as JSON data.

    `ops` holds a string for a text node, 0 for the end of an element, `[tag]`, `[tag, attributes]`, or
    `[tag, attributes, 1]` for an element that holds nothing; `starts` the canonical offset of each text node;
    `lost_sheets` the number of external style sheets, which are not here.
    """
    ops, starts, sheets, lost_sheets = _project(document)
    root = _attributes_of(document, "html")
    return {
        "version": document.version,
        "sha256": document.sha256,
        "length": len(document.text),
        "quirks": document.quirks,
        "ops": ops,
        "starts": starts,
        "blocks": [list(block) for block in document.blocks],
        "css": clean_sheets(sheets),
        "lost_sheets": len(lost_sheets) + sum(map(_imports, sheets)),
        "lang": _language(root.get("lang", "")) or "",
        "dir": _direction(root.get("dir", "") or _attributes_of(document, "body").get("dir", "")) or "",
    }


def _project(document: Document) -> _Projection:
    view = _Projection([], [], [], [])
    text, add = document.text, view.ops.append
    events, sheets = scoped(document.events, document.styles)
    offsets, styles = iter(document.nodes), iter(sheets)
    shown: list[bool] = []  # for each open element: is there an op to close?
    rest = iter(events)
    for event in rest:
        if isinstance(event, str):
            start, end = next(offsets)
            if start >= 0:
                add(text[start:end])
                view.starts.append(start)
        elif event is None:
            if shown.pop():
                add(0)
        elif event[0] == "style":
            view.sheets.extend(_for_screen(next(styles), event[1]))
            shown.append(False)
        elif event[0] in _LEFT_OUT:
            if event[0] == "link" and _is_sheet(event[1]):
                view.lost_sheets.append(event[1]["href"])
            _skip(rest, offsets, styles)
        else:
            op = _element(event[0], event[1], len(shown))
            shown.append(len(op) in (1, 2))
            if op:
                add(op)
    return view


def _element(tag: str, attributes: dict[str, str], depth: int) -> list[Any]:
    """The op that starts an element, or [] for one that is not shown itself."""
    name = _TAGS.get(tag, _UNKNOWN)
    if name in _EMPTY:
        return [name, _clean(name, attributes), 1]
    if not name or depth >= MAX_OPEN:
        return []
    cleaned = _clean(name, attributes) if attributes else None
    return [name, cleaned] if cleaned else [name]


def _skip(rest: Iterator[Event], offsets: Iterator[Any], styles: Iterator[str]) -> None:
    """Pass over the inside and the end of the element just started."""
    depth = 1
    for event in rest:
        if event is None:
            depth -= 1
            if not depth:
                return
        elif isinstance(event, str):
            next(offsets)
        else:
            depth += 1
            if event[0] == "style":
                next(styles)


def _is_sheet(attributes: dict[str, str]) -> bool:
    """Whether a `link` with these attributes dresses the page on a screen."""
    kinds = attributes.get("rel", "").lower().split()
    is_for_screen = "print" not in attributes.get("media", "").lower()
    return "stylesheet" in kinds and "alternate" not in kinds and "href" in attributes and is_for_screen


def _imports(css: str) -> int:
    return len(_IMPORT.findall(css))


def _for_screen(css: str, attributes: dict[str, str]) -> list[str]:
    """The sheet, under its media query; nothing if it is not for screens."""
    media = attributes.get("media", "").strip()
    if not css or not media or media.lower() in ("all", "screen"):
        return [css] if css else []
    if "print" in media.lower() or not _MEDIA.fullmatch(media):
        return []
    return [f"@media {media}{{{css}}}"]


def _attributes_of(document: Document, tag: str) -> dict[str, str]:
    return next((event[1] for event in document.events if isinstance(event, list) and event[0] == tag), {})


def _clean(tag: str, attributes: dict[str, str]) -> dict[str, str]:
    cleaned_attributes = {}
    for name, value in attributes.items():
        clean = _ATTRIBUTES.get(name)
        if clean is not None and (name not in _ONLY_ON or tag in _ONLY_ON[name]):
            cleaned = clean(value)
            if cleaned is not None:
                cleaned_attributes[_NAMES.get(name, name)] = cleaned
    return cleaned_attributes


def _plain(value: str) -> str:
    return value if value.isprintable() and len(value) <= _MAX_VALUE else UNWANTED.sub("", value)[:_MAX_VALUE]


def _style(value: str) -> str | None:
    return clean_declarations(value) or None


def _integer(value: str) -> str | None:
    found = _INTEGER.match(value)
    return found[1] if found else None


def _cell_span(value: str) -> str | None:
    found = _integer(value)
    return str(min(int(found), _MAX_SPAN)) if found else None


def _length(value: str) -> str | None:
    return value.strip() if _LENGTH.fullmatch(value) else None


def _web_address(value: str) -> str | None:
    scheme = _SCHEME.match(value)
    return _plain(value) if scheme is None or scheme[1].lower() in ("http", "https") else None


def _language(value: str) -> str | None:
    return value if _LANGUAGE.fullmatch(value) else None


def _direction(value: str) -> str | None:
    return value.lower() if value.lower() in ("ltr", "rtl", "auto") else None


_ATTRIBUTES: dict[str, Callable[[str], str | None]] = {
    **dict.fromkeys(_PLAIN.split(), _plain),
    **dict.fromkeys(_LENGTHS.split(), _length),
    **dict.fromkeys(("colspan", "rowspan", "span"), _cell_span),
    **dict.fromkeys(("start", "value", ROOT), _integer),
    SLOT: _plain,
    "style": _style,
    "href": _web_address,
    "lang": _language,
    "dir": _direction,
}
_NAMES = {"href": "data-href"}
_ONLY_ON = {"href": {"a"}, "type": {"ol", "ul", "li"}}
