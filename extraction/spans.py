"""Spans of the canonical text, and their algebra.

A span is `(start, end, label)` in code points of one document's canonical text, half-open. In normal
form a list of spans is sorted and disjoint, and no two neighbours of one label touch. Functions here take
spans in any order and return normal form, unless they say otherwise.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from extraction.documents.canonical_text import Block


class HasText(Protocol):
    """All that spans and metrics ask of a document: its canonical text and its blocks."""

    @property
    def text(self) -> str: ...

    @property
    def blocks(self) -> Sequence[Block]: ...


class Span(NamedTuple):
    """The characters `[start, end)` of a canonical text, under one label."""

    start: int
    end: int
    label: str


class SpanError(ValueError):
    """Spans that cannot be: out of bounds, backwards, or two labels on one character."""


LABELS = ("headline", "body", "supplemental", "comments", "related")
#: What programs and texts give that do not tell the labels apart; it counts in every label set.
CONTENT = "content"

_MAIN = frozenset({"headline", "body"})
LABEL_SETS: dict[str, frozenset[str]] = {
    "main": _MAIN,
    "article": _MAIN | {"supplemental"},
    "any": frozenset(LABELS),
    "body": frozenset({"body"}),
}

Interval = tuple[int, int]


def label_set(name: str) -> frozenset[str]:
    """The labels of a named label set; raises `SpanError` naming the known ones."""
    if name in LABEL_SETS:
        return LABEL_SETS[name]
    raise SpanError(f"no label set is called {name!r}; known: {', '.join(LABEL_SETS)}")


def as_ours(label: str) -> str:
    """A label that is spelled as one of ours but for the case is that one."""
    return label.lower() if label.lower() in {*LABELS, CONTENT} else label


def together(labels: Iterable[str]) -> str:
    """The name of labels that a gold can tell from all other text, but not from one another."""
    return "+".join(sorted(labels))


def can_tell(told: Collection[str], labels: Collection[str]) -> bool:
    """Whether gold that tells these labels apart can be scored on others: it tells each of them, or exactly
    these together."""
    return set(labels) <= set(told) or together(labels) in told


def normalise(spans: Iterable[Span]) -> list[Span]:
    """Sort, drop the empty, and join what touches or overlaps under one label.

    Raises `SpanError` when a span is backwards or negative, or when two labels claim one character.
    """
    result: list[Span] = []
    for span in sorted([span if isinstance(span, Span) else Span(*span) for span in spans]):
        if span.start < 0 or span.end < span.start:
            raise SpanError(f"not a span: {span.start}-{span.end}")
        if span.start < span.end:
            _append(result, span)
    return result


def _append(result: list[Span], span: Span) -> None:
    last = result[-1] if result else None
    if last and span.start <= last.end and span.label == last.label:
        result[-1] = Span(last.start, max(last.end, span.end), last.label)
    elif last and span.start < last.end:
        raise SpanError(
            f"{last.label} {last.start}-{last.end} and {span.label} {span.start}-{span.end} overlap"
        )
    else:
        result.append(span)


def visible_length(text: str) -> int:
    """How many characters of a text are not whitespace."""
    return len("".join(text.split()))


def clip(spans: Iterable[Span], blocks: Sequence[Interval], text: str) -> list[Span]:
    """Cut spans to the blocks and trim whitespace at their edges, so that none holds a separator."""
    pieces: list[Span] = []
    starts = [block[0] for block in blocks]
    for span in normalise(spans):
        first = max(0, bisect_right(starts, span.start) - 1)
        for index in range(first, len(blocks)):
            low, high = blocks[index]
            if low >= span.end:
                break
            start, end = trimmed(max(low, span.start), min(high, span.end), text)
            if start < end:
                pieces.append(Span(start, end, span.label))
    return normalise(pieces)


def trimmed(start: int, end: int, text: str) -> Interval:
    """The interval without whitespace at its edges, of which most have none; of a blank one, nothing."""
    if start >= end or not (text[start].isspace() or text[end - 1].isspace()):
        return start, end
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def bridge(spans: Iterable[Span], blocks: Sequence[Interval], text: str) -> list[Span]:
    """Clip spans to the blocks, then join neighbours of one label with only whitespace between them
    inside one block (the blank or line break between two inline elements belongs to neither)."""
    result: list[Span] = []
    ends = [block[1] for block in blocks]
    for span in clip(spans, blocks, text):
        last = result[-1] if result else None
        if last and last.label == span.label and _one_blank_gap(last.end, span.start, ends, text):
            result[-1] = Span(last.start, span.end, span.label)
        else:
            result.append(span)
    return result


def _one_blank_gap(end: int, start: int, block_ends: Sequence[int], text: str) -> bool:
    same_block = bisect_right(block_ends, end - 1) == bisect_right(block_ends, start)
    return same_block and not text[end:start].strip()


def union(a: Iterable[Span], b: Iterable[Span]) -> list[Span]:
    """Every character of either; raises `SpanError` where the two give one character two labels."""
    return normalise([*a, *b])


def intersect(a: Iterable[Span], b: Iterable[Span]) -> list[Span]:
    """The characters of `a` that `b` marks under any label, under the labels of `a`. One linear sweep."""
    result: list[Span] = []
    mine, others = normalise(a), _covered(b)
    i = j = 0
    while i < len(mine) and j < len(others):
        start, end = max(mine[i].start, others[j][0]), min(mine[i].end, others[j][1])
        if start < end:
            result.append(Span(start, end, mine[i].label))
        if mine[i].end <= others[j][1]:
            i += 1
        else:
            j += 1
    return normalise(result)


def subtract(a: Iterable[Span], b: Iterable[Span]) -> list[Span]:
    """The characters of `a` that `b` does not mark, under the labels of `a`."""
    first = normalise(a)
    if not first:
        return []
    edges = [(0, 0), *_covered(b), (first[-1].end, first[-1].end)]
    gaps = [Span(end, start, "") for (_, end), (start, _) in pairwise(edges) if end < start]
    return intersect(first, gaps)


def _covered(spans: Iterable[Span]) -> list[Interval]:
    """The characters that any of the spans marks, whatever the label."""
    return merge_intervals((span[0], span[1]) for span in spans)


def merge_intervals(intervals: Iterable[Interval]) -> list[Interval]:
    """Sorted, disjoint intervals that cover the same characters."""
    result: list[Interval] = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        elif start < end:
            result.append((start, end))
    return result


def relevant(spans: Iterable[Span], labels: Collection[str]) -> list[Interval]:
    """The intervals that count as relevant under a label set; `content` always does."""
    return merge_intervals((s[0], s[1]) for s in spans if s[2] in labels or s[2] == CONTENT)


def check(spans: Sequence[Span], document: HasText) -> None:
    """Raise `SpanError` unless the spans are in normal form, inside the document's blocks and trimmed."""
    ordered = normalise(spans)
    if ordered != [Span(*span) for span in spans]:
        raise SpanError("the spans are not in normal form: sorted, disjoint, merged and not empty")
    inside = set(clip(ordered, document.blocks, document.text))
    wrong = next((span for span in ordered if span not in inside), None)
    if wrong:
        where = f"{wrong.start}-{wrong.end}"
        raise SpanError(f"{where} has a blank edge, holds a separator or lies outside the text")


def text_of(document: HasText, spans: Iterable[Span], labels: str | Collection[str] = "article") -> str:
    """The text under a label set, given by name or as labels; `content` always counts.

    Pieces of one block are joined by a space, blocks by a blank line.
    """
    wanted = label_set(labels) if isinstance(labels, str) else labels
    kept = [Span(start, end, CONTENT) for start, end in relevant(spans, wanted)]
    block_ends = [block[1] for block in document.blocks]
    parts: list[str] = []
    last_block = -1
    for span in clip(kept, document.blocks, document.text):
        block = bisect_right(block_ends, span.start)
        if parts:
            parts.append(" " if block == last_block else "\n\n")
        parts.append(document.text[span.start : span.end])
        last_block = block
    return "".join(parts)
