"""The libraries of Python: how each is called, with the options that the published benchmarks gave it.

A function below imports its library and gives back the program that prints a page's main text. It runs in the
child process alone; the parent knows its name, its library and its documentation.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from extraction.decode import decode
from extraction.document import Document
from extraction.extractors.external import host
from extraction.extractors.registry import Printed, extractor

Program = Callable[..., str]

_LOADERS: dict[str, Callable[[], Program]] = {}


@dataclass(frozen=True)
class Distribution:
    """A package from Python's index, by the name under which it is installed."""

    name: str

    def version(self) -> str | None:
        """The installed version."""
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return None

    def missing(self) -> str | None:
        """Set where it is not installed."""
        return None if self.version() else f"not installed: pip install {self.name}"


@cache
def program(name: str) -> Program:
    """The program of that name, its library imported."""
    return _LOADERS[name]()


def source_of(document: Document) -> str:
    """The page as text, decoded as the document was."""
    return decode(document.raw or b"", document.encoding).text


def _peer(
    name: str, library: str, *, family: str | None = None, version: int = 1
) -> Callable[[Callable[[], Program]], Callable[[], Program]]:
    """Register a loader's program as an extractor that runs in the child."""

    def register(load: Callable[[], Program]) -> Callable[[], Program]:
        distribution = Distribution(library)

        def printed(document: Document) -> Printed:
            host.require(distribution)
            return host.of_this_process().ask(name, source_of(document))

        printed.__doc__ = load.__doc__
        _LOADERS[name] = load
        extractor(name, version=version, family=family, needs_raw=True, library=distribution)(printed)
        return load

    return register


@_peer("trafilatura", "trafilatura")
def trafilatura() -> Program:
    """trafilatura with its defaults, comments left out"""
    return _trafilatura()


@_peer("trafilatura-precision", "trafilatura", family="trafilatura")
def trafilatura_precision() -> Program:
    """trafilatura, set to say less and be sure, comments left out"""
    return _trafilatura(favor_precision=True)


@_peer("trafilatura-recall", "trafilatura", family="trafilatura")
def trafilatura_recall() -> Program:
    """trafilatura, set to miss less, comments left out"""
    return _trafilatura(favor_recall=True)


def _trafilatura(**options: Any) -> Program:
    from trafilatura import extract

    return lambda html: extract(html, include_comments=False, **options) or ""
