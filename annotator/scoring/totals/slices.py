"""By what the totals of a corpus are kept apart: one dimension at a time."""

from typing import NamedTuple, Self

LANGUAGE, SITE, MONTH, VERDICT, GUIDELINE, RELEASE, DAY = (
    "language",
    "site",
    "month",
    "verdict",
    "guideline",
    "release",
    "day",
)
# Those that readers choose from; days are for figures over time.
CHOSEN = (LANGUAGE, SITE, MONTH, VERDICT, GUIDELINE, RELEASE)


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
