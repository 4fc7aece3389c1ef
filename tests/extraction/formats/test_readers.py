"""Readers stream, and a bad record stops nothing."""

import gzip
import json
import os
import socket
import tarfile
from pathlib import Path
from typing import Any

import pytest

from extraction.formats import (
    READERS,
    BadRecord,
    FormatError,
    GoldRecord,
    PageRecord,
    files,
    html,
    jsonl,
    scrapinghub,
)
from extraction.formats.records import MAX_BYTES, Cause
from extraction.spans import Span
from tests.extraction.corpora import PUBLISHED

PAGE = "<p>Brücke öffnet"
LINK = "is a symbolic link: links are not followed, copy what it points to"


def lines(path: Path, *rows: Any) -> Path:
    path.write_bytes(b"\n".join(r if isinstance(r, bytes) else json.dumps(r).encode() for r in rows))
    return path


def only_bad(found: list[PageRecord | BadRecord]) -> BadRecord:
    (bad,) = [record for record in found if isinstance(record, BadRecord)]
    return bad


def test_html_reads_folders_in_order_with_what_lies_beside(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes(b"<p>b")
    (tmp_path / "a.htm").write_bytes(b"<p>a")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c.html.gz").write_bytes(gzip.compress(b"<p>c"))
    (tmp_path / "notes.txt").write_text("no page")
    gold = {"text": "b", "labels": ["headline", "body"]}
    (tmp_path / "b.json").write_text(
        json.dumps({"url": "https://example.org/b", "language": "en", "gold": gold})
    )
    first, second, third = html.read(tmp_path)
    assert first == PageRecord("a.htm", b"<p>a")
    assert isinstance(second, PageRecord)
    assert (second.url, second.language, second.default_label_set) == ("https://example.org/b", "en", "main")
    assert second.gold == GoldRecord(text="b", labels=frozenset({"headline", "body"}))
    assert third == PageRecord("inner/c.html.gz", b"<p>c")


def test_a_page_that_was_saved_packed_is_unpacked_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(gzip.compress(PAGE.encode()))
    (tmp_path / "b.html").write_bytes(gzip.compress(PAGE.encode())[:-9])
    for reader in (html, files):
        page, bad = reader.read(tmp_path)
        assert isinstance(page, PageRecord)
        assert (page.location, page.raw) == ("a.html", PAGE.encode())
        assert isinstance(bad, BadRecord)
        assert "Compressed file ended" in bad.reason


def test_lines_that_were_packed_are_unpacked_whatever_the_name_of_their_file(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(gzip.compress(json.dumps({"html": PAGE}).encode() + b"\n"))
    for found in (jsonl.read(path), files.read(tmp_path)):
        (page,) = found
        assert isinstance(page, PageRecord)
        assert page.raw == PAGE.encode()


@pytest.mark.parametrize("name", ["pages.tgz", "pages.tar.gz", "pages.tar"])
def test_an_archive_of_another_kind_is_no_page(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.html").write_bytes(PAGE.encode())
    packed = tmp_path / name
    with tarfile.open(packed, "w:gz" if name.endswith("gz") else "w") as archive:
        archive.add(tmp_path / "a.html", "a.html")
    (tmp_path / "a.html").unlink()
    bad = only_bad(list(files.read(tmp_path)))
    assert bad.cause == Cause.NESTED


def test_html_goes_on_after_bad_files(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(b"not gzip")
    (tmp_path / "b.html").write_bytes(b"<p>b")
    (tmp_path / "b.json").write_text("{")
    (tmp_path / "c.html").write_bytes(b"<p>c")
    (tmp_path / "c.json").mkdir()
    (tmp_path / "d.html").write_bytes(b"<p>d")
    found = list(html.read(tmp_path))
    reasons = {bad.location: bad.reason for bad in found if isinstance(bad, BadRecord)}
    assert "not valid gzip" in reasons["a.html.gz"]
    assert "b.json is not valid JSON" in reasons["b.html"]
    assert reasons["c.html"] == "c.json cannot be read: Is a directory"
    assert found[-1] == PageRecord("d.html", b"<p>d")


def test_html_follows_no_symbolic_links_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    (outside / "folder").mkdir(parents=True)
    (outside / "folder" / "a.html").write_bytes(b"<p>secret")
    (outside / "a.json").write_text('{"url": "secret"}')
    inside.mkdir()
    (inside / "a.html").symlink_to(outside / "folder" / "a.html")
    (inside / "b.html").write_bytes(b"<p>b")
    (inside / "b.json").symlink_to(outside / "a.json")
    (inside / "c.html").symlink_to(tmp_path / "gone")
    (inside / "d").symlink_to(outside / "folder")
    monkeypatch.chdir(inside)
    socket.socket(socket.AF_UNIX).bind("e.html")
    (inside / os.fsdecode(b"f\xff.html")).write_bytes(b"<p>f")
    (tmp_path / "link").symlink_to(inside)
    *left_out, page = sorted(html.read(tmp_path / "link"), key=lambda record: record.location)
    assert page == PageRecord("f\ufffd.html", b"<p>f")
    assert [(bad.location, bad.reason) for bad in left_out if isinstance(bad, BadRecord)] == [
        ("a.html", LINK),
        ("b.html", f"its b.json {LINK}"),
        ("c.html", LINK),
        ("d", LINK),
        ("e.html", "is not a file"),
    ]
    assert html.count(inside) == 6


def test_html_wants_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="is not a folder"):
        list(html.read(tmp_path / "missing"))


def test_names_of_compressed_files_may_have_capitals(tmp_path: Path) -> None:
    (tmp_path / "A.HTML.GZ").write_bytes(gzip.compress(PAGE.encode()))
    (tmp_path / "B.JSONL.GZ").write_bytes(gzip.compress(json.dumps({"html": PAGE}).encode()))
    found = list(READERS["files"].read(tmp_path))
    assert [getattr(record, "raw", record) for record in found] == [PAGE.encode()] * 2


def test_a_page_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bomb.html.gz").write_bytes(gzip.compress(bytes(MAX_BYTES + 1)))
    assert "larger than" in only_bad(list(html.read(tmp_path))).reason


def test_jsonl_reads_text_and_bytes(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "pages.jsonl",
        {"html": PAGE, "url": "https://example.org/", "captured_at": "2026-01-02T03:04:05Z"},
        b"",
        {"html_base64": "PHA+QvxoIA==", "charset": "windows-1252"},
    )
    first, second = jsonl.read(path)
    assert isinstance(first, PageRecord)
    assert (first.raw, first.captured_at, first.location) == (
        PAGE.encode(),
        "2026-01-02T03:04:05Z",
        "pages.jsonl:1",
    )
    assert second == PageRecord("pages.jsonl:3", b"<p>B\xfch ", charset="windows-1252")


def test_jsonl_reads_gold(tmp_path: Path) -> None:
    gold = {"verdict": "article", "spans": [[0, 3, "body"]], "parser": "1+x", "labels": ["body"]}
    (record,) = jsonl.read(lines(tmp_path / "pages.jsonl", {"html": PAGE, "gold": gold}))
    assert isinstance(record, PageRecord)
    assert record.gold == GoldRecord(spans=(Span(0, 3, "body"),), parser="1+x", labels=frozenset({"body"}))
    assert record.default_label_set == "body"


def test_jsonl_reads_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps({"html": PAGE}).encode()))
    assert [record.location for record in jsonl.read(path)] == ["pages.jsonl.gz:1"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b'{"html": ', "not valid JSON"),
        (b"\xff\xfe", "not in UTF-8"),
        (b"[" * 100_000, "not valid JSON"),
        ([1], "not a JSON object"),
        ({"url": "https://example.org"}, "neither html nor html_base64"),
        ({"html": None}, "neither html nor html_base64"),
        ({"html_base64": "!"}, "html cannot be read"),
        ({"html_base64": "é"}, "html cannot be read"),
        (b'{"html": "\\ud800"}', "html cannot be read"),
        ({"html": PAGE, "url": 3}, "url is not a text"),
        (b'{"html": "x", "url": "\\ud800"}', "url is not a text"),
        ({"html": PAGE, "language": "e\0n"}, "language is not a text"),
        ({"html": PAGE, "charset": []}, "charset is not a text"),
        ({"html": PAGE, "sha256": "00"}, "sha256 is not that of the page"),
        ({"html": PAGE, "gold": "x"}, "gold is not an object"),
        ({"html": PAGE, "gold": {"spans": [[0, 1]]}}, "spans are not"),
        ({"html": PAGE, "gold": {"spans": [[0, 3, "a"], [1, 2, "b"]]}}, "overlap"),
        ({"html": PAGE, "gold": {"text": 3}}, "text is not a text"),
        ({"html": PAGE, "gold": {"labels": "body"}}, "labels is not a list"),
    ],
)
def test_jsonl_goes_on_after_a_bad_line(tmp_path: Path, row: Any, reason: str) -> None:
    found = list(jsonl.read(lines(tmp_path / "pages.jsonl", {"html": "<p>1"}, row, {"html": "<p>3"})))
    assert [record.location for record in found] == ["pages.jsonl:1", "pages.jsonl:2", "pages.jsonl:3"]
    assert reason in only_bad(found).reason
    assert only_bad(found).location == "pages.jsonl:2"


def test_jsonl_skips_a_line_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE", 100)
    path = lines(tmp_path / "pages.jsonl", {"html": "x" * 3_000_000}, {"html": "<p>2"})
    first, second = jsonl.read(path)
    assert isinstance(first, BadRecord)
    assert "longer than 100 bytes" in first.reason
    assert isinstance(second, PageRecord)


def test_jsonl_reports_where_a_compressed_file_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl.gz"
    rows = b"\n".join(json.dumps({"html": f"<p>{n}"}).encode() for n in range(5000))
    path.write_bytes(gzip.compress(rows)[:-2000])
    *good, last = jsonl.read(path)
    assert good
    assert isinstance(last, BadRecord)
    assert "damaged from here on" in last.reason


def test_jsonl_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        list(jsonl.read(tmp_path / "missing.jsonl"))


def corpus(folder: Path, truth: Any, **pages: bytes) -> Path:
    (folder / "html").mkdir()
    (folder / "ground-truth.json").write_text(json.dumps(truth))
    for name, data in pages.items():
        (folder / "html" / f"{name}.html.gz").write_bytes(data)
    return folder


def test_scrapinghub_reads_pages_with_gold(tmp_path: Path) -> None:
    truth = {"ab": {"articleBody": "Bridge", "url": "https://example.org/ab"}}
    (record,) = scrapinghub.read(corpus(tmp_path, truth, ab=gzip.compress(b"<p>Bridge")))
    assert isinstance(record, PageRecord)
    assert (record.raw, record.url, record.default_label_set) == (
        b"<p>Bridge",
        "https://example.org/ab",
        "body",
    )
    assert record.gold == GoldRecord(text="Bridge", labels=frozenset({"body"}))


def test_scrapinghub_goes_on_after_bad_records(tmp_path: Path) -> None:
    entry = {"articleBody": "x", "url": "u"}
    truth = {"gone": entry, "bad": entry, "../up": entry, "none": {"url": "u"}, "list": [], "good": entry}
    page = gzip.compress(b"<p>x")
    found = list(scrapinghub.read(corpus(tmp_path, truth, bad=page[:-9], none=page, list=page, good=page)))
    reasons = {bad.location: bad.reason for bad in found if isinstance(bad, BadRecord)}
    assert list(reasons) == ["gone", "bad", "../up", "none", "list"]
    assert "No such file" in reasons["gone"]
    assert "not valid gzip" in reasons["bad"]
    assert reasons["../up"] == "is not a file name"
    assert reasons["none"] == reasons["list"] == "has no articleBody"
    assert found[-1].location == "good"


@pytest.mark.parametrize("truth", ["[]", "{", None])
def test_scrapinghub_wants_a_ground_truth(tmp_path: Path, truth: str | None) -> None:
    if truth is not None:
        (tmp_path / "ground-truth.json").write_text(truth)
    with pytest.raises(FormatError, match=r"ground-truth\.json"):
        list(scrapinghub.read(tmp_path))


def test_a_whole_corpus_has_no_bad_record(tmp_path: Path) -> None:
    entry = {"articleBody": "Bridge", "url": "https://example.org/ab"}
    own = corpus(tmp_path, {"ab": entry}, ab=gzip.compress(b"<p>Bridge"))
    for folder, pages in [(own, 1), *([(PUBLISHED, 181)] if PUBLISHED.is_dir() else [])]:
        found = list(scrapinghub.read(folder))
        assert len(found) == pages
        assert all(isinstance(record, PageRecord) and record.gold and record.url for record in found)


def test_readers_say_how_many_records_there_are(tmp_path: Path) -> None:
    entry = {"articleBody": "Bridge", "url": "https://example.org/ab"}
    assert scrapinghub.count(corpus(tmp_path, {"ab": entry, "cd": entry}, ab=b"")) == 2
    assert html.count(tmp_path) == 1
