"""The spans of one document of a page -> another document of the same page.

Unlike `align`, which looks for text as somebody wrote it down, this maps characters one to one: each
non-whitespace character of the earlier text goes to an equal one of the later text, or is lost. Equal blocks
are matched first, in order and then where they have moved to; what is left is matched by its common runs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np

from extraction.alignment.chaining import CommonRun
from extraction.alignment.matching import Positions, Searchable
from extraction.alignment.placement import MIN_MOVED, Mask, placed_runs
from extraction.spans import HasText, Interval, Span

#: The non-whitespace characters that an unequal block has at least in common with another, at a stretch.
SHORT = 6
#: New characters between two of a span, in one block, that are taken in with them.
INSERTED = 4

_NOWHERE = -1


@dataclass(frozen=True, slots=True)
class ProjectedSpan:
    """What became of a span: its pieces in the later text, each under its label.

    `projected` and `lost` count its non-whitespace characters; together they are all of them. `missing` are
    the stretches of the earlier text that hold the lost ones.
    """

    span: Span
    pieces: list[Span]
    projected: int
    lost: int
    missing: list[Interval]


def project_each(before: HasText, spans: Sequence[Span], after: HasText) -> list[ProjectedSpan]:
    """Project spans from one document of a page onto another, in the order of their positions.

    No two pieces overlap if no two spans do.
    """
    mapping = _Mapping(_Characters(before), _Characters(after))
    mapping.match_blocks()
    mapping.match_runs()
    return [mapping.project(span) for span in sorted(spans)]


class _Characters:
    """The non-whitespace characters of a document, by their number, and its blocks that have any."""

    def __init__(self, document: HasText) -> None:
        text = document.text
        self.positions = np.array([at for at, char in enumerate(text) if not char.isspace()], dtype=np.int64)
        self.chars = "".join(text.split())
        starts = self.positions.searchsorted([block[0] for block in document.blocks]).tolist()
        edges = pairwise([*starts, len(self.chars)])
        self.blocks: list[Interval] = [(start, end) for start, end in edges if start < end]
        self.block_texts = [self.chars[start:end] for start, end in self.blocks]
        lengths = [end - start for start, end in self.blocks]
        self.block_of = np.repeat(np.arange(len(lengths)), lengths)

    def searchable(self, numbers: Positions) -> Searchable:
        return Searchable.of("".join(self.chars[number] for number in numbers.tolist()))

    def is_block(self, numbers: Positions) -> bool:
        """Whether these neighbours are a whole block."""
        start, end = self.blocks[int(self.block_of[numbers[0]])]
        return (int(numbers[0]), int(numbers[-1]) + 1) == (start, end)

    def range_of(self, numbers: Positions) -> Interval:
        """The stretch of the text from the first to the last of them."""
        return int(self.positions[numbers[0]]), int(self.positions[numbers[-1]]) + 1


class _Mapping:
    """Which later character each earlier one has become."""

    def __init__(self, old: _Characters, new: _Characters) -> None:
        self.old, self.new = old, new
        self._image = np.full(len(old.chars), _NOWHERE, dtype=np.int64)
        self._is_taken = np.zeros(len(new.chars), dtype=bool)

    def match_blocks(self) -> None:
        for i, j in _equal_blocks(self.old.block_texts, self.new.block_texts):
            start, end = self.old.blocks[i]
            self._map(start, self.new.blocks[j][0], end - start)

    def match_runs(self) -> None:
        """Map what is left by its common runs with what is free."""
        runs = list(self._common_runs())
        for a, b, length in runs:
            self._map(a, b, length)
        for a, b, length in runs:
            self._extend(a, b, -1)
            self._extend(a + length - 1, b + length - 1, 1)

    def project(self, span: Span) -> ProjectedSpan:
        first, end = self.old.positions.searchsorted([span.start, span.end]).tolist()
        images = self._image[first:end]
        projected = np.sort(images[images != _NOWHERE])
        lost = np.flatnonzero(images == _NOWHERE) + first
        return ProjectedSpan(
            span,
            pieces=[Span(*self.new.range_of(piece), span.label) for piece in self._pieces(projected)],
            projected=len(projected),
            lost=len(lost),
            missing=[self.old.range_of(stretch) for stretch in _split(lost, np.diff(lost) != 1)],
        )

    def _map(self, a: int, b: int, length: int) -> None:
        self._image[a : a + length] = np.arange(b, b + length)
        self._is_taken[b : b + length] = True

    def _common_runs(self) -> Iterator[CommonRun]:
        """Common runs of what is left and what is free, none across the edge of a block.

        A short one that is no whole block is more likely chance: it could be how the next paragraph begins.
        """
        left, free = np.flatnonzero(self._image == _NOWHERE), np.flatnonzero(~self._is_taken)
        starts = np.flatnonzero(np.diff(self.new.block_of[free], prepend=-1))
        wanted, page = self.old.searchable(left), self.new.searchable(free)
        for run in placed_runs(wanted, page, frozenset(starts.tolist()))[0]:
            a, b = left[run.a : run.a + run.length], free[run.b : run.b + run.length]
            is_cut = _is_parted(a, self.old) | _is_parted(b, self.new)
            for numbers, images in zip(_split(a, is_cut), _split(b, is_cut), strict=True):
                if len(numbers) >= SHORT or self.old.is_block(numbers) or self.new.is_block(images):
                    yield CommonRun(int(numbers[0]), int(images[0]), len(numbers))

    def _extend(self, a: int, b: int, step: int) -> None:
        """Go on from a mapped character, forwards or backwards, while both blocks have the same, unmapped."""
        old_block, new_block = self.old.block_of[a], self.new.block_of[b]
        a, b = a + step, b + step
        while 0 <= a < len(self._image) and 0 <= b < len(self._is_taken):
            is_free = self._image[a] == _NOWHERE and not self._is_taken[b]
            is_inside = self.old.block_of[a] == old_block and self.new.block_of[b] == new_block
            if not (is_free and is_inside and self.old.chars[a] == self.new.chars[b]):
                break
            self._map(a, b, 1)
            a, b = a + step, b + step

    def _pieces(self, numbers: Positions) -> list[Positions]:
        """These later characters, together where a block has nothing between them but a small insertion."""
        is_parted = np.diff(self.new.block_of[numbers]) != 0
        gaps = np.diff(numbers)
        for at in np.flatnonzero(gaps > 1).tolist():
            between = self._is_taken[numbers[at] + 1 : numbers[at + 1]]
            is_parted[at] |= len(between) > INSERTED or bool(between.any())
        return _split(numbers, is_parted)


def _equal_blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of equal blocks: in order, then elsewhere where a block is long or the only one of its text."""
    left, free = set(range(len(old))), set(range(len(new)))
    for i, j, count in SequenceMatcher(None, old, new).get_matching_blocks():
        yield from zip(range(i, i + count), range(j, j + count), strict=True)
        left -= set(range(i, i + count))
        free -= set(range(j, j + count))
    elsewhere = defaultdict(list)
    for j in sorted(free, reverse=True):
        elsewhere[new[j]].append(j)
    old_counts, new_counts = Counter(old), Counter(new)
    for i in sorted(left):
        text = old[i]
        is_only = old_counts[text] == new_counts[text] == 1
        if elsewhere[text] and (is_only or len(text) >= MIN_MOVED):
            yield i, elsewhere[text].pop()


def _is_parted(numbers: Positions, side: _Characters) -> Mask:
    """Between which neighbours something lies, or a block ends."""
    is_parted: Mask = (np.diff(numbers) != 1) | (np.diff(side.block_of[numbers]) != 0)
    return is_parted


def _split(numbers: Positions, is_parted: Mask) -> list[Positions]:
    """The numbers in groups, with a cut between neighbours that are parted; none is empty."""
    return np.split(numbers, np.flatnonzero(is_parted) + 1) if len(numbers) else []
