"""What practice measures: characters with the correct label, and where own marks and gold differ."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from extraction.metrics.character_labels import Matrix, label_codes, non_whitespace
from extraction.spans import Span

# So that .8999999 passes where the mark is .9.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Measure:
    """Non-whitespace characters: marked by the annotator, marked by gold, and with the same label."""

    marked: int
    expected: int
    right: int

    @classmethod
    def of(cls, matrix: Matrix) -> "Measure":
        """From {own label: {gold label: characters}}; "" is unlabelled."""
        cells = [(own, gold, n) for own, row in matrix.items() for gold, n in row.items()]
        return cls(
            marked=sum(n for own, _gold, n in cells if own),
            expected=sum(n for _own, gold, n in cells if gold),
            right=sum(n for own, gold, n in cells if own and own == gold),
        )

    @property
    def precision(self) -> float | None:
        """The share of the marked characters with gold's label; None where none is marked."""
        return self.right / self.marked if self.marked else None

    @property
    def recall(self) -> float | None:
        """The share of gold's characters with the same label; None where gold marks nothing."""
        return self.right / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        """None where neither marked anything; 0 where only one of the two did."""
        total = self.marked + self.expected
        return 2 * self.right / total if total else None


@dataclass(frozen=True)
class MarkDifference:
    """A range with different labels by annotator and gold, "" being none; `size` without white space."""

    start: int
    end: int
    own: str
    gold: str
    size: int

    @property
    def kind(self) -> str:
        """missed: gold only. extra: own marks only. relabel: both, with different labels."""
        return "missed" if not self.own else "extra" if not self.gold else "relabel"

    def as_json(self) -> list[Any]:
        return [self.start, self.end, self.kind]


def differences(own: Sequence[Span], gold: Sequence[Span], text: str) -> list[MarkDifference]:
    """Every range with one pair of different labels, in text order; white space never splits one."""
    labels = ["", *sorted({span.label for span in (*own, *gold)})]
    offsets = np.flatnonzero(non_whitespace(text))
    if not offsets.size:
        return []
    a, b = (label_codes(spans, len(text), labels)[offsets] for spans in (own, gold))
    pairs = a * len(labels) + b
    edges = [0, *(np.flatnonzero(np.diff(pairs)) + 1).tolist(), offsets.size]
    return [
        MarkDifference(
            int(offsets[first]), int(offsets[last - 1]) + 1, labels[a[first]], labels[b[first]], last - first
        )
        for first, last in pairwise(edges)
        if a[first] != b[first]
    ]


def is_passed(*, f1: float | None, verdicts: int, min_f1: float, min_verdicts: int) -> bool:
    """Whether an attempt reaches its pass mark; without text to mark on any page, verdicts alone decide."""
    return verdicts >= min_verdicts and (f1 is None or f1 >= min_f1 - TOLERANCE)


def most_confused(matrices: Iterable[Matrix], *, most: int) -> list[tuple[str, str, int]]:
    """Own label, gold label and characters of the most frequent differences; "" is none."""
    found: dict[tuple[str, str], int] = {}
    for matrix in matrices:
        for own, row in matrix.items():
            for gold, n in row.items():
                if own != gold:
                    found[own, gold] = found.get((own, gold), 0) + n
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return [(own, gold, n) for (own, gold), n in ordered[:most]]
