"""Boilerpipe and the tree filter on pages that are each the worst for some step."""

import pytest
from hypothesis import given

from extraction.extractors import extract
from extraction.extractors.boilerpipe import CHAINS, content_blocks, text_blocks_of
from extraction.extractors.nodes import spans_of
from extraction.features.words import BLANKS
from extraction.parsing.parse import parse
from extraction.spans import check
from tests.extraction.soup import raw_soup

#: Near the limits of what is parsed.
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


@pytest.mark.parametrize("name", LARGE)
def test_large_pages_take_no_longer_than_their_size(name: str) -> None:
    page = parse(LARGE[name].encode())
    for extractor in (*CHAINS, "tree-filter"):
        check(extract(page, extractor), page)


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
