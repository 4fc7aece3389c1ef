"""Outputs of extractors that ran elsewhere, as files: what a system said about each page.

- JSON: id -> text, or id -> an object with `articleBody` or `text`, or with `spans`; also wrapped as some
  published outputs of the Scrapinghub benchmark are, in `{"version": ..., "output": {...}}`.
- JSON Lines: an object a line, with `id`, `url` or `sha256` of the page, and the same.

Read in a child process, where nothing is known and which can be killed (see `extraction.child_process`).
"""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from extraction import child_process as child
from extraction.child_process import DONE, REFUSED, ChildGone, LimitedChild, Reply
from extraction.formats.records import GZIP, MAX_BYTES, Cause, FormatError, gunzip
from extraction.formats.texts import is_text
from extraction.spans import Span, SpanError, as_ours, normalise

MAX_NAME = 300

_NAMES = ("id", "sha256", "url")
_TEXTS = ("articleBody", "text")
_BATCH_RECORDS, _BATCH_BYTES = 500, 2 << 20


class OutputEntry(NamedTuple):
    """What a file says about one page: a text or spans `[start, end, label]`, or why neither can be used.

    `document` is the SHA-256 of the canonical text that the spans speak of, if the file says so.
    """

    name: str
    text: str | None = None
    spans: list[list[Any]] | None = None
    document: str = ""
    problem: str = ""


def read(data: bytes) -> Iterator[OutputEntry]:
    """Yield the records of a file, plain or gzip, in its order.

    Raises `FormatError` for a file that cannot be read as a whole.
    """
    text = _decoded(data)
    if _is_lines(text):
        yield from (_of_line(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    else:
        yield from (_of_value(name, value) for name, value in _entries(text))


def _decoded(data: bytes) -> str:
    if data.startswith(GZIP):
        data = gunzip(data)
    if len(data) > MAX_BYTES:
        raise FormatError(f"is larger than {MAX_BYTES >> 20} MiB: split it", Cause.TOO_LARGE)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("is in UTF-16: save it as UTF-8", Cause.SYNTAX)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"is not in UTF-8 (byte {error.start + 1}): save it as UTF-8", Cause.SYNTAX
        ) from error
    if not text.strip():
        raise FormatError("is empty", Cause.SYNTAX)
    return text


def _is_lines(text: str) -> bool:
    """Whether the first line is an object of its own, and not the only one or one that names its page."""
    line, _, rest = text.strip().partition("\n")
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and (bool(rest) or any(is_text(first.get(name)) for name in _NAMES))


class _Pairs(dict[str, Any]):
    """A JSON object that remembers each of its pairs, as a name may come twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def _entries(text: str) -> list[tuple[str, Any]]:
    try:
        found = json.loads(text, object_pairs_hook=_Pairs)
    except ValueError as error:
        hint = "; the file may be cut off" if _is_at_end(error, text) else ""
        raise FormatError(f"is not valid JSON: {error}{hint}", Cause.SYNTAX) from error
    except RecursionError as error:
        raise FormatError("is nested too deeply", Cause.SYNTAX) from error
    if isinstance(found, _Pairs) and isinstance(found.get("output"), _Pairs):
        found = found["output"]
    if not isinstance(found, _Pairs):
        raise FormatError("is not a JSON object of ids and outputs", Cause.SYNTAX)
    return found.pairs


def _is_at_end(error: ValueError, text: str) -> bool:
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated")


def _of_line(number: int, line: str) -> OutputEntry:
    location = f"line {number}"
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return OutputEntry(location, problem=f"is not valid JSON: {error}"[:MAX_NAME])
    if not isinstance(value, dict):
        return OutputEntry(location, problem="is not a JSON object")
    name = next((value[key] for key in _NAMES if is_text(value.get(key)) and value[key]), "")
    return (
        _of_value(name, value)
        if name
        else OutputEntry(location, problem="names no page: its id is missing or no text")
    )


def _of_value(name: str, value: Any) -> OutputEntry:
    if not is_text(name) or not name or len(name) > MAX_NAME:
        return OutputEntry(ascii(name)[:MAX_NAME], problem="is no name of a page")
    if value is None or isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        return OutputEntry(name, problem="is neither a text nor an object")
    if value.get("spans") is not None:
        return _of_spans(name, value)
    if not value.keys() & {*_TEXTS, "spans"}:
        return OutputEntry(name, problem="has neither articleBody nor text nor spans")
    # None is how published outputs write that nothing was found.
    text = next((value[key] for key in _TEXTS if value.get(key) is not None), "")
    if not is_text(text):
        return OutputEntry(name, problem="its output is not a text that can be stored")
    return OutputEntry(name, text=text)


def _of_spans(name: str, value: dict[str, Any]) -> OutputEntry:
    document = value.get("document", "")
    try:
        spans = normalise(Span(*_checked(row)) for row in value["spans"])
    except (TypeError, ValueError, SpanError) as error:
        return OutputEntry(name, problem=f"its spans are not [start, end, label]: {error}"[:MAX_NAME])
    if not is_text(document) or len(document) > 64:
        return OutputEntry(name, problem="document is not the SHA-256 of a text")
    return OutputEntry(name, spans=[list(span) for span in spans], document=document)


def _checked(row: Any) -> tuple[int, int, str]:
    start, end, label = row
    if type(start) is int and type(end) is int and is_text(label) and len(label) <= 60:
        return start, end, as_ours(label)
    raise TypeError(f"{row!r}")


class OutputReader(LimitedChild):
    """A child process that reads a file of outputs. For one thread of one process."""

    module = "extraction.formats.outputs"
    cpu_seconds = 120
    memory_bytes = 3 << 30  # parsed JSON takes many times the room of its text
    wall_seconds = 600.0

    _opened_by: int | None = None

    def records(self, data: bytes) -> Iterator[OutputEntry]:
        """Yield the records of a file. Raises `FormatError` for one that cannot be read within limits.

        Raises TimeoutError and ChildProcessError as `LimitedChild.ask`; they say nothing about the file.
        """
        asked = data
        while batch := self._batch(asked):
            yield from batch
            asked = b""

    def _batch(self, data: bytes) -> list[OutputEntry]:
        try:
            reply = self.ask(b"open" if data else b"next", data)
        except ChildGone as gone:
            what = "takes too long to read" if gone.reason == "time" else "needs more memory than it may have"
            raise FormatError(f"{what}: split it", Cause.LIMITS) from gone
        if data:
            self._opened_by = self.pid
        elif self.pid != self._opened_by:  # the new child knows nothing of the file
            raise ChildProcessError("the child that read the file was killed")
        if reply.status == REFUSED:
            raise FormatError(reply.second.decode("utf-8", "replace"), reply.first.decode())
        return [OutputEntry(*row) for row in json.loads(reply.second)]


# ---- in the child ----


class _OpenOutputs:
    """The records that are not asked for yet."""

    def __init__(self) -> None:
        self._records: Iterator[OutputEntry] = iter(())

    def answer(self, first: bytes, second: bytes) -> Reply:
        try:
            if first == b"open":
                self._records = read(second)
            return Reply(DONE, b"", json.dumps(list(self._next())).encode())
        except FormatError as error:
            return Reply(REFUSED, error.cause.encode(), str(error).encode("utf-8", "replace"))

    def _next(self) -> Iterator[OutputEntry]:
        size = 0
        for record in islice(self._records, _BATCH_RECORDS):
            yield record
            size += len(record.text or "")
            if size > _BATCH_BYTES:
                return


if __name__ == "__main__":
    child.answer_parent(_OpenOutputs().answer)
