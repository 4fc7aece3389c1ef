"""`html`: a folder of saved pages, `*.html` or `*.htm`, also with `.gz`; folders inside it are read too.

Beside `NAME.html` may lie `NAME.json`: an object with any of url, charset, captured_at, language and gold.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from extraction.formats.pages import record_from_json
from extraction.formats.records import BadRecord, FormatError, PageRecord, read_bytes, read_json
from extraction.formats.texts import shown_path

SUFFIXES = (".html", ".htm", ".html.gz", ".htm.gz")


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages of a folder in the order of their names; raises `FormatError` if it cannot be read.

    What else could hold pages is left out with its reason: symbolic links, which might lead out of the
    folder, folders that cannot be read, and what is no file.
    """
    if not path.is_dir():
        raise FormatError(f"{path} is not a folder")
    for file, reason in _files(path):
        location = shown_path(file, path)
        try:
            if reason:
                raise FormatError(reason)
            yield record_of(file, location)
        except FormatError as error:
            yield BadRecord.of(location, error)


def record_of(file: Path, location: str) -> PageRecord:
    """A saved page, with what the `.json` beside it says; raises `FormatError` where it cannot be read."""
    return record_from_json(location, read_bytes(file), _metadata(file))


def count(path: Path) -> int:
    """How many records there are; raises `FormatError` as `read` does."""
    return sum(1 for _ in _files(path))


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """Every file of a page and every folder that is left out, with the reason if it is left out."""
    unreadable: list[OSError] = []
    for folder, folders, files in os.walk(path, onerror=unreadable.append):
        folders.sort()
        links = sorted(name for name in folders if Path(folder, name).is_symlink())
        pages = sorted(name for name in files if name.lower().endswith(SUFFIXES))
        for file in (Path(folder, name) for name in [*pages, *links]):
            yield file, _why_left_out(file)
    for error in unreadable:
        if Path(error.filename) == path:
            raise FormatError(f"{path} cannot be read: {error.strerror}")
        yield Path(error.filename), f"is a folder that cannot be read: {error.strerror}"


def _why_left_out(file: Path) -> str:
    if file.is_symlink():
        return "is a symbolic link: links are not followed, copy what it points to"
    return "" if file.is_file() else "is not a file"


def _metadata(file: Path) -> Any:
    suffix = next((s for s in SUFFIXES if file.name.lower().endswith(s)), file.suffix)
    metadata = file.with_name(f"{file.name[: len(file.name) - len(suffix)]}.json")
    if metadata.is_symlink():
        raise FormatError(f"its {metadata.name} {_why_left_out(metadata)}")
    if not metadata.exists():
        return {}
    return read_json(metadata)
