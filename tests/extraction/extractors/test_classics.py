"""The extractors of the literature together: bad input, and the figures that they had at first."""

import time
from statistics import mean

import pytest

from extraction.documents.document import Document
from extraction.extractors import extract, get
from extraction.metrics import char_lcs
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import check, text_of
from tests.extraction.corpora import EXAMPLE, gold_texts

NAMES = ("bte", "mss", "cetd", "justext", "unfluff")

BAD_PAGES = {
    "no body text": b"<html><head><title>Only a title</title></head><body></body></html>",
    "frameset": b"<frameset><frame src=a><noframes>words</noframes></frameset>",
    "nul": b"\x00<p>te\x00xt</p>\x00",
    "binary": b"<html>" + bytes(range(256)) * 300,
    "utf-16": "<p>words in UTF-16</p>".encode("utf-16"),
    "truncated": EXAMPLE.encode()[:700],
    "one tag": b"<p",
    "no spaces": b"<p>" + b"x" * 200_000,
    "nothing but links": b"<a href=x>a</a> " * 5_000,
    "wide": b"<div>" + b"<p>it was on the way</p>" * 15_000 + b"</div>",
    "deep": b"<div>" * 2_500 + b"text that is deep",
    "nested tables": b"<table><tr><td>it was on the way" * 200,
    "many breaks": b"<body>" + b"a<br><br>" * 20_000,
    "short lines": b"<li>x" * 20_000,
    "long class": b"<div class='" + b"a more " * 50_000 + b"'>text</div>",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", BAD_PAGES)
def test_bad_pages_give_spans_in_little_time(kind: str, name: str) -> None:
    document = parse(BAD_PAGES[kind])
    started = time.process_time()
    spans = extract(document, name)
    assert time.process_time() - started < 6  # the worst takes one second
    check(spans, document)
    if kind in ("no body text", "frameset"):
        assert spans == []


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty"),
        (b" \n ", "empty"),
        (b"<div>" * 2_000_000, "too-deep"),
        (b"x" * 11_000_000, "too-large"),
    ],
)
def test_pages_that_are_no_documents_are_refused_before(raw: bytes, reason: str) -> None:
    with pytest.raises(ParseError) as refusal:
        parse(raw)
    assert refusal.value.reason == reason


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_document_gives_the_same(name: str) -> None:
    document = parse(EXAMPLE.encode())
    assert extract(Document.unpack(document.pack()), name) == extract(document, name)


@pytest.mark.parametrize("name", NAMES)
def test_they_may_be_shown_to_annotators(name: str) -> None:
    assert get(name).can_be_arm


#: Precision and recall by `char-lcs` over every sixth page, as they were when this was written.
FIGURES = {
    "own": {
        "bte": (0.858, 1.0),
        "mss": (1.0, 0.689),
        "cetd": (0.813, 1.0),
        "justext": (0.0, 0.0),  # no paragraph of more than 200 characters, so none is good
        "unfluff": (1.0, 1.0),
    },
    "scrapinghub": {
        "bte": (0.801, 0.962),
        "mss": (0.890, 0.808),
        "cetd": (0.745, 1.0),
        "justext": (0.793, 0.827),
        "unfluff": (0.908, 0.816),
    },
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("corpus", gold_texts())
def test_figures_hold(corpus: str, name: str) -> None:
    pages = [(parse(raw), gold) for raw, gold in gold_texts()[corpus][::6]]
    scores = [
        char_lcs.compare(gold, text_of(page, extract(page, name), "any"), failed=False)
        for page, gold in pages
    ]
    found = mean(score.precision or 0 for score in scores), mean(score.recall or 0 for score in scores)
    assert found == pytest.approx(FIGURES[corpus][name], abs=0.01)
