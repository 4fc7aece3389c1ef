"""Events -> an lxml tree, for XPath and for programs that want one."""

import re

from lxml import etree
from lxml import html as lxml_html

from extraction.documents.canonical_text import UNWANTED
from extraction.documents.structure import Event

# lxml reads what stands in braces at the beginning as a namespace: <p {{class}}> of a template.
_BAD_NAME = re.compile(r"""[\s&<>"'/=]|^\{|^$""")


def build(events: list[Event]) -> etree._Element:
    """The tree of `lxml.html` elements, rooted at html; characters that XML cannot hold are left out."""
    start = next(event for event in events if isinstance(event, list))
    root: etree._Element = lxml_html.html_parser.makeelement(_name(start[0]), _attributes(start[1]))
    stack: list[etree._Element] = []
    last: etree._Element | None = None  # the child after which text is a tail
    for event in events:
        if event is None:
            last = stack.pop()
        elif isinstance(event, str):
            _add_text(stack[-1], last, _text(event))
        else:
            name, attributes = _name(event[0]), _attributes(event[1])
            element = etree.SubElement(stack[-1], name, attributes) if stack else root
            stack.append(element)
            last = None
    return root


def _add_text(parent: etree._Element, last: etree._Element | None, text: str) -> None:
    if last is None:
        parent.text = text
    else:
        last.tail = text


def _text(text: str) -> str:
    return UNWANTED.sub("", text).replace("\f", " ")  # HTML knows the form feed, XML does not


def _name(tag: str) -> str:
    # A tag soup such as <a"b> gives names that no tree but the browser's can hold.
    return _BAD_NAME.sub("_", UNWANTED.sub("_", tag))


def _attributes(attributes: dict[str, str]) -> dict[str, str]:
    return {
        UNWANTED.sub("_", name): _text(value)
        for name, value in attributes.items()
        if not _BAD_NAME.search(name)
    }
