"""Texts from outside that a database and a file can hold."""

from typing import Any


def is_text(value: Any) -> bool:
    """Whether it is a text without NUL and lone surrogates, which JSON can write but nothing can store."""
    if not isinstance(value, str) or "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)
