"""What is written reads back, and the same records give the same bytes."""

import io
import json
import zipfile
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.formats import WRITERS, FormatError, GoldRecord, PageRecord, jsonl, scrapinghub
from extraction.spans import Span

GOLD = GoldRecord(
    spans=(Span(0, 6, "headline"), Span(8, 20, "body")),
    text="Bridge\n\nIt is open.",
    labels=frozenset({"headline", "body"}),
    parser="1+selectolax-1.0.2",
)
RECORDS = sorted(
    [
        PageRecord("1", "<h1>Brücke</h1>".encode(), url="https://example.org/1", language="de", gold=GOLD),
        PageRecord("2", b"<p>B\xfccke\x80", charset="windows-1252", captured_at="2026-01-02T03:04:05Z"),
        PageRecord(
            "3", b"", gold=GoldRecord(verdict="not-an-article", spans=(), parser="1+selectolax-1.0.2")
        ),
        PageRecord(
            "4",
            "\ufeff<p>a\u2028b\r\n😀</p>\x00".encode(),
            url="https://example.org/4",
            gold=GoldRecord(text="x"),
        ),
    ],
    key=lambda record: record.sha256,
)


def facts(record: PageRecord) -> tuple[object, ...]:
    return (record.raw, record.url, record.charset, record.captured_at, record.language, record.gold)


def written(records: list[PageRecord]) -> bytes:
    stream = io.BytesIO()
    assert jsonl.WRITER.write(records, stream) == len(records)
    return stream.getvalue()


def read_back(data: bytes, folder: Path) -> list[PageRecord]:
    path = folder / "pages.jsonl"
    path.write_bytes(data)
    return [record for record in jsonl.read(path) if isinstance(record, PageRecord)]


def test_jsonl_reads_back_what_was_written(tmp_path: Path) -> None:
    assert [facts(r) for r in read_back(written(RECORDS), tmp_path)] == [facts(r) for r in RECORDS]


FOLDERS = count()


@given(st.binary(max_size=60))
def test_jsonl_keeps_any_bytes(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    folder = tmp_path_factory.mktemp(f"any{next(FOLDERS)}")
    (record,) = read_back(written([PageRecord("1", raw)]), folder)
    assert record.raw == raw


def test_jsonl_writes_sorted_keys_and_nothing_of_ours() -> None:
    rows = [json.loads(line) for line in written(RECORDS).splitlines()]
    assert all(list(row) == sorted(row) for row in rows)
    known = {"url", "html", "html_base64", "charset", "captured_at", "language", "sha256", "gold"}
    assert set().union(*rows) == known
    assert [row["sha256"] for row in rows] == sorted(row["sha256"] for row in rows)


def test_the_same_records_give_the_same_bytes() -> None:
    elsewhere = [PageRecord(f"other {r.location}", *facts(r)) for r in RECORDS]  # type: ignore[arg-type]
    assert written(elsewhere) == written(RECORDS)
    first, second = io.BytesIO(), io.BytesIO()
    scrapinghub.WRITER.write(RECORDS, first)
    scrapinghub.WRITER.write(elsewhere, second)
    assert first.getvalue() == second.getvalue()


@pytest.mark.parametrize("name", sorted(name for name in WRITERS if not WRITERS[name].needs_tree))
@pytest.mark.parametrize("records", [RECORDS[::-1], [RECORDS[0], RECORDS[0]]], ids=["backwards", "twice"])
def test_records_out_of_order_are_refused(name: str, records: list[PageRecord]) -> None:
    with pytest.raises(FormatError, match="ordered by digest"):
        WRITERS[name].write(records, io.BytesIO())


def test_scrapinghub_reads_back_text_and_pages(tmp_path: Path) -> None:
    with_gold = [record for record in RECORDS if record.gold]
    assert scrapinghub.WRITER.write_folder(RECORDS, tmp_path) == len(with_gold)
    back = [record for record in scrapinghub.read(tmp_path) if isinstance(record, PageRecord)]
    assert [(r.raw, r.url, r.location) for r in back] == [(r.raw, r.url, r.sha256) for r in with_gold]
    texts = [r.gold.text for r in with_gold if r.gold]
    assert [r.gold.text for r in back if r.gold] == [text or "" for text in texts]


def test_scrapinghub_archive_holds_the_same_files(tmp_path: Path) -> None:
    stream = io.BytesIO()
    assert scrapinghub.WRITER.write(RECORDS, stream) == 3
    scrapinghub.WRITER.write_folder(RECORDS, tmp_path)
    with zipfile.ZipFile(stream) as archive:
        assert all((tmp_path / name).read_bytes() == archive.read(name) for name in archive.namelist())
        assert len(archive.namelist()) == 4
