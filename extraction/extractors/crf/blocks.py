"""The texts of a page as Victor sees them: what stands between two tags, and the tags before it."""

from collections.abc import Iterator
from typing import NamedTuple

from extraction.documents.canonical_text import GONE
from extraction.documents.document import Document
from extraction.documents.structure import Structure

# Left out with what is inside. The program's list was in a configuration that is lost; this one is ours.
DELETED = frozenset(
    ("script", "style", "noscript", "object", "embed", "applet", "iframe", "head", "link", "meta")
)
_WITHOUT_END_TAG = frozenset(("area", "br", "col", "hr", "img", "input", "param", "source", "track", "wbr"))
# Of texts that are in no cell of a table, or in no division.
TOP = -1


class TextBlock(NamedTuple):
    """A text, whitespace collapsed.

    `place` is its `[start, end)` in the canonical text, negative where it has none; `containers` are the tags
    around it from the body inwards; `distance` are those passed since the text before, ends as `/p`; `cell`
    and `division` are the innermost `td` and `div` around it, as numbers.
    """

    text: str
    place: tuple[int, int]
    containers: tuple[str, ...]
    distance: tuple[str, ...]
    cell: int
    division: int


class _Place(NamedTuple):
    """Where a text stands in the tree."""

    containers: tuple[str, ...]
    cell: int
    division: int


def blocks(document: Document) -> list[TextBlock]:
    """The texts of the body that are not blank; alternative texts of images are among them."""
    tree = document.structure
    body = next((element for element, tag in enumerate(tree.tags) if tag == "body"), None)
    return list(_Walk(document, tree).blocks(body)) if body is not None else []


class _Walk:
    """One pass over the body that notes the tags it meets."""

    def __init__(self, document: Document, tree: Structure) -> None:
        self.document, self.tree = document, tree
        self.passed: list[str] = []

    def blocks(self, body: int) -> Iterator[TextBlock]:
        """Blocks in the order of the page."""
        tree = self.tree
        places = {body: _Place(("body",), TOP, TOP)}
        open_: list[int] = [body]
        node = tree.first_nodes[body]
        element, end = body + 1, tree.ends[body]
        while open_:
            here = open_[-1]
            is_start = element < tree.ends[here]
            until = tree.first_nodes[element] if is_start else tree.end_nodes[here]
            for number in range(node, until):
                yield from self._texts(number, places[here])
            node = until
            if not is_start:
                open_.pop()
                if tree.tags[here] not in _WITHOUT_END_TAG:
                    self.passed.append(f"/{tree.tags[here]}")
            elif tree.tags[element] in DELETED:
                node, element = tree.end_nodes[element], tree.ends[element]
            else:
                tag = tree.tags[element]
                self.passed.append(tag)
                places[element] = place = _inner(places[here], tag, element)
                if tag == "img" and (text := " ".join(tree.attributes[element].get("alt", "").split())):
                    yield self._block(text, GONE, place)
                open_.append(element)
                element += 1
        assert element == end

    def _texts(self, node: int, place: _Place) -> Iterator[TextBlock]:
        """The block of a text node, or one for each of its lines if they are kept."""
        raw = self.tree.node_texts[node]
        start, end = self.document.nodes[node]
        if "pre" not in place.containers:
            if raw.strip():
                yield self._block(" ".join(raw.split()), (start, end), place)
            return
        lines = self.document.text[start:end].split("\n") if start >= 0 else raw.split("\n")
        for number, line in enumerate(lines):
            if number:
                self.passed.append("br")
            if line.strip():
                at = (start, start + len(line)) if start >= 0 else GONE
                yield self._block(" ".join(line.split()), at, place)
            start += len(line) + 1 if start >= 0 else 0

    def _block(self, text: str, at: tuple[int, int], place: _Place) -> TextBlock:
        distance, self.passed = tuple(self.passed), []
        return TextBlock(text, at, place.containers, distance, place.cell, place.division)


def _inner(outer: _Place, tag: str, element: int) -> _Place:
    return _Place(
        (*outer.containers, tag),
        element if tag == "td" else outer.cell,
        element if tag == "div" else outer.division,
    )
