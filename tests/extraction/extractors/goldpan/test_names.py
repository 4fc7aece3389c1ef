"""What the names of elements hint at."""

import pytest

from extraction.extractors.goldpan.names import BITS, FOREIGN, KINDS, kinds_of, read


def kinds(names: str) -> set[str]:
    return {kind for kind in KINDS if kinds_of(names) & BITS[kind]}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("comments", {"comment"}),
        ("comment-list", {"comment"}),
        ("userComments", {"comment"}),
        ("USER_COMMENTS", {"comment"}),
        ("RelatedStories box", {"related"}),
        ("social-share", {"share"}),
        ("main-nav", {"navigation"}),
        ("siteFooter", {"footer"}),
        ("article-caption", {"caption"}),
        ("story-text", set()),
        ("", set()),
        ("commentary", set()),  # a word, not a part of one
        ("shared-services", set()),
        ("ad", {"advertisement"}),
        ("header shadow", set()),
        ("newsletter sidebar", {"prompt", "side"}),
    ],
)
def test_names_are_read_word_by_word(names: str, expected: set[str]) -> None:
    assert kinds(names) == expected


@pytest.mark.parametrize(
    "names",
    [
        "post tag-comments category-related",
        "hentry tag-social tag-video",
        "format-gallery status-publish",
        "has-sidebar no-comments",
        "post-related with-sidebar",
        "date-posts",
    ],
)
def test_what_an_article_is_about_says_nothing_of_its_element(names: str) -> None:
    assert kinds(names) == set()


def test_a_topic_is_only_left_out_where_a_name_begins() -> None:
    assert kinds("my-tag-comments") >= {"comment"}


def test_kinds_that_seldom_hold_an_article_are_foreign() -> None:
    assert kinds_of("comments") & FOREIGN
    assert not kinds_of("byline") & FOREIGN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("teaser wide", "wide teaser"),
        ("post-12", "post-3456"),
        ("item3 box", "box item10"),
        ("entry tag-sports", "entry tag-politics category-4"),
    ],
)
def test_elements_made_alike_have_one_shape(one: str, other: str) -> None:
    assert read(one)[1] == read(other)[1]


def test_other_names_are_another_shape() -> None:
    assert len({read(names)[1] for names in ("", "teaser", "teaser wide", "story")}) == 4
