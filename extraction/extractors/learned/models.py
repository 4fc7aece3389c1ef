"""Models that are shipped in a file of weights: read once for each process, when they are first used."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from extraction.extractors.learned.tensors import Tensors, about

_M = TypeVar("_M")


def learned_from(path: Path) -> frozenset[str]:
    """The SHA-256 digests of the pages that the model of a file was learned from or chosen by."""
    return frozenset(about(path)["learned_from"].split())


def shipped(path: Path, make: Callable[[Tensors], _M]) -> _M:
    """The model that `make` builds of the weights of a file."""
    model: _M = _made(path, make)
    return model


@cache
def _made(path: Path, make: Callable[[Tensors], Any]) -> Any:
    return make(Tensors.load(path))
