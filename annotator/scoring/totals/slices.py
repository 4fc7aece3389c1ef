"""By what the totals of a corpus are kept apart, one dimension at a time; and pages in several slices."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

# The dimensions that readers choose from; days are for figures over time.
CHOSEN = ("language", "site", "month", "capture", "verdict", "guideline", "release")
LANGUAGE, SITE, MONTH, CAPTURE, VERDICT, GUIDELINE, RELEASE = CHOSEN
DAY = "day"


class Slice(NamedTuple):
    """The pages that have this value; all pages where both are empty."""

    dimension: str = ""
    value: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read "language:es"; all pages where that is none of the dimensions."""
        dimension, _colon, value = text.partition(":")
        return cls(dimension, value) if dimension in CHOSEN else cls()

    def __str__(self) -> str:
        return f"{self.dimension}:{self.value}" if self.dimension else ""


EVERYTHING = Slice()
# Between the slices of a selection, as they are written.
AND = ","


@dataclass(frozen=True)
class Selection:
    """The pages in all of these slices, one of a dimension at most; all pages where there are none."""

    slices: tuple[Slice, ...] = ()

    @classmethod
    def of(cls, slices: Iterable[Slice]) -> Self:
        """The selection of slices in the order of `CHOSEN`; the last one of each dimension counts."""
        by_dimension = {each.dimension: each for each in slices}
        return cls(tuple(by_dimension[name] for name in CHOSEN if name in by_dimension))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read "language:es,site:news.example"; what is no slice is left out."""
        return cls.of(Slice.parse(part) for part in text.split(AND))

    @property
    def is_combined(self) -> bool:
        """Whether there are no totals of it."""
        return len(self.slices) > 1

    @property
    def single(self) -> Slice:
        """The only slice."""
        assert not self.is_combined
        return self.slices[0] if self.slices else EVERYTHING

    def value(self, dimension: str) -> str | None:
        """The value that it has of a dimension; None where it has all."""
        return dict(self.slices).get(dimension)

    def __str__(self) -> str:
        return AND.join(map(str, self.slices))

    def __bool__(self) -> bool:
        return bool(self.slices)


ALL_PAGES = Selection()
