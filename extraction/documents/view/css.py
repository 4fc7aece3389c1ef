"""Style sheets of captured pages, made harmless enough to lay the page out with.

What keeps a sheet from reaching the network is the frame's content security policy; this keeps requests
from being attempted, and keeps a page from covering itself. A sheet is read as tokens, as browsers read it,
so that a name has one spelling, and what is known to be harmless is written back. What is taken out leaves
something in its place, so that its neighbours never become one token.

Of a page with `CapturedAssets`, addresses of images become digests, imported sheets stand where they are
imported, and boxes pinned to the window have the place that they have before one scrolls.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import tinycss2

from extraction.documents.canonical_text import UNWANTED
from extraction.documents.view.captured_assets import MAX_SHEETS as MAX_CAPTURED
from extraction.documents.view.captured_assets import CapturedAssets, Sheet, shortened
from extraction.documents.view.plain_rules import SheetPieceKind, pieces
from extraction.documents.view.stand_ins import BETWEEN, StandIns
from extraction.gc_pause import gc_paused

MAX_SHEETS = 1_500_000  # code points of a page's sheets together; a sheet beyond is left out
MAX_DECLARATIONS = 40_000  # of a style attribute
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
_DISTANCES = """
    top right bottom left inset inset-block inset-block-start inset-block-end inset-inline
    inset-inline-start inset-inline-end
"""

_HARMLESS_RULES, _HARMLESS = frozenset(_AT_RULES.split()), frozenset(_FUNCTIONS.split())
_IN_PAGE, _OFF_PAGE = frozenset(_POSITIONS.split()), frozenset(_PINNED.split())
_EDGES = frozenset(_DISTANCES.split())
_VENDOR = re.compile("-(?:webkit|moz|ms|o|khtml)-")
_NEWLINE = re.compile("\r\n?|\f")
_PLAIN_FUNCTION = re.compile(r"(?<![\w-])([\w-]++)\(", re.ASCII)  # from the beginning of a word only
# A word that is not the name of a declaration with one of the positions in the page.
_PLACED = re.compile(
    rf"(?<![\w-])position(?![\w-])(?!\s*:\s*(?:{'|'.join(_POSITIONS.split())})\s*(?:!\s*important\s*)?[;}}])",
    re.ASCII,
)
_AT_RULE = re.compile(r"@([a-z-]++)(?=[\s;{(\"'/])", re.ASCII | re.IGNORECASE)
_NOT_IN_STRINGS = re.compile(rf'["\\<\x00-\x1f\x7f]|{UNWANTED.pattern}')


def _node(css: str) -> Any:
    return tinycss2.parse_component_value_list(css)[0]


_SPACE, _COMMENT, _STATIC, _AUTO = _node(" "), _node("/**/"), _node("static"), _node("auto")
_ABSOLUTE, _RELATIVE = _node("absolute"), _node("relative")
_INVALID = _node("()")  # as is the declaration, selector or query that holds it
# The rest of the declaration, a background colour perhaps, still counts.
_EMPTY_IMAGE = _node('url("data:,")')


@dataclass(frozen=True)
class _Context:
    """What a sheet is cleaned with: the page's assets, if any, and the address of the sheet itself."""

    assets: CapturedAssets | None = None
    base: str = ""

    def image(self, address: str) -> Any:
        """The token for an image at an address."""
        digest = self.assets.background(address, self.base) if self.assets else None
        return _node(f'url("{digest}")') if digest else _EMPTY_IMAGE


_PLAIN = _Context()


def _context_of(assets: CapturedAssets | None) -> _Context:
    """That of what the page itself holds."""
    return _Context(assets, assets.base) if assets else _PLAIN


def clean_sheets(
    sheets: Iterable[Sheet], stand_ins: StandIns, assets: CapturedAssets | None = None
) -> list[str]:
    """A page's sheets, made to match the elements of the view; those of which anything is left."""
    cleaned = []
    left = MAX_CAPTURED if assets else MAX_SHEETS
    for sheet in sheets:
        css = shortened(sheet.css)
        if len(css) <= left:
            left -= len(css)
            cleaned.append(_clean_sheet(css, _Context(assets, sheet.base), stand_ins))
    return [sheet for sheet in cleaned if sheet.strip()]


def clean_sheet(css: str) -> str:
    """The sheet without any address, import, font or pinned box."""
    return _clean_sheet(css, _PLAIN, StandIns())


def _clean_sheet(css: str, context: _Context, stand_ins: StandIns) -> str:
    cleaned = []
    is_head = True  # where imports count
    with gc_paused():
        for kind, text, depth in pieces(_NEWLINE.sub("\n", UNWANTED.sub("", css)), _is_harmless, MAX_DEPTH):
            at_rule = _AT_RULE.match(text) if kind is SheetPieceKind.OTHER else None
            name = at_rule[1].lower() if at_rule else ""
            if kind is SheetPieceKind.RULE:
                cleaned.append(stand_ins.put_into_plain(text))
            elif kind is SheetPieceKind.AS_IS:
                cleaned.append(text)
            elif not name or _plain_name(name) in _HARMLESS_RULES:
                cleaned.append(_text(stand_ins.put_into(_clean(_nodes(text), context, depth))))
            else:
                is_imported = name == "import" and is_head
                cleaned.append(_imported(text, context, stand_ins) + " " if is_imported else " ")
            is_head &= name == "import" or "{" not in text
    return "".join(cleaned)


def _is_harmless(plain: str) -> bool:
    """Whether a plain rule calls only functions that may stay, pins no box and has no `-->` in it."""
    plain = plain.lower()
    names = _PLAIN_FUNCTION.findall(plain) if "(" in plain else []
    is_placed = "position" in plain and _PLACED.search(plain)
    return (
        not is_placed
        and "-->" not in plain
        and all(name != "attr" and _plain_name(name) in _HARMLESS for name in names)
    )


def clean_declarations(css: str, assets: CapturedAssets | None = None) -> str:
    """The same for the value of a style attribute, of which nothing is important; "" if it is too long."""
    if len(css) > MAX_DECLARATIONS:
        return ""
    return _text(_clean(_unimportant(_nodes(css)), _context_of(assets)))


def important_declarations(css: str, assets: CapturedAssets | None = None) -> str:
    """The important ones of a style attribute, as declarations of a rule; "" if there are none."""
    if len(css) > MAX_DECLARATIONS:
        return ""
    nodes = _clean(_nodes(css), _context_of(assets))
    found, at = [], 0
    while at < len(nodes):
        end = _next(nodes, at, lambda node: node == ";")
        if _is_important(nodes[at:end]):
            found.append(_text(nodes[at:end]).strip())
        at = end + 1
    return ";".join(found)


def _is_important(declaration: list[Any]) -> bool:
    words = [node for node in declaration if node.type not in BETWEEN]
    is_marked = len(words) > 3 and words[-2] == "!" and getattr(words[-1], "lower_value", "") == "important"
    return is_marked and all(node.type not in ("{} block", "error") for node in words)


def _nodes(css: str) -> list[Any]:
    return list(tinycss2.parse_component_value_list(UNWANTED.sub("", css)))


def _text(nodes: list[Any]) -> str:
    # An escape can spell a character that no text may hold; "</" could end the sheet, were it put into HTML.
    return UNWANTED.sub("\ufffd", tinycss2.serialize(nodes)).replace("</", "< /")


def _clean(nodes: list[Any], context: _Context, depth: int = 0) -> list[Any]:
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
            clean = _clean_node(node, context, depth)
        kept.append(clean)
        if clean.type not in BETWEEN:
            last = clean
    return _unpin(kept, context)


def _clean_node(node: Any, context: _Context, depth: int) -> Any:  # noqa: C901 - one line for each type
    match node.type:
        case "comment":
            return _COMMENT
        case "string":
            node.representation = f'"{_NOT_IN_STRINGS.sub(_escape, node.value)}"'
        case "url":
            return context.image(node.value)
        case "literal" if node.value in ("<!--", "-->"):
            return _SPACE
        case "literal" if node.value == "\\":
            return _INVALID
        case "error":
            return _SPACE if node.kind.startswith("eof") else _INVALID
        case "function" if node.lower_name == "url":
            return context.image(_first_address(node.arguments))
        case "function" if context.assets and _plain_name(node.lower_name) == "image-set":
            return context.image(_first_address(node.arguments))
        case "function":
            if _plain_name(node.lower_name) not in _HARMLESS or depth >= MAX_DEPTH:
                return _INVALID
            node.arguments = _clean(node.arguments, context, depth + 1)
        case "{} block" | "() block" | "[] block":
            node.content = _clean(node.content, context, depth + 1) if depth < MAX_DEPTH else []
    return node


def _first_address(nodes: list[Any]) -> str:
    """The address in `url("…")`, `"…"` or an image-set of these; "" where there is none."""
    for node in nodes:
        if node.type in ("string", "url"):
            return str(node.value)
        if node.type == "function" and node.lower_name == "url":
            return _first_address(node.arguments)
    return ""


def _imported(rule: str, context: _Context, stand_ins: StandIns) -> str:
    """What an `@import` brings, under its layer and conditions; nothing if its sheet is not here."""
    if context.assets is None:
        return ""
    words = [node for node in _skip_rule(iter(_nodes(rule)[1:])) if node.type not in BETWEEN]
    with context.assets.imported(_first_address(words[:1]), context.base) as sheet:
        if sheet is None:
            return ""
        css = _clean_sheet(sheet.css, _Context(context.assets, sheet.base), stand_ins)
    return _under_conditions(css, words[1:])


def _under_conditions(css: str, words: list[Any]) -> str:
    """The rules under what an `@import` says behind its address."""
    heads: list[str] = []
    if words and words[0].type == "ident" and words[0].lower_value == "layer":
        heads.append("@layer")
        words = words[1:]
    elif words and words[0].type == "function" and words[0].lower_name == "layer":
        heads.append(f"@layer {_text(_clean(words[0].arguments, _PLAIN))}")
        words = words[1:]
    if words and words[0].type == "function" and words[0].lower_name == "supports":
        condition = _text(_clean(words[0].arguments, _PLAIN))
        heads.append(
            f"@supports {condition if condition.lstrip().startswith(('(', 'not')) else f'({condition})'}"
        )
        words = words[1:]
    if words:
        heads.append(f"@media {' '.join(_text([node]) for node in _clean(words, _PLAIN))}")
    for head in reversed(heads):
        css = f"{head}{{{css}}}"
    return css


def _plain_name(name: str) -> str:
    vendor = _VENDOR.match(name)
    return name[vendor.end() :] if vendor else name


def _escape(found: re.Match[str]) -> str:
    return f"\\{ord(found[0]):x} "


def _skip_rule(rest: Iterator[Any]) -> list[Any]:
    """Pass over an at-rule, from behind its keyword to its end; return what stands before its block."""
    prelude = []
    for node in rest:
        if node == ";" or node.type == "{} block":
            break
        prelude.append(node)
    return prelude


def _unpin(nodes: list[Any], context: _Context) -> list[Any]:
    """The same, in which no `position` takes a box out of the page."""
    kept: list[Any] = []
    at, is_sticky = 0, False
    while at < len(nodes):
        start = at + 1
        if nodes[at].type == "ident" and nodes[at].lower_value == "position":
            start = _next(nodes, start, lambda node: node.type not in BETWEEN)
            if start < len(nodes) and nodes[start] == ":":
                end = _next(nodes, start, lambda node: node == ";" or node.type == "{} block")
                position = _position(nodes[start + 1 : end], context)
                is_sticky |= any(node is _RELATIVE for node in position)
                kept += [*nodes[at : start + 1], *position]
                at = end
                continue
        kept += nodes[at:start]
        at = start
    return _without_edges(kept) if is_sticky else kept


def _without_edges(nodes: list[Any]) -> list[Any]:
    """Declarations in which the distances of a sticky box, which count after scrolling, are automatic."""
    kept: list[Any] = []
    at = 0
    while at < len(nodes):
        end = _next(nodes, at, lambda node: node == ";" or node.type == "{} block")
        words = [node for node in nodes[at:end] if node.type not in BETWEEN]
        is_edge = len(words) > 1 and getattr(words[0], "lower_value", "") in _EDGES and words[1] == ":"
        kept += [words[0], words[1], _AUTO] if is_edge else nodes[at:end]
        kept += nodes[end : end + 1]
        at = end + 1
    return kept


def _next(nodes: list[Any], start: int, is_it: Callable[[Any], bool]) -> int:
    return next((at for at in range(start, len(nodes)) if is_it(nodes[at])), len(nodes))


def _position(value: list[Any], context: _Context) -> list[Any]:
    mark = _next(value, 0, lambda node: node == "!")
    words = [at for at in range(mark) if value[at].type not in BETWEEN]
    names = [getattr(value[at], "lower_value", value[at].type) for at in words]
    if not names or (len(names) == 1 and names[0] in _IN_PAGE):
        return value
    # What a function gives is not known here.
    is_off_page = (len(names) == 1 and names[0] in _OFF_PAGE) or "function" in names
    clean = _in_page(names[0], context) if is_off_page else _INVALID
    instead = {at: [] for at in words} | {words[0]: [clean]}
    return [node for at in range(len(value)) for node in instead.get(at, [value[at]])]


def _in_page(name: str, context: _Context) -> Any:
    """The position of a box that was pinned: with its page's own layout, where it is before one scrolls."""
    if context.assets is None or name not in _OFF_PAGE:
        return _STATIC
    return _ABSOLUTE if name == "fixed" else _RELATIVE


def _unimportant(nodes: list[Any]) -> list[Any]:
    """What is important in a style attribute would beat our own sheet."""
    for at, node in enumerate(nodes):
        if node == "!":
            word = _next(nodes, at + 1, lambda node: node.type not in BETWEEN)
            is_mark = word < len(nodes) and getattr(nodes[word], "lower_value", "") == "important"
            nodes[at] = _SPACE if is_mark else _INVALID
            if is_mark:
                nodes[word] = _SPACE
    return nodes
