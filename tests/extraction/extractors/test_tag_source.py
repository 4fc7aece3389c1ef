"""BTE on the source of a page: tokens, segment and text of the worked example, and the program's habits."""

import time

import pytest

from extraction.documents.document import Document
from extraction.extractors import ExtractorError, extract, get
from extraction.extractors.tag_source import best_source_text, paragraphs_of, tokens_of
from extraction.parsing.parse import parse

BODY = (
    '<div><a href="/">Home</a> <a href="/n">News</a></div><h1>Bridge opens</h1>'
    "<p>The bridge will open in spring.</p><p>It was <b>very</b> late.</p>"
    '<div><a href="/m">More</a></div>'
)


def printed(body: str, cost: float = 1) -> str:
    return best_source_text(parse(f"<html><body>{body}</body></html>".encode()), tag_cost=cost)


def test_example_has_33_tokens_and_the_segments_of_the_description() -> None:
    tokens = tokens_of(f"<html><body>{BODY}</body></html>")
    assert (len(tokens), sum(token[0] == "<" for token in tokens)) == (33, 18)
    assert " ".join(tokens[9:19]) == "Bridge opens </h1> <p> The bridge will open in spring."
    assert printed(BODY) == "Bridge opens\nThe bridge will open in spring."
    assert printed(BODY, 3.25) == "The bridge will open in spring."


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        ("head <body> one <BODY class=x> two </body> three </body>", ["two"]),
        ("no body", ["no", "body"]),
        ("a <script src=x> b <p> </SCRIPT> c", ["a", "<script>", "</script>", "c"]),
        ("<style> a </style><scripty>b", ["<style>", "</style>", "<scripty>", "b"]),
        ("<script> a <style> b </script> c </style>", ["<script>", "</script>", "c", "</style>"]),
        ("<script> a", ["<script>", "a"]),
        ("<!-- a > b -->", ["<!-- a >", "b", "-->"]),
        ("&quot;a&nbsp;b&#39; &amp; a>b <> c < d", ['"a', "b'", "&amp;", "a>b", ">", "c", "d"]),
        ("", []),
    ],
)
def test_tokens_are_cut_as_the_program_cuts_them(source: str, tokens: list[str]) -> None:
    assert tokens_of(source) == tokens


def test_only_start_tags_of_some_elements_begin_a_paragraph() -> None:
    tokens = tokens_of("a <br> b </p> c <P class=x> <li> d <h4> e <h3> f")
    assert list(paragraphs_of(tokens)) == ["a b c", "d e", "f"]


def test_entities_are_decoded_when_text_is_printed() -> None:
    assert printed("<p>caf&eacute; &lt;b&gt; au lait</p>") == "caf\xe9 <b> au lait"


@pytest.mark.parametrize("name", ["bte", "mss"])
def test_source_mode_prints_text_and_places_it(name: str) -> None:
    page = parse(BODY.encode())
    extraction = get(name).run(page, mode="source")
    assert extraction.text
    assert [page.text[span.start : span.end] for span in extraction.spans] == extraction.text.split("\n")


def test_source_mode_needs_the_bytes_of_the_page() -> None:
    stored = Document.unpack(parse(BODY.encode()).pack())
    assert extract(stored, "bte")
    with pytest.raises(ExtractorError, match="came without its bytes"):
        extract(stored, "bte", mode="source")


@pytest.mark.parametrize(
    "source",
    [
        "<" * 3_000_000,
        "<script>" * 400_000,
        "<body " * 500_000,
        "<script " * 400_000 + ">",
        "<style><script>" * 200_000 + "</script>",
        "<>" * 1_000_000,
    ],
    ids=["open", "scripts", "bodies", "script", "styles", "empty"],
)
def test_hostile_sources_take_linear_time(source: str) -> None:
    started = time.process_time()
    tokens_of(source)
    assert time.process_time() - started < 5  # a tenth of a second each; quadratic would be hours
