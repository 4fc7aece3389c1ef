"""The child that reads corpora: what breaks a reader costs no record that can be read."""

import json
from errno import ENOSPC
from pathlib import Path

import pytest

from extraction.formats import BadRecord
from extraction.formats.reading import PreparedInput, Record, RecordReader
from extraction.formats.records import Cause

# Takes many times its size when it is read.
HEAVY = f'{{"html": "<p>x", "gold": [{",".join(["[" * 500 + "]" * 500] * 20_000)}]}}'
# No charset has NUL in its name, and Python says so by an error of its own.
BROKEN = (
    "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n"
    "--b\nContent-Type: text/html; charset*=\0''x\n\n<p>A page.\n--b--\n"
)


def line(number: int) -> str:
    return json.dumps({"html": f"<p>Page {number}"})


def read(path: Path, name: str) -> list[Record]:
    with RecordReader() as reader:
        return list(reader.records(PreparedInput(name, str(path))))


def test_a_file_that_breaks_its_reader_is_one_refusal(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>One.")
    (tmp_path / "b.mhtml").write_text(BROKEN)
    (tmp_path / "c.html").write_text("<p>Two.")
    first, broken, last = read(tmp_path, "files")
    assert (first.location, last.location) == ("a.html", "c.html")
    assert broken == BadRecord("b.mhtml", "cannot be read to its end: ValueError", Cause.DAMAGED)


def test_an_archive_with_an_endless_record_is_damaged_from_there_on(tmp_path: Path) -> None:
    http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A page."
    fields = "WARC-Type: response\r\nWARC-Target-URI: https://a.example/\r\nContent-Type: application/http"
    head = f"WARC/1.0\r\n{fields}\r\nContent-Length: {{}}\r\n\r\n{{}}"
    path = tmp_path / "pages.warc"
    lengths = (str(len(http)), "9" * 23)
    path.write_bytes("".join(f"{head.format(length, http)}\r\n\r\n" for length in lengths).encode())
    first, damaged = read(path, "warc")
    assert first.location == "pages.warc:1"
    assert isinstance(damaged, BadRecord)
    assert "the file is damaged from here on" in damaged.reason


def test_what_comes_before_a_record_that_breaks_the_reader_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecordReader, "memory_bytes", 600 << 20)
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join([line(1), line(2), HEAVY, line(4)]))
    *pages, refused = read(path, "jsonl")
    assert [page.location for page in pages] == ["pages.jsonl:1", "pages.jsonl:2"]
    assert isinstance(refused, BadRecord)
    assert (refused.location, refused.cause) == ("record 3", Cause.LIMITS)
    assert "this and all that follow" in refused.reason


def test_the_record_that_takes_too_long_is_named_not_the_first_of_its_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RecordReader, "cpu_seconds", 1)
    path = tmp_path / "pages.jsonl"
    blank_lines = "\n" * 40_000_000  # passing over them takes seconds
    path.write_text(f"{line(1)}\n{line(2)}\n{blank_lines}{line(3)}")
    *pages, third, rest = read(path, "jsonl")
    assert [page.location for page in pages] == ["pages.jsonl:1", "pages.jsonl:2"]
    assert third == BadRecord("record 3", "this cannot be read: it takes too long", Cause.LIMITS)
    assert rest.location == "record 4"


def test_a_full_disk_is_no_fault_of_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (tmp_path / "left-out.json").symlink_to("/dev/full")
    with RecordReader() as reader, pytest.raises(OSError, match="No space left") as raised:
        reader.prepare(folder)
    assert raised.value.errno == ENOSPC
