"""Decoded text -> events, through lexbor: the tree that a browser builds, with scripting off."""

from collections.abc import Callable
from itertools import repeat
from typing import Any, NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from extraction.errors import ParseError
from extraction.limits import MAX_DEPTH, MAX_NODES
from extraction.shadow import ATTRIBUTE, flatten, is_root
from extraction.text import Event

# Lexbor's mutation events only serve `selectedcontent`, which never becomes text.
_WITHOUT_MUTATION_EVENTS = LexborDocumentOptions.WO_EVENTS.value


class Tree(NamedTuple):
    """Every element and text node in document order, and the bodies of the style elements among them."""

    events: list[Event]
    styles: list[str]
    roots: list[Event]  # the starts of shadow roots that are not in their hosts' places yet


def read_tree(text: str | bytes) -> Tree:
    """Parse a text, or its bytes in UTF-8, by the HTML5 rules; comments go, neighbouring texts are merged.

    The bodies of script and style are left out of the events, those of style are kept aside. A declarative
    shadow root becomes a div with the host's children in its slots, for so it is shown. Raises ParseError for
    more nodes or deeper nesting than the limits.
    """
    try:
        root = LexborHTMLParser(text, options=_WITHOUT_MUTATION_EVENTS).root
    except SelectolaxError as error:
        # No markup is wrong enough for HTML5 to fail; only memory can be missing.
        raise ParseError("memory", f"the parser gave up: {error}") from error
    assert root is not None, "every document has an html element"
    tree = _walk(root)
    return Tree(*flatten(*tree), []) if tree.roots else tree


def _walk(root: LexborNode) -> Tree:  # noqa: C901 - in parts, its calls would take a tenth of the parsing
    # The hot loop: reading a property makes a Python object, so each is read once, a tag's number instead of
    # its name where that says the same, and the way up is remembered instead of asked for.
    tree = Tree([], [], [])
    events = tree.events
    ancestors: list[LexborNode] = []
    node = root
    for _ in repeat(None, MAX_NODES):
        number = node.tag_id
        child = None
        if number == _TEXT:
            text, before = node.text_content, events[-1]
            if type(before) is str:
                events[-1] = before + (text or "")
            elif text:
                events.append(text)
        elif (tag := _NAMES.get(number) or node.tag) is not None and tag[0] != "-":
            attributes: dict[str, Any] = node.attributes
            if None in attributes.values():
                attributes = {name: value or "" for name, value in attributes.items()}
            event = [tag, attributes]
            events.append(event)
            child = _SPECIAL[tag](node, event, tree) if tag in _SPECIAL else node.first_child
            if child is None:
                events.append(None)
        if child is not None:
            if len(ancestors) >= MAX_DEPTH:
                raise ParseError("too-deep", f"elements are nested more than {MAX_DEPTH:,} deep")
            ancestors.append(node)
            node = child
            continue
        while (following := node.next) is None and ancestors:
            node = ancestors.pop()
            events.append(None)
        if following is None or not ancestors:
            return tree
        node = following
    raise ParseError("too-many-nodes", f"the page has more than {MAX_NODES:,} nodes")


def _script(node: LexborNode, event: list[Any], tree: Tree) -> None:
    return None


def _style(node: LexborNode, event: list[Any], tree: Tree) -> None:
    body = node.first_child
    tree.styles.append((body.text_content or "") if body is not None else "")


def _template(node: LexborNode, event: list[Any], tree: Tree) -> LexborNode | None:
    if ATTRIBUTE not in event[1] or node.parent is None or not is_root(node.parent.tag or "", event[1]):
        return node.first_child
    fragments = node.template_fragments()
    if not fragments:
        return None
    event[0] = "div"
    tree.roots.append(event)
    return fragments[0].first_child


def _html(node: LexborNode, event: list[Any], tree: Tree) -> LexborNode | None:
    # A formula may hold an element of this name; the document is to have one root.
    if len(tree.events) > 1:
        event[0] = "div"
    return node.first_child


# Elements whose children are not simply next: each gives the first node to go on with, or None.
_SPECIAL: dict[str, Callable[[LexborNode, list[Any], Tree], LexborNode | None]] = {
    "html": _html,
    "script": _script,
    "style": _style,
    "template": _template,
}


# Most elements of most pages, each spelt in one way only: one of SVG may have capitals.
_COMMON = (
    "a abbr article aside b blockquote body br button dd div dl dt em fieldset figcaption figure font footer "
    "form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main meta nav noscript ol "
    "option p path pre script section select small source span strong style sup table tbody td textarea th "
    "thead time title tr u ul"
)


def _numbered() -> tuple[int, dict[int, str]]:
    """The number that lexbor gives to texts, and those of common tags. Rare tags have other numbers on every
    page."""
    parser = LexborHTMLParser("")
    tags = {parser.create_node(tag).tag_id: tag for tag in _COMMON.split()}
    text = next(LexborHTMLParser("text").body.iter(include_text=True))  # type: ignore[union-attr]
    return text.tag_id, tags


_TEXT, _NAMES = _numbered()
