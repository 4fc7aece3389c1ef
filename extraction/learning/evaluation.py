"""How many blocks are labelled right: those of all pages together, each counting the same, as in papers."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class ClassFigures(NamedTuple):
    """Of one class."""

    precision: float
    recall: float
    f1: float


class BlockFigures(NamedTuple):
    """Of content (positive) and boilerplate (negative)."""

    positive: ClassFigures
    negative: ClassFigures
    accuracy: float
    pages: int
    blocks: int

    def to_json(self) -> dict[str, Any]:
        """As an object of JSON."""
        return {
            "pages": self.pages,
            "blocks": self.blocks,
            "accuracy": self.accuracy,
            "positive": self.positive._asdict(),
            "negative": self.negative._asdict(),
        }


def block_figures(labelled: Iterable[tuple[Sequence[bool], Sequence[bool]]]) -> BlockFigures:
    """The figures of pages, each as true and as found labels of its blocks."""
    counts = {(truth, found): 0 for truth in (False, True) for found in (False, True)}
    pages = 0
    for truths, founds in labelled:
        pages += 1
        for pair in zip(truths, founds, strict=True):
            counts[pair] += 1
    blocks = sum(counts.values())
    return BlockFigures(
        _figures(counts[True, True], counts[False, True], counts[True, False]),
        _figures(counts[False, False], counts[True, False], counts[False, True]),
        (counts[True, True] + counts[False, False]) / max(blocks, 1),
        pages,
        blocks,
    )


def _figures(right: int, wrong: int, missed: int) -> ClassFigures:
    precision, recall = right / max(right + wrong, 1), right / max(right + missed, 1)
    return ClassFigures(precision, recall, 2 * right / max(2 * right + wrong + missed, 1))
