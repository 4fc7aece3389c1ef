"""Boilerpipe and the tree filter on pages written for no reader: a typed error or spans, never a crash."""

import random

import pytest
from hypothesis import given

from extraction.documents.document import Document
from extraction.extractors import extract
from extraction.extractors.boilerpipe import CHAINS, content_blocks, text_blocks_of
from extraction.extractors.nodes import spans_of
from extraction.features.words import BLANKS
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import check
from tests.extraction.corpora import EXAMPLE
from tests.extraction.soup import raw_soup

NAMES = [*CHAINS, "tree-filter"]

#: Near the limits of what is parsed, and each the worst for some step.
LARGE = {
    "many blocks": "<p>one two three four five six</p>" * 30_000,
    "deep": "<div>" * 2_900 + "text",
    "deep inline": "<b>" * 2_900 + "<i>x</i><br>" * 12_000,
    "deep and not a paragraph": "<main>" * 2_900 + "<center>x</center>" * 12_000,
    "deep links": "<a><table><tr><td>" * 550 + "text",
    "blanks": "a" + " " * 1_000_000 + "b",
    "no-break spaces": "a&nbsp;" * 200_000,
    "marks": "." * 500_000 + "!?" * 200_000,
    "one word": "x" * 1_000_000,
    "title of blanks": "<title>a" + " " * 500_000 + "b | c</title><p>text",
    "title of parts": "<title>" + "a b c d | " * 30_000 + "</title>" + "<p>a b c d</p>" * 10_000,
    "comments": "<p>comment</p>" * 30_000,
    "astral": "<p>" + "𝒳 " * 200_000,
    "nested objects": "<object>" * 2_900 + "<a><object><a>x",
}
ODD = {
    "no text": b"<p></p>",
    "a link": b"<p><a href=x>only a link</a></p>",
    "frames": b"<frameset><frame src=a></frameset>",
    "NULs": b"\0" * 1_000 + b"<p>a\0b</p>\0",
    "UTF-16": EXAMPLE.encode("utf-16"),
    "binary": b"<html>" + random.Random(3).randbytes(50_000),
    "controls": b"<p>\x01\x02\x0b\x1c text \x85\x9f</p>",
    "title only": b"<title>a",
    "unclosed title": b"<title>a<body><p>" + b"words and words " * 20,
}


def spans_are_valid(page: Document) -> None:
    for name in NAMES:
        check(extract(page, name), page)


@pytest.mark.parametrize("name", LARGE)
def test_large_pages_take_no_longer_than_their_size(name: str) -> None:
    spans_are_valid(parse(LARGE[name].encode()))


@pytest.mark.parametrize("name", ODD)
def test_odd_pages_have_valid_spans(name: str) -> None:
    spans_are_valid(parse(ODD[name]))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_without_text_has_none(name: str) -> None:
    assert extract(parse(ODD["no text"]), name) == []


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty"),
        (b"<div>" * 2_000_000, "too-deep"),
        (b"<p " + b" ".join(b"a%d" % n for n in range(1_000_000)) + b">", "tag-too-long"),
    ],
)
def test_hostile_pages_are_refused_before(raw: bytes, reason: str) -> None:
    with pytest.raises(ParseError) as refusal:
        parse(raw)
    assert refusal.value.reason == reason


@pytest.mark.parametrize("length", range(1, len(EXAMPLE), 97))
def test_truncated_pages_have_valid_spans(length: int) -> None:
    spans_are_valid(parse(EXAMPLE.encode()[:length]))


@given(raw_soup)
def test_spans_are_those_of_the_text_nodes(raw: bytes) -> None:
    page = parse(raw)
    texts = page.structure.node_texts
    for name in CHAINS:
        nodes = [
            node
            for block in content_blocks(text_blocks_of(page), name)
            for node in range(text_blocks_of(page).first_nodes[block], text_blocks_of(page).end_nodes[block])
            if texts[node].strip(BLANKS)
        ]
        assert extract(page, name) == spans_of(page, nodes)
