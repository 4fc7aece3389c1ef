"""The core of a page: its headline, the container that holds most of its prose, and the way to any block.

The tree filter's idea (paragraphs that share an ancestor are one text), made to fit pages whose body is split
over containers that are made alike, and whose teasers or comments are longer than the article.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from extraction.documents.document import Document
from extraction.extractors.goldpan.layout import (
    BY_HIDING,
    HIDDEN,
    MIN_RECORDS,
    Indices,
    Layout,
    numbered,
    on_way,
    ways_up,
)
from extraction.extractors.goldpan.measures import Numbers

_WORD = re.compile(r"\w+")

# Weights of prose that is less likely the article's, and of candidates that are less likely the headline.
_FOREIGN_PROSE, _RECORD_PROSE, _PROSE_BEFORE_HEADLINE = 0.15, 0.4, 0.3
_HIDDEN_HEADLINE, _RECORD_HEADLINE, _LONELY_HEADLINE = 0.3, 0.5, 0.5
_TITLE_WEIGHT, _MIN_TITLE_MATCH = 1.5, 0.6
_HEADING_WEIGHTS = {"h1": 1.0, "h2": 0.5, "h3": 0.5}
_MIN_HEADLINE = 0.7
_SHORTEST_HEADLINE, _LONGEST_HEADLINE = 8, 300  # characters
# What is no heading by its tag is one only if it is long enough to be a title, and not much longer than it.
_SHORTEST_TITLE, _TITLE_SLACK = 15, 20
# A headline has at least this much prose (characters) in the blocks that follow (number).
_PROSE_AFTER, _BLOCKS_AFTER = 200, 40


@dataclass(frozen=True, slots=True)
class Headline:
    """The block of the headline, or -1, and how much speaks for it: 2.5 is an h1 that is the page's title."""

    block: int
    certainty: float


def find_headline(document: Document, texts: Sequence[str], layout: Layout) -> Headline:
    """The heading or title-like block, of blocks with these texts, that most likely heads the article."""
    title = _WORD.findall(document.title.lower())
    known = frozenset(title)
    best = Headline(-1, 0.0)
    # The likeliest first: once a heading is the title, hardly any other text has to be compared with it.
    for weight, block, text in sorted(_candidates(len(document.title), texts, layout), reverse=True):
        if weight + _TITLE_WEIGHT < best.certainty:
            break
        match = _title_match(text, title, known)
        certainty = weight + (_TITLE_WEIGHT * match if match > _MIN_TITLE_MATCH else 0)
        if certainty >= best.certainty:
            certainty *= _doubts(layout, block, len(text))
            if (certainty, -block) > (best.certainty, -best.block):  # of two, the one that comes first
                best = Headline(block, certainty)
    return best if best.certainty >= _MIN_HEADLINE else Headline(-1, best.certainty)


def _candidates(title: int, texts: Sequence[str], layout: Layout) -> Iterator[tuple[float, int, str]]:
    """Headings, and blocks about as long as the title, of so many characters; how much each counts."""
    longest = min(_LONGEST_HEADLINE, title + _TITLE_SLACK)
    for block, (text, index) in enumerate(zip(texts, layout.element.tolist(), strict=True)):
        weight = _HEADING_WEIGHTS.get(layout.tags[index], 0.0)
        shortest, end = (0, _LONGEST_HEADLINE) if weight else (_SHORTEST_TITLE, longest)
        if shortest <= len(text) < end:
            yield weight, block, text


def _doubts(layout: Layout, block: int, length: int) -> float:
    """What is left of the certainty of a candidate."""
    doubts, index = 1.0, layout.element[block]
    if layout.foreign[index] & BY_HIDING or length < _SHORTEST_HEADLINE:
        doubts *= _HIDDEN_HEADLINE
    if layout.records[index] >= MIN_RECORDS:
        doubts *= _RECORD_HEADLINE
    prose = layout.prose_before[block : block + _BLOCKS_AFTER + 1]
    return doubts * _LONELY_HEADLINE if prose[-1] - prose[0] < _PROSE_AFTER else doubts


def _title_match(text: str, title: Sequence[str], known: frozenset[str]) -> float:
    """How much a text is the title: the share of its words in it, less if it is much shorter."""
    words = _WORD.findall(text.lower())
    if not words or not known:
        return 0.0
    return sum(word in known for word in words) / len(words) * min(1.0, len(words) / max(3, len(title) / 2))


def weigh_prose(layout: Layout, headline: Headline) -> Numbers:
    """The prose of each block, less where the page itself says that it is not the article's."""
    weights = np.where(layout.foreign[layout.element] > 0, _FOREIGN_PROSE, 1.0)
    weights[layout.records[layout.element] >= MIN_RECORDS] *= _RECORD_PROSE
    if headline.block >= 0:
        weights[: headline.block] *= _PROSE_BEFORE_HEADLINE
    good: Numbers = (layout.prose * weights).astype(np.float32)
    return good


@dataclass(frozen=True, slots=True)
class Groups:
    """Blocks that belong together, by number: `of` for each block. Amounts are summed up by `total`."""

    of: Indices
    count: int

    @classmethod
    def by(cls, keys: Iterable[Hashable]) -> Groups:
        """One group for each key, numbered as they come."""
        of, numbers = numbered(keys)
        return cls(of, len(numbers))

    def total(self, amounts: Numbers) -> Numbers:
        """For each group, what an amount for each block adds up to."""
        return np.bincount(self.of, amounts, self.count).astype(np.float32)

    def totals(self, amounts: Numbers) -> Numbers:
        """The same of several amounts at once, a row each."""
        rows = len(amounts)
        cells = self.of + self.count * np.arange(rows)[:, None]
        sums = np.bincount(cells.ravel(), amounts.ravel(), rows * self.count)
        return sums.reshape(rows, self.count).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Core:
    """The container with most of the good prose, and the groups that it was chosen among.

    `element` is its index in the layout and `group` its group in `by_parent_shape`; `good` is its good prose,
    `good_of_groups` that of each such group. Blocks are grouped by their parent, by their parents' signature
    (a parent without classes is like no other), and by their own and that one; `parent` is the parent of each
    block.
    """

    element: int
    group: int
    good: float
    good_of_groups: Numbers
    parent: Indices
    by_parent: Groups
    by_parent_shape: Groups
    by_shape: Groups


def find_core(layout: Layout, good: Numbers) -> Core:
    """Choose the shape of container with most good prose, and of these containers the one with most."""
    parents = layout.parents[layout.element]
    parents = np.where(parents >= 0, parents, layout.element)
    size = layout.parents.size
    # A shape, or for an element without classes the element itself; numbers of both kinds are below the size.
    shapes = np.where(layout.plain, np.arange(size), size + layout.shapes)[parents]
    by_parent, by_parent_shape = Groups.by(parents.tolist()), Groups.by(shapes.tolist())
    by_shape = Groups.by((layout.shapes[layout.element] * 2 * size + shapes).tolist())
    good_of_groups = by_parent_shape.total(good)
    group = int(np.argmax(good_of_groups))
    inside = np.where(by_parent_shape.of == group, by_parent.total(good)[by_parent.of], -1.0)
    best = int(np.argmax(inside))
    return Core(
        element=int(parents[best]),
        group=group,
        good=float(inside[best]),
        good_of_groups=good_of_groups,
        parent=parents,
        by_parent=by_parent,
        by_parent_shape=by_parent_shape,
        by_shape=by_shape,
    )


@dataclass(frozen=True, slots=True)
class Paths:
    """For each element, how it is reached from another one, from the nearest ancestor that both share.

    `meeting` is that ancestor, itself for an ancestor of the other; `branch` the child of it that leads here;
    `rise` how far the ancestor is above the other, `fall` how far the element is below it.
    """

    meeting: Indices
    branch: Indices
    rise: Indices
    fall: Indices

    @classmethod
    def of(cls, layout: Layout, origin: int) -> Paths:
        """The paths of all elements, given the index of the other one."""
        indices = np.arange(layout.parents.size)
        meeting, rise = np.empty_like(indices), np.empty_like(indices)
        above = layout.with_ancestors(origin)
        for height, ancestor in reversed(list(enumerate(above))):  # the root first: the others are inside
            inside = slice(ancestor, layout.after[ancestor])
            meeting[inside], rise[inside] = ancestor, height
        fall = layout.depths - layout.depths[meeting]
        # The last child of a meeting that came before an element is the one that it is in.
        branch = np.where(fall > 0, np.maximum.accumulate(np.where(fall == 1, indices, 0)), indices)
        return cls(meeting, branch, rise, fall)


@dataclass(frozen=True, slots=True)
class Ways(Paths):
    """The paths from the core, and what the elements below the meeting have together.

    `speaking` and `kinds` are their bits, `alike` the most alike siblings that one of them has, `largest` the
    most blocks.
    """

    speaking: Indices
    kinds: Indices
    alike: Indices
    largest: Indices

    @classmethod
    def of(cls, layout: Layout, origin: int) -> Ways:
        """The ways of all elements, given the index of the core."""
        paths = Paths.of(layout, origin)
        marks, alike, largest = _gathered(layout, paths.fall)
        return cls(
            meeting=paths.meeting,
            branch=paths.branch,
            rise=paths.rise,
            fall=paths.fall,
            speaking=marks & _SPEAKING,
            kinds=marks >> _SPEAKING_BITS,
            alike=alike,
            largest=largest,
        )


_SPEAKING_BITS = HIDDEN.bit_length()
_SPEAKING = (1 << _SPEAKING_BITS) - 1


def _gathered(layout: Layout, fall: Indices) -> tuple[Indices, Indices, Indices]:
    """What the elements on each way have together: marks of both kinds; most alike siblings; most blocks."""
    is_below = fall > 0
    ways = ways_up(np.where(is_below, layout.parents, np.arange(fall.size)))
    marks = layout.speaking | layout.kinds << _SPEAKING_BITS
    return (
        on_way(ways, np.bitwise_or, marks * is_below),
        on_way(ways, np.maximum, layout.alike * is_below),
        on_way(ways, np.maximum, (layout.end - layout.first) * is_below),
    )
