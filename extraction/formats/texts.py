"""Texts from outside: which of them a database and a file can hold, and in which encoding files are."""

import codecs
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def is_text(value: Any) -> bool:
    """Whether it is a text without NUL and lone surrogates, which JSON can write but nothing can store."""
    if not isinstance(value, str) or "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)


def storable(text: str) -> str:
    """The text without NUL, and with a replacement for each half of a surrogate pair."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def text_of_bytes(data: bytes) -> str:
    """UTF-8, with Windows-1252 for the bytes that are not: annotators' files mix the two. No BOM, no NUL."""
    return data.decode("utf-8", _MIXED).removeprefix("\ufeff").replace("\0", "")


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


_MIXED = "goldpan-mixed"
codecs.register_error(_MIXED, _as_windows)


def shown_path(file: Path, path: Path) -> str:
    """Where a file stands in the path read; a name not in UTF-8 could neither be stored nor printed."""
    shown = Path(file.name) if file == path else file.relative_to(path)
    return os.fsencode(shown.as_posix()).decode("utf-8", "replace")


def by_name(files: Iterable[Path]) -> list[Path]:
    """The files in the order of their names, `2` before `10`."""
    return sorted(files, key=lambda file: _natural_key(file.name))


def _natural_key(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name) if part]
