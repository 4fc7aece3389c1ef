"""Boilerpipe's steps, each alone."""

import pytest

from extraction.extractors.boilerpipe.blocks import Blocks
from extraction.extractors.boilerpipe.steps import (
    END_OF_TEXT,
    MIGHT_BE_CONTENT,
    TITLE,
    VERY_LIKELY_CONTENT,
    Step,
    chain,
    drop_all_but_title,
    drop_boilerplate,
    drop_trailing_headlines,
    expand_to_title,
    find_ends,
    find_ends_2,
    fuse_equal_densities,
    fuse_neighbours,
    ignore_after_end,
    keep_beside_largest,
    keep_clauses,
    keep_largest,
    match_title,
    match_title_2,
    split_paragraphs,
    take_back_large_blocks,
    take_back_list_at_end,
)
from tests.extraction.extractors.boilerpipe.rows import Row, kept, page_of, texts_of


def run(step: Step, *rows: Row, title: str = "") -> Blocks:
    page = page_of(*rows, title=title)
    step(page)
    return page


def test_chain_does_its_steps_in_order() -> None:
    done: list[str] = []
    run(chain(lambda _: done.append("a"), lambda _: done.append("b")))
    assert done == ["a", "b"]


def test_merging_sums_counts_takes_the_lower_level_and_all_labels() -> None:
    page = page_of(Row("a", words=4, level=4), Row("b", words=2, level=3, content=True, labels=["l"]))
    page.merge([False, True])
    assert (texts_of(page), page.words(0), list(page.levels())) == (["a\nb"], 6, [3])
    assert (page.content, page.has(0, "l")) == ([True], True)


def test_content_of_any_part_makes_the_merged_block_content() -> None:
    page = page_of(Row("a"), Row("b"), Row("c", content=True), Row("d"))
    page.merge([False, True, True, False])
    assert page.content == [True, False]


@pytest.mark.parametrize("last", [2, 4])
def test_sums_are_of_the_parts_whether_blocks_are_missing_or_not(last: int) -> None:
    page = page_of(Row(words=1), Row(words=2), Row(words=4, at=last))
    page.merge([False, True, False])
    assert page.sums("words") == [3, 4]


def test_fuse_equal_densities_merges_runs() -> None:
    page = run(fuse_equal_densities, Row("a", words=3), Row("b", words=3), Row("c", words=4))
    assert texts_of(page) == ["a\nb", "c"]


def test_fuse_neighbours_pulls_in_the_boilerplate_before() -> None:
    rows = Row("a"), Row("b"), Row("c", content=True), Row("d")
    page = run(fuse_neighbours(), *rows)
    assert (texts_of(page), page.content) == (["a", "b\nc", "d"], [False, True, False])


def test_fuse_neighbours_content_only_spans_one_missing_block() -> None:
    rows = [Row(str(at), at=at, content=True) for at in (0, 2, 5)]
    assert texts_of(run(fuse_neighbours(content_only=True), *rows)) == ["0\n2", "5"]


def test_fuse_neighbours_of_the_same_level() -> None:
    rows = [Row(str(at), at=at, level=level, content=True) for at, level in enumerate((3, 3, 4, 3))]
    step = fuse_neighbours(content_only=True, same_level=True)
    assert texts_of(run(step, *rows)) == ["0\n1", "2", "3"]


def test_drop_boilerplate_keeps_content() -> None:
    assert texts_of(run(drop_boilerplate, Row("a"), Row("b", content=True))) == ["b"]


def test_drop_all_but_title_keeps_the_title() -> None:
    rows = Row("a"), Row("b", labels=[TITLE]), Row("c", content=True)
    page = run(drop_all_but_title, *rows)
    assert (texts_of(page), page.content) == (["b", "c"], [False, True])


def test_drop_trailing_headlines_stops_at_the_first_text() -> None:
    heading = Row("h", heading=1, content=True)
    rows = heading, Row("text", content=True), heading, Row("no content"), heading
    assert run(drop_trailing_headlines, *rows).content == [True, True, False, False, False]


def test_keep_largest_takes_the_first_of_equals_and_labels_the_rest() -> None:
    page = run(keep_largest, *[Row(str(words), words=words, content=True) for words in (3, 7, 7)])
    assert page.content == [False, True, False]
    assert page.labels == {MIGHT_BE_CONTENT: {0, 2}, VERY_LIKELY_CONTENT: {1}}


def test_keep_largest_leaves_a_lone_block() -> None:
    page = run(keep_largest, Row())
    assert page.labels == {}


def test_keep_largest_without_content_takes_none() -> None:
    page = run(keep_largest, Row(), Row())
    assert (page.content, page.labels[MIGHT_BE_CONTENT]) == ([False, False], {0, 1})


def test_keep_beside_largest_stops_at_a_lower_level() -> None:
    rows = (
        Row("beyond", words=150, level=4),
        Row("low", words=1, level=3),
        Row("before", words=150, level=4),
        Row("deeper", words=150, level=5),
        Row("largest", words=900, level=4, content=True),
        Row("short", words=149, level=4),
        Row("after", words=150, level=4),
    )
    assert kept(run(keep_beside_largest, *rows)) == ["before", "largest", "after"]


def test_expand_to_title_takes_candidates_between() -> None:
    candidate = [MIGHT_BE_CONTENT]
    page = run(
        expand_to_title,
        Row("menu", labels=candidate),
        Row("title", labels=[TITLE, *candidate]),
        Row("lead", labels=candidate),
        Row("no candidate"),
        Row("text", content=True),
        Row("after", labels=[TITLE, *candidate]),
    )
    assert page.content == [False, True, True, False, True, False]


def test_take_back_large_blocks_on_the_level_of_the_likely_one() -> None:
    page = run(
        take_back_large_blocks,
        Row("large", words=100, level=4),
        Row("small", words=99, level=4),
        Row("likely", level=4, content=True, labels=[VERY_LIKELY_CONTENT]),
        Row("deeper", words=100, level=5),
    )
    assert kept(page) == ["large", "likely"]


def test_take_back_large_blocks_needs_a_likely_one() -> None:
    assert kept(run(take_back_large_blocks, Row(words=500), Row("c", content=True))) == ["c"]


def test_take_back_list_at_end_until_something_else_comes() -> None:
    item = Row("item", level=5, item=1, labels=[MIGHT_BE_CONTENT])
    page = run(
        take_back_list_at_end,
        item,
        Row("likely", level=4, content=True, labels=[VERY_LIKELY_CONTENT]),
        item,
        item,
        item._replace(text="link", words=2, linked=1),
        item,
    )
    assert page.content == [False, True, True, True, False, False]


def test_split_and_keep_clauses_judges_each_paragraph() -> None:
    page = page_of(Row("Home"), Row("one two three four five, and so on"), Row("A short one."), Row("x"))
    page.content = [True, True, True, False]
    page.merge([False, True, True, False])
    split_paragraphs(page)
    keep_clauses(page)
    assert page.content == [False, True, False, False]


def test_ignore_after_end_needs_enough_full_text_before() -> None:
    end = Row(labels=[END_OF_TEXT], content=True)
    few = run(ignore_after_end, Row(words=59, content=True), end)
    many = run(ignore_after_end, Row(words=60, content=True), end, Row(words=30, content=True))
    assert few.content == [True, True]
    assert many.content == [True, False, False]


def test_ignore_after_end_counts_dense_blocks_only() -> None:
    page = run(
        ignore_after_end,
        Row(words=60, density=8, content=True),
        Row(labels=[END_OF_TEXT], content=True),
    )
    assert page.content == [True, True]


@pytest.mark.parametrize(
    ("text", "words", "ends"),
    [
        ("Comments (12)", 2, True),
        ("17 comments", 2, True),
        ("3 users responded in this post", 6, True),
        ("© Reuters 2010", 2, True),
        ("Please rate this", 3, True),
        ("Tell us what you think... now", 6, True),
        ("Rätta artikeln", 2, True),
        ("Thanks for your comments - this feedback is now closed", 10, True),
        ("Our comments policy", 3, False),
        ("Comments", 15, False),
        ("comment", 1, False),
        ("\xa0 Comments (1)", 2, False),
    ],
)
def test_find_ends_knows_how_articles_end(text: str, words: int, ends: bool) -> None:
    for step in (find_ends, find_ends_2):
        assert run(step, Row(text, words=words)).has(0, END_OF_TEXT) is ends


@pytest.mark.parametrize(("linked", "ends"), [(1, True), (0, False)])
def test_find_ends_2_knows_the_link_to_comment(linked: int, ends: bool) -> None:
    row = Row("Comment", words=1, linked=linked)
    assert run(find_ends_2, row).has(0, END_OF_TEXT) is ends
    assert not run(find_ends, row).has(0, END_OF_TEXT)


TITLES = [
    ("Bridge opens", "Bridge opens"),
    ("Bridge opens at last | Daily", "Bridge opens at last"),
    ("News: Bridge opens", "Bridge opens"),
    ("Bridge opens (again)", "Bridge opens"),
    ("Bridge opens - Daily", "Bridge opens"),
    ("Bridge opens | www.a-very-long-site-name.com", "Bridge opens"),
]


@pytest.mark.parametrize(("title", "text"), TITLES)
def test_match_title_finds_the_longest_part(title: str, text: str) -> None:
    for step in (match_title, match_title_2):
        assert run(step, Row(text), title=title).has(0, TITLE)


@pytest.mark.parametrize("text", ["Daily", "bridge opens", "Bridge"])
def test_match_title_is_exact(text: str) -> None:
    assert not run(match_title, Row(text), title="Bridge opens - Daily").has(0, TITLE)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Bridge opens - Daily", "BRIDGE OPENS"),
        ("The Daily - Bridge opens", "bridge opens"),
        ("Bridge opens", "Bridge 'opens'"),
        ("Bridge opens", "Bridge opens!"),
        ("A bridge has opened now - The longest name of a newspaper", "A bridge has opened now"),
        ("Bridge\xa0opens | Daily", "Bridge opens"),
    ],
)
def test_match_title_2_forgives_case_and_marks(title: str, text: str) -> None:
    assert run(match_title_2, Row(text), title=title).has(0, TITLE)


def test_match_title_labels_every_match_and_2_the_first() -> None:
    rows = Row("Other"), Row("Title"), Row("Title")
    assert run(match_title, *rows, title="Title").labels[TITLE] == {1, 2}
    assert run(match_title_2, *rows, title="Title").labels[TITLE] == {1}


@pytest.mark.parametrize("step", [match_title, match_title_2])
def test_no_title_matches_nothing(step: Step) -> None:
    assert not run(step, Row(""), Row("x")).labels.get(TITLE)
