"""What is worth computing once for a document, however many extractors and settings ask for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from extraction.document import Document

_T = TypeVar("_T")


def once(make: Callable[[Document], _T]) -> Callable[[Document], _T]:
    """Keep what a function makes of a document with that document; nobody may change it afterwards."""
    key = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def kept(document: Document) -> _T:
        # Where cached properties are kept as well: a frozen document has no other place.
        if key not in document.__dict__:
            document.__dict__[key] = make(document)
        return cast(_T, document.__dict__[key])

    return kept
