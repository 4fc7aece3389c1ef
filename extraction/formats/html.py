"""`html`: a folder of saved pages, `*.html` or `*.htm`, also with `.gz`; folders inside it are read too.

Beside `NAME.html` may lie `NAME.json`: an object with any of url, charset, captured_at, language and gold.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from extraction.formats.pages import record_from_json
from extraction.formats.records import BadRecord, FormatError, PageRecord, read_bytes

SUFFIXES = (".html", ".htm", ".html.gz", ".htm.gz")


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages of a folder in the order of their names; raises `FormatError` if it is not a folder."""
    if not path.is_dir():
        raise FormatError(f"{path} is not a folder")
    for file in _pages(path):
        location = file.relative_to(path).as_posix()
        try:
            yield record_from_json(location, read_bytes(file), _metadata(file))
        except FormatError as error:
            yield BadRecord(location, str(error))


def count(path: Path) -> int | None:
    """How many records there are."""
    return sum(1 for _ in _pages(path))


def _pages(path: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(path):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(files) if name.lower().endswith(SUFFIXES))


def _metadata(file: Path) -> Any:
    suffix = next(s for s in sorted(SUFFIXES, key=len, reverse=True) if file.name.lower().endswith(s))
    metadata = file.with_name(f"{file.name[: -len(suffix)]}.json")
    if not metadata.exists():
        return {}
    try:
        return json.loads(read_bytes(metadata))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{metadata.name} is not valid JSON: {error}") from error
