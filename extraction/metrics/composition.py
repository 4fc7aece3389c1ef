"""What a page's text is made of: blocks, words, tokens and characters a label, and without one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from extraction.spans import Interval, Span, normalise

#: What no label says anything of.
BOILERPLATE = ""
_TOKEN = re.compile(r"\S+")


class TextAmount(NamedTuple):
    """Blocks, words (tokens with a letter or digit), tokens (between white space), characters (not white
    space)."""

    blocks: int = 0
    words: int = 0
    tokens: int = 0
    characters: int = 0


_CHARACTERS = TextAmount._fields.index("characters")
Composition = dict[str, TextAmount]


def composition(text: str, blocks: Iterable[Interval], spans: Iterable[Span]) -> Composition:
    """The amount of each label, boilerplate under "".

    A token has the label of its first character; a block that of most of its characters (Kohlschütter et al.,
    2010, count whole blocks), and of two that have as many, the one that comes first.
    """
    marks = normalise(spans)
    found: dict[str, list[int]] = {}
    at = 0
    for start, end in blocks:
        while at < len(marks) and marks[at].end <= start:
            at += 1
        label = _label_of(start, end, marks, at)
        here = _mixed(text, start, end, marks, at) if label is None else _whole(label, text[start:end])
        if here:
            here[max(here, key=lambda label: here[label][_CHARACTERS])][0] += 1
            _add(found, here)
    return {label: TextAmount(*amount) for label, amount in found.items()}


def _label_of(start: int, end: int, marks: Sequence[Span], at: int) -> str | None:
    """The one label of the characters `[start, end)`; None where they have several."""
    if at == len(marks) or end <= marks[at].start:
        return BOILERPLATE
    return marks[at].label if marks[at].start <= start and end <= marks[at].end else None


def _whole(label: str, text: str) -> dict[str, list[int]]:
    """A stretch under one label; nothing where it is blank. Most blocks are such, and many words."""
    tokens = text.split()
    if not tokens:
        return {}
    return {label: [0, sum(map(_is_word, tokens)), len(tokens), sum(map(len, tokens))]}


def _mixed(text: str, start: int, end: int, marks: Sequence[Span], at: int) -> dict[str, list[int]]:
    """A block of several labels, token by token."""
    here: dict[str, list[int]] = {}
    for token in _TOKEN.finditer(text, start, end):
        while at < len(marks) and marks[at].end <= token.start():
            at += 1
        for label, characters in _shares(token.start(), token.end(), marks, at):
            here.setdefault(label, [0, 0, 0, 0])[_CHARACTERS] += characters
        first = here.setdefault(_label_at(token.start(), marks, at), [0, 0, 0, 0])
        first[1] += _is_word(token[0])
        first[2] += 1
    return here


def _is_word(token: str) -> bool:
    return token.isalnum() or any(map(str.isalnum, token))


def _add(total: dict[str, list[int]], part: Mapping[str, Sequence[int]]) -> None:
    for label, amount in part.items():
        held = total.setdefault(label, [0, 0, 0, 0])
        for index, number in enumerate(amount):
            held[index] += number


def added(parts: Iterable[Mapping[str, Sequence[int]]]) -> Composition:
    """The sum of the compositions of several pages."""
    total: dict[str, list[int]] = {}
    for part in parts:
        _add(total, part)
    return {label: TextAmount(*amount) for label, amount in total.items()}


def boilerplate_share(parts: Mapping[str, Sequence[int]]) -> float | None:
    """The share of characters under no label, 0 to 1; None where there are none."""
    every = sum(TextAmount(*amount).characters for amount in parts.values())
    return TextAmount(*parts.get(BOILERPLATE, TextAmount())).characters / every if every else None


def _label_at(index: int, marks: Sequence[Span], at: int) -> str:
    holds = at < len(marks) and marks[at].start <= index < marks[at].end
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
