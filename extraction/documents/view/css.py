"""Style sheets of captured pages, made harmless enough to lay the page out with.

What keeps a sheet from reaching the network is the frame's content security policy; this keeps requests
from being attempted, and keeps a page from covering itself. A sheet is read as tokens, as browsers read it,
so that a name has one spelling, and what is known to be harmless is written back. What is taken out leaves
something in its place, so that its neighbours never become one token.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import tinycss2

from extraction.documents.canonical_text import UNWANTED
from extraction.gc_pause import gc_paused

MAX_SHEETS = 1_500_000  # code points of a page's sheets together; a sheet beyond is left out
MAX_DECLARATIONS = 4_000  # of a style attribute
MAX_DEPTH = 50  # blocks in blocks; what lies deeper is left out

# Not import and font-face, which fetch.
_AT_RULES = """
    container counter-style keyframes layer media position-try property scope starting-style supports
"""
# Not url, src, image, image-set, cross-fade, element and paint, which fetch or borrow pictures; and not
# highlight: how marks look is ours to say.
_FUNCTIONS = """
    abs acos alpha anchor anchor-size and any asin atan atan2 attr blur brightness calc calc-size circle
    clamp color color-mix color-stop conic-gradient constant contrast contrast-color cos counter counters
    cubic-bezier cue dir drop-shadow ellipse else env exp fit-content from gradient grayscale has host
    host-context hsl hsla hue-rotate hwb hypot if inherit inset invert is lab lang lch light-dark linear
    linear-gradient log matches matrix matrix3d max media min minmax mod not nth-child nth-col
    nth-last-child nth-last-col nth-last-of-type nth-of-type oklab oklch opacity or part path perspective
    polygon pow progress radial-gradient random ray rect rem repeat repeating-conic-gradient
    repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez
    round saturate scale scale3d scalex scaley scalez scroll scroll-state selector sepia shape sibling-count
    sibling-index sign sin skew skewx skewy slotted sqrt state steps style supports symbols tan to translate
    translate3d translatex translatey translatez var view where xywh
"""
_POSITIONS = "static relative absolute inherit initial unset revert revert-layer"
_PINNED = "fixed sticky -webkit-sticky"

_HARMLESS_RULES, _HARMLESS = frozenset(_AT_RULES.split()), frozenset(_FUNCTIONS.split())
_IN_PAGE, _OFF_PAGE = frozenset(_POSITIONS.split()), frozenset(_PINNED.split())
_VENDOR = re.compile("-(?:webkit|moz|ms|o|khtml)-")
_BETWEEN = frozenset({"whitespace", "comment"})
_NOT_IN_STRINGS = re.compile(rf'["\\<\x00-\x1f\x7f]|{UNWANTED.pattern}')


def _node(css: str) -> Any:
    return tinycss2.parse_component_value_list(css)[0]


_SPACE, _COMMENT, _STATIC = _node(" "), _node("/**/"), _node("static")
_INVALID = _node("()")  # as is the declaration, selector or query that holds it
# The rest of the declaration, a background colour perhaps, still counts.
_EMPTY_IMAGE = _node('url("data:,")')


def clean_sheets(sheets: Iterable[str]) -> list[str]:
    """A page's sheets, those of which anything is left."""
    cleaned = []
    left = MAX_SHEETS
    for sheet in sheets:
        if len(sheet) <= left:
            left -= len(sheet)
            cleaned.append(clean_sheet(sheet))
    return [sheet for sheet in cleaned if sheet.strip()]


def clean_sheet(css: str) -> str:
    """The sheet without any address, import, font or pinned box."""
    with gc_paused():
        return _text(_clean(_nodes(css)))


def clean_declarations(css: str) -> str:
    """The same for the value of a style attribute, of which nothing is important; "" if it is too long."""
    return _text(_clean(_unimportant(_nodes(css)))) if len(css) <= MAX_DECLARATIONS else ""


def _nodes(css: str) -> list[Any]:
    return list(tinycss2.parse_component_value_list(UNWANTED.sub("", css)))


def _text(nodes: list[Any]) -> str:
    # An escape can spell a character that no text may hold; "</" could end the sheet, were it put into HTML.
    return UNWANTED.sub("\ufffd", tinycss2.serialize(nodes)).replace("</", "< /")


def _clean(nodes: list[Any], depth: int = 0) -> list[Any]:
    """The harmless ones of these nodes, and something in the place of each of the others."""
    kept: list[Any] = []
    last = None  # but for what may stand between any two tokens
    rest = iter(nodes)
    for node in rest:
        if node.type == "at-keyword" and _plain_name(node.lower_value) not in _HARMLESS_RULES:
            is_rule = last is None or last == ";" or last.type == "{} block"
            clean = _SPACE if is_rule else _INVALID
            if is_rule:
                _skip_rule(rest)
        else:
            clean = _clean_node(node, depth)
        kept.append(clean)
        if clean.type not in _BETWEEN:
            last = clean
    return _unpin(kept)


def _clean_node(node: Any, depth: int) -> Any:  # noqa: C901 - one line for each type
    match node.type:
        case "comment":
            return _COMMENT
        case "string":
            node.representation = f'"{_NOT_IN_STRINGS.sub(_escape, node.value)}"'
        case "url":
            return _EMPTY_IMAGE
        case "literal" if node.value in ("<!--", "-->"):
            return _SPACE
        case "literal" if node.value == "\\":
            return _INVALID
        case "error":
            return _SPACE if node.kind.startswith("eof") else _INVALID
        case "function" if node.lower_name == "url":
            return _EMPTY_IMAGE
        case "function":
            if _plain_name(node.lower_name) not in _HARMLESS or depth >= MAX_DEPTH:
                return _INVALID
            node.arguments = _clean(node.arguments, depth + 1)
        case "{} block" | "() block" | "[] block":
            node.content = _clean(node.content, depth + 1) if depth < MAX_DEPTH else []
    return node


def _plain_name(name: str) -> str:
    vendor = _VENDOR.match(name)
    return name[vendor.end() :] if vendor else name


def _escape(found: re.Match[str]) -> str:
    return f"\\{ord(found[0]):x} "


def _skip_rule(rest: Iterator[Any]) -> None:
    """Pass over an at-rule, from behind its keyword to its end."""
    for node in rest:
        if node == ";" or node.type == "{} block":
            return


def _unpin(nodes: list[Any]) -> list[Any]:
    """The same, in which no `position` takes a box out of the page."""
    kept: list[Any] = []
    at = 0
    while at < len(nodes):
        start = at + 1
        if nodes[at].type == "ident" and nodes[at].lower_value == "position":
            start = _next(nodes, start, lambda node: node.type not in _BETWEEN)
            if start < len(nodes) and nodes[start] == ":":
                end = _next(nodes, start, lambda node: node == ";" or node.type == "{} block")
                kept += [*nodes[at : start + 1], *_position(nodes[start + 1 : end])]
                at = end
                continue
        kept += nodes[at:start]
        at = start
    return kept


def _next(nodes: list[Any], start: int, is_it: Callable[[Any], bool]) -> int:
    return next((at for at in range(start, len(nodes)) if is_it(nodes[at])), len(nodes))


def _position(value: list[Any]) -> list[Any]:
    mark = _next(value, 0, lambda node: node == "!")
    words = [at for at in range(mark) if value[at].type not in _BETWEEN]
    names = [getattr(value[at], "lower_value", value[at].type) for at in words]
    if not names or (len(names) == 1 and names[0] in _IN_PAGE):
        return value
    # What a function gives is not known here.
    is_off_page = (len(names) == 1 and names[0] in _OFF_PAGE) or "function" in names
    instead = {at: [] for at in words} | {words[0]: [_STATIC if is_off_page else _INVALID]}
    return [node for at in range(len(value)) for node in instead.get(at, [value[at]])]


def _unimportant(nodes: list[Any]) -> list[Any]:
    """What is important in a style attribute would beat our own sheet."""
    for at, node in enumerate(nodes):
        if node == "!":
            word = _next(nodes, at + 1, lambda node: node.type not in _BETWEEN)
            is_mark = word < len(nodes) and getattr(nodes[word], "lower_value", "") == "important"
            nodes[at] = _SPACE if is_mark else _INVALID
            if is_mark:
                nodes[word] = _SPACE
    return nodes
