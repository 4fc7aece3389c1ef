"""Unfluff's cleaner: which elements and texts of a page are left, with which tags and below which parents.

After a description of unfluff 3.2.0. No tree is changed: an element is kept, dropped with all inside, or
unwrapped, its content left in place; and a kept one may get another tag and another parent.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate, chain

from extraction.documents.document import Document
from extraction.documents.structure import Structure
from extraction.extractors.spec import ExtractorError

KEPT, DROPPED, UNWRAPPED = range(3)

# Parts of an id, class or name, in any case, of what is no article. Parts that hold another are left out; a
# line break is the start or the end of the value.
_BAD_PARTS = (
    *("combx", "retweet", "mediaarticlerelated", "menucontainer", "navbar", "storytopbar-bucket"),
    *("utility-bar", "inline-share-tools", "comment", "popularquestions", "contact", "foot"),
    *("cnn_strycaptiontxt", "cnn_html_slideshow", "cnn_strylftcntnt", "shoutbox", "sponsor", "tags"),
    *("socialnetworking", "cnnstryhghlght", "cnn_stryspcvbx", "post-attributes", "welcome_form"),
    *("the_answers", "communitypromo", "runaroundleft", "subscribe", "vcard", "articleheadings", "date"),
    *("popup", "author-dropdown", "tools", "byline", "konafilter", "breadcrumbs", "wp-caption-text"),
    *("legende", "ajoutvideo", "timestamp", "js_replies", "partner-gravity-ad", "video-full-transcript"),
    *("links", "\nside\n", "\ninset\n", "\nprint\n", "\nfn\n", "meta\n"),
)
# Of the id and class of a div only, and in this case.
_BAD_PARTS_OF_DIV = ("\ncaption\n", " google ", "more", "facebook", "twitter")
_BAD_OF_DIV = re.compile(
    r"\Acaption\Z| google |\A[^entry-]more.*\Z|[^-]facebook|facebook-broadcasting|[^-]twitter"
)

_BLOCKS = frozenset({"a", "blockquote", "dl", "div", "img", "ol", "p", "pre", "table", "ul"})
_NAMES = frozenset({"id", "class", "name"})
_CODE = frozenset({"pre", "code"})
_LONE_NEWLINE = re.compile(r"([^\n])\n([^\n])")
# Characters and elements looked at: every level of nested tables is read again, and no real page takes a
# tenth of this.
_MAX_WORK = 20_000_000


@dataclass(slots=True)
class ParagraphGroup:
    """Loose text between the children of a regrouped element, which becomes a paragraph of its own.

    `links` are elements beside the text that it takes in; they are paragraphs of their own as well.
    """

    text: str = ""
    nodes: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)


@dataclass(slots=True)
class CleanedPage:
    """Elements and text nodes, by their numbers in the document's structure; groups come after the elements.

    Of the entries for elements, only those of kept ones mean something. `orders` puts groups among elements.
    A text that is gone is empty.
    """

    tree: Structure
    tags: list[str]
    parents: list[int]
    texts: list[str]
    status: bytearray
    orders: list[float]
    groups: list[ParagraphGroup] = field(default_factory=list)
    thinned: set[int] = field(default_factory=set)  # elements that something was dropped from
    work: int = 0

    @classmethod
    def of(cls, tree: Structure) -> CleanedPage:
        """A page that is not cleaned yet."""
        size = len(tree.tags)
        return cls(
            tree,
            [*tree.tags],
            [*tree.parents],
            [*tree.node_texts],
            bytearray(size),
            [*map(float, range(size))],
        )

    def copy(self) -> CleanedPage:
        """A page of which something may be dropped; tags and parents are shared."""
        status, texts = self.status[:], [*self.texts]
        return CleanedPage(self.tree, self.tags, self.parents, texts, status, self.orders, [*self.groups])

    def is_group(self, element: int) -> bool:
        """Whether a number is that of a group, not of an element."""
        return element >= len(self.tree.tags)

    def tagged(self, *tags: str) -> list[int]:
        """The kept elements and groups with one of the tags, in document order."""
        found = [element for element, tag in enumerate(self.tags) if tag in tags and not self.status[element]]
        return sorted(found, key=self.orders.__getitem__) if self.groups else found

    def below(self, element: int) -> list[int]:
        """The kept elements and groups in an element, in document order."""
        size = len(self.tree.tags)
        if element >= size:
            return []
        end = self.tree.ends[element]
        self._spend(end - element)
        found = [inner for inner in range(element + 1, end) if not self.status[inner]]
        groups = [
            g for g in range(size, len(self.tags)) if element <= self.parents[g] < end and not self.status[g]
        ]
        return sorted(found + groups, key=self.orders.__getitem__) if groups else found

    def children(self, parent: int) -> list[int]:
        """The kept elements and groups right below an element, in document order."""
        return [element for element in self.below(parent) if self.parents[element] == parent]

    def nodes(self, element: int) -> Iterable[int]:
        """The text nodes in an element or group."""
        if self.is_group(element):
            return self.groups[element - len(self.tree.tags)].nodes
        return range(self.tree.first_nodes[element], self.tree.end_nodes[element])

    def text(self, element: int) -> str:
        """The text in an element or group, as it is left."""
        if self.is_group(element):
            return self.groups[element - len(self.tree.tags)].text
        text = "".join(self.texts[self.tree.first_nodes[element] : self.tree.end_nodes[element]])
        self._spend(len(text))
        return text

    def links(self, element: int) -> list[int]:
        """The links in an element or group."""
        if self.is_group(element):
            return self.groups[element - len(self.tree.tags)].links
        return [inner for inner in self.below(element) if self.tags[inner] == "a"]

    def _spend(self, work: int) -> None:
        self.work += work
        if self.work > _MAX_WORK:
            raise ExtractorError("the page's text is nested too deep in elements that are counted")

    def first_node(self, element: int) -> int:
        """The first text node of an element or group that has any."""
        if self.is_group(element):
            return min(self.groups[element - len(self.tree.tags)].nodes)
        return self.tree.first_nodes[element]

    def add_group(self, group: ParagraphGroup, parent: int, order: float) -> None:
        """Add loose text as a paragraph below a parent; `order` is its index among the elements."""
        self.groups.append(group)
        self.tags.append("p")
        self.parents.append(parent)
        self.status.append(KEPT)
        self.orders.append(order)

    def drop(self, element: int) -> None:
        """Take an element or group away with all that is in it."""
        if self.is_group(element):
            self.groups[element - len(self.tree.tags)] = ParagraphGroup()
            self.status[element] = DROPPED
            return
        end = self.tree.ends[element]
        self.status[element:end] = bytes([DROPPED]) * (end - element)
        for node in self.nodes(element):
            self.texts[node] = ""
        while (element := self.tree.parents[element]) >= 0 and element not in self.thinned:
            self.thinned.add(element)

    def unwrap(self, element: int) -> None:
        """Take an element away, its content stays."""
        self.status[element] = UNWRAPPED

    def flatten(self, element: int) -> None:
        """Leave nothing of an element but its text."""
        for inner in [element, *self.below(element)]:
            self.unwrap(inner)

    def holder(self, node: int) -> int:
        """The kept element in which a text node hangs."""
        element = self.tree.node_parents[node]
        return self.parents[element] if self.status[element] else element


def clean(document: Document) -> CleanedPage:
    """The page as the scoring sees it."""
    page = CleanedPage.of(document.structure)
    _flatten_code(page)
    _drop_named(page)
    _unwrap_inline(page)
    _lift_from_unwrapped(page)
    _join_lines(page)
    for tag in ("div", "span"):
        _make_paragraphs(page, tag)
    return page


def _flatten_code(page: CleanedPage) -> None:
    for element, (tag, attributes) in enumerate(zip(page.tags, page.tree.attributes, strict=True)):
        classes = attributes.get("class", "")
        is_code = tag in _CODE or "highlight-" in classes or (tag == "ul" and "task-list" in classes.split())
        if is_code and not page.status[element]:
            page.flatten(element)


def _drop_named(page: CleanedPage) -> None:
    """Drop what an id, class or name calls bad; the classes of body and what articles say do not count."""
    named: defaultdict[str, list[int]] = defaultdict(list)
    divs: defaultdict[str, list[int]] = defaultdict(list)
    for element, attributes in enumerate(page.tree.attributes):
        tag = page.tags[element]
        if not attributes or page.status[element] or tag == "article":
            continue
        for name, value in attributes.items():
            if name in _NAMES and not (tag == "body" and name == "class"):
                named[value.lower()].append(element)
                if tag == "div" and name != "name":
                    divs[value].append(element)
    bad = [named[value] for value in _holding(named, _BAD_PARTS)]
    bad += [divs[value] for value in _holding(divs, _BAD_PARTS_OF_DIV) if _BAD_OF_DIV.search(value)]
    for element in sorted(chain.from_iterable(bad)):
        if not page.status[element]:
            page.drop(element)


def _holding(values: Iterable[str], parts: Iterable[str]) -> set[str]:
    """The values that hold one of the parts; all values are searched at once, which spares much time."""
    listed = list(values)
    lines = "".join(["\n", *(value.replace("\n", " ") + "\n" for value in listed)])
    starts = list(accumulate((len(value) + 1 for value in listed), initial=1))
    found: set[str] = set()
    for part in parts:
        index = lines.find(part)
        while index >= 0:
            inside = index + part.startswith("\n")
            found.add(listed[bisect_right(starts, inside) - 1])
            index = lines.find(part, index + 1)
    return found


def _unwrap_inline(page: CleanedPage) -> None:
    """Emphasis (unless any of it holds an image), drop caps, underlines and spans in paragraphs."""
    emphasis = page.tagged("em")
    if not any(page.tags[inner] == "img" for element in emphasis for inner in page.below(element)):
        for element in emphasis:
            page.unwrap(element)
    in_paragraph = {inner for element in page.tagged("p") for inner in page.below(element)}
    for element in page.tagged("span", "u"):
        classes = page.tree.attributes[element].get("class", "").split()
        if (
            page.tags[element] == "u"
            or element in in_paragraph
            or "dropcap" in classes
            or "drop_cap" in classes
        ):
            page.unwrap(element)


def _lift_from_unwrapped(page: CleanedPage) -> None:
    for element, parent in enumerate(page.parents):
        if parent >= 0 and page.status[parent]:
            page.parents[element] = page.parents[parent]


def _join_lines(page: CleanedPage) -> None:
    """A line break between two lines right in a paragraph is a blank."""
    for element in page.tagged("p"):
        for node in page.nodes(element):
            if "\n" in page.texts[node] and page.holder(node) == element:
                page.texts[node] = _LONE_NEWLINE.sub(r"\1 \2", page.texts[node])


def _make_paragraphs(page: CleanedPage, tag: str) -> None:
    """Turn each element of a tag that holds no block into a paragraph, and regroup the children of others.

    What lies in a regrouped one has been written again there, and is not looked at again.
    """
    beyond = 0
    for element in page.tagged(tag):
        if element < beyond:
            continue
        if any(page.tags[inner] in _BLOCKS for inner in page.below(element)):
            beyond = page.tree.ends[element]
            _Regrouping(page, element).run()
        else:
            page.tags[element] = "p"


class _Regrouping:
    """The children of one element become paragraphs in its place: each element under it, and loose text.

    Loose text is gathered until the next child that is a paragraph, so that it comes after a heading that
    followed it.
    """

    def __init__(self, page: CleanedPage, element: int) -> None:
        self.page = page
        self.element = element
        self.children = page.children(element)
        self.group = ParagraphGroup()
        self.used: set[int] = set()

    def run(self) -> None:
        page = self.page
        index = 0
        # In a span, what was loose text of a div has become a paragraph already.
        gathered = {node for child in self.children if page.is_group(child) for node in page.nodes(child)}
        loose = [
            node
            for node in page.nodes(self.element)
            if page.texts[node] and page.holder(node) == self.element and node not in gathered
        ]
        for node in loose:
            while index < len(self.children) and page.first_node(self.children[index]) <= node:
                self._pass(self.children[index])
                index += 1
            self._gather(node, index)
        for child in self.children[index:]:
            self._pass(child)
        self._flush(float(page.tree.ends[self.element]))
        for child in self.children:
            page.tags[child], page.parents[child] = "p", page.parents[self.element]
        page.unwrap(self.element)

    def _pass(self, child: int) -> None:
        if self.page.tags[child] == "p":
            self._flush(self.page.orders[child])

    def _flush(self, before: float) -> None:
        if self.group.text:
            self.page.add_group(self.group, self.page.parents[self.element], before - 0.5)
            self.group = ParagraphGroup()

    def _gather(self, node: int, index: int) -> None:
        """Add a text node, which stands before the child at a index, with the links on both sides."""
        text = self.page.texts[node].replace("\n", "\n\n").replace("\t", "")
        self.page.texts[node] = text if len(text) > 1 and not text.isspace() else ""
        if not self.page.texts[node]:
            return
        before = index - 1
        while before >= 0 and self._is_free_link(before):
            self._add_link(before)
            before -= 1
        self.group.text += text
        self.group.nodes.append(node)
        if index < len(self.children) and self._is_free_link(index):
            self._add_link(index)

    def _is_free_link(self, index: int) -> bool:
        child = self.children[index]
        return self.page.tags[child] == "a" and child not in self.used

    def _add_link(self, index: int) -> None:
        link = self.children[index]
        self.used.add(link)
        self.group.text += f" {self.page.text(link)} "
        self.group.nodes += self.page.nodes(link)
        self.group.links.append(link)
