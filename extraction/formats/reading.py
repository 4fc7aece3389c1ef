"""Reading corpora of strangers in a child process, under limits of CPU time and memory.

A reader unpacks archives and parses JSON, HTTP and marked pages; here all of this happens where nothing is
known and where it can be killed. The parent asks for the records from a position on and gets them in batches
(see `extraction.child_process`).

    with RecordReader() as reader:
        for record in reader.records(reader.prepare(folder), start=0): ...
"""

import json
from collections.abc import Iterable, Iterator
from errno import EDQUOT, ENOSPC
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from extraction import child_process as child
from extraction.child_process import DONE, REFUSED, ChildGone, LimitedChild, Reply
from extraction.formats import READERS, archives, detection
from extraction.formats.gold import from_json, to_json
from extraction.formats.records import Asset, BadRecord, Cause, FormatError, PageRecord, breakage
from extraction.formats.texts import storable

Record = PageRecord | BadRecord

# A status beside those of all children: the disk is full, which says nothing about what was asked for.
NO_SPACE = b"no space"
# A batch ends with the record that makes it this large.
_BATCH_RECORDS, _BATCH_BYTES = 16, 2 << 20
# Beside the folder: the archive that is being unpacked, and what was left out of all.
_PACKED, _LEFT_OUT = "packed", "left-out.json"


class PreparedInput(NamedTuple):
    """What a path holds: its format, where that begins, and the file that lists what was not unpacked."""

    format: str
    path: str
    left_out: str = ""


class RecordReader(LimitedChild):
    """A child process that reads the records of a path. For one thread of one process."""

    module = "extraction.formats.reading"
    # Of one answer. The first has to pass over what was read before, and to look through a web archive for
    # style sheets and images; unpacking writes gigabytes.
    cpu_seconds = 600
    memory_bytes = 3 << 30
    wall_seconds = 3600.0

    def prepare(self, folder: Path, format: str = "") -> PreparedInput:
        """Unpack a folder's archives in place, and say what it holds; a given format overrules that.

        What was left out is listed beside the folder. Raises FormatError where the folder cannot be looked
        at within the limits, OSError where the disk is full.
        """
        asked = {"do": "prepare", "path": str(folder), "format": format}
        try:
            found = json.loads(self._ask(asked).first)
        except ChildGone as gone:
            raise FormatError(f"the files cannot be unpacked: {_limit_of(gone)}", Cause.LIMITS) from gone
        return PreparedInput(**found)

    def records(self, prepared: PreparedInput, start: int = 0) -> Iterator[Record]:
        """Yield the records from the position on: first what was left out in `prepare`, then the others.

        A record at which the child dies is yielded as one that cannot be read; where it dies again before the
        next one, the rest cannot be read either. Raises FormatError for a path that cannot be read at all.
        """
        position, at_once, has_died = start, _BATCH_RECORDS, False
        while True:
            asked = {"do": "read", "position": position, "at_once": at_once, **prepared._asdict()}
            try:
                reply = self._ask(asked)
            except ChildGone as gone:
                if at_once > 1:
                    at_once = 1  # which of the batch it was, they show one by one
                    continue
                what = "this and all that follow" if has_died else "this"
                yield BadRecord(
                    f"record {position + 1}", f"{what} cannot be read: {_limit_of(gone)}", Cause.LIMITS
                )
                if has_died:
                    return
                position, has_died = position + 1, True
                continue
            batch = list(_unpacked(reply))
            if not batch:
                return
            yield from batch
            position, has_died = position + len(batch), False

    def _ask(self, asked: dict[str, Any]) -> Reply:
        reply = self.ask(json.dumps(asked).encode(), b"")
        if reply.status == NO_SPACE:
            raise OSError(ENOSPC, reply.second.decode("utf-8", "replace"))
        if reply.status == REFUSED:
            raise FormatError(reply.second.decode("utf-8", "replace"), reply.first.decode())
        return reply


def _limit_of(gone: ChildGone) -> str:
    return "it takes too long" if gone.reason == "time" else "it needs more memory than it may have"


# ---- records as frames ----


def _packed(records: list[Record]) -> Reply:
    heads: list[dict[str, Any]] = []
    body: list[bytes] = []
    for record in records:
        if isinstance(record, BadRecord):
            heads.append(_texts(record, _OF_BAD))
            continue
        head = _texts(record, _PLAIN)
        head["gold"] = to_json(record.gold) if record.gold else None
        head["raw"] = len(record.raw)
        head["assets"] = [[each.url, each.media_type, len(each.raw)] for each in record.assets]
        heads.append(head)
        body += [record.raw, *(each.raw for each in record.assets)]
    return Reply(DONE, json.dumps(heads).encode(), b"".join(body))


_PLAIN = ("location", "url", "charset", "captured_at", "language", "default_label_set")
_OF_BAD = ("location", "reason", "cause")


def _texts(record: Record, names: Iterable[str]) -> dict[str, Any]:
    """These texts of a record, as they can be stored: one that cannot be would fail a whole import."""
    found = ((name, getattr(record, name)) for name in names)
    return {name: value if value is None else storable(value) for name, value in found}


def _unpacked(reply: Reply) -> Iterator[Record]:
    offset = 0

    def take(size: int) -> bytes:
        nonlocal offset
        offset += size
        return reply.second[offset - size : offset]

    for head in json.loads(reply.first):
        if "reason" in head:
            yield BadRecord(**head)
            continue
        raw, gold = take(head["raw"]), head["gold"]
        assets = tuple(Asset(url, take(size), media_type) for url, media_type, size in head["assets"])
        plain = {name: head[name] for name in _PLAIN}
        yield PageRecord(raw=raw, gold=from_json(gold) if gold else None, assets=assets, **plain)


# ---- in the child ----


class _OpenRecords:
    """The records of one path from one position on, kept open between two requests."""

    def __init__(self) -> None:
        self._key: tuple[str, ...] = ()
        self._position = 0
        self._records: Iterator[Record] = iter(())

    def batch(self, asked: dict[str, Any]) -> list[Record]:
        key = (asked["format"], asked["path"], asked["left_out"])
        if (key, asked["position"]) != (self._key, self._position):
            self._key, self._position = key, asked["position"]
            self._records = islice(_all_records(*key), self._position, None)
        batch: list[Record] = []
        size = 0
        while len(batch) < asked["at_once"] and size < _BATCH_BYTES:
            record = next(self._records, None)
            if record is None:
                break
            batch.append(record)
            if isinstance(record, PageRecord):
                size += len(record.raw) + sum(len(each.raw) for each in record.assets)
        self._position += len(batch)
        return batch


def _all_records(name: str, path: str, left_out: str) -> Iterator[Record]:
    if left_out:
        rows = json.loads(Path(left_out).read_text(encoding="utf-8"))
        yield from (BadRecord(*row) for row in rows)
    yield from _as_far_as_possible(READERS[name].read(Path(path)))


def _as_far_as_possible(records: Iterator[Record]) -> Iterator[Record]:
    """The records; last, where the reader breaks at one, why it and the others cannot be read."""
    number = 0
    try:
        for record in records:
            number += 1
            yield record
    except (FormatError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever a hostile file breaks is an answer, too
        reason, cause = breakage(error)
        yield BadRecord(f"record {number + 1}", f"this and all that follow cannot be read: {reason}", cause)


def _prepare(folder: Path, name: str) -> Reply:
    unpacked = archives.Unpacked()
    not_unpacked = chain.from_iterable(_unpacked_in_place(folder, unpacked))
    rows = [[record.location, record.reason, record.cause] for record in not_unpacked]
    left_out = folder.parent / _LEFT_OUT
    left_out.write_text(json.dumps(rows), encoding="utf-8")
    found = detection.detect(folder)
    if name and name != found.format:
        found = detection.Detected(name, _only_file(folder) if name == "jsonl" else folder)
    prepared = PreparedInput(found.format, str(found.path), str(left_out))
    return Reply(DONE, json.dumps(prepared._asdict()).encode(), b"")


def _only_file(folder: Path) -> Path:
    files = [each for each in folder.rglob("*") if each.is_file() and not each.name.startswith(".")]
    if len(files) != 1:
        raise FormatError(f"JSONL is one file, and here are {len(files)}")
    return files[0]


def _unpacked_in_place(path: Path, unpacked: archives.Unpacked) -> Iterator[Iterator[BadRecord]]:
    """Replace each archive of the folder by a folder of its name."""
    for archive in sorted(file for file in path.rglob("*") if archives.is_archive(file)):
        packed = archive.rename(path.parent / _PACKED)
        yield archives.unpack(packed, archive, archive.relative_to(path).as_posix(), unpacked)
        packed.unlink()


def _respond_with(opened: _OpenRecords, first: bytes) -> Reply:
    asked = json.loads(first)
    try:
        if asked["do"] == "prepare":
            return _prepare(Path(asked["path"]), asked["format"])
        return _packed(opened.batch(asked))
    except FormatError as error:
        return Reply(REFUSED, error.cause.encode(), str(error).encode("utf-8", "replace"))
    except OSError as error:
        status = NO_SPACE if error.errno in (ENOSPC, EDQUOT) else REFUSED
        return Reply(status, b"", f"{error.filename}: {error.strerror}".encode("utf-8", "replace"))


if __name__ == "__main__":
    state = _OpenRecords()
    child.answer_parent(lambda first, _: _respond_with(state, first))
