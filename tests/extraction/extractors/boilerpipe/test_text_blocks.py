"""Text blocks against the worked example that both Java versions were run on, and the original's habits."""

from itertools import pairwise

import pytest
from hypothesis import given

from extraction.extractors.boilerpipe import text_blocks_of
from extraction.extractors.boilerpipe.text_blocks import TextBlocks
from extraction.parsing.parse import parse
from tests.extraction.corpora import EXAMPLE, P1, P2, P3, gold_texts
from tests.extraction.soup import raw_soup


def blocks_of(body: str) -> TextBlocks:
    return text_blocks_of(parse(f"<html><head></head><body>{body}</body></html>".encode()))


def test_blocks_are_those_that_java_gives() -> None:
    found = text_blocks_of(parse(EXAMPLE.encode()))
    assert found.title == "Bridge opens - Daily"
    rows = zip(
        found.texts,
        found.words,
        found.linked_words,
        found.text_densities,
        found.link_densities,
        found.levels,
        strict=True,
    )
    assert list(rows) == [
        ("Home", 1, 1, 1, 1, 3),
        ("News", 1, 1, 1, 1, 6),
        ("Bridge opens", 2, 0, 2, 0, 4),
        (P1, 23, 0, 15, 0, 4),
        (P2, 30, 0, 18, 0, 4),
        ("Photo: Ann Lee", 3, 0, 3, 0, 4),
        ("Buy cheap tickets More offers", 5, 5, 5, 1, 5),
        (P3, 23, 0, 16, 0, 4),
        ("Copyright 2010 Daily", 3, 0, 3, 0, 3),
    ]


def test_a_token_without_letters_is_a_block_without_words() -> None:
    found = blocks_of("<p>one</p><p>|</p><p>&nbsp;</p><p>two</p>")
    assert found.words == [1, 0, 0, 1]
    assert found.text_densities == [1, 0, 0, 1]
    assert found.link_densities == [0, 0, 0, 0]


def test_what_is_never_shown_is_ignored_but_ends_the_block() -> None:
    found = blocks_of("<p>one<script>var x</script>two<noscript>three</noscript></p>")
    assert found.texts == ["one", "two"]


@pytest.mark.parametrize("tag", ["b", "span", "font", "sup"])
def test_inline_tags_are_within_blocks(tag: str) -> None:
    assert blocks_of(f"<p>one<{tag}>two</{tag}> three</p>").texts == ["onetwo three"]


@pytest.mark.parametrize("tag", ["small", "time", "q", "br", "img"])
def test_any_other_tag_ends_a_block(tag: str) -> None:
    assert blocks_of(f"<p>one<{tag}>two</p>").texts == ["one", "two"]


def test_abbreviations_and_links_have_blanks_around() -> None:
    assert blocks_of("<p>an<abbr>EU</abbr>law <a>x</a>, y</p>").texts == ["an EU law x , y"]


def test_blanks_inside_a_text_node_stay_as_many() -> None:
    assert blocks_of("<p>\n a \t b&nbsp; <b> c</b></p>").texts == ["a   b\xa0 c"]


def test_linked_words_are_counted_over_a_block_end() -> None:
    found = blocks_of("<div><a href=x><p>one two</p><p>three</p></a> four five</div>")
    assert found.texts == ["one two", "three", "four five"]
    assert found.linked_words == [2, 1, 0]


def test_linked_words_are_part_of_a_block() -> None:
    found = blocks_of("<p>see <a>this and <b>that</b></a> or <a>more</a>.</p>")
    assert (found.words, found.linked_words) == ([6], [4])


def test_an_anchor_in_an_anchor_leaves_links_open() -> None:
    nested = "<p><a>one<table><tr><td><a>two</a></table></a></p><p>three</p>"
    assert blocks_of(nested).linked_words == [1, 1, 0]
    assert blocks_of(f"{nested}<p><a>four</a></p><p>five</p>").linked_words == [1, 1, 0, 1, 1]


def test_a_block_owns_the_nodes_that_gave_text() -> None:
    page = parse(b"<p> <b>one</b> <i>two</i></p>\n<p>three</p>")
    found = text_blocks_of(page)
    owned = [
        "".join(page.structure.node_texts[first:end])
        for first, end in zip(found.first_nodes, found.end_nodes, strict=True)
    ]
    assert owned == ["one two", "three"]


def test_no_text_outside_the_body_is_a_block() -> None:
    found = text_blocks_of(parse(b"<html><head><title>Only a title</title></head><body></body></html>"))
    assert (found.title, found.texts) == ("Only a title", [])


def test_the_first_block_carries_the_level_of_the_title() -> None:
    page = "<title>T</title><body><div><div><p>one</p><p>two</p></div></div>"
    assert text_blocks_of(parse(page.encode())).levels == [3, 5]
    assert text_blocks_of(parse(page.replace("<title>T</title>", "").encode())).levels == [5, 5]


def test_inline_tags_do_not_deepen_but_anchors_do() -> None:
    assert blocks_of("<p>a</p><p><b>b</b></p><p><a>c</a></p>").levels == [3, 3, 4]


def test_headings_and_items_are_where_a_block_ends() -> None:
    found = blocks_of("<h1>head</h1><ul><li>item<li>x<ul><li>y</ul></ul><h4>none</h4><p>last</p>")
    assert found.headings == [1, 0, 0, 0, 0, 0]
    assert found.items == [0, 1, 1, 1, 0, 0]


def test_text_before_a_heading_without_a_tag_between_is_labelled_with_it() -> None:
    assert blocks_of("<div>loose<h2>head</h2>after</div>").headings == [1, 1, 0]
    assert blocks_of("<div>loose<h2><br>head</h2>after</div>").headings == [1, 1, 0]
    assert blocks_of("<div>loose<br><h2>head</h2>after</div>").headings == [0, 1, 0]


def test_elements_are_the_nearest_that_are_not_inline() -> None:
    page = parse(b"<div>a<ul><li><a><b>b</b></a></ul></div>")
    assert [page.structure.tags[element] for element in text_blocks_of(page).elements] == ["div", "li"]


def test_characters_have_blanks_collapsed_in_each_node() -> None:
    assert blocks_of("<p>  two   words <b> b </b></p>").characters == [len("two words") + 1]


def test_spans_are_trimmed_and_dropped_text_has_none() -> None:
    page = parse(b"<p>&nbsp;one <b>two</b></p><textarea>typed</textarea><p>&nbsp;</p>")
    found = text_blocks_of(page)
    assert found.texts == ["\xa0one two", "typed", "\xa0"]
    assert page.text[found.starts[0] : found.ends[0]] == "one two"
    assert found.starts[1:] == found.ends[1:] == [-1, -1]


def test_joined_names_the_block_before_in_the_same_canonical_block() -> None:
    found = blocks_of("<p>one<br>two <img>three</p><p>four<textarea>x</textarea> five</p>")
    assert found.joined == [-1, 0, 1, -1, -1, 3]


@given(raw_soup)
def test_spans_are_in_order_and_each_in_one_canonical_block(raw: bytes) -> None:
    page = parse(raw)
    found = text_blocks_of(page)
    there = [(start, end) for start, end in zip(found.starts, found.ends, strict=True) if start >= 0]
    for start, end in there:
        assert any(low <= start < end <= high for low, high in page.blocks)
        assert page.text[start:end] == page.text[start:end].strip()
    assert all(before[1] <= after[0] for before, after in pairwise(there))


def test_phrases_are_found_in_the_texts_of_blocks() -> None:
    raw = EXAMPLE.replace("Photo: Ann Lee", "12 comments so far").encode()
    found = text_blocks_of(parse(raw))
    assert (found.article_ends, found.article_ends_2) == ([5], [5])
    assert (found.titles, found.titles_2) == ([2], [2])
    assert found.clauses == [3, 4, 7]


def test_all_chains_share_the_text_blocks_of_a_document() -> None:
    page = parse(EXAMPLE.encode())
    assert text_blocks_of(page) is text_blocks_of(page)


@pytest.mark.parametrize("name", gold_texts())
def test_real_pages_have_words_and_spans(name: str) -> None:
    raw, _ = gold_texts()[name][0]
    found = text_blocks_of(parse(raw))
    assert sum(found.words) > 50
    assert len({len(getattr(found, field)) for field in ("texts", "words", "joined", "items", "ends")}) == 1
