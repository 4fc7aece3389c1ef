"""The units on which annotators are compared: characters, words and blocks of one page.

Only non-whitespace characters count where the text is known. Offsets are then counted in these alone, so that
a blank at the edge of a span makes no difference to anything.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from extraction.metrics.character_labels import label_codes, non_whitespace
from extraction.spans import Interval, Span

Codes = NDArray[np.intp]

#: What annotators are compared on, from the smallest; the last two need the text of the page.
LEVELS = ("character", "word", "block")

_BLOCK = re.compile(r"\S(?:.*?\S)??(?=\s*?\n\n|\s*\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class ContentUnits:
    """The characters of a page that count, and which word and block each of them is in."""

    #: Code point offset -> how many characters that count stand before it; one longer than the text.
    before: Codes
    #: For each character that counts, the number of its word or block; None where the text is not known.
    words: Codes | None
    blocks: Codes | None

    @classmethod
    def of_text(cls, text: str, blocks: Iterable[Interval] | None = None) -> Self:
        """The units of a text; without its blocks, blank lines part them."""
        visible = non_whitespace(text)
        before = np.concatenate([[0], np.cumsum(visible)])
        firsts = visible & ~np.concatenate([[False], visible[:-1]])
        starts = [start for start, _ in (paragraphs(text) if blocks is None else blocks)]
        opened = np.zeros(len(text), dtype=np.intp)
        opened[starts] = 1
        return cls(before, (np.cumsum(firsts) - 1)[visible], np.cumsum(opened)[visible])

    @classmethod
    def of_length(cls, length: int) -> Self:
        """Where only the length is known, every character counts, and there are no words or blocks."""
        return cls(np.arange(length + 1), None, None)

    @property
    def length(self) -> int:
        """How many characters count."""
        return int(self.before[-1])

    def counted(self, spans: Iterable[Span]) -> list[Span]:
        """The spans in characters that count; those that hold none are left out."""
        before = self.before
        moved = [Span(int(before[start]), int(before[end]), label) for start, end, label in spans]
        return [span for span in moved if span.start < span.end]

    def codes(self, counted: Sequence[Span], labels: Sequence[str]) -> dict[str, Codes]:
        """Level -> for each unit the index of its label in `labels`, 0 being unlabelled.

        A word or block has the label that most of its characters have; unlabelled wins a draw, then the label
        that comes first.
        """
        characters = label_codes(counted, self.length, labels)
        found = {"character": characters}
        for level, numbers in (("word", self.words), ("block", self.blocks)):
            if numbers is not None:
                found[level] = _most(numbers, characters, len(labels))
        return found


def paragraphs(text: str) -> list[Interval]:
    """Stretches of text between blank lines, without the blanks around them."""
    return [match.span() for match in _BLOCK.finditer(text)]


def _most(numbers: Codes, codes: Codes, size: int) -> Codes:
    """For each number that occurs, in order, the code that it has most often."""
    if not numbers.size:
        return np.zeros(0, dtype=np.intp)
    votes = np.bincount(numbers * size + codes, minlength=(int(numbers[-1]) + 1) * size).reshape(-1, size)
    return np.asarray(votes[votes.any(axis=1)].argmax(axis=1), dtype=np.intp)
