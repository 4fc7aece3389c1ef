"""`scrapinghub`: the shape of the Scrapinghub article extraction benchmark.

A folder with `ground-truth.json` (id -> articleBody, url) and `html/ID.html.gz`. Its gold is the body's text.
"""

import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from extraction.formats.gold import GoldRecord
from extraction.formats.records import BadRecord, Cause, FormatError, PageRecord, read_bytes, read_json
from extraction.formats.texts import is_text
from extraction.formats.writing import DatasetFacts, FolderWriter, Loss, PageParts, Sink

LABELS = frozenset({"body"})
GROUND_TRUTH = "ground-truth.json"
SUFFIX = ".html.gz"
# An id is a file name; nothing else may lead out of the folder.
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.-]*")


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
            yield PageRecord(name, page_bytes(path, name), default_label_set="body")
        except FormatError as error:
            yield BadRecord.of(name, error)


def count(path: Path) -> int:
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
    if not (path / GROUND_TRUTH).exists():
        raise FormatError(f"{path} has no {GROUND_TRUTH}", Cause.MISSING_FILE)
    ground_truth = read_json(path / GROUND_TRUTH, object_pairs_hook=_Entries)
    if not isinstance(ground_truth, _Entries):
        raise FormatError(f"{path / GROUND_TRUTH} is not a JSON object", Cause.SYNTAX)
    return ground_truth


def _without_gold(path: Path, truth: _Entries) -> list[str]:
    """The ids of pages that the ground truth does not name."""
    return [name for name in page_ids(path) if name not in truth]


def _record(path: Path, name: str, entry: Any) -> PageRecord:
    if not _ID.fullmatch(name):
        raise FormatError("is not a file name")
    text = entry.get("articleBody") if isinstance(entry, dict) else None
    if not is_text(text):
        raise FormatError("has no articleBody")
    url = entry.get("url") or ""
    if not is_text(url):
        raise FormatError("url is not a text")
    raw = page_bytes(path, name)
    return PageRecord(name, raw, url=url, gold=GoldRecord(text=text, labels=LABELS), default_label_set="body")


def page_ids(path: Path) -> list[str]:
    """The ids of the pages that a folder holds, sorted."""
    return sorted(file.name.removesuffix(SUFFIX) for file in (path / "html").glob(f"*{SUFFIX}"))


def page_bytes(path: Path, name: str) -> bytes:
    """The page of an id; raises `FormatError` where it cannot be read."""
    return read_bytes(path / "html" / f"{name}{SUFFIX}")


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write the pages that have gold; the text of each page's gold is its articleBody.

    What extractors took goes to `output/NAME-VERSION.json`, where the benchmark's evaluation looks for it. It
    wants all pages there: those on which an extractor failed are empty, and what lacks a page goes to
    `incomplete/` instead, as one such file would end the evaluation of all.
    """
    with ExitStack() as stack:
        truth = stack.enter_context(_members(sink, GROUND_TRUTH))
        said: dict[str, _Members] = {}
        for record in records:
            assert record.gold is not None
            truth.write(record.sha256, {"articleBody": record.gold.text or "", "url": record.url})
            sink.write(f"html/{record.sha256}{SUFFIX}", gzipped(record.raw))
            for each in record.outputs:
                name = f"{quote(f'{each.extractor}-{each.version}', safe='')}.json"
                if name not in said:
                    said[name] = stack.enter_context(_members(sink, f"output/{name}"))
                said[name].write(record.sha256, {"articleBody": each.text})
        for name, members in said.items():
            if members.count < truth.count:
                members.name = f"incomplete/{name}"


class _Members:
    """A JSON object that is written member by member, as `json.dumps` with `indent=4` writes it."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self.name = name
        self.count = 0

    def write(self, name: str, value: dict[str, str]) -> None:
        member = json.dumps({name: value}, indent=4, sort_keys=True, ensure_ascii=False)
        self._stream.write((",\n" if self.count else "\n").encode() + member[2:-2].encode())
        self.count += 1


@contextmanager
def _members(sink: Sink, name: str) -> Iterator[_Members]:
    with sink.open(lambda: members.name) as stream:
        stream.write(b"{")
        members = _Members(stream, name)
        yield members
        stream.write(b"\n}\n" if members.count else b"}\n")


def gzipped(data: bytes) -> bytes:
    """Compressed, without a time."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as stream:
        stream.write(data)
    return buffer.getvalue()


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.ALWAYS,
    outputs=True,
    articles="body",
    gold_only=True,
    always=frozenset({Loss.LABELS, Loss.OFFSETS, Loss.METADATA, Loss.SPLITS}),
)
