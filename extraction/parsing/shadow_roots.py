"""Declarative shadow roots: what a browser shows of an element that has one, as plain events.

A reader sees the shadow root's content, with the element's own children in the slots that take them; the
standard calls this the flat tree. Children that no slot takes are not shown: they are kept, hidden.
"""

import re
from typing import Any

from extraction.documents.canonical_text import WHITESPACE
from extraction.documents.structure import Event
from extraction.documents.tags import SHADOW_ROOT
from extraction.parsing.errors import ParseError
from extraction.parsing.limits import MAX_DEPTH

_BUILT_IN = "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span"
_RESERVED = (
    "annotation-xml color-profile font-face font-face-src font-face-uri font-face-format missing-glyph"
)
_HOSTS, _NOT_CUSTOM = frozenset(_BUILT_IN.split()), frozenset(_RESERVED.split())
_CUSTOM = re.compile(r"[a-z][^\s/>]*-[^\s/>]*")


def is_root(host: str, attributes: dict[str, str]) -> bool:
    """True if a template with these attributes in an element of this tag becomes a shadow root."""
    if attributes.get(SHADOW_ROOT, "").lower() not in ("open", "closed"):
        return False
    return host in _HOSTS or (_CUSTOM.fullmatch(host) is not None and host not in _NOT_CUSTOM)


class _Node:
    """An element with its children, which are nodes and strings, and the style sheet that it holds."""

    __slots__ = ("children", "is_root", "sheet", "start")

    def __init__(self, start: list[Any], *, is_root: bool = False, sheet: str | None = None) -> None:
        self.start = start
        self.is_root = is_root
        self.sheet = sheet
        self.children: list[_Node | str] = []


def flatten(events: list[Event], styles: list[str], roots: list[Event]) -> tuple[list[Event], list[str]]:
    """Events and style sheets with the children of every host in its slots; `roots` are starts among them."""
    top = _grown(events, styles, set(map(id, roots)))
    waiting: list[_Node | str] = [top]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Node):
            _compose(node)
            waiting.extend(node.children)
    return _events_of(top)


def _grown(events: list[Event], styles: list[str], roots: set[int]) -> _Node:
    sheets = iter(styles)
    top = _Node(["", {}])
    open_ = [top]
    for event in events:
        if event is None:
            open_.pop()
        elif isinstance(event, str):
            open_[-1].children.append(event)
        else:
            sheet = next(sheets) if event[0] == "style" else None
            node = _Node(event, is_root=id(event) in roots, sheet=sheet)
            open_[-1].children.append(node)
            open_.append(node)
    return top


def _compose(host: _Node) -> None:
    """Put the host's children into the slots of its shadow root; outer hosts come before inner ones."""
    roots = [child for child in host.children if isinstance(child, _Node) and child.is_root]
    if not roots:
        return
    by_slot: dict[str, list[_Node | str]] = {}
    for child in host.children:
        # A second root is not shown, like any other template.
        if isinstance(child, str) or not child.is_root:
            by_slot.setdefault(_slot_of(child), []).append(child)
    for slot in _slots(roots[0]):
        taken = by_slot.pop(slot.start[1].get("name", ""), [])
        if any(map(_says_something, taken)):
            slot.children = taken
    host.children = [roots[0]]
    left = [child for children in by_slot.values() for child in children]
    if any(map(_says_something, left)):
        unseen = _Node(["div", {"hidden": ""}])
        unseen.children = left
        host.children.append(unseen)


def _slot_of(child: "_Node | str") -> str:
    return "" if isinstance(child, str) else str(child.start[1].get("slot", ""))


def _says_something(child: "_Node | str") -> bool:
    return isinstance(child, _Node) or bool(child.strip(WHITESPACE))


def _slots(root: _Node) -> list[_Node]:
    """The slots of this root in tree order, without those of roots inside it."""
    found = []
    waiting: list[_Node | str] = root.children[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Node) and not node.is_root:
            if node.start[0] == "slot":
                found.append(node)
            waiting.extend(reversed(node.children))
    return found


def _events_of(top: _Node) -> tuple[list[Event], list[str]]:
    events: list[Event] = []
    styles: list[str] = []
    waiting: list[_Node | str | None] = [*reversed(top.children)]
    depth = 0
    while waiting:
        node = waiting.pop()
        depth += 1 if isinstance(node, _Node) else -(node is None)
        if depth > MAX_DEPTH:
            raise ParseError("too-deep", f"with its slots filled, the page is more than {MAX_DEPTH:,} deep")
        if isinstance(node, _Node):
            events.append(node.start)
            if node.sheet is not None:
                styles.append(node.sheet)
            waiting.append(None)
            waiting.extend(reversed(node.children))
        elif isinstance(node, str) and events and isinstance(events[-1], str):
            events[-1] += node
        else:
            events.append(node)
    return events, styles
