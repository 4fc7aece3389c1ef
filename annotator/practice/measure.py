"""What practice measures: characters with the right label, and where hers and gold's differ."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from extraction.characters import Matrix, inked, painted
from extraction.spans import Span

# Passes where the mark is .9 and floating point says .8999999.
HAIR = 1e-9


@dataclass(frozen=True)
class Measure:
    """Non-whitespace characters: those that she marked, those that gold marks, those with the same label."""

    marked: int
    expected: int
    right: int

    @classmethod
    def of(cls, matrix: Matrix) -> "Measure":
        """From her label -> gold's label -> characters; "" is unlabelled."""
        cells = [(hers, gold, n) for hers, row in matrix.items() for gold, n in row.items()]
        return cls(
            marked=sum(n for hers, _gold, n in cells if hers),
            expected=sum(n for _hers, gold, n in cells if gold),
            right=sum(n for hers, gold, n in cells if hers and hers == gold),
        )

    @property
    def precision(self) -> float | None:
        """Of what she marked, the share with gold's label; None where she marked nothing."""
        return self.right / self.marked if self.marked else None

    @property
    def recall(self) -> float | None:
        """Of what gold marks, the share that has that label with her; None where gold marks nothing."""
        return self.right / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        """None where neither marked anything; 0 where only one of the two did."""
        total = self.marked + self.expected
        return 2 * self.right / total if total else None


@dataclass(frozen=True)
class Difference:
    """A stretch to which she and gold give different labels, "" being none; `size` without white space."""

    start: int
    end: int
    hers: str
    gold: str
    size: int

    @property
    def kind(self) -> str:
        """missed: gold only. extra: hers only. relabel: both, with different labels."""
        return "missed" if not self.hers else "extra" if not self.gold else "relabel"

    def as_json(self) -> list[Any]:
        return [self.start, self.end, self.kind]


def differences(hers: Sequence[Span], gold: Sequence[Span], text: str) -> list[Difference]:
    """Every stretch with one pair of unlike labels, as the text goes; white space never parts them."""
    labels = ["", *sorted({span.label for span in (*hers, *gold)})]
    places = np.flatnonzero(inked(text))
    if not places.size:
        return []
    a, b = (painted(spans, len(text), labels)[places] for spans in (hers, gold))
    pairs = a * len(labels) + b
    edges = [0, *(np.flatnonzero(np.diff(pairs)) + 1).tolist(), places.size]
    return [
        Difference(
            int(places[first]), int(places[last - 1]) + 1, labels[a[first]], labels[b[first]], last - first
        )
        for first, last in pairwise(edges)
        if a[first] != b[first]
    ]


def is_passed(*, f1: float | None, verdicts: int, least_f1: float, least_verdicts: int) -> bool:
    """Whether a try reaches its pass mark; without text to mark on any page, verdicts alone decide."""
    return verdicts >= least_verdicts and (f1 is None or f1 >= least_f1 - HAIR)


def unlike(matrices: Iterable[Matrix], *, most: int) -> list[tuple[str, str, int]]:
    """What to look at: her label, gold's, and characters, the most first; "" is none."""
    found: dict[tuple[str, str], int] = {}
    for matrix in matrices:
        for hers, row in matrix.items():
            for gold, n in row.items():
                if hers != gold:
                    found[hers, gold] = found.get((hers, gold), 0) + n
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return [(hers, gold, n) for (hers, gold), n in ordered[:most]]
