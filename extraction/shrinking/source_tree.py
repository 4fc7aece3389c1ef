"""The source of a page as a tree that can be reduced and written again.

Unlike a document's tree, it keeps the bodies of scripts and styles, which some extractors read. Comments and
processing instructions are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import chain

from selectolax.lexbor import LexborHTMLParser, LexborNode

from extraction.documents.tags import DROPS_FIRST_BREAK, RAW_TEXT, VOID

# https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments
_VOID = VOID | {"basefont", "bgsound", "frame", "keygen", "param"}


@dataclass(eq=False, slots=True)
class TextNode:
    """A run of text."""

    value: str
    is_dropped: bool = False


@dataclass(eq=False, slots=True)
class Element:
    """An element. An unwrapped one is written as its children alone."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | TextNode] = field(default_factory=list)
    is_dropped: bool = False
    is_unwrapped: bool = False

    def write(self) -> str:
        """Return the HTML of this element, without what is dropped."""
        parts: list[str] = []
        # A stack instead of recursion: pages are nested thousands of levels deep.
        waiting: list[Element | str] = [self]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str):
                parts.append(node)
            elif node.is_unwrapped:
                waiting += reversed(node._inside())
            else:
                parts.append(node._start_tag())
                if node.tag not in _VOID:
                    waiting += [f"</{node.tag}>", *reversed(node._inside())]
        return "".join(parts)

    def levels(self) -> Iterator[list[Element | TextNode]]:
        """Yield what is left below this element, level by level; what is dropped meanwhile ends there."""
        level = [child for child in self.children if not child.is_dropped]
        while level:
            yield level
            parents = [node for node in level if isinstance(node, Element) and not node.is_dropped]
            level = [child for parent in parents for child in parent.children if not child.is_dropped]

    def elements(self) -> list[Element]:
        """Return what is left below this element and has a tag."""
        nodes = chain.from_iterable(self.levels())
        return [node for node in nodes if isinstance(node, Element) and not node.is_unwrapped]

    def texts(self) -> list[TextNode]:
        """Return the texts that are left below this element."""
        return [node for node in chain.from_iterable(self.levels()) if isinstance(node, TextNode)]

    def _start_tag(self) -> str:
        attributes = "".join(f' {name}="{_quoted(value)}"' for name, value in self.attributes.items())
        return f"<{self.tag}{attributes}>" + ("\n" if self.tag in DROPS_FIRST_BREAK else "")

    def _inside(self) -> list[Element | str]:
        """What is left of the children, texts as HTML."""
        is_raw = self.tag in RAW_TEXT
        inside: list[Element | str] = []
        for child in self.children:
            if child.is_dropped:
                continue
            if isinstance(child, Element):
                inside.append(child)
            else:
                inside.append(child.value if is_raw else escape(child.value, quote=False))
        return inside


def _quoted(value: str) -> str:
    return value.replace("&", "&amp;").replace('"', "&quot;")


def read_source(html: str) -> Element:
    """Parse HTML by the HTML5 rules, with scripting off. Returns an unwrapped element that holds the page."""
    root = LexborHTMLParser(html).root
    assert root is not None, "every document has an html element"
    page = Element("html", {}, is_unwrapped=True)
    open_nodes: list[tuple[LexborNode, Element]] = [(root, page)]
    while open_nodes:
        node, parent = open_nodes.pop()
        tag = node.tag or "-"
        if tag == "-text":
            parent.children.append(TextNode(node.text_content or ""))
        elif tag[0] not in "-!":
            element = Element(tag, {name: value or "" for name, value in node.attributes.items()})
            parent.children.append(element)
            open_nodes += [(child, element) for child in reversed(_children(node))]
    return page


def _children(node: LexborNode) -> list[LexborNode]:
    fragments = node.template_fragments() if node.tag == "template" else None
    child = fragments[0].first_child if fragments else node.first_child
    found = []
    while child is not None:
        found.append(child)
        child = child.next
    return found
