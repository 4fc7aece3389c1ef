"""`jsonl`: our own format, one page a line; `docs/formats.md` describes it."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import Any, BinaryIO

from extraction.formats.pages import metadata_of, raw_as_json, raw_from_json, record_from_json
from extraction.formats.records import (
    GZIP,
    MAX_BYTES,
    AnnotationRecord,
    BadRecord,
    Cause,
    FormatError,
    OutputRecord,
    PageRecord,
)
from extraction.formats.writing import DatasetFacts, FileWriter, PageParts

#: Bytes of one line: a page in base64, its gold and its metadata.
MAX_LINE = 2 * MAX_BYTES


def read(path: Path) -> Iterator[PageRecord | BadRecord]:
    """Yield the pages of a file, plain or `.gz`, a line each; raises `FormatError` if it cannot be opened."""
    try:
        with path.open("rb") as file:
            is_gzip = path.suffix.lower() == ".gz" or file.peek(len(GZIP)).startswith(GZIP)
            stream: BufferedIOBase = gzip.GzipFile(fileobj=file) if is_gzip else file
            yield from _records(path.name, stream)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from error


def _records(name: str, stream: BufferedIOBase) -> Iterator[PageRecord | BadRecord]:
    for number, line in enumerate(_lines(stream), 1):
        location = f"{name}:{number}"
        try:
            record = _record(location, line)
        except FormatError as error:
            yield BadRecord.of(location, error)
        else:
            if record:
                yield record


def _lines(stream: BufferedIOBase) -> Iterator[bytes | FormatError]:
    """Lines; in place of one that is too long, and of what follows damage, the reason."""
    while True:
        try:
            line = stream.readline(MAX_LINE + 1)
            if len(line) > MAX_LINE:
                _skip_line(stream)
        except (OSError, EOFError, zlib.error) as error:
            yield FormatError(f"the file is damaged from here on: {error}", Cause.DAMAGED)
            return
        if not line:
            return
        yield FormatError(f"is longer than {MAX_LINE} bytes") if len(line) > MAX_LINE else line


def _skip_line(stream: BufferedIOBase) -> None:
    while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
        pass


def _record(location: str, line: bytes | FormatError) -> PageRecord | None:
    if isinstance(line, FormatError):
        raise line
    if not line.strip():
        return None
    try:
        metadata = json.loads(line)
    except UnicodeDecodeError as error:
        raise FormatError("is not in UTF-8: save the file again in that encoding", Cause.SYNTAX) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not valid JSON: {error}", Cause.SYNTAX) from error
    if not isinstance(metadata, dict):
        raise FormatError("is not a JSON object")
    raw = raw_from_json(metadata)
    if raw is None:
        raise FormatError("has neither html nor html_base64")
    record = record_from_json(location, raw, metadata)
    if metadata.get("sha256", record.sha256) != record.sha256:
        raise FormatError("sha256 is not that of the page")
    return record


def produce(records: Iterable[PageRecord], stream: BinaryIO, facts: DatasetFacts) -> None:
    """Write a line for each page; keys are sorted."""
    for record in records:
        line = json.dumps(_line(record), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        stream.write(line.encode() + b"\n")


def _line(record: PageRecord) -> dict[str, Any]:
    line = metadata_of(record) | {"sha256": record.sha256}
    if record.has_raw:
        line |= raw_as_json(record.raw)
    elif record.document:
        line["document"] = {"text": record.document.text, "sha256": record.document.sha256}
    if record.split:
        line["split"] = record.split
    if record.annotations:
        line["annotations"] = [_annotation(each) for each in record.annotations]
    if record.outputs:
        line["outputs"] = [_output(each) for each in record.outputs]
    return line


def _annotation(annotation: AnnotationRecord) -> dict[str, Any]:
    reason = {"reason": annotation.reason} if annotation.reason else {}
    return {
        "annotator": annotation.annotator,
        "verdict": annotation.verdict,
        "spans": [list(span) for span in annotation.spans],
        **reason,
    }


def _output(output: OutputRecord) -> dict[str, Any]:
    failed = {"failed": True} if output.is_failed else {}
    return {
        "extractor": output.extractor,
        "version": output.version,
        "spans": [list(span) for span in output.spans],
        **failed,
    }


WRITER = FileWriter(
    produce=produce,
    suffix="jsonl",
    pages=PageParts.OPTIONAL,
    annotations=True,
    outputs=True,
)
