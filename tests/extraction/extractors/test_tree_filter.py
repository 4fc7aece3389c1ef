"""The tree filter on the worked example of its specification and on the shapes where its readings differ."""

import pytest

from extraction.documents.document import Document
from extraction.extractors import extract
from extraction.extractors.boilerpipe import content_blocks, text_blocks_of
from extraction.extractors.tree_filter import PARAGRAPH_TAGS, heaviest_group
from extraction.parsing.parse import parse
from extraction.spans import Span
from tests.extraction.corpora import P1, P2, P3

RELATED = (
    "Another story about a tunnel that was closed for a year and then opened again after a long and costly "
    "repair job."
)
P2_MARKED = P2.replace("more", "<b>more</b>", 1)
EXAMPLE = f"""<body><div id=page>
 <div id=art><h1>Bridge opens</h1>
  <div class=body><p>{P1}</p><p>{P2_MARKED}</p>
   <blockquote><p>{P3}</p></blockquote></div></div>
 <div id=side><div class=rel><p>{RELATED}</p></div></div>
</div></body>"""


def pieces(page: Document, spans: list[Span]) -> list[str]:
    return [page.text[span.start : span.end] for span in spans]


def kept(html: str, depth: int, selected: list[int] | None = None) -> list[str]:
    """Texts of the winning group, where all text blocks are selected."""
    page = parse(html.encode())
    texts = text_blocks_of(page).texts
    blocks = range(len(texts)) if selected is None else selected
    return [texts[block] for block in heaviest_group(page.structure, text_blocks_of(page), blocks, depth)]


def test_example_starts_from_all_five_blocks() -> None:
    page = parse(EXAMPLE.encode())
    selected = content_blocks(text_blocks_of(page), "boilerpipe-article")
    assert selected == [0, 1, 2, 3, 4]
    assert [text_blocks_of(page).characters[block] for block in selected] == [12, 119, 31 + 4 + 95, 112, 113]


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(1, [P1, P2]), (2, [P1, P2]), (3, [P1, P2, RELATED])],
)
def test_example_keeps_the_group_of_the_given_depth(depth: int, expected: list[str]) -> None:
    page = parse(EXAMPLE.encode())
    assert pieces(page, extract(page, "tree-filter", depth=depth)) == expected


def test_depth_two_over_article_is_the_default() -> None:
    page = parse(EXAMPLE.encode())
    explicit = extract(page, "tree-filter", depth=2, base="boilerpipe-article")
    assert extract(page, "tree-filter") == explicit != extract(page, "tree-filter", depth=3)


def test_body_text_alone_belongs_to_the_body() -> None:
    assert kept("<body>only text</body>", 2) == ["only text"]


def test_article_in_two_siblings_is_whole_from_depth_two() -> None:
    html = "<main><div><p>long first part</p></div><div>ad<br></div><div><p>second</p></div></main>"
    assert kept(html, 1, selected=[0, 2]) == ["long first part"]
    assert kept(html, 2, selected=[0, 2]) == ["long first part", "second"]


def test_title_in_its_own_header_is_lost_at_depth_two() -> None:
    html = (
        "<div><header><div><h1>Title</h1></div></header><div><p>one long paragraph</p><p>two</p></div></div>"
    )
    assert kept(html, 2) == ["one long paragraph", "two"]
    assert kept(html, 5) == ["Title", "one long paragraph", "two"]


def test_bare_text_with_line_breaks_is_one_paragraph() -> None:
    assert kept("<div><div>one<br>two<br>three</div><div>other</div></div>", 0) == ["one", "two", "three"]


def test_nested_tables_use_the_innermost() -> None:
    html = (
        "<table><tr><td>outer<table><tr><td>inner one</td><td>inner two</td></tr></table></td></tr></table>"
    )
    assert kept(html, 0) == ["inner one", "inner two"]


def test_cells_of_a_layout_table_are_one_paragraph() -> None:
    assert kept("<table><tr><td>left</td><td>right</td></tr></table><p>p</p>", 0) == ["left", "right"]


def test_shallow_paragraphs_meet_at_the_root() -> None:
    html = "<body><p>near the root</p><div><div><div><p>deep</p></div></div></div></body>"
    assert kept(html, 5) == ["near the root", "deep"]
    assert kept(html, 2) == ["near the root"]


def test_text_in_a_span_of_a_list_item_belongs_to_the_list() -> None:
    tree = parse(b"<div><ul><li><span>item</span></li></ul></div>").structure
    paragraph = tree.nearest(tree.node_parents[0], PARAGRAPH_TAGS)
    assert tree.tags[paragraph] == "ul"


def test_loose_text_belongs_to_the_element_that_holds_paragraphs() -> None:
    assert kept("<div>loose text that is long<p>one</p></div>", 0) == ["loose text that is long"]


def test_the_first_of_equal_groups_wins() -> None:
    assert kept("<div><p>same</p></div><div><p>size</p></div>", 1) == ["same"]


def test_sizes_are_taken_with_blanks_collapsed() -> None:
    assert kept("<div><p>a                 b</p></div><div><p>longer</p></div>", 1) == ["longer"]


def test_nothing_selected_gives_nothing() -> None:
    page = parse(b"<body><p><a href=x>only a link</a></p></body>")
    assert extract(page, "tree-filter") == []
