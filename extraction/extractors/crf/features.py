"""Victor's features: small whole numbers about each text, and the 262 places from which its label is told.

The configuration of the program was lost; levels, classes of tags and patterns are those of our description.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.extractors.crf.blocks import TextBlock

Ints = NDArray[np.int32]

_TOKEN = re.compile(r"\w+|[^\w\s]+")
_PUNCTUATION = frozenset(",:;.?!")
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_URLS = (r"https?://\S+", r"www\.\S+", r"\S@\S+\.\w")
_DATES = (
    r"\d{4}-\d\d-\d\d",
    r"\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    rf"\b{_MONTH}\s+\d{{1,2}}\b",
    rf"\b\d{{1,2}}\s+{_MONTH}\b",
    rf"\b{_DAY}\b",
)
_TIMES = (r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?", r"\b\d{1,2} ?[ap]m\b")
_PATTERNS = tuple(
    tuple(re.compile(pattern, re.IGNORECASE) for pattern in kind) for kind in (_URLS, _DATES, _TIMES)
)
# A longer text is no address and no date; patterns look at its beginning.
_LOOKED_AT = 2_000
_NOT_WORD = re.compile(r"\W+")

_BOLD, _ITALIC = frozenset({"b", "strong"}), frozenset({"i", "em", "cite"})
_HEADERS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol", "dl", "li", "dt", "dd"})
_FORMS = frozenset({"form", "fieldset", "label", "select", "option", "textarea", "button"})
_CLASSES = (_BOLD, _ITALIC, _HEADERS, _LISTS, _FORMS, frozenset({"p"}), frozenset({"a"}))
_INLINE_TAGS = """
    a abbr acronym b bdo big cite code em font i img kbd q s samp small span strike strong sub sup tt u var
"""
_INLINE = frozenset(_INLINE_TAGS.split())

_SENTENCES, _ALPHA, _NUM, _MIXED, _OTHER = (1, 2, 3, 5), (1, 2, 3, 5, 8), (1, 2, 3), (1, 2), (1, 2, 4, 7)
_WORD_LENGTH, _WORD_RUN, _SPLIT, _TWINS = (1, 2, 3, 4, 5, 6, 7, 8, 10), (1, 2, 3, 5, 10), (1, 2, 3), (1, 2)
_DOCUMENT_WORDS = (50, 100, 250, 500, 1000, 2500)
_DOCUMENT_SENTENCES = tuple(2**power for power in range(10))
_DOCUMENT_BLOCKS = (5, 10, 20, 50, 100, 200)
STEPS = 10

#: How many kinds of numbers there are, and the neighbours of which they are looked at.
WIDE, DISTANT, IMAGE, OWN = 29, 8, 1, 7
_OFFSETS = (range(-3, 4), range(-2, 4), range(-3, 1), range(1))
TEMPLATES = sum(count * len(at) for count, at in zip((WIDE, DISTANT, IMAGE, OWN), _OFFSETS, strict=True))
# Room for the numbers of one template; 0 stands for a place beyond the ends of the page.
_ROOM = 4096


def closest(value: int, levels: Sequence[int]) -> int:
    """The largest level that is not above a value, 0 if there is none."""
    at = bisect_right(levels, value)
    return levels[at - 1] if at else 0


def scale(value: int, total: int, steps: int = STEPS) -> int:
    """A share of a total in so many steps."""
    return min(steps, value * (steps + 1) // total) if total else 0


class TokenShares(NamedTuple):
    """What is counted in a text. `counted` are all tokens but punctuation."""

    alpha: int
    num: int
    mixed: int
    other: int
    counted: int
    sentences: int
    letters: int
    runs: int
    not_started: bool
    not_finished: bool


def tokens(text: str) -> TokenShares:
    """The tokens of a text: cut at blanks, and between letters and what is none."""
    found = _TOKEN.findall(text)
    kinds = [_kind(token) for token in found]
    count = Counter(kinds)
    alphas = [at for at, kind in enumerate(kinds) if kind == "alpha"]
    ends = [at for at, token in enumerate(found) if token[-1] in ".?!"]
    return TokenShares(
        alpha=count["alpha"],
        num=count["num"],
        mixed=count["mixed"],
        other=count["other"],
        counted=len(found) - count["punctuation"],
        sentences=len(ends),
        letters=sum(len(found[at]) for at in alphas),
        runs=sum(at == 0 or kinds[at - 1] != "alpha" for at in alphas),
        not_started=not (alphas and found[alphas[0]][0].isupper()),
        not_finished=not alphas or not ends or ends[-1] < alphas[-1],
    )


def _kind(token: str) -> str:
    if token.isalpha():
        return "alpha"
    if token.isascii() and token.isdigit():
        return "num"
    if token.isalnum():
        return "mixed"
    return "punctuation" if _PUNCTUATION.issuperset(token) else "other"


def wide(block: TextBlock, count: TokenShares, groups: Sequence[int], twins: int) -> list[int]:
    """The numbers that are looked at from three texts before to three after."""
    size = count.counted
    return [
        closest(count.sentences, _SENTENCES),
        closest(count.alpha, _ALPHA),
        closest(count.num, _NUM),
        closest(count.mixed, _MIXED),
        closest(count.other, _OTHER),
        *(scale(part, size) for part in (count.alpha, count.num, count.mixed, count.other)),
        *(scale(part, len(block.text)) for part in _characters(block.text)),
        closest(_rounded(count.letters, count.alpha), _WORD_LENGTH),
        closest(_rounded(size, count.runs), _WORD_RUN),
        *(not wanted.isdisjoint(block.containers) for wanted in _CLASSES),
        *(_first_match(kind, block.text) for kind in _PATTERNS),
        closest(twins, _TWINS),
        *groups,
    ]


def _rounded(total: int, parts: int) -> int:
    return floor(total / parts + 0.5) if parts else 0


def _characters(text: str) -> tuple[int, ...]:
    alpha, white = sum(map(str.isalpha, text)), text.count(" ")
    num = sum(char in "0123456789" for char in text)
    punctuation = sum(map(text.count, _PUNCTUATION))
    return alpha, num, punctuation, white, len(text) - alpha - num - punctuation - white


def _first_match(patterns: Iterable[re.Pattern[str]], text: str) -> int:
    """Which pattern matches first, from 1 on."""
    beginning = text[:_LOOKED_AT]
    return next((at for at, pattern in enumerate(patterns, 1) if pattern.search(beginning)), 0)


def distant(block: TextBlock, count: TokenShares) -> list[int]:
    """The numbers about what lies between a text and the one before."""
    passed = Counter(tag.removeprefix("/") for tag in block.distance)
    inline = closest(sum(times for tag, times in passed.items() if tag in _INLINE), _SPLIT)
    blocks = closest(sum(times for tag, times in passed.items() if tag not in _INLINE), _SPLIT)
    return [
        count.not_started,
        count.not_finished,
        inline,
        blocks,
        inline * 4 + blocks,
        *(closest(passed[tag], _SPLIT) for tag in ("p", "br", "hr")),
    ]


class Numbers(NamedTuple):
    """The numbers of all texts of a page, a row each: those of `wide`, of `distant`, and whether it is the
    alternative text of an image; and the ones that count at the text itself alone."""

    wide: Ints
    distant: Ints
    image: Ints
    own: Ints


def numbers(page: Sequence[TextBlock], steps: int = STEPS) -> Numbers:
    """The numbers of a page; `steps` is into how many shares of the page's words are cut."""
    counts = [tokens(block.text) for block in page]
    keys = [_NOT_WORD.sub("-", block.text) for block in page]
    twins, met = Counter(keys), set[str]()
    words = sum(count.alpha for count in counts)
    cells = _outside_links(page, counts, [block.cell for block in page])
    divisions = _outside_links(page, counts, [block.division for block in page])
    document = [
        closest(words, _DOCUMENT_WORDS),
        closest(sum(count.sentences for count in counts), _DOCUMENT_SENTENCES),
        closest(len(page), _DOCUMENT_BLOCKS),
        *(scale(max(group.values(), default=0), words, steps) for group in (cells, divisions)),
    ]
    rows: tuple[list[list[int]], ...] = ([], [], [], [])
    for at, (block, count, key) in enumerate(zip(page, counts, keys, strict=True)):
        groups = [scale(cells[block.cell], words, steps), scale(divisions[block.division], words, steps)]
        rows[0].append(wide(block, count, groups, twins[key]))
        rows[1].append(distant(block, count))
        rows[2].append(["img" in block.containers])
        rows[3].append([key not in met, *document, scale(at, len(page))])
        met.add(key)
    widths = (WIDE, DISTANT, IMAGE, OWN)
    return Numbers(
        *(np.array(part, np.int32).reshape(-1, width) for part, width in zip(rows, widths, strict=True))
    )


def _outside_links(
    page: Sequence[TextBlock], counts: Sequence[TokenShares], groups: Sequence[int]
) -> Counter[int]:
    """How many words outside of links each group of texts has."""
    found = Counter[int]()
    for block, count, group in zip(page, counts, groups, strict=True):
        found[group] += 0 if "a" in block.containers else count.alpha
    return found


def symbols(page: Sequence[TextBlock]) -> Ints:
    """For each text what its label is told from: a number for each template and value."""
    columns: list[Ints] = []
    for part, offsets in zip(numbers(page), _OFFSETS, strict=True):
        values = part + 1
        columns += [_shifted(values, offset) for offset in offsets]
    found = np.concatenate(columns, axis=1)
    return np.asarray(found + _ROOM * np.arange(found.shape[1], dtype=np.int32), dtype=np.int32)


def _shifted(values: Ints, offset: int) -> Ints:
    """The rows of the neighbours at this distance, 0 beyond the ends."""
    result = np.zeros_like(values)
    size = len(values)
    first, end = max(0, -offset), min(size, size - offset)
    if first < end:
        result[first:end] = values[first + offset : end + offset]
    return result
