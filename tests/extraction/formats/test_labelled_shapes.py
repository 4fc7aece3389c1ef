"""Readers of corpora whose gold has labels: L3S-GN1, GoogleTrends-2017 and Dragnet, on small ones of their
shape."""

import gzip
from pathlib import Path

import pytest

from extraction.formats import (
    BadRecord,
    FormatError,
    GoldRecord,
    PageRecord,
    boilernet,
    dragnet,
    l3s,
    place,
)
from extraction.formats.gold import from_json, to_json
from extraction.formats.warc import read_records
from extraction.parsing.parse import parse
from extraction.spans import LABEL_SETS

PAGE = (
    "<title>Daily</title><div>Menu of the daily</div><h1>Bridge opens</h1><p>Photo: Ann Lee</p>"
    "<p>The bridge will open <b>in spring</b>, they said.</p><p>More on this story</p><p>I like it a lot</p>"
)
ANNOTATED = (
    "<title>Daily</title><div><span class='x-nc-sel0'>Menu of the daily</span></div>"
    "<span class='x-nc-sel2'><h1><span class='a x-nc-sel1'>Bridge opens</span></h1>"
    "<p><span class='x-nc-sel3'>Photo: <span class='x-nc-sel0'>Ann Lee</span></span></p>"
    "<p>The bridge will open <b>in spring</b>, they said.</p></span>"
    "<p class='x-nc-sel4 b'>More on this story</p><p><span class='x-nc-sel5'>I like it a lot</span></p>"
)
LABELLED = [
    ("Bridge opens", "headline"),
    ("Photo:", "supplemental"),
    ("The bridge will open in spring, they said.", "body"),
    ("More on this story", "related"),
    ("I like it a lot", "comments"),
]


def labelled(record: PageRecord | BadRecord) -> list[tuple[str, str]]:
    """The texts of the gold with their labels, as they lie in the page."""
    assert isinstance(record, PageRecord)
    assert record.gold is not None
    document = parse(record.raw, record.charset)
    return [(document.text[start:end], label) for start, end, label in place(record.gold, document).spans]


def reasons(found: list[PageRecord | BadRecord]) -> dict[str, str]:
    return {bad.location: bad.reason for bad in found if isinstance(bad, BadRecord)}


def warc(kind: str, name: str, block: bytes, *more: str) -> bytes:
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{name}>",
        *more,
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def original(name: str, block: bytes = PAGE.encode()) -> bytes:
    uri, date = f"WARC-Target-URI: https://x.org/{name}", "WARC-Date: 2010-01-30T20:39:47Z"
    return warc("resource", name, block, uri, date, "Content-Type: text/html; charset=utf-8")


def copy(name: str, block: bytes = ANNOTATED.encode()) -> bytes:
    return warc("conversion", f"{name}-copy", block, f"WARC-Refers-To: <urn:uuid:{name}>")


@pytest.mark.parametrize("compressed", [True, False])
def test_l3s_classes_become_labels(tmp_path: Path, compressed: bool) -> None:
    records = [warc("warcinfo", "0", b"x"), original("a"), copy("b"), copy("a"), original("b")]
    path = tmp_path / ("l3s.warc.gz" if compressed else "l3s.warc")
    path.write_bytes(b"".join(gzip.compress(record) if compressed else record for record in records))
    first, second = l3s.read(tmp_path)
    assert isinstance(first, PageRecord)
    assert (first.location, first.url, first.charset) == ("a", "https://x.org/a", "utf-8")
    assert (first.captured_at, first.default_label_set) == ("2010-01-30T20:39:47Z", "article")
    assert first.raw == PAGE.encode()
    assert labelled(first) == labelled(second) == LABELLED
    assert list(l3s.read(path)) == [first, second]


def test_l3s_reads_folders(tmp_path: Path) -> None:
    for folder, page in (("original", PAGE), ("annotated", ANNOTATED)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "7.html").write_text(page)
    (tmp_path / "original" / "8.html").write_text(PAGE)
    (tmp_path / "original" / "9.html").write_text(PAGE)
    (tmp_path / "annotated" / "9.html").write_text(ANNOTATED.replace("x-nc-", "y-"))
    found = list(l3s.read(tmp_path))
    assert [record.location for record in found] == ["7", "8", "9"]
    assert labelled(found[0]) == LABELLED
    assert "No such file" in reasons(found)["8"]
    assert labelled(found[2]) == []
    assert l3s.count(tmp_path) == 3


def test_l3s_gold_is_brought_to_a_page_that_differs_from_its_copy(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(original("a", PAGE.replace("Menu", "Home Menu").encode()) + copy("a"))
    (record,) = l3s.read(tmp_path)
    assert labelled(record) == LABELLED


def test_l3s_reports_what_does_not_pair_or_parse(tmp_path: Path) -> None:
    bad = copy("c", b"<p>" * 400_000)
    (tmp_path / "a.warc").write_bytes(
        original("a") + copy("b") + original("c") + bad + original("d") + copy("d")
    )
    found = list(l3s.read(tmp_path))
    assert reasons(found)["a"] == "has no annotated copy"
    assert reasons(found)["b-copy"] == "is the copy of a page that is not there"
    assert "annotated page cannot be parsed" in reasons(found)["c"]
    assert [record.location for record in found if isinstance(record, PageRecord)] == ["d"]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (b"<html>", "Unknown archive format"),
        (b"WARC/1.0\r\nWARC-Type: resource\r\n\r\n", "has no Content-Length"),
        (b"WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n", "ends inside a record"),
        (b"WARC/1.0\r\nContent-Length: 9\r\n\r\nabc", "ends inside a record"),
        (b"WARC/1.0\r\n" + b"a: b\r\n" * 999, "has no Content-Length"),
    ],
)
def test_l3s_keeps_what_came_before_the_damage(tmp_path: Path, damage: bytes, reason: str) -> None:
    (tmp_path / "a.warc").write_bytes(original("a") + copy("a") + damage)
    good, bad = l3s.read(tmp_path / "a.warc")
    assert isinstance(good, PageRecord)
    assert isinstance(bad, BadRecord)
    assert bad.location == "a.warc:3"
    assert reason in bad.reason


def test_l3s_reports_a_broken_compressed_file(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(original("a") + copy("a"))[:-20])
    assert any("damaged from here on" in reason for reason in reasons(list(l3s.read(tmp_path))).values())


def test_l3s_wants_pages(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="neither WARC files nor folders"):
        list(l3s.read(tmp_path))
    with pytest.raises(FormatError, match="cannot be read"):
        list(read_records(tmp_path / "gone.warc"))


def googletrends(folder: Path) -> Path:
    for inner in ("raw_html", "prepared_html"):
        (folder / inner).mkdir()
    prepared = (
        '<div><span __boilernet_label="0">Menu of the daily</span></div>'
        '<h1><span __boilernet_label="1">\n Bridge opens\n</span></h1>\n'
        '<p><span __boilernet_label="1">The bridge</span>\n <b>\n'
        '<span __boilernet_label="0">buy now it is cheap</span></b></p>'
    )
    raw = "<div>Menu of the daily</div><h1>Bridge opens</h1><p>The bridge <b>buy now it is cheap</b></p>"
    (folder / "raw_html" / "1.html").write_text(raw)
    (folder / "raw_html" / "2.html").write_text("x")
    (folder / "prepared_html" / "1.html").write_text(prepared)
    return folder


def test_boilernet_reads_the_labels_of_prepared_pages(tmp_path: Path) -> None:
    found = list(boilernet.read(googletrends(tmp_path)))
    assert labelled(found[0]) == [("Bridge opens", "content"), ("The bridge", "content")]
    assert isinstance(found[0], PageRecord)
    assert found[0].default_label_set == "article"
    assert found[0].gold is not None
    assert found[0].gold.can_tell(LABEL_SETS["article"])
    assert not found[0].gold.can_tell(LABEL_SETS["body"])
    assert "No such file" in reasons(found)["2"]
    assert boilernet.count(tmp_path) == 2


def test_boilernet_wants_both_folders(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has no folders"):
        list(boilernet.read(tmp_path))


def dragnet_corpus(folder: Path, **golds: bytes) -> Path:
    (folder / "HTML").mkdir()
    (folder / "Corrected").mkdir()
    page = "<p>Menu</p><h1>Bridge opens today</h1><p>It did on Monday.</p><p>Ann: I like it</p>"
    for name, gold in golds.items():
        (folder / "HTML" / f"{name}.html").write_text(page)
        (folder / "Corrected" / f"{name}.html.corrected.txt").write_bytes(gold)
    return folder


def test_dragnet_tells_comments_from_content(tmp_path: Path) -> None:
    text = b"\n Bridge opens today\n\nIt did on Monday.\n!@#$%^&*()  COMMENTS\nAnn: I like it\n"
    (record,) = dragnet.read(dragnet_corpus(tmp_path, T1=text))
    assert labelled(record) == [
        ("Bridge opens today", "content"),
        ("It did on Monday.", "content"),
        ("Ann: I like it", "comments"),
    ]
    assert isinstance(record, PageRecord)
    assert record.default_label_set == "main"
    gold = record.gold
    assert gold is not None
    assert gold.can_tell(LABEL_SETS["main"])
    assert not gold.can_tell(LABEL_SETS["any"])


def test_dragnet_knows_pages_without_gold_or_comments(tmp_path: Path) -> None:
    corpus = dragnet_corpus(tmp_path, a=b"", b=b"Bridge opens today", c=b"x")
    (corpus / "Corrected" / "c.html.corrected.txt").unlink()
    (corpus / "HTML" / "d.html").symlink_to(tmp_path / "gone")
    empty, plain, none, bad = dragnet.read(corpus)
    assert labelled(empty) == []
    assert labelled(plain) == [("Bridge opens today", "content")]
    assert isinstance(none, PageRecord)
    assert none.gold is None
    assert isinstance(bad, BadRecord)
    assert dragnet.count(corpus) == 4


def test_dragnet_wants_its_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has no folder HTML"):
        list(dragnet.read(tmp_path))


def test_gold_with_a_base_survives_json(tmp_path: Path) -> None:
    (record,) = dragnet.read(dragnet_corpus(tmp_path, a=b"x\n!@#$%^&*()  COMMENTS\ny"))
    assert isinstance(record, PageRecord)
    assert isinstance(record.gold, GoldRecord)
    assert from_json(to_json(record.gold)) == record.gold
