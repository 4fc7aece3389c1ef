"""Decoded text -> events, through lexbor: the tree that a browser builds, with scripting off."""

from itertools import repeat
from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from extraction.errors import ParseError
from extraction.limits import MAX_DEPTH, MAX_NODES
from extraction.text import Event

_WITHOUT_EVENTS = LexborDocumentOptions.WO_EVENTS.value
_BODILESS = frozenset({"script", "style"})


class Tree(NamedTuple):
    events: list[Event]
    styles: list[str]


def read_tree(text: str) -> Tree:
    """Every element and text node, in document order; comments dropped, neighbouring texts merged.

    Bodies of script and style are left out of the events, those of style are kept aside. Raises ParseError for
    more nodes or deeper nesting than the limits.
    """
    parser = LexborHTMLParser(text, options=_WITHOUT_EVENTS)
    root = parser.root
    if root is None:
        raise ParseError("crash", "the parser gave no tree")
    return _walk(root)


def _walk(root: LexborNode) -> Tree:
    # The hot loop of parsing: each property read makes a Python object, so each is read once.
    events: list[Event] = []
    styles: list[str] = []
    append = events.append
    stack: list[LexborNode] = []
    node: LexborNode | None = root
    for _ in repeat(None, MAX_NODES):
        child = None
        tag = node.tag
        if tag == "-text":
            _add_text(events, node.text_content)
        elif tag is not None and tag[0] != "-":
            attributes = node.attributes
            if None in attributes.values():
                attributes = {name: value or "" for name, value in attributes.items()}
            append([tag, attributes])
            if tag in _BODILESS:
                if tag == "style":
                    styles.append(_body(node))
            elif tag == "template" and "shadowrootmode" in attributes:
                child = _shadow_root(node)
                events[-1][0] = "div"
            else:
                child = node.first_child
            if child is not None:
                if len(stack) > MAX_DEPTH:
                    raise ParseError("too-deep", f"elements are nested more than {MAX_DEPTH} deep")
                stack.append(node)
                node = child
                continue
            append(None)
        if node is root: 
            return Tree(events, styles)
        node = node.next
        while node is None:
            node = stack.pop()
            append(None)
            if not stack:
                return Tree(events, styles)
            node = node.next
    raise ParseError("too-many-nodes", f"the page has more than {MAX_NODES} nodes")


def _add_text(events: list[Event], text: str | None) -> None:
    if not text:
        return
    if type(events[-1]) is str:
        events[-1] += text
    else:
        events.append(text)


def _body(style: LexborNode) -> str:
    child = style.first_child
    return (child.text_content or "") if child is not None else ""


def _shadow_root(template: LexborNode) -> LexborNode | None:
    """The first node inside a declarative shadow root, which a browser shows in its host's place."""
    fragments = template.template_fragments()
    return fragments[0].first_child if fragments else None
