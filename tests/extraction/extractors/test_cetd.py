"""CETD against the worked example of its description, in both variants, and its edge cases."""

import math

import numpy as np
import pytest

from extraction.documents.document import Document
from extraction.extractors import ExtractorError, extract
from extraction.extractors.cetd import Densities, composite, count, kept_elements, simple
from extraction.extractors.visible import VisibleBody, visible_body
from extraction.parsing.parse import parse
from tests.extraction.corpora import P1, P2, P3

EXAMPLE = f"""<html lang=en><head><title>Bridge opens - Daily</title></head><body>
<div id=menu><ul><li><a>Home</a></li><li><a>News</a></li></ul></div>
<div class=story><h1>Bridge opens</h1>
<p>{P1}</p>
<p>{P2}</p>
<p>Photo: Ann Lee</p>
<div class=ads><a>Buy cheap tickets</a> <a>More offers</a></div>
<p>{P3}</p></div>
<div class=footer>Copyright 2010 Daily</div></body></html>"""
BODY, MENU, STORY, H1, FIRST, SECOND, PHOTO, ADS, THIRD, FOOTER = 0, 1, 7, 8, 9, 10, 11, 12, 15, 16


def document(body: str) -> Document:
    return parse(f"<html><head></head><body>{body}</body></html>".encode())


def visible(html: str) -> VisibleBody:
    body = visible_body(parse(html.encode()))
    assert body is not None
    return body


def pieces(page: Document, variant: str = "composite") -> list[str]:
    return [page.text[span.start : span.end] for span in extract(page, "cetd", variant=variant)]


@pytest.mark.parametrize(
    ("element", "row"),
    [
        (BODY, (453, 16, 36, 8, 62.07, 268.20)),
        (MENU, (8, 5, 8, 5, 0, 0)),
        (STORY, (423, 8, 28, 2, 151.26, 1979.41)),
        (H1, (12, 0, 0, 0, 68.90, 68.90)),
        (FIRST, (119, 0, 0, 0, 600.45, 600.45)),
        (SECOND, (132, 0, 0, 0, 660.38, 660.38)),
        (PHOTO, (14, 0, 0, 0, 81.33, 81.33)),
        (ADS, (29, 2, 28, 2, 0.27, 0)),
        (THIRD, (112, 0, 0, 0, 568.08, 568.08)),
        (FOOTER, (20, 0, 0, 0, 116.95, 116.95)),
    ],
)
def test_example_has_the_counts_and_densities_of_the_description(
    element: int, row: tuple[float, ...]
) -> None:
    body = visible(EXAMPLE)
    found = (*count(body), *composite(body, count(body)))
    assert [float(column[element]) for column in found] == pytest.approx(row, abs=0.0051)


@pytest.mark.parametrize(
    ("element", "density", "total"),
    [
        *[(BODY, 25.56, 68.62), (MENU, 0, 0), (STORY, 48.62, 389), (H1, 12, 12), (FIRST, 119, 119)],
        *[(SECOND, 132, 132), (PHOTO, 14, 14), (ADS, 0, 0), (THIRD, 112, 112), (FOOTER, 20, 20)],
    ],
)
def test_example_has_the_simple_densities_of_the_description(
    element: int, density: float, total: float
) -> None:
    body = visible(EXAMPLE)
    found = simple(body, count(body))
    assert (found.density[element], found.total[element]) == pytest.approx((density, total), abs=0.0051)


def test_target_and_threshold_of_the_example() -> None:
    body = visible(EXAMPLE)
    found = composite(body, count(body))
    assert int(np.argmax(found.total)) == STORY
    assert min(found.density[STORY], found.density[BODY]) == pytest.approx(62.07, abs=0.0051)


def test_composite_removes_the_menu_and_keeps_story_and_footer() -> None:
    kept = pieces(parse(EXAMPLE.encode()))
    assert kept == [
        *["Bridge opens", P1, P2, "Photo: Ann Lee", "Buy cheap tickets More offers", P3],
        "Copyright 2010 Daily",
    ]


def test_simple_removes_the_footer_too() -> None:
    kept = pieces(parse(EXAMPLE.encode()), "simple")
    assert kept == ["Bridge opens", P1, P2, "Photo: Ann Lee", "Buy cheap tickets More offers", P3]


def test_a_page_without_links_is_kept_whole() -> None:
    page = document("<p>one</p><div><p>two</p></div>three")
    assert pieces(page) == ["one", "two", "three"]


@pytest.mark.parametrize("variant", ["composite", "simple"])
def test_a_page_without_text_gives_nothing(variant: str) -> None:
    assert pieces(document("<p> </p><img>"), variant) == []


@pytest.mark.parametrize("variant", ["composite", "simple"])
def test_a_page_of_links_only_breaks_nothing(variant: str) -> None:
    page = document("<a href=x>one</a> <a href=y><img></a><p><a>two</a></p>")
    body = visible_body(page)
    assert body is not None
    assert all(math.isfinite(value) for value in composite(body, count(body)).density)
    assert set(pieces(page, variant)) <= {"one", "two"}


def test_hidden_elements_have_no_text() -> None:
    html = (
        "<body><p>seen</p><p hidden>one</p><p style='color: red; display : none'>two</p>"
        "<noscript>three</noscript><template>four</template><input type=HIDDEN value=x></body>"
    )
    body = visible(html)
    assert int(body.characters()[0]) == len("seen")
    assert int(body.of_descendants(body.shown)[0]) == 1
    assert pieces(parse(html.encode())) == ["seen"]


def test_only_an_input_is_hidden_by_its_type() -> None:
    assert pieces(document("<p type=hidden>seen</p>")) == ["seen"]


def test_characters_collapse_blanks_across_elements() -> None:
    body = visible("<body><div> a <b> b</b><i>c </i> \n <u> d</u></div> \n </body>")
    assert body.characters()[:5].tolist() == [len("a bc d"), len("a bc d"), 1, 1, 1]


def test_an_element_of_nothing_but_links_counts_as_one() -> None:
    body = visible("<body><div><ul><li><a>x</a></li></ul></div>text</body>")
    assert count(body).link_tags.tolist() == [4, 3, 2, 1, 0]


def test_everything_in_a_link_is_link() -> None:
    counts = count(visible("<body>text<a>one <b>two</b></a></body>"))
    assert counts.link_characters.tolist() == [7, 7, 3]


TWO_COLUMNS = "<body><div><p>a</p></div><div><p>b</p></div></body>"


def kept(density: list[float], total: list[float]) -> list[bool]:
    return kept_elements(visible(TWO_COLUMNS), Densities(np.array(density), np.array(total))).tolist()


def test_nobody_looks_below_a_sparse_element() -> None:
    sparse = kept(density=[5, 6, 9, 1, 8], total=[0, 9, 3, 0, 8])
    assert sparse == [True, True, True, False, False]


def test_a_dense_element_brings_its_densest_descendant() -> None:
    dense = kept(density=[5, 6, 9, 5, 8], total=[0, 9, 3, 0, 8])
    assert dense == [True, True, True, True, True]


def test_the_first_of_equal_sums_is_the_target() -> None:
    assert kept(density=[5, 6, 9, 1, 8], total=[0, 0, 9, 0, 9]) == [True, True, True, False, False]


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(ExtractorError, match="variant cannot be 'other'"):
        extract(document("x"), "cetd", variant="other")
