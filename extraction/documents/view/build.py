"""Document -> the inert page view: a flat list from which a browser builds the page, never parsing it.

A projection of the document's events: whitelisted tags and attributes, no address that could be fetched, and
every text a slice of the canonical text, in its order. The same whitelists stand in the browser's module.

With `CapturedAssets`, the view has the page's sheets and images as captured: an image is named by the digest
under which it is served, and what is not shown holds its place among its siblings, as rules may count them.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Self

from extraction.documents.canonical_text import UNWANTED
from extraction.documents.document import Document, Event
from extraction.documents.tags import DROPPED, KINDS
from extraction.documents.view import shapes
from extraction.documents.view.captured_assets import CapturedAssets, Sheet
from extraction.documents.view.css import clean_declarations, clean_sheets, important_declarations
from extraction.documents.view.pictures import captured
from extraction.documents.view.shadow_styles import ROOT, SLOT, scoped
from extraction.documents.view.stand_ins import OWN, TAG, StandIns, own_attributes

SPACE = 1  # op
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
# A script makes a sheet of this `media` attribute one for screens as soon as it is loaded.
_TURNED_ON = re.compile(r"\bmedia\s*=\s*['\"]?\s*(?:all|screen)?\b|removeAttribute\(\s*['\"]media")
_MAX_SPAN = 200
_MAX_VALUE = 10_000
_MAX_RULES = 1_000  # of our own for one page
_IMPORTANT = "data-important"  # attribute of the view
_HEAVY = "#_#_#_#_"  # matches nothing, and makes a selector weigh more than those of pages


class _Projection:
    """A view in the making."""

    def __init__(self, document: Document, assets: CapturedAssets | None) -> None:
        self.ops: list[Any] = []
        self.starts: list[int] = []
        self.sheets: list[Sheet] = []  # as written, for the screen
        self.lost_sheets = 0  # external ones that are not here
        self.stand_ins = StandIns(_KEPT if assets else None)
        self._document = document
        self._assets = assets
        if assets:
            assets.rebase(_attributes_of(document, "base").get("href", ""))
        events, sheets = scoped(document.events, document.styles)
        self._rest, self._offsets, self._styles = iter(events), iter(document.nodes), iter(sheets)
        self._size_rules: dict[str, None] = {}
        self._important: dict[str, int] = {}
        self._shown: list[bool] = []  # for each open element: is there an op to close?
        self._sources: list[dict[str, str]] = []  # of the `picture` that is open
        self._in_body = False

    def run(self) -> Self:
        text, add, shown = self._document.text, self.ops.append, self._shown
        for event in self._rest:
            if isinstance(event, str):
                start, end = next(self._offsets)
                spaced = self._assets and (event[:1].isspace(), event[-1:].isspace())
                if spaced and spaced[0] and (start < 0 or not text[start].isspace()):
                    add(SPACE)
                if start >= 0:
                    add(text[start:end])
                    self.starts.append(start)
                if spaced and spaced[1] and start >= 0 and not text[end - 1].isspace():
                    add(SPACE)
            elif event is None:
                if shown.pop():
                    add(0)
            elif event[0] == "style":
                self._add_style(event[1])
            elif event[0] in _LEFT_OUT:
                self._leave_out(*event)
            else:
                self._add_element(*event)
        return self

    def _add_style(self, attributes: dict[str, str]) -> None:
        base = self._assets.base if self._assets else ""
        self.sheets.extend(Sheet(css, base) for css in _for_screen(next(self._styles), attributes))
        self._hold_place("style")
        self._shown.append(False)

    def _leave_out(self, tag: str, attributes: dict[str, str]) -> None:
        """Pass over an element; a grey shape or an empty place may be left of it."""
        if tag == "link":
            self._add_link(attributes)
        elif tag == "source":
            self._sources.append(attributes)
        texts = _skip(self._rest, self._offsets, self._styles)
        if shapes.is_control(tag, attributes):
            own = self._own_of_control(tag, attributes, texts)
            self._add_stand_in("span", tag, {**self._clean("span", attributes), **own})
        elif tag in shapes.DRAWINGS:
            size = attributes if self._assets else shapes.sized(tag, attributes)
            own = shapes.dressed_drawing(tag, attributes) if self._assets else {}
            self._add_stand_in("img", tag, {**self._clean("img", size), **own, **shapes.view_box(attributes)})
        else:
            self._hold_place(tag)

    def _own_of_control(self, tag: str, attributes: dict[str, str], texts: list[str]) -> dict[str, str]:
        if not self._assets:
            return shapes.control(tag, attributes)
        return shapes.dressed_control(tag, attributes, texts, quirks=self._document.quirks)

    def _add_stand_in(self, instead: str, tag: str, attributes: dict[str, str]) -> None:
        self.stand_ins.add(tag, instead)
        for rule in islice(shapes.size_rules(tag, attributes), _MAX_RULES - len(self._size_rules)):
            self._size_rules[rule] = None
        self.ops.append([instead, {TAG: tag, **attributes}, 1])

    def _hold_place(self, tag: str) -> None:
        """With its own sheets, a page's rules may count what is not shown, as `:first-child` does."""
        if self._assets and self._in_body:
            self._add_stand_in(_UNKNOWN, tag, {"hidden": ""})

    def _add_link(self, attributes: dict[str, str]) -> None:
        """Take the sheet of a `link` from the assets, or note that it is not here."""
        assets, address = self._assets, attributes.get("href", "")
        if assets and _TURNED_ON.search(attributes.get("onload", "")):
            attributes = {**attributes, "media": ""}
        if assets is None:
            if _is_sheet(attributes):
                self.lost_sheets += 1
        elif _is_sheet(attributes) or (_waits_for_script(attributes) and assets.has_sheet(address)):
            sheet = assets.sheet(address, assets.base)
            if sheet:
                self.sheets.extend(Sheet(css, sheet.base) for css in _for_screen(sheet.css, attributes))

    def _add_element(self, tag: str, attributes: dict[str, str]) -> None:
        self._in_body |= tag == "body"
        if tag == "picture":
            self._sources.clear()
        op = self._element(tag, attributes)
        self._shown.append(len(op) in (1, 2))
        if op:
            self.ops.append(op)

    def _element(self, tag: str, attributes: dict[str, str]) -> list[Any]:
        """The op that starts an element, or [] for one that is not shown itself."""
        name = _TAGS.get(tag, _UNKNOWN)
        if name in _EMPTY:
            cleaned = self._clean(name, attributes)
            if tag == "img" and self._assets:
                cleaned |= captured(self._assets, attributes, self._sources)
                cleaned = {name: value for name, value in cleaned.items() if value is not None}
                self._sources.clear()
            return [name, cleaned, 1]
        if not name or len(self._shown) >= MAX_OPEN:
            return []
        cleaned = self._clean(name, attributes) if attributes else {}
        if name != tag and self.stand_ins.add(tag, name):
            cleaned[TAG] = tag
            if tag == "button" and self._assets and "type" in attributes:
                cleaned["type"] = _plain(attributes["type"])
            if tag == "details" and "open" in attributes:
                cleaned["data-open"] = ""
        return [name, cleaned] if cleaned else [name]

    def _clean(self, tag: str, attributes: dict[str, str]) -> dict[str, Any]:
        cleaned_attributes: dict[str, Any] = {}
        for name, value in attributes.items():
            clean = _ATTRIBUTES.get(name)
            if clean is not None and (name not in _ONLY_ON or tag in _ONLY_ON[name]):
                cleaned = clean(value)
                if cleaned is not None:
                    cleaned_attributes[_NAMES.get(name, name)] = cleaned
        if self._assets:
            cleaned_attributes |= {
                name: _plain(value) for name, value in own_attributes(attributes, _KEPT).items()
            }
        if self._assets and (style := _style_with_images(self._assets, attributes)):
            cleaned_attributes["style"] = style
            if "!" in attributes.get("style", ""):
                self._add_important(attributes["style"], cleaned_attributes)
        return cleaned_attributes

    def _add_important(self, style: str, cleaned: dict[str, str]) -> None:
        """What is important in a style attribute becomes a rule, which beats the page's others, not ours."""
        css = important_declarations(style, self._assets)
        if css and (css in self._important or len(self._important) < _MAX_RULES):
            cleaned[_IMPORTANT] = str(self._important.setdefault(css, len(self._important)))

    def forget_unspoken(self) -> None:
        """Leave out the attributes of which no sheet speaks; call it when the sheets are made."""
        if not self._assets:
            return
        for at, op in enumerate(self.ops):
            if isinstance(op, list) and len(op) > 1 and any(name.startswith(OWN) for name in op[1]):
                kept = {
                    name: value
                    for name, value in op[1].items()
                    if not name.startswith(OWN) or name[len(OWN) :] in self.stand_ins.spoken
                }
                self.ops[at] = [op[0], kept, *op[2:]] if kept or len(op) > 2 else [op[0]]

    def own_sheets(self) -> tuple[list[str], list[str]]:
        """The sheets below the page's own, and above them."""
        above = [
            f':is([{_IMPORTANT}="{number}"], {_HEAVY}){{{css}}}' for css, number in self._important.items()
        ]
        below = ["\n".join(self._size_rules)] if self._size_rules else []
        return below, ["\n".join(above)] if above else []


def build_view(document: Document, assets: CapturedAssets | None = None) -> dict[str, Any]:
    """The view as JSON data.

    `ops` holds a string for a text node, 0 for the end of an element, 1 for a space that takes up room but is
    not in the text (as after a drawing at the start of a block), `[tag]`, `[tag, attributes]`, or
    `[tag, attributes, 1]` for an element that holds nothing; `starts` the canonical offset of each text node;
    `lost_sheets` the number of external style sheets that are not here; `dressed` says whether the page's own
    sheets and images are.
    """
    view = _Projection(document, assets).run()
    below, above = view.own_sheets()
    css = [*below, *clean_sheets(view.sheets, view.stand_ins, assets), *above]
    view.forget_unspoken()
    imports = sum(len(_IMPORT.findall(sheet.css)) for sheet in view.sheets)
    root = _attributes_of(document, "html")
    return {
        "version": document.version,
        "sha256": document.sha256,
        "length": len(document.text),
        "quirks": document.quirks,
        "ops": view.ops,
        "starts": view.starts,
        "blocks": [list(block) for block in document.blocks],
        "css": css,
        "lost_sheets": len(assets.missing_sheets) if assets else view.lost_sheets + imports,
        "dressed": assets is not None,
        "lang": _language(root.get("lang", "")) or "",
        "dir": _direction(root.get("dir", "") or _attributes_of(document, "body").get("dir", "")) or "",
    }


def packed(view: dict[str, Any]) -> bytes:
    """A view as gzipped JSON; the same view gives the same bytes."""
    return gzip.compress(json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode(), 4, mtime=0)


def _skip(rest: Iterator[Event], offsets: Iterator[Any], styles: Iterator[str]) -> list[str]:
    """Pass over the inside and the end of the element just started; return the texts that were there."""
    depth = 1
    texts: list[str] = []
    for event in rest:
        if event is None:
            depth -= 1
            if not depth:
                break
        elif isinstance(event, str):
            next(offsets)
            texts.append(event)
        else:
            depth += 1
            if event[0] == "style":
                next(styles)
    return texts


def _is_sheet(attributes: dict[str, str]) -> bool:
    """Whether a `link` with these attributes dresses the page on a screen."""
    kinds = attributes.get("rel", "").lower().split()
    is_for_screen = "print" not in attributes.get("media", "").lower()
    return "stylesheet" in kinds and "alternate" not in kinds and "href" in attributes and is_for_screen


def _waits_for_script(attributes: dict[str, str]) -> bool:
    """Whether a script makes a style sheet of this `link` once it is loaded."""
    is_preload = "preload" in attributes.get("rel", "").lower().split()
    return (
        is_preload
        and attributes.get("as", "").lower() == "style"
        and "onload" in attributes
        and "href" in attributes
    )


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


def _plain(value: str) -> str:
    return value if value.isprintable() and len(value) <= _MAX_VALUE else UNWANTED.sub("", value)[:_MAX_VALUE]


def _style(value: str) -> str | None:
    return clean_declarations(value) or None


def _style_with_images(assets: CapturedAssets, attributes: dict[str, str]) -> str:
    """The style attribute, behind the image of a `background` attribute, if there is one."""
    style = clean_declarations(attributes.get("style", ""), assets)
    address = attributes.get("background", "")
    digest = assets.background(address, assets.base) if address else None
    return f'background-image:url("{digest}");{style}' if digest else style


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
# The attributes of elements of the view, by the page's names for them.
_KEPT = {name: _NAMES.get(name, name) for name in _ATTRIBUTES} | {"open": "data-open"}
_ONLY_ON = {"href": {"a"}, "type": {"ol", "ul", "li"}}
