"""The collapsed DOM of Web2Text: the body without empty nodes, a node with one child merged with it.

The original counts positions in the source of the page. Ours are those in the tree written as HTML, from the
body on: only differences of positions are used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from extraction.documents.document import Document
from extraction.documents.structure import Structure
from extraction.documents.tags import VOID
from extraction.extractors.web2text.stop_words import STOP_WORDS

_DROPPED = """
    br checkbox head hr iframe img input meta noscript radio script select style textarea title video
"""
_BLOCK_TAGS = """
    address article aside blockquote body canvas center checkbox dd div dl fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe input li main nav noscript ol output p pre radio
    section select table tbody td textarea tfoot thead tr ul video br
"""
DROPPED, BLOCK_TAGS = frozenset(_DROPPED.split()), frozenset(_BLOCK_TAGS.split())
WITHOUT_END_TAG = VOID | {"param"}
_WORD = re.compile(r"\w+", re.ASCII)
_AFTER_STOP = re.compile(r"(?<=[.?!;])\s+")
_EMAIL = re.compile(r"\w@[\w.]", re.ASCII)
_URL = re.compile(r"\b(?:https?|ftp)://[^\s/$.?#].")
_YEAR = re.compile(r"\b\d{4}\b", re.ASCII)


@dataclass(slots=True)
class TextCounts:
    """What is counted in the text of a node; sums over its leaves, but for what is said of its end."""

    characters: int = 0
    words: int = 0
    sentences: int = 0
    punctuation: int = 0
    digits: int = 0
    stop_words: int = 0
    capitals: int = 0
    word_lengths: int = 0
    in_link: int = 0
    start: int = 0
    end: int = 0
    ends_punctuation: bool = False
    ends_question: bool = False
    copyright: bool = False
    email: bool = False
    url: bool = False
    year: bool = False
    form: bool = False

    @classmethod
    def of_text(cls, text: str, start: int, end: int) -> TextCounts:
        """The counts of a leaf; `text` has its whitespace collapsed and no blank at its edges."""
        words = _WORD.findall(text)
        return cls(
            characters=max(len(text), 1),
            words=len(words),
            sentences=1 + sum(text[cut.end()].isupper() for cut in _AFTER_STOP.finditer(text)),
            punctuation=sum(map(text.count, ".,?;:!")),
            digits=sum(map(str.isdecimal, text)),
            stop_words=sum(word in STOP_WORDS for word in words),
            capitals=sum(word[0].isupper() for word in words),
            word_lengths=sum(map(len, words)),
            start=start,
            end=end,
            ends_punctuation=text[-1:] in tuple(".,?;:!"),
            ends_question=text[-1:] == "?",
            copyright="©" in text,
            email=_EMAIL.search(text) is not None,
            url=_URL.search(text) is not None,
            year=_YEAR.search(text) is not None,
        )

    @classmethod
    def of_children(cls, children: Sequence[TextCounts], *, has_input: bool) -> TextCounts:
        """The counts of a node with several children."""
        last = children[-1]
        return cls(
            characters=sum(child.characters for child in children),
            words=sum(child.words for child in children),
            sentences=sum(child.sentences for child in children),
            punctuation=sum(child.punctuation for child in children),
            digits=sum(child.digits for child in children),
            stop_words=sum(child.stop_words for child in children),
            capitals=sum(child.capitals for child in children),
            word_lengths=sum(child.word_lengths for child in children),
            in_link=sum(child.in_link for child in children),
            start=children[0].start,
            end=last.end,
            ends_punctuation=last.ends_punctuation,
            ends_question=last.ends_question,
            copyright=any(child.copyright for child in children),
            email=any(child.email for child in children),
            url=any(child.url for child in children),
            year=any(child.year for child in children),
            form=has_input,
        )


@dataclass(slots=True, eq=False)
class CollapsedNode:
    """A node of the collapsed tree; a leaf has a `text_node` and no children.

    `tags` and `selectors` are those of all that was merged into it, outermost first.
    """

    tags: list[str]
    selectors: list[str]
    counts: TextCounts
    text_node: int = -1
    text: str = ""
    children: list[CollapsedNode] = field(default_factory=list)
    parent: CollapsedNode | None = None
    breaks_before: bool = False
    breaks_after: bool = False


@dataclass(frozen=True, slots=True)
class CollapsedDom:
    """The root, and its leaves in document order."""

    root: CollapsedNode
    leaves: list[CollapsedNode]


@dataclass(slots=True)
class _OpenElement:
    """An element whose end has not been met."""

    tag: str
    attributes: dict[str, str]
    before: str  # the tag of the sibling before it; empty for a text and where there is none
    children: list[tuple[CollapsedNode, str]] = field(default_factory=list)  # with the tag before each
    names: list[str] = field(default_factory=list)  # of all its children, as they were
    places: list[int] = field(default_factory=list)  # of the kept children among them
    has_input: bool = False


def collapsed_dom(document: Document) -> CollapsedDom | None:
    """The collapsed tree of the body, None where nothing of it is left."""
    tree = document.structure
    body = next((element for element, tag in enumerate(tree.tags) if tag == "body"), None)
    if body is None:
        return None
    root = _Builder(tree, body).root()
    if root is None:
        return None
    leaves = _link(root)
    return CollapsedDom(root, leaves)


def _link(root: CollapsedNode) -> list[CollapsedNode]:
    """Tell every node its parent; returns the leaves."""
    leaves: list[CollapsedNode] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not node.children:
            leaves.append(node)
        for child in node.children:
            child.parent = node
        waiting += reversed(node.children)
    return leaves


class _Builder:
    """Walks the body once, and collapses an element when it ends."""

    def __init__(self, tree: Structure, body: int) -> None:
        self.tree, self.body = tree, body
        self.position = 0
        self.stack: list[_OpenElement] = []
        self.result: CollapsedNode | None = None

    def root(self) -> CollapsedNode | None:
        """The collapsed body."""
        tree = self.tree
        node = tree.first_nodes[self.body]
        ends: list[int] = []
        for element in range(self.body, tree.ends[self.body]):
            while ends and element >= tree.ends[ends[-1]]:
                node = self._leave(ends.pop(), node)
            node = self._texts(node, tree.first_nodes[element])
            self._enter(element)
            ends.append(element)
        while ends:
            node = self._leave(ends.pop(), node)
        return self.result

    def _enter(self, element: int) -> None:
        tag, attributes = self.tree.tags[element], self.tree.attributes[element]
        self.position += 2 + len(tag) + sum(_written(name, value) for name, value in attributes.items())
        before = ""
        if self.stack:
            parent = self.stack[-1]
            before = parent.names[-1] if parent.names else ""
            parent.names.append(tag)
        self.stack.append(_OpenElement(tag, attributes, before))
        if tag == "input":
            for opened in self.stack:
                opened.has_input = True

    def _texts(self, first: int, end: int) -> int:
        """Add the text nodes before another node; returns the number of the next one."""
        for node in range(first, end):
            raw = self.tree.node_texts[node]
            start = self.position
            self.position += len(raw) + 4 * raw.count("&") + 3 * raw.count("<") + 3 * raw.count(">")
            opened = self.stack[-1]
            before = opened.names[-1] if opened.names else ""
            opened.names.append("")
            text = " ".join(raw.split())
            if text and opened.tag not in DROPPED:
                counts = TextCounts.of_text(text, start, self.position)
                self._keep(opened, CollapsedNode(["#text"], [], counts, node, text), before)
        return end

    def _keep(self, parent: _OpenElement, node: CollapsedNode, before: str) -> None:
        parent.children.append((node, before))
        parent.places.append(len(parent.names) - 1)

    def _leave(self, element: int, node: int) -> int:
        node = self._texts(node, self.tree.end_nodes[element])
        opened = self.stack.pop()
        if opened.tag not in WITHOUT_END_TAG:
            self.position += len(opened.tag) + 3
        for (child, before), place in zip(opened.children, opened.places, strict=True):
            after = opened.names[place + 1] if place + 1 < len(opened.names) else ""
            self._break(child, before, after)
        if opened.tag in DROPPED or not opened.children:
            return node
        merged = _merged(opened, [child for child, _ in opened.children])
        if self.stack:
            parent = self.stack[-1]
            parent.children.append((merged, opened.before))
            # Its children came after its own name.
            parent.places.append(len(parent.names) - 1)
        else:
            self._break(merged, "", "")
            self.result = merged
        return node

    def _break(self, node: CollapsedNode, before: str, after: str) -> None:
        """Say whether a line breaks before and after a node, now that its neighbours are known."""
        own = len(node.tags) > 1 and node.tags[0] in BLOCK_TAGS
        own = own or (bool(node.children) and node.tags[0] in BLOCK_TAGS)
        node.breaks_before = own or before in BLOCK_TAGS
        node.breaks_after = own or after in BLOCK_TAGS
        if node.breaks_before:
            _push(node, 0, "breaks_before")
        if node.breaks_after:
            _push(node, -1, "breaks_after")


def _push(node: CollapsedNode, place: int, name: str) -> None:
    """Hand a break down to the first or last child, its first or last child, until one has it."""
    while node.children:
        node = node.children[place]
        if getattr(node, name):
            return
        setattr(node, name, True)


def _written(name: str, value: str) -> int:
    """The length of an attribute as HTML: a blank, the name, `=`, quotes, the value with its escapes."""
    return len(name) + len(value) + 4 + 4 * value.count("&") + 5 * value.count('"')


def _merged(opened: _OpenElement, children: list[CollapsedNode]) -> CollapsedNode:
    """The node of an element that has ended."""
    selector = ".".join([opened.tag, *sorted(opened.attributes.get("class", "").split())])
    if len(children) > 1:
        counts = TextCounts.of_children([child.counts for child in children], has_input=opened.has_input)
        if opened.tag == "a":
            counts.in_link = counts.characters
        return CollapsedNode([opened.tag], [selector], counts, children=children)
    (child,) = children
    if opened.tag == "a":
        child.counts.in_link = child.counts.characters
    child.tags.insert(0, opened.tag)
    child.selectors.insert(0, selector)
    return child
