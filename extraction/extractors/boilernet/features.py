"""What BoilerNet sees of a page: its texts in order, each with its words and the tags of its ancestors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.documents.caching import cached_on_document
from extraction.documents.document import Document
from extraction.extractors.boilernet.words import words

# Left out with what is inside. The program reads the tree of html5lib, which follows the same rules as ours.
DROPPED = frozenset(
    ("head", "iframe", "script", "meta", "link", "style", "input", "checkbox", "button", "noscript")
)
#: More leaves than this are not looked at: a page of a hundred thousand would take minutes.
MOST_LEAVES = 20_000
UNKNOWN = 0


class LeafCounts(NamedTuple):
    """The text node of each leaf, its characters, and how often it has each word and each tag."""

    nodes: list[int]
    lengths: list[int]
    words: list[Counter[str]]
    tags: list[Counter[str]]


@cached_on_document
def leaves(document: Document) -> LeafCounts:
    """The texts of a page that are not blank."""
    tree = document.structure
    of_element: list[Counter[str] | None] = []  # None: dropped
    for tag, parent in zip(tree.tags, tree.parents, strict=True):
        above = of_element[parent] if parent >= 0 else Counter[str]()
        of_element.append(None if above is None or tag in DROPPED else above + Counter((tag,)))
    found = LeafCounts([], [], [], [])
    for node, (text, parent) in enumerate(zip(tree.node_texts, tree.node_parents, strict=True)):
        tags = of_element[parent]
        if tags is not None and text.strip() and len(found.nodes) < MOST_LEAVES:
            found.nodes.append(node)
            found.lengths.append(len(" ".join(text.split())))
            found.words.append(Counter(words(text)))
            found.tags.append(tags)
    return found


class Rows(NamedTuple):
    """A sparse matrix: entry `i` is the count `values[i]` in row `rows[i]` and column `columns[i]`."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float32]
    size: int


@dataclass(frozen=True)
class Vocabulary:
    """The words and tags that are told apart, with their columns; all others share one column each.

    `adds_unknown` has that column hold the sum of their counts; without, it has that of the last one, as in
    the program of the paper.
    """

    words: Mapping[str, int]
    tags: Mapping[str, int]
    adds_unknown: bool = True

    @classmethod
    def of(cls, words: Iterable[str], tags: Iterable[str], *, adds_unknown: bool = True) -> Vocabulary:
        """Numbered from 1 on in the order of their code points."""
        return cls(_numbered(words), _numbered(tags), adds_unknown)

    @classmethod
    def learned(cls, pages: Sequence[LeafCounts], most_words: int, most_tags: int) -> Vocabulary:
        """The most frequent of pages; of equals what comes first."""
        all_words, all_tags = Counter[str](), Counter[str]()
        for page in pages:
            for count in page.words:
                all_words.update(count)
            for count in page.tags:
                all_tags.update(count)
        return cls.of(dict(all_words.most_common(most_words)), dict(all_tags.most_common(most_tags)))

    @property
    def width(self) -> int:
        """Columns: words and tags, and one each for the unknown."""
        return len(self.words) + len(self.tags) + 2

    def rows(self, page: LeafCounts) -> Rows:
        """A page as counts: columns of words first, then those of tags."""
        entries: list[tuple[int, int, int]] = []
        for row, (words_, tags) in enumerate(zip(page.words, page.tags, strict=True)):
            for names, counts, offset in ((self.words, words_, 0), (self.tags, tags, len(self.words) + 1)):
                entries += [(row, offset + at, count) for at, count in self._columns(names, counts).items()]
        columns = np.array(entries, np.int64).reshape(-1, 3)
        return Rows(columns[:, 0], columns[:, 1], columns[:, 2].astype(np.float32), len(page.nodes))

    def _columns(self, names: Mapping[str, int], counts: Mapping[str, int]) -> dict[int, int]:
        found: dict[int, int] = {}
        for name, count in counts.items():
            at = names.get(name, UNKNOWN)
            found[at] = found.get(at, 0) + count if self.adds_unknown else count
        return found


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: at for at, name in enumerate(sorted(names), UNKNOWN + 1)}
