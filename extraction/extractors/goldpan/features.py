"""What the models are told of each block: one row a feature.

Two models look at a page: the first finds readers' comments, the second the body, knowing where those are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from extraction.documents.document import Block, Document
from extraction.extractors.goldpan.core import (
    Core,
    Groups,
    Headline,
    Paths,
    Ways,
    find_core,
    find_headline,
    weigh_prose,
)
from extraction.extractors.goldpan.layout import (
    ARTICLE_BODY,
    BY_HIDING,
    BY_TAG,
    TAG_BITS,
    Indices,
    Layout,
    before,
    between,
)
from extraction.extractors.goldpan.measures import BlockMeasures, Flags, Numbers
from extraction.extractors.goldpan.names import BITS, FOREIGN
from extraction.extractors.goldpan.signs import Signs
from extraction.parsing.parse import parse

_TAGS = [
    "p",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "div",
    "td",
    "blockquote",
    "figcaption",
    "pre",
    "dt",
    "dd",
    "span",
    "a",
    "section",
    "article",
    "header",
    "footer",
    "aside",
]
_TAG_NUMBERS = {tag: number for number, tag in enumerate(_TAGS, 1)}
_WAY_TAGS = ["article", "table", "blockquote", "li"]
_WAY_KINDS = ["related", "share", "prompt", "meta", "caption", "media", "footer"]
_FAR = 99
_NEAR, _NEAR_HEADLINE = 30, 50
_NEIGHBOURS = 2
_LEVELS = 4
# Distances to signs of comments that are told apart (blocks).
_NEAR_SIGN, _FAR_SIGN, _FAR_COMMENT_HEADING, _FAR_FROM_HEADLINE = 8, 30, 300, 200
# From this probability on a block is taken for a comment. With at least this share of the page's prose in
# comments, the core is looked for again, and then their prose counts as little as this.
COMMENT = 0.5
_MANY_COMMENTS, _COMMENT_PROSE = 0.2, 0.05


@dataclass(frozen=True)
class PageFeatures:
    """A document as the model sees it; it has at least one block.

    `comments` is how likely each block is a reader's comment; nothing is known of that at first.
    It does not hold the document, which keeps it: the two would wait for the collector of cycles together.
    """

    blocks: list[Block]
    texts: list[str]
    measures: BlockMeasures
    layout: Layout
    signs: Signs
    headline: Headline
    good: Numbers
    core: Core
    ways: Ways
    comments: Numbers

    @classmethod
    def of(cls, document: Document) -> PageFeatures:
        """Look at a document that has at least one block."""
        measures = BlockMeasures.of(document.text, document.blocks)
        layout = Layout.of(document, measures)
        texts = [document.text[start:end] for start, end in document.blocks]
        headline = find_headline(document, texts, layout)
        good = weigh_prose(layout, headline)
        core = find_core(layout, good)
        ways = Ways.of(layout, core.element)
        signs = Signs.of(texts, measures)
        nothing = np.zeros(len(texts), dtype=np.float32)
        return cls(document.blocks, texts, measures, layout, signs, headline, good, core, ways, nothing)

    def knowing(self, comments: Numbers) -> PageFeatures:
        """The page, seen by somebody who knows how likely each block is a comment."""
        known = replace(self, comments=comments)
        are_comments = comments > COMMENT
        good = np.where(are_comments, self.good * _COMMENT_PROSE, self.good).astype(np.float32)
        prose = self.layout.prose
        if not good.any() or prose[are_comments].sum() < _MANY_COMMENTS * prose.sum():
            # Nothing else has changed, and what was worked out stands.
            known.__dict__.update(self.__dict__ | known.__dict__)
            known.__dict__.pop("body_features", None)
            return known
        core = find_core(self.layout, good)
        return replace(known, good=good, core=core, ways=Ways.of(self.layout, core.element))

    @property
    def size(self) -> int:
        """How many blocks there are."""
        return len(self.blocks)

    @cached_property
    def speaking(self) -> Indices:
        """For each block the bits of tags on its way from where it parts from the core, and of its own."""
        return (self.ways.speaking | self.layout.speaking)[self.layout.element]

    @cached_property
    def kinds(self) -> Indices:
        """For each block the bits of names on that way."""
        return self.ways.kinds[self.layout.element]

    @cached_property
    def foreign(self) -> Indices:
        """For each block what on the way from the root says that it is not the article's."""
        return self.layout.foreign[self.layout.element]

    @cached_property
    def hidden(self) -> Flags:
        """Whether each block is inside a hidden element."""
        return np.asarray(self.foreign & BY_HIDING > 0)

    @cached_property
    def records(self) -> Indices:
        """For each block the longest list of alike siblings that it is in."""
        return self.layout.records[self.layout.element]

    @cached_property
    def linked(self) -> Numbers:
        """For each block the share of its characters in links."""
        return self.layout.linked / self.measures.characters

    @cached_property
    def amounts(self) -> Numbers:
        """For each block its characters, prose, good prose, linked characters, words, and one, a row each."""
        characters, words, layout = self.measures.characters, self.measures.words, self.layout
        ones = np.ones_like(words)
        return np.array((characters, layout.prose, self.good, layout.linked, words, ones))

    @cached_property
    def total_good(self) -> float:
        """What the good prose of all blocks adds up to, 1 at least."""
        return max(1.0, float(self.good.sum()))

    @cached_property
    def tags(self) -> list[str]:
        """For each block the tag of its element."""
        return [self.layout.tags[index] for index in self.layout.element.tolist()]

    @cached_property
    def tag_numbers(self) -> Numbers:
        """For each block the number of that tag, 0 for one that is not listed."""
        return np.fromiter([_TAG_NUMBERS.get(tag, 0) for tag in self.tags], np.float32, self.size)

    @cached_property
    def headings(self) -> list[int]:
        """The blocks that are headlines: the one that was found, and every `h1`."""
        headline = self.headline.block
        return [block for block, tag in enumerate(self.tags) if tag == "h1" or block == headline]

    @cached_property
    def features(self) -> NDArray[np.float32]:
        """What the model of comments is told: a row for each of `feature_names`, a column for each block."""
        return _rows(self, PARTS, len(self.feature_names()))

    @cached_property
    def body_features(self) -> NDArray[np.float32]:
        """What the model of the body is told: the same, and then what is known of comments."""
        known = _rows(self, (_comments,), len(self.body_feature_names()) - len(self.feature_names()))
        return np.concatenate((self.features, known))

    @staticmethod
    @cache
    def feature_names() -> tuple[str, ...]:
        """What the rows of `features` are."""
        return tuple(name for part in PARTS for name, _ in part(_smallest()))

    @staticmethod
    @cache
    def body_feature_names() -> tuple[str, ...]:
        """What the rows of `body_features` are."""
        return (*PageFeatures.feature_names(), *(name for name, _ in _comments(_smallest())))

    @staticmethod
    @cache
    def part_sizes() -> tuple[int, ...]:
        """How many rows of `body_features` each of `BODY_PARTS` gives."""
        return tuple(sum(1 for _ in part(_smallest())) for part in BODY_PARTS)


@cache
def _smallest() -> PageFeatures:
    return PageFeatures.of(parse(b"<p>.</p>"))


Column = tuple[str, "NDArray[np.generic] | float"]
Part = Callable[[PageFeatures], Iterator[Column]]


def _rows(page: PageFeatures, parts: Sequence[Part], count: int) -> NDArray[np.float32]:
    rows = np.empty((count, page.size), dtype=np.float32)
    for row, (_, values) in enumerate(column for part in parts for column in part(page)):
        rows[row] = values
    return rows


def _text(page: PageFeatures) -> Iterator[Column]:
    measures, layout = page.measures, page.layout
    characters, words = measures.characters, measures.words
    yield "words", words
    yield "characters", characters
    yield "linked", page.linked
    yield "stops", measures.stops
    yield "commas", measures.commas
    yield "capitals", measures.capitals
    yield "digits", measures.digits
    yield "word length", characters / np.maximum(words, 1)
    yield "links", layout.links
    yield "bold", layout.bold / characters
    yield "marks", measures.marks
    yield "tag", page.tag_numbers
    yield "copies", _copies(page.texts)


def _copies(texts: list[str]) -> Numbers:
    counts = Counter(texts)
    return np.fromiter(map(counts.__getitem__, texts), np.float32, len(texts))


def _neighbours(page: PageFeatures) -> Iterator[Column]:
    names = ("words", "linked", "ending")
    # The blocks with as many before and after them that do not exist, and count nothing.
    around = np.zeros((len(names) + 1, page.size + 2 * _NEIGHBOURS), dtype=np.float32)
    around[:, _NEIGHBOURS:-_NEIGHBOURS] = (
        page.measures.words,
        page.linked,
        page.measures.ending,
        page.tag_numbers,
    )
    *columns, tags = around
    for first, whose in ((1, "previous"), (3, "next"), (0, "second previous"), (4, "second next")):
        for name, values in zip(names, columns, strict=True):
            yield f"{whose} {name}", values[first : first + page.size]
    for first, whose in ((1, "previous"), (3, "next")):
        yield f"{whose} tag", tags[first : first + page.size]


def _names(page: PageFeatures) -> Iterator[Column]:
    speaking, kinds, foreign = page.speaking, page.kinds, page.foreign
    for tag in _WAY_TAGS:
        yield f"in {tag}", speaking & TAG_BITS[tag] > 0
    for kind in _WAY_KINDS:
        yield f"called {kind}", kinds & BITS[kind] > 0
    yield "foreign by name", foreign & FOREIGN > 0
    yield "foreign by tag", foreign & BY_TAG > 0
    yield "hidden", page.hidden


def _repetition(page: PageFeatures) -> Iterator[Column]:
    layout, ways = page.layout, page.ways
    index = layout.element
    records = page.records
    yield "records", records
    yield "record blocks", layout.record_blocks[index]
    yield "records outside", records * (ways.fall[index] > 0)
    yield "alike on way", ways.alike[index]
    yield "largest on way", ways.largest[index]
    yield "alike", layout.alike[index]
    yield "alike branches", layout.alike[ways.branch[index]]
    yield "alike cores", layout.alike[page.core.element]


def _place(page: PageFeatures) -> Iterator[Column]:
    layout, core, ways = page.layout, page.core, page.ways
    blocks = np.arange(page.size)
    first, end = int(layout.first[core.element]), int(layout.end[core.element])
    in_group = core.by_parent_shape.of == core.group
    own = np.flatnonzero(in_group & (page.good * 2 >= layout.prose) & (layout.prose > 0))
    first_own, last_own = (int(own[0]), int(own[-1])) if own.size else (0, page.size)
    yield "rise", ways.rise[layout.element]
    yield "fall", ways.fall[layout.element]
    yield "in core group", in_group
    yield "place in core", _place_in(blocks, first, end)
    yield "after first of core", _within(blocks - first_own, _NEAR)
    yield "before last of core", _within(last_own - blocks, _NEAR)
    yield "after core", blocks >= end
    headline = page.headline
    yield "after headline", _within(blocks - headline.block, _NEAR_HEADLINE) if headline.block >= 0 else -_FAR
    yield "headline certainty", headline.certainty
    yield "place in page", blocks / page.size
    good = before(page.good)
    total = max(1.0, float(good[-1]))
    yield "good prose before", good[:-1] / total
    yield "good prose after", 1 - good[1:] / total
    characters = np.cumsum(page.measures.characters)
    yield "characters before", (characters - page.measures.characters) / characters[-1]


def _within(distances: Indices, limit: int) -> Indices:
    return np.minimum(np.maximum(distances, -limit), limit)


def _place_in(blocks: NDArray[np.int64], first: int, end: int) -> NDArray[np.float64]:
    """From 0 to 1 inside, from -2 to -1 before, from 2 to 3 after."""
    inside = (blocks - first) / max(1, end - first)
    before = -1 - np.minimum(20, first - blocks) / 20
    after = 2 + np.minimum(20, blocks - end) / 20
    return np.where(blocks < first, before, np.where(blocks >= end, after, inside))


def _containers(page: PageFeatures) -> Iterator[Column]:
    layout, ways = page.layout, page.ways
    under = _Below(page)
    index = layout.element
    meeting, branch = ways.meeting[index], ways.branch[index]
    yield "prose of meeting", layout.shares[meeting]
    yield "density of meeting", under.good_density[meeting]
    yield "density of branch", under.good_density[branch]
    yield "linked in branch", under.linked[branch]
    yield "good prose of branch", under.good_share[branch]
    yield "blocks of branch", under.blocks[branch]
    parents = np.maximum(layout.parents, 0)  # the root stands for its own
    level = index
    for number in range(_LEVELS):
        yield f"good prose {number} up", under.good_share[level]
        yield f"linked {number} up", under.linked[level]
        if number > 1:
            yield f"density {number} up", under.prose_density[level]
        yield f"blocks {number} up", under.blocks[level]
        level = parents[level]


class _Below:
    """Shares of what lies below each element."""

    def __init__(self, page: PageFeatures) -> None:
        layout = page.layout
        characters, prose, good, linked = between(page.amounts[:4], layout.first, layout.end)
        characters = np.maximum(characters, 1)
        self.linked = linked / characters
        self.prose_density = prose / characters
        self.good_density = good / characters
        self.good_share = good / page.total_good
        self.blocks = layout.end - layout.first


def _groups(page: PageFeatures) -> Iterator[Column]:
    core = page.core
    for name, groups in (
        ("shape", core.by_shape),
        ("parent shape", core.by_parent_shape),
        ("parent", core.by_parent),
    ):
        yield from _group(page, name, groups)
    good = core.good_of_groups / max(1.0, float(core.good_of_groups[core.group]))
    yield "good prose beside core", np.minimum(9, good)[core.by_parent_shape.of]


def _group(page: PageFeatures, name: str, groups: Groups) -> Iterator[Column]:
    characters, prose, good, linked, words, size = groups.totals(page.amounts)
    yield f"blocks of {name}", size[groups.of]
    yield f"good prose of {name}", (good / page.total_good)[groups.of]
    yield f"density of {name}", (prose / characters)[groups.of]
    yield f"linked in {name}", (linked / characters)[groups.of]
    yield f"words a block of {name}", (words / size)[groups.of]


def _signs(page: PageFeatures) -> Iterator[Column]:
    layout, signs = page.layout, page.signs
    named = layout.called[layout.element] & BITS["comment"] > 0
    kinds = np.array((signs.headings, signs.signatures, signs.buttons, named))
    blocks = np.arange(page.size)
    last = _last(kinds)
    since = blocks - last
    near_since = np.minimum(since, _FAR_SIGN)
    near_until = np.minimum(blocks - _last(kinds[:, ::-1]), _FAR_SIGN)[:, ::-1]
    around = np.maximum(blocks - _NEAR_SIGN, 0), np.minimum(blocks + _NEAR_SIGN + 1, page.size)
    near = between(kinds, *around)
    yield "after comment heading", np.minimum(since[0], _FAR_COMMENT_HEADING)
    yield "before comment heading", near_until[0]
    prose = layout.prose_before / max(1.0, float(layout.prose_before[-1]))
    yield "prose before comment heading", np.where(last[0] >= 0, prose[np.maximum(last[0], 0)], -1)
    for kind, name in ((1, "signature"), (2, "button")):
        yield f"{name}s near", near[kind]
        yield f"after {name}", near_since[kind]
        yield f"before {name}", near_until[kind]
        yield f"{name}s of page", kinds[kind].sum()
    yield "in comments by name", named
    yield "after comments by name", near_since[3]
    yield "before comments by name", near_until[3]


def _last(kinds: Flags) -> Indices:
    """For each row of flags and each block the last flagged one up to it, or one too far before the page."""
    return np.maximum.accumulate(np.where(kinds, np.arange(kinds.shape[1]), -_FAR_COMMENT_HEADING), axis=1)


def _headline(page: PageFeatures) -> Iterator[Column]:
    names = (
        "rise",
        "fall",
        "blocks of branch",
        "prose of branch",
        "prose of meeting",
        "prose since",
        "blocks since",
    )
    headline, layout = page.headline.block, page.layout
    if headline < 0:
        yield from ((f"{name} from headline", float(-_FAR)) for name in names)
        return
    index, paths = layout.element, Paths.of(layout, int(layout.element[headline]))
    prose = layout.prose_before
    blocks = np.arange(page.size)
    values: Sequence[Numbers | Indices] = (
        paths.rise[index],
        paths.fall[index],
        (layout.end - layout.first)[paths.branch[index]],
        layout.shares[paths.branch[index]],
        layout.shares[paths.meeting[index]],
        np.where(blocks > headline, prose[:-1] - prose[headline + 1], -1),
        np.where(blocks > headline, np.minimum(blocks - headline, _FAR_FROM_HEADLINE), -1),
    )
    yield from ((f"{name} from headline", value) for name, value in zip(names, values, strict=True))


def _comments(page: PageFeatures) -> Iterator[Column]:
    comments, parents = page.comments, page.core.by_parent
    characters, prose = page.measures.characters, page.layout.prose
    yield "comment", comments
    yield "comments of page", float(prose[comments > COMMENT].sum()) / max(1.0, float(prose.sum()))
    yield "comments of parent", (parents.total(comments * characters) / parents.total(characters))[parents.of]
    yield "comments before", np.maximum.accumulate(comments)


def _whole(page: PageFeatures) -> Iterator[Column]:
    core, total, total_good = page.core, float(page.layout.prose_before[-1]), page.total_good
    speaking = np.bitwise_or.reduce(page.layout.speaking[page.layout.with_ancestors(core.element)])
    yield "blocks of page", page.size
    yield "prose of page", total
    yield "good prose of page", total_good / max(1.0, total)
    yield "core's share", core.good / total_good
    yield "core group's share", float(core.good_of_groups[core.group]) / total_good
    yield "core in article body", float(speaking & ARTICLE_BODY > 0)


PARTS: tuple[Part, ...] = (
    _text,
    _neighbours,
    _names,
    _repetition,
    _place,
    _headline,
    _containers,
    _groups,
    _signs,
    _whole,
)
BODY_PARTS = (*PARTS, _comments)
