"""Pages with planted disagreements, and the figures computed from their labels in the most plain way."""

import random
import re
from collections.abc import Iterator, Sequence

from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.units import LEVELS, ContentUnits
from extraction.spans import Span, bridge, normalise

LABELS = ("headline", "body", "supplemental", "comments")
WORDS = ("Rio", "a", "water", "agreed", "über", "no", "1999", "council", "東京", "said")


class PlantedPage:
    """A page of made-up text that several annotators marked, block by block, with slips."""

    def __init__(self, seed: int, names: Sequence[str] = ("ada", "ben")) -> None:
        draw = random.Random(seed)
        blocks = [
            " ".join(draw.choice(WORDS) for _ in range(draw.randint(1, 9))) for _ in range(draw.randint(2, 9))
        ]
        self.text = "\n\n".join(blocks)
        self.blocks = [match.span() for match in re.finditer(r"[^\n]+", self.text)]
        reference = [draw.choice(["", "", *LABELS[: 1 + n]]) for n in (draw.randint(0, 3) for _ in blocks)]
        self.annotations = {name: self._mark(reference, draw) for name in names}

    def _mark(self, reference: Sequence[str], draw: random.Random) -> list[Span]:
        found = []
        for (start, end), label in zip(self.blocks, reference, strict=True):
            given = draw.choice(["", *LABELS]) if draw.random() < 0.15 else label
            if given and draw.random() < 0.2:
                start += draw.randint(0, (end - start) // 2)
            if given:
                found.append(Span(start, end, given))
        return bridge(normalise(found), self.blocks, self.text)

    def counts(self) -> PageTables:
        return count_page(self.annotations, ContentUnits.of_text(self.text, self.blocks))

    def labels(self, level: str, name: str) -> list[str]:
        """The label that an annotator gave to each unit, worked out without any array."""
        by_index = [""] * len(self.text)
        for start, end, label in self.annotations[name]:
            for index in range(start, end):
                by_index[index] = label
        if level == "character":
            return [label for label, char in zip(by_index, self.text, strict=True) if not char.isspace()]
        units = self.blocks if level == "block" else [m.span() for m in re.finditer(r"\S+", self.text)]
        return [_most(by_index[start:end], self.text[start:end]) for start, end in units]


def _most(labels: Sequence[str], text: str) -> str:
    inked = [label for label, char in zip(labels, text, strict=True) if not char.isspace()]
    return min(sorted(set(inked)), key=lambda label: -inked.count(label))


def pages(count: int, names: Sequence[str] = ("ada", "ben"), first: int = 0) -> list[PlantedPage]:
    return [PlantedPage(seed, names) for seed in range(first, first + count)]


def columns(found: Sequence[PlantedPage], level: str, names: Sequence[str]) -> list[list[str]]:
    """For each annotator the labels of all pages, one after the other."""
    return [[label for page in found for label in page.labels(level, name)] for name in names]


def levels() -> Iterator[str]:
    yield from LEVELS
