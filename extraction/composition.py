"""What a page's text is made of: blocks, words, tokens and characters a label, and without one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from extraction.spans import Interval, Span, normalise

#: What no label says anything of.
BOILERPLATE = ""
_TOKEN = re.compile(r"\S+")


class Amount(NamedTuple):
    """Blocks, words (tokens with a letter or digit), tokens (between white space), characters (not white
    space)."""

    blocks: int = 0
    words: int = 0
    tokens: int = 0
    characters: int = 0

    def plus(self, other: Sequence[int]) -> "Amount":
        return Amount(*(one + two for one, two in zip(self, other, strict=True)))


Composition = dict[str, Amount]


def composition(text: str, blocks: Iterable[Interval], spans: Iterable[Span]) -> Composition:
    """The amount of each label, boilerplate under "".

    A token has the label of its first character; a block that of most of its characters (Kohlschütter et al.,
    2010, count whole blocks), and of two that have as many, the one that comes first.
    """
    found: Composition = {}
    marks = normalise(spans)
    at = 0
    for start, end in blocks:
        here: Composition = {}
        for token in _TOKEN.finditer(text, start, end):
            while at < len(marks) and marks[at].end <= token.start():
                at += 1
            for label, characters in _shares(token.start(), token.end(), marks, at):
                here[label] = here.get(label, Amount()).plus((0, 0, 0, characters))
            first = _label_at(token.start(), marks, at)
            is_word = any(map(str.isalnum, token[0]))
            here[first] = here.get(first, Amount()).plus((0, int(is_word), 1, 0))
        if here:
            most = max(here, key=lambda label: here[label].characters)
            here[most] = here[most].plus((1, 0, 0, 0))
            found = added((found, here))
    return found


def added(parts: Iterable[Mapping[str, Sequence[int]]]) -> Composition:
    """The sum of the compositions of several pages."""
    total: Composition = {}
    for part in parts:
        for label, amount in part.items():
            total[label] = total.get(label, Amount()).plus(amount)
    return total


def boilerplate_share(parts: Mapping[str, Sequence[int]]) -> float | None:
    """The share of characters under no label, 0 to 1; None where there are none."""
    every = sum(Amount(*amount).characters for amount in parts.values())
    return Amount(*parts.get(BOILERPLATE, Amount())).characters / every if every else None


def _label_at(place: int, marks: Sequence[Span], at: int) -> str:
    holds = at < len(marks) and marks[at].start <= place < marks[at].end
    return marks[at].label if holds else BOILERPLATE


def _shares(start: int, end: int, marks: Sequence[Span], at: int) -> Iterable[tuple[str, int]]:
    """How many of the characters `[start, end)` each label has, marks before `at` lying before them."""
    rest = end - start
    while at < len(marks) and marks[at].start < end:
        inside = min(end, marks[at].end) - max(start, marks[at].start)
        rest -= inside
        yield marks[at].label, inside
        at += 1
    if rest:
        yield BOILERPLATE, rest
