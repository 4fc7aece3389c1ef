"""Models that are shipped in a file of weights: read once for each process, when they are first used."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from extraction.extractors.learned.tensors import Tensors, about

_M = TypeVar("_M")


class Shipped:
    """A file of weights and the model in it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._model: Any = None

    @property
    def learned_from(self) -> frozenset[str]:
        """The SHA-256 digests of the pages that it was learned from or chosen by."""
        return frozenset(about(self._path)["learned_from"].split())

    def read(self, make: Callable[[Tensors], _M]) -> _M:
        """The model that `make` builds of the weights."""
        if self._model is None:
            self._model = make(Tensors.load(self._path))
        model: _M = self._model
        return model


@cache
def shipped(path: Path) -> Shipped:
    """The one of that file."""
    return Shipped(path)
