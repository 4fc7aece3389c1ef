"""Boilerpipe against the worked example that both Java versions were run on, and its known habits."""

from collections.abc import Iterable

import pytest

from extraction.document import Document
from extraction.extractors import ExtractorError, extract
from extraction.extractors.blocks import Segmentation, TextBlock, segment
from extraction.extractors.boilerpipe import (
    ARTICLE,
    DEFAULT,
    END_OF_TEXT,
    MIGHT_BE_CONTENT,
    TITLE,
    Step,
    by_text_density,
    by_word_count,
    chain,
    classify,
    content_nodes,
    drop_boilerplate,
    expand_to_title,
    find_ends,
    fuse_equal_densities,
    fuse_neighbours,
    ignore_after_end,
    keep_largest,
    match_title,
)
from extraction.parse import parse
from tests.extraction.corpora import EXAMPLE, P1, P2, P3


def document(body: str) -> Document:
    return parse(f"<html><head></head><body>{body}</body></html>".encode())


def blocks(body: str) -> list[TextBlock]:
    return segment(document(body)).blocks


def texts(html: str, name: str) -> list[str]:
    page = parse(html.encode())
    return [page.text[span.start : span.end] for span in extract(page, name)]


def test_segment_gives_the_blocks_that_java_gives() -> None:
    page = segment(parse(EXAMPLE.encode()))
    assert page.title == "Bridge opens - Daily"
    rows = [(b.text, b.words, b.linked_words, b.text_density, b.link_density, b.level) for b in page.blocks]
    assert rows == [
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


def test_word_count_tree_on_the_example() -> None:
    page = segment(parse(EXAMPLE.encode()))
    classify(by_word_count)(page)
    assert [b.is_content for b in page.blocks] == [False, False, True, True, True, True, False, False, True]


def test_default_fuses_the_two_links_and_loses_the_third_paragraph() -> None:
    page = segment(parse(EXAMPLE.encode()))
    DEFAULT(page)
    kept = [b.text for b in page.blocks if b.is_content]
    assert kept == ["Bridge opens", P1, P2, "Photo: Ann Lee", "Copyright 2010 Daily"]
    assert page.blocks[0].text == "Home\nNews"


def test_article_keeps_one_region_with_all_its_nodes() -> None:
    page = segment(parse(EXAMPLE.encode()))
    ARTICLE(page)
    (region,) = [b for b in page.blocks if b.is_content]
    assert (region.start, region.end, region.words) == (1, 8, 85)
    assert texts(EXAMPLE, "boilerpipe-article") == [
        "News",
        "Bridge opens",
        P1,
        P2,
        "Photo: Ann Lee",
        P3,
        "Copyright 2010 Daily",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's", 1),
        ("3.5%", 1),
        ("don’t", 2),
        ("a&nbsp;b", 2),
        ("©2010", 1),
        ("user@example.com, (see below)", 3),
        ("well-known and/or", 2),
        ("snake_case ___", 1),
        ("—", 0),
    ],
)
def test_segment_counts_words_as_java_does(text: str, words: int) -> None:
    assert blocks(f"<p>{text}</p>")[0].words == words


def test_segment_counts_a_token_without_letters_as_a_block() -> None:
    lone = blocks("<p>one</p><p>|</p><p>&nbsp;</p><p>two</p>")
    assert [(b.words, b.start) for b in lone] == [(1, 0), (0, 1), (0, 2), (1, 3)]


def test_segment_wraps_at_eighty_and_drops_the_last_line() -> None:
    nine, ten = "abcdefghi", "abcdefghij"
    (full,) = blocks(f"<p>{' '.join([nine] * 8)}</p>")
    assert (full.wrapped_words, full.lines) == (8, 1)
    (wrapped,) = blocks(f"<p>{' '.join([ten] * 10)}</p>")
    assert (wrapped.words, wrapped.wrapped_words, wrapped.lines) == (10, 7, 1)


def test_segment_counts_astral_characters_twice_in_a_line() -> None:
    emoji_word = "a𝒳𝒳𝒳𝒳"  # nine UTF-16 units, five code points
    (block,) = blocks(f"<p>{' '.join([emoji_word] * 9)}</p>")
    assert (block.wrapped_words, block.lines) == (8, 1)


def test_segment_ignores_what_is_never_shown_but_ends_the_block_there() -> None:
    found = blocks("<p>one<script>var x</script>two<noscript>three</noscript></p>")
    assert [b.text for b in found] == ["one", "two"]


@pytest.mark.parametrize("tag", ["b", "span", "font", "sup"])
def test_segment_runs_through_inline_tags(tag: str) -> None:
    (block,) = blocks(f"<p>one<{tag}>two</{tag}> three</p>")
    assert block.text == "onetwo three"


@pytest.mark.parametrize("tag", ["small", "time", "q", "br", "img"])
def test_segment_breaks_at_any_other_tag(tag: str) -> None:
    assert [b.text for b in blocks(f"<p>one<{tag}>two</p>")] == ["one", "two"]


def test_segment_puts_blanks_around_abbreviations_and_links() -> None:
    assert [b.text for b in blocks("<p>an<abbr>EU</abbr>law <a>x</a>, y</p>")] == ["an EU law x , y"]


def test_segment_counts_linked_words_over_a_block_end() -> None:
    found = blocks("<div><a href=x><p>one two</p><p>three</p></a> four five</div>")
    assert [(b.text, b.linked_words) for b in found] == [("one two", 2), ("three", 1), ("four five", 0)]


def test_segment_owns_the_nodes_that_gave_text() -> None:
    page = document("<p> <b>one</b> <i>two</i></p>\n<p>three</p>")
    owned = [[page.text[slice(*page.nodes[node])] for node in b.nodes] for b in segment(page).blocks]
    assert owned == [["one", "two"], ["three"]]


def test_segment_reads_no_text_outside_the_body() -> None:
    page = segment(parse(b"<html><head><title>Only a title</title></head><body></body></html>"))
    assert (page.title, page.blocks) == ("Only a title", [])


def block(
    text: str = "x",
    *,
    words: int = 0,
    linked: int = 0,
    density: float | None = None,
    at: int = 0,
    content: bool = False,
    labels: Iterable[str] = (),
) -> TextBlock:
    made = TextBlock(text, words, linked, 0, 1, 0, at, at, labels=set(labels), is_content=content)
    made.text_density = float(words if density is None else density)
    return made


def run(step: Step, *page_blocks: TextBlock, title: str = "") -> list[TextBlock]:
    page = Segmentation(title, list(page_blocks))
    step(page)
    return page.blocks


def test_merge_sums_counts_and_takes_the_lower_level() -> None:
    first, second = block("a", words=4, linked=1, at=2), block("b", words=2, at=5, content=True, labels=["l"])
    first.level, second.level = 4, 3
    first.merge(second)
    assert (first.text, first.words, first.link_density, first.level) == ("a\nb", 6, 1 / 6, 3)
    assert (first.start, first.end, first.is_content, first.labels) == (2, 5, True, {"l"})


def test_density_tree_wants_a_next_block_after_a_dense_one() -> None:
    found = run(classify(by_text_density), block(words=20), block(words=20))
    assert [b.is_content for b in found] == [True, False]


def test_density_tree_after_links_wants_a_dense_next_block() -> None:
    link, plain = {"words": 2, "linked": 2}, {"words": 20}
    first = run(classify(by_text_density), block(**link), block(**plain), block(words=11), block(words=1))
    second = run(classify(by_text_density), block(**link), block(**plain), block(words=12), block(words=1))
    assert (first[1].is_content, second[1].is_content) == (False, True)


@pytest.mark.parametrize(
    ("before", "words", "after", "expected"),
    [(4, 16, 15, False), (5, 16, 15, True), (4, 17, 15, True), (4, 16, 16, True)],
)
def test_word_tree_thresholds(before: int, words: int, after: int, expected: bool) -> None:
    found = run(classify(by_word_count), block(words=before), block(words=words), block(words=after))
    assert found[1].is_content is expected


@pytest.mark.parametrize(("words", "after", "expected"), [(40, 17, False), (41, 17, True), (40, 18, True)])
def test_word_tree_thresholds_after_links(words: int, after: int, expected: bool) -> None:
    found = run(classify(by_word_count), block(words=9, linked=6), block(words=words), block(words=after))
    assert found[1].is_content is expected


def test_fuse_equal_densities_merges_runs() -> None:
    found = run(fuse_equal_densities, block("a", words=3), block("b", words=3), block("c", words=4))
    assert [b.text for b in found] == ["a\nb", "c"]


def test_fuse_neighbours_pulls_in_the_boilerplate_before() -> None:
    step = fuse_neighbours(distance=1, content_only=False)
    found = run(step, block("a", at=0), block("b", at=1), block("c", at=2, content=True), block("d", at=3))
    assert [(b.text, b.is_content) for b in found] == [("a", False), ("b\nc", True), ("d", False)]


def test_fuse_neighbours_content_only_spans_one_missing_block() -> None:
    step = fuse_neighbours(distance=1, content_only=True)
    content = [block(str(at), at=at, content=True) for at in (0, 2, 5)]
    assert [b.text for b in run(step, *content)] == ["0\n2", "5"]


def test_drop_boilerplate_keeps_content() -> None:
    assert [b.text for b in run(drop_boilerplate, block("a"), block("b", content=True))] == ["b"]


def test_keep_largest_takes_the_first_of_equals_and_labels_the_rest() -> None:
    content = [block(str(n), words=n, content=True) for n in (3, 7, 7)]
    found = run(keep_largest, *content)
    assert [b.is_content for b in found] == [False, True, False]
    assert [b.labels for b in found] == [{MIGHT_BE_CONTENT}, set(), {MIGHT_BE_CONTENT}]


def test_keep_largest_leaves_a_lone_block() -> None:
    (lone,) = run(keep_largest, block(content=False))
    assert lone.labels == set()


def test_expand_to_title_takes_candidates_between() -> None:
    found = run(
        expand_to_title,
        block("menu", labels=[MIGHT_BE_CONTENT]),
        block("title", labels=[TITLE, MIGHT_BE_CONTENT]),
        block("lead", labels=[MIGHT_BE_CONTENT]),
        block("no candidate"),
        block("text", content=True),
        block("after", labels=[TITLE, MIGHT_BE_CONTENT]),
    )
    assert [b.is_content for b in found] == [False, True, True, False, True, False]


def test_ignore_after_end_needs_enough_full_text_before() -> None:
    few = run(ignore_after_end, block(words=59, content=True), block(labels=[END_OF_TEXT], content=True))
    many = run(
        ignore_after_end,
        block(words=60, content=True),
        block(labels=[END_OF_TEXT], content=True),
        block(words=30, content=True),
    )
    assert [b.is_content for b in few] == [True, True]
    assert [b.is_content for b in many] == [True, False, False]


def test_ignore_after_end_counts_dense_blocks_only() -> None:
    found = run(
        ignore_after_end, block(words=60, density=8, content=True), block(labels=[END_OF_TEXT], content=True)
    )
    assert found[1].is_content


@pytest.mark.parametrize(
    ("text", "words", "ends"),
    [
        ("Comments (12)", 2, True),
        ("17 comments", 2, True),
        ("3 users responded in this post", 6, True),
        ("© Reuters 2010", 2, True),
        ("Tell us what you think... now", 6, True),
        ("Rätta artikeln", 2, True),
        ("Our comments policy", 3, False),
        ("Comments", 15, False),
        ("comment", 1, False),
    ],
)
def test_find_ends_knows_how_articles_end(text: str, words: int, ends: bool) -> None:
    (found,) = run(find_ends, block(text, words=words))
    assert (END_OF_TEXT in found.labels) is ends


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Bridge opens", "Bridge opens"),
        ("Bridge opens at last | Daily", "Bridge opens at last"),
        ("News: Bridge opens", "Bridge opens"),
        ("Bridge opens (again)", "Bridge opens"),
        ("Bridge opens - Daily", "Bridge opens"),
        ("Bridge opens | www.a-very-long-site-name.com", "Bridge opens"),
    ],
)
def test_match_title_finds_the_longest_part(title: str, text: str) -> None:
    (found,) = run(match_title, block(text), title=title)
    assert found.labels == {TITLE}


@pytest.mark.parametrize("text", ["Daily", "bridge opens", "Bridge"])
def test_match_title_is_exact(text: str) -> None:
    (found,) = run(match_title, block(text), title="Bridge opens - Daily")
    assert found.labels == set()


def test_chain_does_its_steps_in_order() -> None:
    def add(block: TextBlock) -> Step:
        return lambda page: page.blocks.append(block)

    first, second = block("a"), block("b")
    assert run(chain(add(first), add(second))) == [first, second]


def test_content_nodes_refuses_an_unknown_chain() -> None:
    with pytest.raises(ExtractorError, match="boilerpipe-default, boilerpipe-article"):
        content_nodes(document("x"), "everything")


@pytest.mark.parametrize("name", ["boilerpipe-default", "boilerpipe-article"])
def test_boilerpipe_says_nothing_about_an_empty_page(name: str) -> None:
    assert extract(document(""), name) == []
