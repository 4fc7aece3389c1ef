"""`scrapinghub`: the shape of the Scrapinghub article extraction benchmark.

A folder with `ground-truth.json` (id -> articleBody, url) and `html/ID.html.gz`. Its gold is the body's text.
"""

import gzip
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from extraction.formats.gold import GoldRecord
from extraction.formats.order import by_digest
from extraction.formats.records import BadRecord, Cause, FormatError, PageRecord, read_bytes
from extraction.formats.texts import is_text

LABELS = frozenset({"body"})
GROUND_TRUTH = "ground-truth.json"
_SUFFIX = ".html.gz"
# An id is a file name; nothing else may lead out of the folder.
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]*")
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # zip knows no earlier time; a clock would change the bytes


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages in the order of the ground truth, then those that it does not name, without gold.

    Raises `FormatError` if the ground truth cannot be read.
    """
    truth = _truth(path)
    for name in truth.repeated:
        yield BadRecord(name, f"comes twice in {GROUND_TRUTH}: the last one is used", Cause.REPEATED)
    for name, entry in truth.items():
        try:
            yield _record(path, name, entry)
        except FormatError as error:
            yield BadRecord.of(name, error)
    for name in _without_gold(path, truth):
        try:
            yield PageRecord(name, _page(path, name), default_label_set="body")
        except FormatError as error:
            yield BadRecord.of(name, error)


def count(path: Path) -> int | None:
    """How many records there are; raises `FormatError` as `read` does."""
    truth = _truth(path)
    return len(truth) + len(truth.repeated) + len(_without_gold(path, truth))


class _Entries(dict[str, Any]):
    """A JSON object, with the keys that come more than once in it."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        numbers = Counter(name for name, _value in pairs) if len(self) < len(pairs) else {}
        self.repeated = [name for name, n in numbers.items() if n > 1]


def _truth(path: Path) -> _Entries:
    try:
        ground_truth = json.loads(read_bytes(path / GROUND_TRUTH), object_pairs_hook=_Entries)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path / GROUND_TRUTH}: {error}", Cause.SYNTAX) from error
    if not isinstance(ground_truth, _Entries):
        raise FormatError(f"{path / GROUND_TRUTH} is not a JSON object", Cause.SYNTAX)
    return ground_truth


def _without_gold(path: Path, truth: _Entries) -> list[str]:
    """The ids of pages that the ground truth does not name."""
    names = (file.name.removesuffix(_SUFFIX) for file in (path / "html").glob(f"*{_SUFFIX}"))
    return sorted(name for name in names if name not in truth)


def _record(path: Path, name: str, entry: Any) -> PageRecord:
    if not _ID.fullmatch(name):
        raise FormatError("is not a file name")
    text = entry.get("articleBody") if isinstance(entry, dict) else None
    if not is_text(text):
        raise FormatError("has no articleBody")
    url = entry.get("url") or ""
    if not is_text(url):
        raise FormatError("url is not a text")
    raw = _page(path, name)
    return PageRecord(name, raw, url=url, gold=GoldRecord(text=text, labels=LABELS), default_label_set="body")


def _page(path: Path, name: str) -> bytes:
    return read_bytes(path / "html" / f"{name}{_SUFFIX}")


def files(records: Iterable[PageRecord]) -> Iterator[tuple[str, bytes]]:
    """The files of a corpus, name and bytes, from records with gold that come in the order of their digests.

    The text of each page's gold is its articleBody. Raises `FormatError` for records out of order.
    """
    ground_truth: dict[str, dict[str, str]] = {}
    for record in by_digest(records):
        if record.gold is not None:
            ground_truth[record.sha256] = {"articleBody": record.gold.text or "", "url": record.url}
            yield f"html/{record.sha256}.html.gz", _gzipped(record.raw)
    yield (
        GROUND_TRUTH,
        (json.dumps(ground_truth, indent=4, sort_keys=True, ensure_ascii=False) + "\n").encode(),
    )


def write(records: Iterable[PageRecord], stream: BinaryIO) -> int:
    """Write the files as one ZIP archive, for a download; the same records give the same bytes.

    Returns how many pages went out; pages without gold do not.
    """
    count = -1  # the ground truth is a file too
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files(records):
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), data)
            count += 1
    return count


def write_folder(records: Iterable[PageRecord], folder: Path) -> int:
    """Write the files into a folder, which is made; returns how many pages went out."""
    (folder / "html").mkdir(parents=True, exist_ok=True)
    count = -1
    for name, data in files(records):
        (folder / name).write_bytes(data)
        count += 1
    return count


def _gzipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as stream:
        stream.write(data)
    return buffer.getvalue()
