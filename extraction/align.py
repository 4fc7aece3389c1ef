"""Plain text -> spans of a document: someone's gold, or what a program printed.

Whitespace, case, and the shapes of quotes and dashes do not matter; order does. Text that occurs more than
once goes where it leaves the result in one piece.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extraction.document import Document
from extraction.matching import Run, match
from extraction.spans import CONTENT, Span, bridge

# In inked characters of the document: breaks between two runs that are taken in, and the distance within
# which runs hang together as one island.
BRIDGED = 4
NEAR = 60
# An island with fewer placed characters, or with a smaller share of its stretch placed, is noise.
MIN_PLACED = 12
MIN_DENSITY = 0.3

_INVISIBLE = (0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF)
_SHAPES = str.maketrans(
    "‘’‚‛′`´“”„‟″«»‐‑‒–—―−", "'''''''\"\"\"\"\"\"\"-------", "".join(map(chr, _INVISIBLE))
)


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where a text lies in a document.

    `placed` and `total` count inked characters of the text: not whitespace, and not invisible format
    characters. `missing` are the stretches that could not be placed, as written; those without a letter or
    digit are left out.
    """

    spans: list[Span]
    placed: int
    total: int
    missing: list[str]

    @property
    def share_placed(self) -> float:
        """From 0 to 1; an empty text is placed."""
        return self.placed / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True)
class _Ink:
    """The characters of a text that are compared, in one shape, and their places in it."""

    text: str
    chars: str
    places: list[int]

    @classmethod
    def of(cls, text: str) -> "_Ink":
        pairs = [(shape, place) for place, char in enumerate(text) if (shape := _shape(char))]
        return cls(text, "".join(shape for shape, _ in pairs), [place for _, place in pairs])


def _shape(char: str) -> str:
    if char.isspace():
        return ""
    changed = char.translate(_SHAPES)
    lower = changed.lower()
    return lower if len(lower) == len(changed) else changed


def align(text: str, document: Document, label: str = CONTENT) -> Alignment:
    """Place a text in a document, under one label."""
    wanted, page = _Ink.of(text), _Ink.of(document.text)
    islands = _islands(match(wanted.chars, page.chars))
    runs = [run for island in islands if _counts(island, wanted) for run in island]
    return Alignment(
        spans=_spans(runs, page, document, label),
        placed=sum(run.length for run in runs),
        total=len(wanted.chars),
        missing=list(_missing(runs, wanted)),
    )


def _islands(runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Runs grouped by nearness in the document."""
    island: list[Run] = []
    for run in runs:
        if island and run.b - (island[-1].b + island[-1].length) > NEAR:
            yield island
            island = []
        island.append(run)
    if island:
        yield island


def _counts(island: Sequence[Run], wanted: _Ink) -> bool:
    """Whether an island is more than chance: enough characters, dense enough. A short text is wanted
    whole."""
    placed = sum(run.length for run in island)
    stretch = island[-1].b + island[-1].length - island[0].b
    return placed >= min(MIN_PLACED, len(wanted.chars)) and placed >= MIN_DENSITY * stretch


def _spans(runs: Sequence[Run], page: _Ink, document: Document, label: str) -> list[Span]:
    """The stretches of the runs, small breaks taken in, edges moved off the middle of words."""
    ranges: list[tuple[int, int]] = []
    for run in runs:
        start, end = page.places[run.b], page.places[run.b + run.length - 1] + 1
        if ranges and _is_small_break(document.text[ranges[-1][1] : start]):
            ranges[-1] = (ranges[-1][0], end)
        else:
            ranges.append((start, end))
    snapped = (_snapped(start, end, document.text) for start, end in ranges)
    return bridge((Span(start, end, label) for start, end in snapped), document.blocks, document.text)


def _is_small_break(text: str) -> bool:
    return sum(not char.isspace() for char in text) <= BRIDGED


def _snapped(start: int, end: int, text: str) -> tuple[int, int]:
    """Each edge that cuts a word moves to the nearer end of it."""
    return _word_edge(start, text), max(_word_edge(end, text), start)


def _word_edge(place: int, text: str) -> int:
    low = high = place
    while 0 < low < len(text) and text[low - 1].isalnum() and text[place].isalnum():
        low -= 1
    while place > 0 and high < len(text) and text[high].isalnum() and text[place - 1].isalnum():
        high += 1
    return low if place - low <= high - place else high


def _missing(runs: Sequence[Run], wanted: _Ink) -> Iterator[str]:
    edges = [Run(0, 0, 0), *runs, Run(len(wanted.chars), 0, 0)]
    for before, after in pairwise(edges):
        start = before.a + before.length
        if start < after.a:
            piece = _words(wanted.text, wanted.places[start], wanted.places[after.a - 1] + 1)
            if any(char.isalnum() for char in piece):
                yield piece


def _words(text: str, start: int, end: int) -> str:
    """The stretch with the words that it cuts made whole, for reading."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return text[start:end]
