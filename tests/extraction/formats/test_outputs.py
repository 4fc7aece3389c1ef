"""Files of outputs made elsewhere: every shape is read, and what cannot be read says why."""

import gzip
import json
from collections.abc import Iterator

import pytest

from extraction.formats.outputs import OutputEntry, OutputReader, read
from extraction.formats.records import FormatError
from tests.corpora import HAS_REAL_PAGES, SCRAPINGHUB


@pytest.fixture(scope="module")
def reader() -> Iterator[OutputReader]:
    with OutputReader() as started:
        yield started


def lines(*rows: object) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": {"articleBody": "One"}, "b": {"articleBody": ""}}',
        b'{"version": "1.0", "output": {"a": {"articleBody": "One"}, "b": {"articleBody": ""}}}',
        b'\xef\xbb\xbf{"a": "One", "b": ""}',
        b'{"a": "One", "b": null}',
        lines({"id": "a", "text": "One"}, "", {"id": "b", "articleBody": ""}),
        gzip.compress(b'{"a": {"text": "One", "url": "https://a.example/"}, "b": ""}', mtime=0),
    ],
)
def test_every_shape_gives_the_same(data: bytes) -> None:
    assert list(read(data)) == [OutputEntry("a", text="One"), OutputEntry("b", text="")]


def test_a_line_ends_only_at_a_line_feed() -> None:
    text = "One\u2028two\u2029three\x85four"
    rows = [json.dumps({"id": name, "text": text}, ensure_ascii=False) for name in "ab"]
    found = list(read("\r\n".join([rows[0], "", rows[1], "{"]).encode()))
    assert found[:2] == [OutputEntry("a", text=text), OutputEntry("b", text=text)]
    assert [record.name for record in found[2:]] == ["line 4"]


def test_spans_are_normalised() -> None:
    (record,) = read(lines({"sha256": "ab", "spans": [[5, 9, "body"], [0, 5, "body"]], "document": "cd"}))
    assert record == OutputEntry("ab", spans=[[0, 9, "body"]], document="cd")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"a": {"articleBody": "One', "may be cut off"),
        (b'{"a": "One", "b"', "may be cut off"),
        (b'{"a": oops}', "is not valid JSON"),
        ('{"a": "ñ"}'.encode("latin-1"), "not in UTF-8 (byte 8)"),
        ('{"a": "x"}'.encode("utf-16"), "UTF-16"),
        (b"[1, 2]", "not a JSON object"),
        (b"  \n ", "is empty"),
        (gzip.compress(b'{"a": "One"}', mtime=0)[:-9], "not valid gzip"),
        (gzip.compress(b" " * (33 << 20)), "larger than 32 MiB"),
        (b'{"a": ' * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(reader: OutputReader, data: bytes, why: str) -> None:
    with pytest.raises(FormatError) as refusal:
        list(reader.records(data))
    assert why in str(refusal.value)


def test_a_bad_record_is_refused_alone() -> None:
    data = lines(
        {"id": "a", "text": "One"},
        '{"id": "b", "text": "cut o',
        {"id": "c"},
        {"id": "d", "text": 5},
        {"text": "no name"},
        {"id": "e", "spans": [[3, 1, "body"]]},
        {"id": "f", "spans": [[0, 1]]},
        {"id": "g", "text": "\ud800"},
        {"id": "h", "text": "Two"},
    )
    found = list(read(data))
    assert [record.name for record in found if not record.problem] == ["a", "h"]
    assert found[1].name == "line 2"
    assert "neither articleBody" in found[2].problem
    assert len(found) == 9


@pytest.mark.parametrize("first", [{"text": "no name"}, {"id": 7, "text": "no text"}])
def test_a_bad_first_line_is_refused_alone_too(first: dict[str, object]) -> None:
    refused, taken = read(lines(first, {"id": "b", "text": "Two"}))
    assert (refused.name, taken) == ("line 1", OutputEntry("b", text="Two"))
    assert "names no page" in refused.problem


def test_an_id_that_comes_twice_comes_twice() -> None:
    assert [record.text for record in read(b'{"a": "One", "a": "Two"}')] == ["One", "Two"]


def test_the_child_gives_all_batches(reader: OutputReader) -> None:
    data = json.dumps({str(number): "x" * 10_000 for number in range(1_200)}).encode()
    assert len(list(reader.records(data))) == 1_200


def test_a_file_whose_child_was_killed_between_batches_is_not_taken_for_read(reader: OutputReader) -> None:
    found = reader.records(json.dumps({str(number): "x" for number in range(1_200)}).encode())
    next(found)
    reader.close()  # as where the kernel kills it while nothing is asked
    with pytest.raises(ChildProcessError):
        list(found)


def test_the_published_outputs_are_read_as_they_are() -> None:
    files = sorted((SCRAPINGHUB / "output").glob("*.json"))
    assert len(files) == (14 if HAS_REAL_PAGES else 0)
    for file in files:
        found = list(read(file.read_bytes()))
        assert len(found) == 181, file.name
        assert not [record for record in found if record.problem], file.name
