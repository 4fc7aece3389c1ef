"""The model as it was learned, and the pages that it was learned from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from extraction.extractors.learned.trees import Trees

_FOLDER = Path(__file__).parent
MODEL = _FOLDER / "model.json"
TUNED_ON = _FOLDER / "tuned_on.txt"


@cache
def model() -> Trees:
    """The trees, read once for each process."""
    return Trees.load(MODEL)


def tuned_on() -> frozenset[str]:
    """The SHA-256 digests of the pages that it was learned from."""
    return frozenset(TUNED_ON.read_text(encoding="ascii").split())
