"""Readers of published corpora, on small corpora of the same shape: what is gold, and what is refused."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from extraction.formats import BadRecord, FormatError, GoldRecord, PageRecord, cleaneval, wcxb
from extraction.spans import LABEL_SETS

TOGETHER = frozenset({"body+headline"})


def reasons(found: list[PageRecord | BadRecord]) -> dict[str, str]:
    return {bad.location: bad.reason for bad in found if isinstance(bad, BadRecord)}


def wcxb_corpus(folder: Path, **entries: Any) -> Path:
    for inner in ("html", "ground-truth"):
        (folder / inner).mkdir()
    for name, entry in entries.items():
        text = entry if isinstance(entry, str) else json.dumps(entry)
        (folder / "ground-truth" / f"{name}.json").write_text(text)
        (folder / "html" / f"{name}.html.gz").write_bytes(gzip.compress(b"<h1>Bridge</h1><p>It opens"))
    return folder


def entry(text: Any, kind: str = "article") -> dict[str, Any]:
    truth = {"main_content": text, "title": "Bridge"}
    return {"url": "https://x.org/", "_internal": {"page_type": {"primary": kind}}, "ground_truth": truth}


def test_wcxb_reads_articles_as_headline_and_body_together(tmp_path: Path) -> None:
    corpus = wcxb_corpus(tmp_path, a=entry("Bridge\n\nIt opens"), b=entry("x", "forum"), c=entry(None))
    first, without_gold = wcxb.read(corpus)
    assert isinstance(first, PageRecord)
    assert isinstance(without_gold, PageRecord)
    assert first.gold == GoldRecord(text="Bridge\n\nIt opens", labels=TOGETHER)
    assert (first.location, first.url, first.default_label_set) == ("a", "https://x.org/", "main")
    assert without_gold.gold is None
    assert wcxb.count(corpus) == 3


def test_wcxb_goes_on_after_bad_records(tmp_path: Path) -> None:
    corpus = wcxb_corpus(tmp_path, a="{", b="[]", c=entry(3), d=entry("x"), e=entry("x"), f={"url": 1})
    (corpus / "html" / "d.html.gz").write_bytes(b"no gzip")
    found = list(wcxb.read(corpus))
    assert list(reasons(found)) == ["a", "b", "c", "d", "f"]
    assert "not valid JSON" in reasons(found)["a"]
    assert reasons(found)["c"] == "main_content is not a text"
    assert "not valid gzip" in reasons(found)["d"]
    assert found[4].location == "e"


def test_wcxb_wants_a_ground_truth(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has no folder ground-truth"):
        list(wcxb.read(tmp_path))


def cleaneval_page(folder: Path, number: int, page: bytes, gold: bytes | None) -> None:
    for inner in ("input", "GoldStandard"):
        (folder / inner).mkdir(parents=True, exist_ok=True)
    (folder / "input" / f"{number}.html").write_bytes(page)
    if gold is not None:
        (folder / "GoldStandard" / f"{number}.txt").write_bytes(gold)


def test_cleaneval_takes_off_the_wrapper_and_the_marks(tmp_path: Path) -> None:
    page = b'<text id="https://x.org/1"\ntitle="A <br/> title" encoding="utf8">\n<p>Hi <text>\n</text>'
    gold = "\ufeffURL: https://x.org/1\n\n<h>  Bridge opens<p>It did\n  on Monday.\n".encode()
    cleaneval_page(tmp_path, 10, page, gold)
    cleaneval_page(tmp_path, 9, b"<p>No wrapper", None)
    nine, ten = cleaneval.read(tmp_path)
    assert nine == PageRecord("9", b"<p>No wrapper", default_label_set="main")
    assert isinstance(ten, PageRecord)
    assert (ten.raw, ten.url, ten.charset) == (b"<p>Hi <text>", "https://x.org/1", None)
    assert ten.gold == GoldRecord(
        text="Bridge opens\nIt did\non Monday.",
        marked="<h>  Bridge opens<p>It did\n  on Monday.",
        labels=TOGETHER,
    )
    assert cleaneval.count(tmp_path) == 2


def test_cleaneval_reads_dev_and_final_together(tmp_path: Path) -> None:
    cleaneval_page(tmp_path / "final", 2, b"<p>b", b"b")
    cleaneval_page(tmp_path / "dev", 1, b"<p>a", b"a")
    assert [record.location for record in cleaneval.read(tmp_path)] == ["dev/1", "final/2"]


def test_cleaneval_gold_may_mix_encodings(tmp_path: Path) -> None:
    cleaneval_page(tmp_path, 1, b"<p>x", b"Caf\xc3\xa9 \x93open\x94 vis-\xc3 -vis\0")
    (record,) = cleaneval.read(tmp_path)
    assert isinstance(record, PageRecord)
    assert record.gold is not None
    assert record.gold.text == "Café “open” vis-Ã -vis"


def test_cleaneval_goes_on_after_what_cannot_be_read(tmp_path: Path) -> None:
    cleaneval_page(tmp_path, 1, b"<p>x", b"x")
    (tmp_path / "input" / "2.html").symlink_to(tmp_path / "gone")
    cleaneval_page(tmp_path, 3, b"", b"")
    found = list(cleaneval.read(tmp_path))
    assert "No such file" in reasons(found)["2"]
    assert [record.location for record in found] == ["1", "2", "3"]


def test_cleaneval_wants_its_folders(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has a folder input"):
        list(cleaneval.read(tmp_path))


def test_gold_of_headline_and_body_together_tells_main_alone() -> None:
    gold = GoldRecord(text="x", labels=TOGETHER)
    assert gold.can_tell(LABEL_SETS["main"])
    assert not gold.can_tell(LABEL_SETS["body"])
    assert not gold.can_tell(LABEL_SETS["article"])
    assert gold.default_label_set == "main"
