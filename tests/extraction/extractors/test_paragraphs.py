"""jusText's paragraphs: what divides them, what is left out, what counts as link."""

import pytest

from extraction.extractors.paragraphs import Paragraph, paragraphs
from extraction.parsing.parse import parse


def found(body: str) -> list[Paragraph]:
    return paragraphs(parse(f"<html><head><title>t</title></head><body>{body}</body></html>".encode()))


def texts(body: str) -> list[str]:
    return [paragraph.text for paragraph in found(body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<div>one<p>two</p>three</div>", ["one", "two", "three"]),
        ("<section>one</section><section>two</section>", ["onetwo"]),
        ("<ol><li>one<li>two</ol>", ["one", "two"]),
        ("<p><br></p>", []),
        ("<p> \n </p>", []),
        ("one<br>two", ["one two"]),
        ("one<br><br>two", ["one", "two"]),
        ("one<br> \n <br>two", ["one", "two"]),
        ("one<br><br><br>two", ["one", "two"]),
        ("one<br><b></b><br>two", ["one two"]),
        ("one<br><form><br></form>two", ["one", "two"]),
        ("one<br>two<br>three", ["one two three"]),
        ("<b>New</b> <i>York</i>", ["NewYork"]),
        ("<b>New</b> <i> York</i>", ["New York"]),
        (" a \n b\tc ", ["a b c"]),
        ("a<noscript>b</noscript><object>c</object>", ["abc"]),
        ("a<script>x</script><style>y</style>b", ["ab"]),
        ("a<button>x<div>y</div></button>b<select><option>z</select><textarea>t</textarea>c", ["abc"]),
    ],
)
def test_paragraphs_end_where_the_library_ends_them(body: str, expected: list[str]) -> None:
    assert texts(body) == expected


def test_the_head_is_left_out() -> None:
    assert texts("") == []


def test_headings_are_known_by_any_ancestor() -> None:
    page = found("<h2><span>one</span></h2><div>two<h6><p>three</p></h6></div>")
    assert [(p.text, p.is_heading) for p in page] == [("one", True), ("two", False), ("three", True)]


def test_link_characters_count_blanks_around() -> None:
    (paragraph,) = found("one <a> two  three </a><a>four</a>")
    assert paragraph.link_characters == len(" two three ") + len("four")
    assert paragraph.link_density == paragraph.link_characters / len("one two three four")


def test_the_end_of_an_inner_link_ends_the_outer_one() -> None:
    page = found("<a>out<object><a>in</a>out</object>out</a>after")
    assert sum(p.link_characters for p in page) == len("out") + len("in")


def test_paragraphs_know_their_text_nodes() -> None:
    page = parse(b"<p>one <b>two</b> </p><p>three")
    tree = page.structure
    assert [[tree.node_texts[node] for node in p.nodes] for p in paragraphs(page)] == [
        ["one ", "two"],
        ["three"],
    ]
