"""The segments on which annotators differ, for an adjudicator to decide one by one.

A run is a maximal stretch of characters to which everybody gave the same labels, whitespace aside; it may go
over the ends of blocks. A dispute is a run on which they differ, or several side by side: two neighbours make
one dispute when one is marked by some annotators only and the other by others only, as when each chose
another part. A dispute without a letter or digit resolves itself: what not all agree on stays unlabelled.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from extraction.metrics.character_labels import label_codes, non_whitespace
from extraction.spans import HasText, Span, bridge, normalise


class Piece(NamedTuple):
    """A stretch inside one block with one set of labels; `labels[i]` is what annotator i gave, or None."""

    start: int
    end: int
    labels: tuple[str | None, ...]

    @property
    def markers(self) -> frozenset[int]:
        """The annotators who labelled it."""
        return frozenset(i for i, label in enumerate(self.labels) if label is not None)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A stretch of text decided with one choice; its pieces lie in order, each inside one block."""

    start: int
    end: int
    pieces: tuple[Piece, ...]

    @property
    def can_take_both(self) -> bool:
        """Whether "both" is possible and says more than one annotator alone.

        It is not where two of them gave one character different labels.
        """
        if any(len(set(piece.labels) - {None}) > 1 for piece in self.pieces):
            return False
        annotators = range(len(self.pieces[0].labels))
        return not any(all(i in piece.markers for piece in self.pieces) for i in annotators)


class SegmentComparison(NamedTuple):
    """What all annotators agree on, and what they do not."""

    agreed: list[Span]
    disputes: list[Dispute]


def compare(annotations: Sequence[Sequence[Span]], document: HasText) -> SegmentComparison:
    """Compare two or more annotations of one document; raises `SpanError` if one of them overlaps itself."""
    pieces = list(_pieces([normalise(spans) for spans in annotations], document))
    agreed = [Span(p.start, p.end, p.labels[0]) for p in pieces if p.labels[0] and len(set(p.labels)) == 1]
    return SegmentComparison(
        bridge(agreed, document.blocks, document.text),
        [dispute for dispute in _disputes(pieces) if _matters(dispute, document.text)],
    )


def resolve(dispute: Dispute, choice: int | str) -> list[Span]:
    """The spans that a choice gives: one annotator's (by index), those of both together, or none.

    Raises `ValueError` for "both" where the dispute cannot take both, for an annotator that is not there, and
    for any other word.
    """
    if choice == "neither":
        return []
    if choice == "both":
        return _both(dispute)
    if not isinstance(choice, int) or not 0 <= choice < len(dispute.pieces[0].labels):
        raise ValueError(f"there is no annotator {choice}")
    chosen = ((piece, piece.labels[choice]) for piece in dispute.pieces)
    return normalise(Span(piece.start, piece.end, label) for piece, label in chosen if label)


def _both(dispute: Dispute) -> list[Span]:
    if not dispute.can_take_both:
        raise ValueError("this dispute cannot take both")
    labels = ((piece, next(filter(None, piece.labels))) for piece in dispute.pieces)
    return normalise(Span(piece.start, piece.end, label) for piece, label in labels)


def _pieces(annotations: Sequence[Sequence[Span]], document: HasText) -> Iterator[Piece]:
    """Stretches of one set of labels, in order, cut at the ends of blocks and trimmed of whitespace."""
    names = ["", *sorted({span.label for spans in annotations for span in spans})]
    length = len(document.text)
    codes = np.stack([label_codes(spans, length, names) for spans in annotations])
    visible = non_whitespace(document.text)
    for start, end in document.blocks:
        offsets = start + np.flatnonzero(visible[start:end])
        if not offsets.size:
            continue
        block = codes[:, offsets]
        cuts = 1 + np.flatnonzero((block[:, 1:] != block[:, :-1]).any(axis=0))
        for low, high in zip([0, *cuts], [*cuts, offsets.size], strict=True):
            labels = tuple(names[code] or None for code in block[:, low])
            yield Piece(int(offsets[low]), int(offsets[high - 1]) + 1, labels)


def _disputes(pieces: Sequence[Piece]) -> Iterator[Dispute]:
    """Join disputed neighbours of the same labels, and complementary ones."""
    group: list[Piece] = []
    for disputed, run in groupby(pieces, key=lambda piece: len(set(piece.labels)) > 1):
        for piece in run if disputed else ():
            if group and not _belong_together(group[-1], piece):
                yield _dispute(group)
                group = []
            group.append(piece)
        if group:
            yield _dispute(group)
            group = []


def _belong_together(piece: Piece, following: Piece) -> bool:
    return piece.labels == following.labels or piece.markers.isdisjoint(following.markers)


def _dispute(pieces: Sequence[Piece]) -> Dispute:
    return Dispute(pieces[0].start, pieces[-1].end, tuple(pieces))


def _matters(dispute: Dispute, text: str) -> bool:
    return any(char.isalnum() for piece in dispute.pieces for char in text[piece.start : piece.end])
