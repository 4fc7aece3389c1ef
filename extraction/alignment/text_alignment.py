"""Plain text -> spans of a document: someone's gold, or what a program printed.

Blanks, case, accents and the shapes of characters do not matter. Text is looked for in its order first; what
stands elsewhere is found too. Text that occurs more than once goes where it leaves the result in one piece.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from extraction.alignment.chaining import CommonRun
from extraction.alignment.placement import placed_runs, unplaced
from extraction.alignment.visible_characters import VisibleCharacters, is_visible, visible_characters_of
from extraction.documents.canonical_text import SEPARATOR
from extraction.spans import CONTENT, HasText, Interval, Span, bridge, clip, visible_length

#: Visible characters of a document between two runs that are taken in with them.
BRIDGED = 4
#: The longest break with its blanks, in characters.
MAX_BREAK = 160

# What printing a list as text adds to it.
_NUMBER = re.compile(r"\(?(\d{1,3}|[a-zA-Z]|[ivxlIVXL]{1,6})[.)]")
_LINE_START = re.compile(r"(?:\A|\n)[^\n\w]*\Z")


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where a text lies in a document.

    `placed` and `total` count visible characters of the text (see `visible_characters`), without the rules,
    bullets and numbers that printing a page as text adds to it; where no text had to be looked for, as it is
    the document's own, they count all that is not whitespace. `missing` are the stretches that could not be
    placed, as written.
    """

    spans: list[Span]
    placed: int
    total: int
    missing: list[str]

    @property
    def share_placed(self) -> float:
        """From 0 to 1; an empty text is placed."""
        return self.placed / self.total if self.total else 1.0


def align(text: str, document: HasText, label: str = CONTENT) -> Alignment:
    """Place a text in a document, under one label."""
    sides = _Sides.of(text, document)
    runs, echoes = _runs(sides, document)
    ranges = _ranges(runs, sides, (0, len(text)))
    snapped = (_snapped(start, end, document.text) for start, end in ranges)
    spans = _in_blocks((Span(start, end, label) for start, end in snapped), sides, document)
    placed = sum(run.length for run in (*runs, *echoes))
    missing = list(_missing([*runs, *echoes], sides, (0, len(sides.wanted))))
    return _alignment(spans, placed, missing, sides)


def project(text: str, spans: Sequence[Span], document: HasText) -> Alignment:
    """Place spans of another text in a document, each under its own label: what was marked in another version
    of the page, or in no page at all. `placed` and `total` count what is marked; of the document's own text,
    which lies where it lay, all that is not whitespace."""
    if text == document.text:
        visible = sum(visible_length(text[span.start : span.end]) for span in spans)
        return Alignment(clip(spans, document.blocks, document.text), visible, visible, [])
    sides = _Sides.of(text, document)
    runs = _runs(sides, document)
    found: list[Span] = []
    missing: list[Interval] = []
    placed = 0
    for span in spans:
        pieces, of_span, lost = _placed(span, runs, sides)
        found += pieces
        placed += of_span
        missing += lost
    return _alignment(_in_blocks(_disjoint(found), sides, document), placed, missing, sides)


def _placed(
    span: Span, runs: tuple[list[CommonRun], list[CommonRun]], sides: "_Sides"
) -> tuple[list[Span], int, list[Interval]]:
    """One span by the runs and echoes of its text: its pieces, its placed characters, what is missing."""
    inside = sides.visible_range(span)
    mine = list(_clipped(runs[0], inside))
    both = [*mine, *_clipped(runs[1], inside)]
    pieces = [Span(*piece, span.label) for piece in _ranges(mine, sides, (span.start, span.end))]
    return pieces, sum(run.length for run in both), list(_missing(both, sides, inside))


@dataclass(frozen=True, slots=True)
class _Sides:
    """The text and the page, each with its visible characters."""

    text: str
    wanted: VisibleCharacters
    page_text: str
    page: VisibleCharacters

    @classmethod
    def of(cls, text: str, document: HasText) -> Self:
        return cls(text, visible_characters_of(text), document.text, visible_characters_of(document.text))

    def visible_range(self, span: Span) -> Interval:
        """The visible characters of a stretch of the text."""
        start, end = self.wanted.positions.searchsorted([span.start, span.end]).tolist()
        return start, end


def _runs(sides: _Sides, document: HasText) -> tuple[list[CommonRun], list[CommonRun]]:
    """The runs by which the text lies in the page, and its echoes."""
    edges = sides.page.positions.searchsorted([block[0] for block in document.blocks])
    return placed_runs(sides.wanted, sides.page, frozenset(edges.tolist()))


def _alignment(spans: list[Span], placed: int, missing: Sequence[Interval], sides: _Sides) -> Alignment:
    lost = sum(end - start for start, end in missing)
    pieces = [_words(sides.text, *sides.wanted.positions_of(*stretch)) for stretch in missing]
    return Alignment(spans, placed, placed + lost, pieces)


def _in_blocks(spans: Iterable[Span], sides: _Sides, document: HasText) -> list[Span]:
    """The spans cut to the blocks, without those that hold no visible character, such as rules."""
    bridged = bridge(spans, document.blocks, document.text)
    edges = sides.page.positions.searchsorted([span[:2] for span in bridged]).reshape(-1, 2).tolist()
    return [span for span, (start, end) in zip(bridged, edges, strict=True) if start < end]


def _clipped(runs: Sequence[CommonRun], inside: Interval) -> Iterator[CommonRun]:
    """What of the runs lies in a stretch of the text, in visible characters."""
    for run in runs:
        start, end = max(run.a, inside[0]), min(run.a + run.length, inside[1])
        if start < end:
            yield CommonRun(start, run.b + start - run.a, end - start)


def _ranges(runs: Sequence[CommonRun], sides: _Sides, inside: Interval) -> list[Interval]:
    """The stretches of the page's text that the runs are, small breaks taken in; `inside` is the stretch of
    the other text that they come from."""
    ranges: list[Interval] = []
    for run in sorted(runs, key=lambda run: run.b):
        start, end = _edges(run, sides, inside)
        if ranges and _is_small_break(sides.page_text[ranges[-1][1] : start]):
            ranges[-1] = (ranges[-1][0], max(end, ranges[-1][1]))
        else:
            ranges.append((start, end))
    return ranges


def _edges(run: CommonRun, sides: _Sides, inside: Interval) -> Interval:
    """A run in the page's text, with what is not visible around it and yet the same."""
    page, text = sides.page_text, sides.text
    start, end = sides.page.positions_of(run.b, run.b + run.length)
    before, after = sides.wanted.positions_of(run.a, run.a + run.length)
    while (
        start > 0 and before > inside[0] and _is_trim(page[start - 1]) and page[start - 1] == text[before - 1]
    ):
        start, before = start - 1, before - 1
    while end < len(page) and after < inside[1] and _is_trim(page[end]) and page[end] == text[after]:
        end, after = end + 1, after + 1
    while end < len(page) and _is_accent(page[end]):
        end += 1
    return start, end


def _is_trim(char: str) -> bool:
    return not char.isspace() and not is_visible(char)


def _is_accent(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def _is_small_break(text: str) -> bool:
    """Whether so little of the page lies between that it belongs to what is around it; a block of its own,
    however short, does not."""
    if len(text) > MAX_BREAK:
        return False
    blocks_of_their_own = text.split(SEPARATOR)[1:-1]
    return visible_length(text) <= BRIDGED and not any(block.strip() for block in blocks_of_their_own)


def _snapped(start: int, end: int, text: str) -> Interval:
    """Each edge that cuts a word moves to the nearer end of it."""
    return _word_edge(start, text), max(_word_edge(end, text), start)


def _word_edge(position: int, text: str) -> int:
    low = high = position
    while 0 < low < len(text) and text[low - 1].isalnum() and text[position].isalnum():
        low -= 1
    while position > 0 and high < len(text) and text[high].isalnum() and text[position - 1].isalnum():
        high += 1
    return low if position - low <= high - position else high


def _disjoint(spans: Sequence[Span]) -> Iterator[Span]:
    """The spans without what an earlier one claims."""
    reached = 0
    for start, end, label in sorted(spans):
        if end > reached:
            yield Span(max(start, reached), end, label)
            reached = end


def _missing(runs: Sequence[CommonRun], sides: _Sides, inside: Interval) -> Iterator[Interval]:
    """What of a stretch of the text was not placed, in visible characters, and was not merely drawn."""
    for stretch in unplaced(runs, inside):
        if not _is_drawn(sides.text, *sides.wanted.positions_of(*stretch)):
            yield stretch


def _is_drawn(text: str, start: int, end: int) -> bool:
    """Whether a stretch is a rule, a bullet or the number of a list's item."""
    piece = text[start:end]
    if not any(char.isalnum() for char in piece):
        return True
    at_line_start = _LINE_START.search(text, max(0, start - 40), start)
    return bool(_NUMBER.fullmatch(piece.strip()) and at_line_start)


def _words(text: str, start: int, end: int) -> str:
    """The stretch with the words that it cuts made whole, for reading."""
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return text[start:end]
