"""Where blocks stand, and what their elements say."""

from typing import NamedTuple

import numpy as np
import pytest

from extraction.documents.document import Document
from extraction.extractors.goldpan.layout import (
    ARTICLE_BODY,
    BY_HIDING,
    BY_TAG,
    MIN_RECORDS,
    TAG_BITS,
    Layout,
    between,
)
from extraction.extractors.goldpan.measures import BlockMeasures
from extraction.extractors.goldpan.names import BITS
from extraction.parsing.parse import parse
from tests.extraction.corpora import P1, P2, P3


class Seen(NamedTuple):
    """A page, and the way from a text in it to its block."""

    document: Document
    layout: Layout

    def block(self, text: str) -> int:
        return next(
            number
            for number, (start, end) in enumerate(self.document.blocks)
            if text in self.document.text[start:end]
        )

    def element_of(self, text: str) -> int:
        return int(self.layout.element[self.block(text)])


def see(page: str) -> Seen:
    document = parse(page.encode())
    return Seen(document, Layout.of(document, BlockMeasures.of(document.text, document.blocks)))


ARTICLE = f"<div><p>{P1}</p><p>{P2}</p><p>{P3}</p></div>"


def test_links_are_counted_and_measured() -> None:
    layout = see("<p>one <a href=x>two</a> three <a href=y>four</a></p><p>no link</p>").layout
    assert layout.linked.tolist() == [len("twofour"), 0]
    assert layout.links.tolist() == [2, 0]


def test_a_link_with_markup_inside_is_wholly_linked() -> None:
    assert see("<p><a href=x>one <i>two</i></a></p>").layout.linked.tolist() == [len("one two")]


def test_bold_text_is_measured() -> None:
    assert see("<p><b>By Ann</b> and <strong>Tom</strong></p>").layout.bold.tolist() == [len("By AnnTom")]


def test_prose_is_added_up_before_each_block_and_in_all() -> None:
    layout = see(f"<p>x</p><p>{P1}</p><p>x</p><p>{P2}</p>").layout
    assert layout.prose_before.tolist() == [0, 0, len(P1), len(P1), len(P1) + len(P2)]


def test_elements_are_called_what_those_above_are() -> None:
    seen = see("<div class=comments><p class=share>in</p></div><p class=share>out</p>")
    inside, outside = (seen.layout.called[seen.element_of(text)] for text in ("in", "out"))
    assert (inside, outside) == (BITS["comment"] | BITS["share"], BITS["share"])


def test_the_element_of_a_block_is_not_an_inline_one() -> None:
    seen = see("<div><p><span><b>deep</b></span></p></div>")
    assert seen.layout.tags[seen.element_of("deep")] == "p"


def test_elements_know_parents_and_the_blocks_below() -> None:
    seen = see("<div id=x><p>one</p><section><p>two</p><p>three</p></section></div><p>four</p>")
    layout = seen.layout
    section = layout.parents[seen.element_of("three")]
    assert layout.tags[section] == "section"
    assert (layout.first[section], layout.end[section]) == (1, 3)
    assert layout.tags[layout.parents[section]] == "div"
    assert layout.parents[0] == -1
    assert layout.after[section] - section == 3
    ones, twos = np.full((2, 4), [[1], [2]], dtype=np.float32)
    assert between(np.stack((ones, twos)), layout.first, layout.end)[:, section].tolist() == [2, 4]


@pytest.mark.parametrize(
    ("markup", "is_prose"),
    [
        (f"<p>{P1}", True),
        ("<p>Too short.", False),
        (f"<p><a href=x>{P1}</a>", False),
        (f"<p>{P1} <a href=x>More</a>", True),
        ("<p>老渡轮首次试航，新码头的费用由港务局承担一半，其余由市里支付。", True),
        ("<p>Ten words without an end are no prose at all", False),
        ("<p>" + "word " * 25, True),
    ],
)
def test_what_looks_like_prose(markup: str, is_prose: bool) -> None:
    assert (see(markup).layout.prose[0] > 0) == is_prose


@pytest.mark.parametrize(
    "attribute",
    ["hidden", 'aria-hidden="true"', 'style="color:red;display : NONE"', "style=visibility:hidden"],
)
def test_what_is_hidden_is_foreign(attribute: str) -> None:
    seen = see(f"{ARTICLE}<div {attribute}><div><p>Out of sight</p></div></div>")
    assert seen.layout.foreign[seen.element_of("Out of sight")] & BY_HIDING
    assert not seen.layout.foreign[seen.element_of(P1)]


@pytest.mark.parametrize("tag", ["aside", "nav", "footer", "form", "figure"])
def test_what_stands_in_a_foreign_element_is_foreign(tag: str) -> None:
    seen = see(f"{ARTICLE}<{tag}><div>Out here</div></{tag}>")
    assert seen.layout.foreign[seen.element_of("Out here")] & BY_TAG


def test_roles_speak_like_tags() -> None:
    seen = see(f"{ARTICLE}<div role=navigation><div>Out here</div></div>")
    outer = seen.layout.parents[seen.element_of("Out here")]
    assert seen.layout.speaking[outer] & TAG_BITS["nav"]
    assert seen.layout.foreign[seen.element_of("Out here")] & BY_TAG


def test_names_make_foreign_what_is_below() -> None:
    seen = see(f"{ARTICLE}<div class=comments><p>Mine</p></div>")
    assert seen.layout.foreign[seen.element_of("Mine")] & BITS["comment"]


@pytest.mark.parametrize("wrapper", ["<aside>", "<div class=sidebar>", "<form>", "<div hidden>"])
def test_a_container_of_half_the_prose_is_not_foreign_whatever_it_says(wrapper: str) -> None:
    seen = see(f"{wrapper}{ARTICLE}")
    assert seen.layout.foreign[seen.element_of(P1)] == 0


def test_names_of_html_and_body_say_nothing() -> None:
    seen = see(f"<html class=no-comments><body class='sidebar comments'>{ARTICLE}<div>x</div>")
    assert seen.layout.kinds[0] == seen.layout.kinds[1] == 0


def test_schema_markup_is_read() -> None:
    seen = see(f"<div itemprop=articleBody>{ARTICLE}</div>")
    outer = seen.layout.parents[seen.layout.parents[seen.element_of(P1)]]
    assert seen.layout.speaking[outer] & ARTICLE_BODY


def test_alike_siblings_are_counted() -> None:
    seen = see("<div><p class=x1>one</p><p class=x2>two</p><p>three</p></div><p class=x3>four</p>")
    assert [seen.layout.alike[seen.element_of(text)] for text in ("one", "two", "three", "four")] == [
        2,
        2,
        1,
        1,
    ]


def test_elements_made_alike_have_one_shape_and_those_without_classes_are_plain() -> None:
    seen = see("<div class='a b1'>one</div><div class='b2 a'>two</div><div>three</div><p class=a>four</p>")
    indices = [seen.element_of(text) for text in ("one", "two", "three", "four")]
    shapes = seen.layout.shapes[indices].tolist()
    assert shapes[0] == shapes[1]
    assert len(set(shapes)) == 3
    assert seen.layout.plain[indices].tolist() == [False, False, True, False]


@pytest.mark.parametrize("name", ["|", "part|", "part |"])
def test_a_class_that_ends_in_a_bar_is_a_class(name: str) -> None:
    """Some templates write bars between the names."""
    seen = see(f"<div class='{name}'>one</div><div class='{name}'>two</div><div class=tag-news>three</div>")
    indices = [seen.element_of(text) for text in ("one", "two", "three")]
    assert seen.layout.plain[indices].tolist() == [False, False, True]
    one, two, three = seen.layout.shapes[indices].tolist()
    assert one == two != three


def test_the_longest_list_of_records_counts_further_in() -> None:
    inner = "<div class=i><p>Inner</p><p>b</p></div>" * 4
    seen = see(ARTICLE + f"<div class=o>{inner}</div>" * 3 + "<div class=s><p>Single</p><p>d</p></div>" * 3)
    indices = [seen.element_of(text) for text in ("Inner", "Single")]
    assert seen.layout.records[indices].tolist() == [4, 3]
    assert seen.layout.record_blocks[indices].tolist() == [2, 2]


def test_alike_siblings_of_several_blocks_are_records() -> None:
    teaser = "<div class=t><h3>Title</h3><p>Some text</p></div>"
    seen = see(ARTICLE + teaser * MIN_RECORDS + "<div>alone</div>")
    index = seen.element_of("Some text")
    assert (seen.layout.records[index], seen.layout.record_blocks[index]) == (MIN_RECORDS, 2)
    assert seen.layout.records[seen.element_of("alone")] == 0
    assert seen.layout.records[seen.element_of(P1)] == 0


def test_alike_siblings_of_one_block_are_paragraphs() -> None:
    seen = see("<div>" + "<p class=x>a line</p>" * 9 + "</div>")
    assert seen.layout.records[seen.element_of("a line")] == 0
