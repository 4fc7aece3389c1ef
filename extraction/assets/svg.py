"""SVG of strangers -> SVG of ours, for use as an image.

A drawing is written again from what is known to draw: shapes, text, gradients, clips. That keeps it sharp at
every size and needs no renderer, which would be a library of its own with a parser of its own. Scripts, event
attributes, links, foreign objects, filters, references to anything but a part of the same drawing, and
elements that repeat others (of which bombs are made) do not come along. In an `img` browsers run no script
and load nothing either, and the answer that carries it has a policy that forbids both.
"""

import re

from lxml import etree

from extraction.assets.errors import AssetRefused
from extraction.assets.images import MadeImage
from extraction.documents.view.css import clean_declarations, clean_sheet

MAX_BYTES = 1024 * 1024
MAX_ELEMENTS = 5_000
MAX_DEPTH = 60
SERVED_TYPE = "image/svg+xml"

_SVG = "http://www.w3.org/2000/svg"
_DRAWS = """
    svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath
    text tspan style
"""
_SAYS_HOW = """
    viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform
    gradientTransform gradientUnits spreadMethod offset clipPathUnits clip-path clip-rule fill fill-opacity
    fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
    stroke-dasharray stroke-dashoffset stop-color stop-opacity opacity color display visibility font-family
    font-size font-weight font-style text-anchor letter-spacing dx dy textLength dominant-baseline id
    class
"""
_ELEMENTS, _ATTRIBUTES = frozenset(_DRAWS.split()), frozenset(_SAYS_HOW.split())
_PAINT = frozenset({"fill", "stroke", "clip-path"})
_OWN_PART = re.compile(r"url\(\s*[\"']?#([\w.-]{1,100})[\"']?\s*\)")
_HARMLESS = re.compile(r"[^<>&\\@]*")
_NUMBER = re.compile(r"\s*(\d{1,5}(?:\.\d{1,6})?)\s*(?:px)?\s*")


def is_svg(raw: bytes) -> bool:
    """Whether these bytes begin like a drawing."""
    return re.search(rb"<(?:\w+:)?svg[\s>]", raw[:4096]) is not None


def remake(raw: bytes) -> MadeImage:
    """Write a drawing again; raises `AssetRefused` where it is none, or more than it may be."""
    if len(raw) > MAX_BYTES:
        raise AssetRefused(f"the drawing has {len(raw):,} bytes, more than {MAX_BYTES:,}")
    if b"<!ENTITY" in raw or b"\x00" in raw:
        raise AssetRefused("the drawing declares entities")
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, recover=True
    )
    try:
        root = etree.fromstring(raw, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise AssetRefused("the drawing is no XML") from error
    if root is None or _name(root) != "svg":
        raise AssetRefused("it is no drawing")
    if sum(1 for _ in root.iter()) > MAX_ELEMENTS:
        raise AssetRefused(f"the drawing has more than {MAX_ELEMENTS:,} elements")
    made = etree.Element(f"{{{_SVG}}}svg", nsmap={None: _SVG})  # type: ignore[dict-item]  # stubs are too strict
    _copy(root, made, 0)
    return MadeImage(etree.tostring(made), SERVED_TYPE, _pixels(made, "width"), _pixels(made, "height"))


def _name(element: etree._Element) -> str:
    """The local name of an element of SVG, or ""; files without a namespace are taken for SVG."""
    tag: object = element.tag  # of a comment it is a function
    if not isinstance(tag, str):
        return ""
    space, _, name = tag.rpartition("}")
    return name if space in ("", f"{{{_SVG}") else ""


def _copy(old: etree._Element, new: etree._Element, depth: int) -> None:
    for key, value in old.attrib.items():
        name, text = str(key), str(value)
        clean = _attribute(name, text)
        if clean is not None:
            new.set(name, clean)
    name = _name(old)
    if name == "style":
        new.text = clean_sheet("".join(str(text) for text in old.itertext())).replace("<", "")
        return
    if name in ("text", "tspan"):
        new.text = old.text
    if depth >= MAX_DEPTH:
        return
    for child in old:
        if _name(child) in _ELEMENTS:
            copied = etree.SubElement(new, f"{{{_SVG}}}{_name(child)}")
            _copy(child, copied, depth + 1)
            if name in ("text", "tspan"):
                copied.tail = child.tail


def _attribute(name: str, value: str) -> str | None:
    if name == "style":
        return clean_declarations(value) or None
    if name not in _ATTRIBUTES or not _HARMLESS.fullmatch(value):
        return None
    if "(" in value and name in _PAINT:
        part = _OWN_PART.search(value)
        if "url" in value.lower():
            return f"url(#{part[1]})" if part else None
    return None if "url" in value.lower() and name not in ("id", "class") else value


def _pixels(root: etree._Element, side: str) -> int | None:
    found = _NUMBER.fullmatch(str(root.get(side, "")))
    return round(float(found[1])) if found else None
