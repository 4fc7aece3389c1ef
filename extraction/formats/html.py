"""`html`: a folder of saved pages, `*.html` or `*.htm`, also with `.gz`; folders inside it are read too.

Beside `NAME.html` may lie `NAME.json`: an object with any of url, charset, captured_at, language and gold.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from extraction.formats.pages import record_from_json
from extraction.formats.records import BadRecord, FormatError, Record, read_bytes

SUFFIXES = (".html", ".htm", ".html.gz", ".htm.gz")


def read(path: Path) -> Iterator[Record | BadRecord]:
    """Yield the pages of a folder in the order of their names; raises `FormatError` if it is not a folder."""
    if not path.is_dir():
        raise FormatError(f"{path} is not a folder")
    for file in _pages(path):
        place = file.relative_to(path).as_posix()
        try:
            yield record_from_json(place, read_bytes(file), _facts(file))
        except FormatError as error:
            yield BadRecord(place, str(error))


def count(path: Path) -> int | None:
    """How many records there are."""
    return sum(1 for _ in _pages(path))


def _pages(path: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(path):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(files) if name.lower().endswith(SUFFIXES))


def _facts(file: Path) -> Any:
    suffix = next(s for s in sorted(SUFFIXES, key=len, reverse=True) if file.name.lower().endswith(s))
    facts = file.with_name(f"{file.name[: -len(suffix)]}.json")
    if not facts.exists():
        return {}
    try:
        return json.loads(read_bytes(facts))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{facts.name} is not valid JSON: {error}") from error
