"""Cache on a document what several extractors and settings compute from it."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from extraction.documents.document import Document

_T = TypeVar("_T")


def cached_on_document(make: Callable[[Document], _T]) -> Callable[[Document], _T]:
    """Decorator: cache the function's result on the document; callers must not change the result."""
    key = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def cached(document: Document) -> _T:
        # A frozen dataclass can hold it only where cached properties are stored, too.
        if key not in document.__dict__:
            document.__dict__[key] = make(document)
        return cast(_T, document.__dict__[key])

    return cached
