"""Every extractor of our own on pages that nobody wrote for a reader: valid spans, in little time."""

import random
import time

import pytest

from extraction.documents.document import Document
from extraction.extractors import extract, own_names
from extraction.parsing.parse import parse
from extraction.spans import check
from tests.extraction.corpora import EXAMPLE
from tests.extraction.news import NEWS, page_of

NEWS_PAGE = page_of(NEWS["en"]).encode()

#: Pages that are parsed, and then for the extractors to cope with.
BAD = {
    "empty body": b"<html><head><title>Title</title></head><body></body></html>",
    "no text": b"<p> </p><img src=x><script>var x = 1</script>",
    "one word": b"word",
    "one character": b".",
    "one tag": b"<p",
    "one link": b"<p><a href=x>only a link</a></p>",
    "only a title": b"<title>a",
    "unclosed title": b"<title>a<body><p>" + b"words and words " * 20,
    "only links": b"<ul>" + b"<li><a href=x>Some link</a>" * 1_000 + b"</ul>",
    "only headings": b"<h1>One</h1><h1>Two</h1><h2>Three</h2>",
    "only hidden": b"<div hidden><p>Nobody sees this, ever.</p></div>",
    "NULs": b"\0" * 2_000 + NEWS_PAGE.replace(b" ", b"\0 ") + b"\0",
    "UTF-16": page_of(NEWS["zh"]).encode("utf-16"),
    "UTF-16 without mark": page_of(NEWS["en"]).encode("utf-16-le"),
    "wrong charset": page_of(NEWS["ru"]).replace("utf-8", "iso-8859-1").encode("utf-8"),
    "half a character": page_of(NEWS["ja"]).encode()[:2_501],
    "truncated": NEWS_PAGE[: len(NEWS_PAGE) // 2],
    "cut in a tag": NEWS_PAGE[: NEWS_PAGE.index(b"<figure") + 4],
    "binary": b"<html>" + random.Random(5).randbytes(60_000),
    "5,000 blocks": b"<div>" + b"<p>One of very many paragraphs, each as long as the next.</p>" * 5_000,
    "many breaks": b"<body>" + b"a<br><br>" * 1_000,
    "short lines": b"<li>x" * 1_000,
    "5,000 names": b"".join(
        b"<div class='c%d x%d'><p>Some words here</p></div>" % (n, n) for n in range(5_000)
    ),
    "2,500 branches": b"<div><p>Some words" * 2_500,
    "nested tables": b"<table><tr><td>it was on the way" * 200,
    "300 kB in a name": b"<div class='" + b"related " * 40_000 + b"'>" + NEWS_PAGE,
    "one long word": b"<p>" + b"x" * 300_000,
    "one long title": b"<title>" + b"word " * 50_000 + b"</title>" + NEWS_PAGE,
    "controls": b"<p>\x01\x02\x0b\x1c text \x85\x9f</p>",
    "frames": b"<frameset><frame src=a><noframes>words</noframes></frameset>",
}


@pytest.fixture(scope="module")
def pages() -> dict[str, Document]:
    return {kind: parse(raw) for kind, raw in BAD.items()}


@pytest.mark.parametrize("kind", BAD)
def test_spans_in_little_time(kind: str, pages: dict[str, Document]) -> None:
    page = pages[kind]
    for name in own_names():
        started = time.process_time()
        spans = extract(page, name)
        assert time.process_time() - started < 6, name  # the slowest takes one second
        assert isinstance(spans, list), name
        check(spans, page)
        if kind in ("empty body", "no text"):
            assert spans == [], name


@pytest.mark.parametrize("length", range(1, len(EXAMPLE), 89))
def test_truncated_pages_have_valid_spans(length: int) -> None:
    page = parse(EXAMPLE.encode()[:length])
    for name in own_names():
        check(extract(page, name), page)


def test_a_stored_document_gives_the_same() -> None:
    page = parse(NEWS_PAGE)
    stored = Document.unpack(page.pack())
    for name in own_names():
        assert extract(stored, name) == extract(page, name), name


def test_goldpan_reads_other_encodings_as_well(pages: dict[str, Document]) -> None:
    page = pages["UTF-16"]
    body = [page.text[start:end] for start, end, label in extract(page, "goldpan") if label == "body"]
    assert body == list(NEWS["zh"].body)
