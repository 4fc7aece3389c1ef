"""The ten demo pages: what the manifest says of each must be true of its document."""

import json
import re
from datetime import datetime
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest

from annotator.demo.older import DemoError, spans_of
from extraction import parse
from extraction.documents.document import Document
from extraction.spans import LABEL_SETS, LABELS, Span

PAGES = Path(__file__).parents[2] / "annotator" / "demo" / "pages"
MANIFEST: list[dict[str, Any]] = json.loads((PAGES / "pages.json").read_text("utf-8"))
BY_FILE = {page["file"]: page for page in MANIFEST}
UNDECLARED = "10-windows-1252.html"
DISPUTED = "05-captions-and-pull-quotes.html"

every_page = pytest.mark.parametrize("page", MANIFEST, ids=[page["file"] for page in MANIFEST])


def document_of(file: str) -> Document:
    return parse((PAGES / file).read_bytes(), BY_FILE[file]["charset"])


def lists_of(page: dict[str, Any]) -> list[list[list[str]]]:
    """The lists of passages that the manifest gives for a page: its gold, or what each annotator marked."""
    gold = [] if page["gold"] is None else [page["gold"]]
    return gold + list(page.get("two_annotations", {}).values())


def length_of(spans: list[Span], label: str) -> int:
    return sum(span.end - span.start for span in spans if span.label == label)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_manifest_names_every_page_once() -> None:
    assert sorted(path.name for path in PAGES.glob("*.html")) == [page["file"] for page in MANIFEST]
    assert len({page["url"] for page in MANIFEST}) == len(MANIFEST) == 10


def test_manifest_holds_six_golds_in_two_languages() -> None:
    languages = [page["language"] for page in MANIFEST]
    assert (languages.count("en"), languages.count("es")) == (6, 4)
    assert sum(page["gold"] is not None for page in MANIFEST) == 6
    assert [page["file"] for page in MANIFEST if "two_annotations" in page] == [DISPUTED]


@every_page
def test_manifest_entry_is_complete(page: dict[str, Any]) -> None:
    assert datetime.fromisoformat(page["captured_at"]).tzinfo is not None
    assert re.match(r"https?://[\w.-]+\.example/", page["url"])
    assert page["why"].endswith(".")
    assert (page["verdict"] == "not_article") == (page["reason"] is not None)
    assert {label for label, _ in chain(*lists_of(page))} <= set(LABELS)


@every_page
def test_page_names_only_invented_hosts(page: dict[str, Any]) -> None:
    source = (PAGES / page["file"]).read_bytes().decode("latin-1")
    hosts = set(re.findall(r"https?://([\w.-]+)", source))
    strangers = {host for host in hosts if not host.endswith(".example")}
    assert strangers <= {"schema.org", "www.w3.org"}


@every_page
def test_page_is_as_large_as_a_real_one(page: dict[str, Any]) -> None:
    assert 8_000 <= (PAGES / page["file"]).stat().st_size <= 60_000


@every_page
def test_passages_are_found_whole_and_disjoint(page: dict[str, Any]) -> None:
    document = document_of(page["file"])
    for passages in lists_of(page):
        spans = spans_of(document, passages)
        marked = " ".join(document.text[span.start : span.end] for span in spans)
        assert squeezed(marked) == squeezed(" ".join(text for _, text in passages))
        assert all(before.end <= after.start for before, after in pairwise(spans))


@every_page
def test_passages_end_at_block_edges_or_at_other_text(page: dict[str, Any]) -> None:
    """A passage that begins or ends inside a word was found in the wrong place."""
    document = document_of(page["file"])
    for span in chain(*(spans_of(document, passages) for passages in lists_of(page))):
        around = document.text[max(0, span.start - 1) : span.start] + document.text[span.end : span.end + 1]
        assert not re.search(r"\w", around), document.text[span.start : span.end]


@every_page
def test_page_decodes_without_replacement_characters(page: dict[str, Any]) -> None:
    document = document_of(page["file"])
    assert "\ufffd" not in document.text
    assert not re.search("Ã|â€", document.text), "UTF-8 read as windows-1252"
    assert document.repairs == ()


def test_articles_with_gold_have_one_headline_and_a_body() -> None:
    for page in MANIFEST:
        if page["gold"] is not None and page["verdict"] == "article":
            labels = [label for label, _ in page["gold"]]
            assert labels.count("headline") == 1, page["file"]
            assert LABEL_SETS["main"] <= set(labels), page["file"]


def test_pages_that_are_no_article_have_no_body() -> None:
    reasons = {page["file"]: page["reason"] for page in MANIFEST if page["verdict"] == "not_article"}
    assert reasons == {"08-paywall.html": "paywall", "09-not-found.html": "error_page"}
    assert all(not BY_FILE[file]["gold"] for file in reasons)


def test_undeclared_page_decodes_as_windows_1252() -> None:
    raw = (PAGES / UNDECLARED).read_bytes()
    document = parse(raw)
    assert BY_FILE[UNDECLARED]["charset"] is None
    assert b"charset" not in raw.lower()
    assert document.encoding == "windows-1252"
    assert document.encoding_source in ("guess", "default")
    assert "“por si alguien quería preguntar”" in document.text
    assert "No todo fue alegría… Tres queseros" in document.text
    assert "entre 18.000 y 25.000 €, y la ayuda prometida –“el 40 %”" in document.text
    assert "Agustín Ñíguez" in document.text
    assert "‘Ceda el paso’" in document.text


def test_comments_are_longer_than_the_article_and_full_of_scripts() -> None:
    document = document_of("03-comments.html")
    spans = spans_of(document, BY_FILE["03-comments.html"]["gold"])
    assert length_of(spans, "comments") > 2 * length_of(spans, "body")
    marked = "".join(document.text[span.start : span.end] for span in spans)
    for what, character in {
        "Arabic": "\u0627",
        "Hebrew with points": "\u05b8",
        "emoji": "\U0001f68c",
        "combining acute": "\u0301",
        "zero-width joiner": "\u200d",
        "zero-width non-joiner": "\u200c",
        "tag character": "\U000e0067",
    }.items():
        assert character in marked, what


def test_old_page_is_in_quirks_mode_and_split_by_line_breaks() -> None:
    document = document_of("06-nested-tables.html")
    spans = spans_of(document, BY_FILE["06-nested-tables.html"]["gold"])
    assert document.quirks
    assert sum(span.label == "body" for span in spans) == 9


def test_portals_carry_enough_style_for_the_page_view() -> None:
    heavy = [page["file"] for page in MANIFEST if style_of(page["file"]) >= 20 * 1024]
    assert heavy == ["02-split-by-ads.html", "04-teaser-stream.html"]


def style_of(file: str) -> int:
    return sum(len(style) for style in document_of(file).styles)


def test_two_annotations_differ_in_every_way_that_they_should() -> None:
    first, second = (BY_FILE[DISPUTED]["two_annotations"][name] for name in "AB")
    relabelled = {text for label, text in first if ["body", text] in second and label == "supplemental"}
    last_paragraph = [text for label, text in first if label == "body"][-1]
    seen_by_first, seen_by_second = ({text for _, text in marks} for marks in (first, second))
    assert len(relabelled) == 2
    assert last_paragraph not in seen_by_second
    assert any(text.startswith("Hester Vance in the tuning") for text in seen_by_first - seen_by_second)
    assert any(text.startswith("Turnings from the tenor") for text in seen_by_second - seen_by_first)


def test_spans_of_finds_a_repeated_passage_after_the_one_before_it() -> None:
    document = parse(b"<p>Tea is late. Tea is cold.<p>Milk<p>Tea is cold.")
    spans = spans_of(document, [("body", "Milk"), ("supplemental", "Tea is cold.")])
    assert [(document.text[s.start : s.end], s.start) for s in spans] == [("Milk", 27), ("Tea is cold.", 33)]


def test_spans_of_gives_a_span_for_each_block() -> None:
    document = parse(b"<p>One\n two<p>three")
    assert spans_of(document, [("body", "One two three")]) == [Span(0, 7, "body"), Span(9, 14, "body")]


@pytest.mark.parametrize("passages", [["four"], ["two", "One"], [" "]], ids=["absent", "earlier", "blank"])
def test_spans_of_refuses_what_is_not_there(passages: list[str]) -> None:
    with pytest.raises(DemoError, match="not found from character"):
        spans_of(parse(b"<p>One<p>two"), [("body", passage) for passage in passages])
