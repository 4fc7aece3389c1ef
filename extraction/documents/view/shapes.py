"""What is drawn as a grey shape of its size: controls, drawings, and pages within the page."""

import re

DRAWINGS = frozenset({"svg", "canvas", "video", "iframe", "object", "embed"})
_CONTROLS = frozenset({"input", "select", "textarea"})
_KINDS = frozenset(
    {"button", "checkbox", "color", "file", "image", "radio", "range", "reset", "search", "submit", "text"}
)

_EM = re.compile(r"\s*(\d{1,4}(?:\.\d{1,6})?)(em|rem|ex|ch)\s*")
_VIEW_BOX = re.compile(r"\s*-?[\d.]{1,9}[\s,]+-?[\d.]{1,9}[\s,]+(\d[\d.]{0,8})[\s,]+(\d[\d.]{0,8})\s*")


def is_control(tag: str, attributes: dict[str, str]) -> bool:
    """Whether an element is a control that takes up room."""
    return tag in _CONTROLS and attributes.get("type", "").lower() != "hidden"


def control(tag: str, attributes: dict[str, str]) -> dict[str, str]:
    """The kind of an `input`, by which rules choose it."""
    kind = attributes.get("type", "").lower()
    return {"type": kind} if tag == "input" and kind in _KINDS else {}


def sized(tag: str, attributes: dict[str, str]) -> dict[str, str]:
    """The attributes of a drawing; a size in units of text becomes a style, as `img` has none for it."""
    if tag != "svg":
        return attributes
    sizes = [
        f"{side}:{found[1]}{found[2]};"
        for side in ("width", "height")
        if (found := _EM.fullmatch(attributes.get(side, "")))
    ]
    return {**attributes, "style": "".join(sizes) + attributes.get("style", "")} if sizes else attributes


def view_box(attributes: dict[str, str]) -> dict[str, str]:
    """Width and height of the coordinates of a drawing, which give it its proportions."""
    found = _VIEW_BOX.fullmatch(attributes.get("viewBox", attributes.get("viewbox", "")))
    return {"data-box": f"{found[1]} {found[2]}"} if found else {}
