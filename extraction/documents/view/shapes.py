"""What is drawn as a grey shape of its size: controls, drawings, and pages within the page.

How large they are by themselves, below all rules of the page, was measured in Chromium: text fields are as
wide as characters of the font, buttons and lists as their longest label, which is there but transparent.
"""

import re
from collections.abc import Iterable

DRAWINGS = frozenset({"svg", "canvas", "video", "iframe", "object", "embed"})
# Attributes of the view: a size that rules of the page override, and the label that a control is as wide as.
WIDTH, HEIGHT, LABEL = "data-width", "data-height", "data-label"

_CONTROLS = frozenset({"input", "select", "textarea"})
_KINDS = frozenset(
    {"button", "checkbox", "color", "file", "image", "radio", "range", "reset", "search", "submit", "text"}
)
_MORE_KINDS = frozenset(
    {"date", "datetime-local", "email", "month", "number", "password", "tel", "time", "url", "week"}
)
_AS_WIDE_AS_SIZE = frozenset({"", "email", "password", "search", "tel", "text", "url"})
_LABELS = {"submit": "Submit", "reset": "Reset", "button": ""}
_MAX_LABEL = 200

_EM = re.compile(r"\s*(\d{1,4}(?:\.\d{1,6})?)(em|rem|ex|ch)\s*")
_COUNT = re.compile(r"\s*(\d{1,3})\b")
_VIEW_BOX = re.compile(r"\s*-?[\d.]{1,9}[\s,]+-?[\d.]{1,9}[\s,]+(\d[\d.]{0,8})[\s,]+(\d[\d.]{0,8})\s*")


def is_control(tag: str, attributes: dict[str, str]) -> bool:
    """Whether an element is a control that takes up room."""
    return tag in _CONTROLS and attributes.get("type", "").lower() != "hidden"


def control(tag: str, attributes: dict[str, str]) -> dict[str, str]:
    """The kind of an `input`, by which rules choose it."""
    kind = attributes.get("type", "").lower()
    return {"type": kind} if tag == "input" and kind in _KINDS else {}


def dressed_control(
    tag: str, attributes: dict[str, str], texts: Iterable[str], *, quirks: bool
) -> dict[str, str]:
    """The same with all kinds, and what tells how large a control is by itself; `texts`: those inside it.

    In `quirks` mode the sizes of text fields are those of their borders.
    """
    if tag == "textarea":
        columns, rows, edge = _count(attributes, "cols", 20), _count(attributes, "rows", 2), 6 * quirks
        return {WIDTH: f"calc({columns}*.96ch + {15 + edge}px)", HEIGHT: f"calc({rows}*1lh + {edge}px)"}
    if tag == "select":
        longest = max((" ".join(text.split()) for text in texts), key=len, default="")
        rows = _count(attributes, "size", 4 if "multiple" in attributes else 1)
        return {LABEL: longest[:_MAX_LABEL]} | ({HEIGHT: f"calc({rows}*1.275em + 2px)"} if rows > 1 else {})
    kind = attributes.get("type", "").lower()
    found = {"type": kind} if kind in _KINDS or kind in _MORE_KINDS else {}
    if kind in _LABELS:
        found[LABEL] = attributes.get("value", _LABELS[kind])[:_MAX_LABEL]
    elif kind in _AS_WIDE_AS_SIZE and (size := _count(attributes, "size", 20)) != 20:
        found[WIDTH] = f"calc({size}*.82ch + 2.4em + {8 * quirks}px)"
    return found


def sized(tag: str, attributes: dict[str, str]) -> dict[str, str]:
    """The attributes of a drawing; a size in units of text becomes a style, as `img` has none for it."""
    sizes = "".join(f"{side}:{size};" for side, size in _sizes_of_text(tag, attributes))
    return {**attributes, "style": sizes + attributes.get("style", "")} if sizes else attributes


def dressed_drawing(tag: str, attributes: dict[str, str]) -> dict[str, str]:
    """The sizes of a drawing in units of text and the border of a frame, which rules of the page override."""
    has_border = tag == "iframe" and attributes.get("frameborder", "1").strip() not in ("0", "no")
    sizes = {f"data-{side}": size for side, size in _sizes_of_text(tag, attributes)}
    return sizes | ({"border": "2"} if has_border else {})


def _sizes_of_text(tag: str, attributes: dict[str, str]) -> Iterable[tuple[str, str]]:
    for side in ("width", "height") if tag == "svg" else ():
        if found := _EM.fullmatch(attributes.get(side, "")):
            yield side, found[1] + found[2]


def size_rules(tag: str, attributes: dict[str, str]) -> Iterable[str]:
    """The rules, weaker than any of the page, that give these attributes of a stand-in their effect."""
    for name, side in ((WIDTH, "width"), (HEIGHT, "height")):
        if name in attributes:
            value = attributes[name]
            yield f':where([data-tag="{tag}"][{name}="{value}"]){{{side}:{value}}}'


def view_box(attributes: dict[str, str]) -> dict[str, str]:
    """Width and height of the coordinates of a drawing, which give it its proportions."""
    found = _VIEW_BOX.fullmatch(attributes.get("viewBox", attributes.get("viewbox", "")))
    return {"data-box": f"{found[1]} {found[2]}"} if found else {}


def _count(attributes: dict[str, str], name: str, default: int) -> int:
    found = _COUNT.match(attributes.get(name, ""))
    return int(found[1]) or default if found else default
