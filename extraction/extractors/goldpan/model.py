"""The models as they were learned, and the pages that they were learned from."""

from functools import cache
from pathlib import Path

from extraction.extractors.learned.trees import Trees

_FOLDER = Path(__file__).parent
MODEL, COMMENTS_MODEL = _FOLDER / "model.json", _FOLDER / "comments.json"
SECOND_LOOK = _FOLDER / "second_look.json"
TUNED_ON = _FOLDER / "tuned_on.txt"


@cache
def model() -> Trees:
    """The trees that tell the body, read once for each process."""
    return Trees.load(MODEL)


@cache
def comments_model() -> Trees:
    """The trees that tell readers' comments."""
    return Trees.load(COMMENTS_MODEL)


@cache
def second_look_model() -> Trees:
    """The trees that choose among several bodies that `model` allows."""
    return Trees.load(SECOND_LOOK)


def tuned_on() -> frozenset[str]:
    """The SHA-256 digests of the pages that they were learned from."""
    return frozenset(TUNED_ON.read_text(encoding="ascii").split())
