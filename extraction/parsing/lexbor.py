"""Decoded text -> its tree, through lexbor: the tree that a browser builds, with scripting off."""

from collections.abc import Callable
from itertools import repeat
from typing import Any, NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from extraction.documents.structure import Structure
from extraction.documents.tags import SHADOW_ROOT
from extraction.parsing.errors import ParseError
from extraction.parsing.limits import MAX_DEPTH, MAX_NODES
from extraction.parsing.shadow_roots import flatten, is_root

# Lexbor's mutation events only serve `selectedcontent`, which never becomes text.
_WITHOUT_MUTATION_EVENTS = LexborDocumentOptions.WO_EVENTS.value


class Tree(NamedTuple):
    """Every element and text node in document order, and the bodies of the style elements among them."""

    structure: Structure
    styles: list[str]
    roots: list[int]  # the elements that are shadow roots and not in their hosts' places yet


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
    return _flattened(tree) if tree.roots else tree


def _flattened(tree: Tree) -> Tree:
    events = tree.structure.events()
    starts = [event for event in events if isinstance(event, list)]
    events, styles = flatten(events, tree.styles, [starts[root] for root in tree.roots])
    return Tree(Structure.of(events), styles, [])


def _walk(root: LexborNode) -> Tree:  # noqa: C901 - in parts, its calls would take a tenth of the parsing
    # The hot loop: reading a property makes a Python object, so each is read once, a tag's number instead of
    # its name where that says the same, and the way up is remembered instead of asked for.
    tree = Tree(Structure(), [], [])
    tags, attributes, parents, ends, first_nodes, end_nodes, node_parents, texts = tree.structure.lists()
    ancestors: list[LexborNode] = []
    node, here, element = root, -1, -1
    is_beside = False  # a text: no element began or ended since
    for _ in repeat(None, MAX_NODES):
        number = node.tag_id
        if number == _TEXT:
            text = node.text_content
            if is_beside:
                texts[-1] += text or ""
            elif text:
                texts.append(text)
                node_parents.append(here)
                is_beside = True
        elif (tag := _NAMES.get(number) or _rare(node)) is not None:
            pairs: dict[str, Any] = node.attributes
            if not all(pairs.values()):  # an attribute without a value has None
                pairs = {name: value or "" for name, value in pairs.items()}
            element, first = element + 1, len(texts)
            tags.append(tag)
            attributes.append(pairs)
            parents.append(here)
            first_nodes.append(first)
            ends.append(element + 1)  # of one without children
            end_nodes.append(first)
            is_beside = False
            child = _SPECIAL[tag](node, tree) if tag in _SPECIAL else node.first_child
            if child is not None:
                if len(ancestors) >= MAX_DEPTH:
                    raise ParseError("too-deep", f"elements are nested more than {MAX_DEPTH:,} deep")
                ancestors.append(node)
                node, here = child, element
                continue
        while (following := node.next) is None and ancestors:
            node = ancestors.pop()
            ends[here] = element + 1
            end_nodes[here] = len(texts)
            here = parents[here]
            is_beside = False
        if following is None or not ancestors:
            return tree
        node = following
    raise ParseError("too-many-nodes", f"the page has more than {MAX_NODES:,} nodes")


def _rare(node: LexborNode) -> str | None:
    """The tag of an element; None of a comment, whose name has a hyphen, and of what has no name."""
    tag = node.tag
    return None if tag is None or tag[0] == "-" else tag


def _script(node: LexborNode, tree: Tree) -> None:
    return None


def _style(node: LexborNode, tree: Tree) -> None:
    body = node.first_child
    tree.styles.append((body.text_content or "") if body is not None else "")


def _template(node: LexborNode, tree: Tree) -> LexborNode | None:
    own = tree.structure.attributes[-1]
    if SHADOW_ROOT not in own or node.parent is None or not is_root(node.parent.tag or "", own):
        return node.first_child
    fragments = node.template_fragments()
    if not fragments:
        return None
    tree.structure.tags[-1] = "div"
    tree.roots.append(len(tree.structure.tags) - 1)
    return fragments[0].first_child


def _html(node: LexborNode, tree: Tree) -> LexborNode | None:
    # A formula may hold an element of this name; the document is to have one root.
    if len(tree.structure.tags) > 1:
        tree.structure.tags[-1] = "div"
    return node.first_child


# Elements whose children are not simply next: each gives the first node to go on with, or None.
_SPECIAL: dict[str, Callable[[LexborNode, Tree], LexborNode | None]] = {
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
