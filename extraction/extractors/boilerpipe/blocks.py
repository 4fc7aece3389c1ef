"""The blocks of a page, as a chain of Boilerpipe's steps sees and changes them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, compress, pairwise
from operator import sub

from extraction.extractors.boilerpipe.text_blocks import TextBlocks


@dataclass(slots=True)
class Blocks:
    """Blocks in document order, each made of one or more text blocks of `text_blocks`.

    `members` are text blocks, `cuts` the indices in it where a block begins, and its end. `content` says of
    each block whether it is content. `labels` holds text blocks: a block has the labels of all its members.
    """

    text_blocks: TextBlocks
    members: Sequence[int]
    cuts: Sequence[int]
    content: list[bool]
    labels: dict[str, set[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, text_blocks: TextBlocks) -> Blocks:
        """Every text block as a block of its own, none of them content."""
        count = len(text_blocks.words)
        return cls(text_blocks, range(count), range(count + 1), [False] * count)

    def __len__(self) -> int:
        return len(self.content)

    def parts(self, block: int) -> Sequence[int]:
        """The text blocks that a block is made of."""
        return self.members[self.cuts[block] : self.cuts[block + 1]]

    def selected(self) -> list[int]:
        """The text blocks of all content, in document order."""
        if len(self) == len(self.members):
            return list(compress(self.members, self.content))
        chosen = compress(pairwise(self.cuts), self.content)
        return [member for start, end in chosen for member in self.members[start:end]]

    def sums(self, name: str) -> Sequence[int]:
        """A kind of words of `text_blocks`, or its lines, summed up for each block."""
        numbers: list[int] = getattr(self.text_blocks, name)
        if len(self) == len(numbers):
            return numbers
        if len(self.members) == len(numbers):
            totals = self.text_blocks.totals[name]
        else:
            totals = list(accumulate(map(numbers.__getitem__, self.members), initial=0))
        at_cuts = list(map(totals.__getitem__, self.cuts))
        return list(map(sub, at_cuts[1:], at_cuts))

    def levels(self) -> Sequence[int]:
        """The lowest tag level in each block."""
        levels = self.text_blocks.levels
        if len(self) == len(levels):
            return levels
        parts = list(map(levels.__getitem__, self.members))
        return [min(parts[start:end]) for start, end in pairwise(self.cuts)]

    def words(self, block: int) -> int:
        """The words of one block."""
        return sum(map(self.text_blocks.words.__getitem__, self.parts(block)))

    def holds(self, block: int, flags: Sequence[int]) -> bool:
        """Whether a flag of text blocks is set on any part of the block."""
        return any(map(flags.__getitem__, self.parts(block)))

    def has(self, block: int, label: str) -> bool:
        """Whether any part of the block has the label."""
        return not self.labels.get(label, frozenset()).isdisjoint(self.parts(block))

    def having(self, label: str) -> set[int]:
        """The blocks that have the label."""
        labelled = self.labels.get(label, ())
        indices = ((bisect_left(self.members, member), member) for member in labelled)
        there = [
            index for index, member in indices if index < len(self.members) and self.members[index] == member
        ]
        return {bisect_right(self.cuts, index) - 1 for index in there}

    def label(self, label: str, members: Iterable[int]) -> None:
        """Give text blocks a label."""
        self.labels.setdefault(label, set()).update(members)

    def merge(self, follows: Sequence[bool]) -> None:
        """Merge each block for which that holds into the one before; content is what holds some."""
        if True not in follows:
            return
        content, heads = self.content.copy(), [True] * len(self)
        for block in reversed(list(compress(range(len(self)), follows))):
            heads[block] = False
            if content[block]:
                content[block - 1] = True  # and so on to the first one
        self.content = list(compress(content, heads))
        self.cuts = [*compress(self.cuts, heads), self.cuts[-1]]

    def keep(self, kept: Sequence[bool]) -> None:
        """Delete the other blocks."""
        parts = [self.members[start:end] for start, end in compress(pairwise(self.cuts), kept)]
        self.members = [member for part in parts for member in part]
        self.cuts = [0, *accumulate(map(len, parts))]
        self.content = list(compress(self.content, kept))

    def split(self) -> None:
        """Make every text block a block of its own again."""
        self.content = [content for block, content in enumerate(self.content) for _ in self.parts(block)]
        self.cuts = range(len(self.members) + 1)
