"""Unfluff against traces of version 3.2.0: its cleaner, its scores, what it keeps."""

import time

import pytest

from extraction.documents.document import Document
from extraction.extractors import ExtractorError, extract
from extraction.extractors.unfluff import Cleaned, ShrinkingPage, declared
from extraction.extractors.unfluff_page import CleanedPage, clean
from extraction.features.stop_words import stop_words
from extraction.parsing.parse import parse
from tests.extraction.corpora import P1, P2, P3

EXAMPLE = (
    "<html lang=en><head><title>Bridge opens - Daily</title></head><body>"
    "<div id=menu><ul><li><a>Home</a></li><li><a>News</a></li></ul></div>"
    f"<div class=story><h1>Bridge opens</h1><p>{P1}</p><p>{P2}</p><p>Photo: Ann Lee</p>"
    f"<div class=ads><a>Buy cheap tickets</a> <a>More offers</a></div><p>{P3}</p></div>"
    "<div class=footer>Copyright 2010 Daily</div></body></html>"
)
ENGLISH = stop_words("unfluff", "en")
#: Seven stop words and no more: boosts the next paragraph, and stays.
WORDY = "it was on the way to them"


def document(body: str) -> Document:
    return parse(f"<html><head></head><body>{body}</body></html>".encode())


def pieces(page: Document, **parameters: str) -> list[str]:
    return [page.text[span.start : span.end] for span in extract(page, "unfluff", **parameters)]


def reading_of(page: Document) -> ShrinkingPage:
    return ShrinkingPage(Cleaned(clean(page)), ENGLISH)


def written(page: CleanedPage, element: int) -> str:
    """A cleaned element as markup; text that hangs in it beside its children comes first."""
    inner = "".join(written(page, child) for child in page.children(element))
    own = "".join(page.texts[node] for node in page.nodes(element) if page.holder(node) == element)
    if element >= len(page.tree.tags):
        own = page.text(element)
    return f"<{page.tags[element]}>{own}{inner}</{page.tags[element]}>"


def cleaned(body: str) -> list[str]:
    page = clean(document(body))
    (body_element,) = page.tagged("body")
    return [written(page, child) for child in page.children(body_element)]


def test_example_is_cleaned_as_in_the_trace() -> None:
    page = clean(parse(EXAMPLE.encode()))
    (body,) = page.tagged("body")
    assert [(page.tags[child], page.text(child)) for child in page.children(body)] == [
        ("p", "HomeNews"),
        ("p", "Bridge opens"),
        ("p", P1),
        ("p", P2),
        ("p", "Photo: Ann Lee"),
        ("p", "Buy cheap tickets More offers"),
        ("p", P3),
    ]


def test_example_has_the_stop_words_and_scores_of_the_trace() -> None:
    reading = reading_of(parse(EXAMPLE.encode()))
    paragraphs = reading.page.tagged("p")
    assert [reading.stops_in(element) for element in paragraphs] == [0, 0, 16, 23, 0, 1, 16]
    (body,) = reading.page.tagged("body")
    assert (reading.top(), reading.scores[body]) == (body, 130)


def test_example_keeps_the_three_paragraphs() -> None:
    assert pieces(parse(EXAMPLE.encode())) == [P1, P2, P3]


def test_loose_text_is_regrouped_as_in_the_trace() -> None:
    body = (
        "<div>t1 <a>l0</a> text one <a>l1</a> <a>l2</a><h2>H</h2> text two<p>para</p>tail"
        "<div>x<div>inner<p>q</p></div>y</div></div>"
    )
    assert cleaned(body) == [
        *["<p>l0</p>", "<p>l1</p>", "<p>l2</p>", "<p>H</p>", "<p>t1  l0  text one  l1  text two</p>"],
        *["<p>para</p>", "<p>xy<div>inner<p>q</p></div></p>", "<p>tail</p>"],
    ]


def test_only_the_outermost_div_is_dissolved() -> None:
    assert cleaned("<div><div><div>deep<p>z</p></div></div></div>") == ["<p><div>deep<p>z</p></div></p>"]


def test_a_div_without_blocks_is_a_paragraph() -> None:
    assert cleaned("<div>text <b>bold</b></div>") == ["<p>text <b>bold</b></p>"]


def test_a_span_without_blocks_is_a_paragraph_unless_it_stands_in_one() -> None:
    assert cleaned("<span>loose</span><p>in <span>a paragraph</span></p>") == [
        "<p>loose</p>",
        "<p>in a paragraph</p>",
    ]


@pytest.mark.parametrize(
    "attributes",
    [
        *["class=footer", "id=Comments", "name=update", "class=candidate", "class='a side-by-tags b'"],
        *["class=side", "id=fn", "class=entry-meta", "class=caption", "class='x-facebook xfacebook'"],
        *["class=amore", "class='x google y'"],
    ],
)
def test_bad_names_drop_a_div(attributes: str) -> None:
    assert cleaned(f"<div {attributes}>gone</div><p>stays</p>") == ["<p>stays</p>"]


@pytest.mark.parametrize(
    "attributes",
    [
        *["class=sidebar", "id=fnord", "class='meta x'", "class=Caption", "class=facebook", "class=-twitter"],
        *["class=evermore", "class=google", "title=comment", "class='a\nside\nb'"],
    ],
)
def test_other_names_do_not(attributes: str) -> None:
    assert cleaned(f"<div {attributes}>stays</div>") == ["<p>stays</p>"]


def test_names_of_articles_and_classes_of_the_body_do_not_count() -> None:
    page = clean(parse(b"<body class=comments><article class=date id=tags><p>stays</article>"))
    assert [page.text(element) for element in page.tagged("article", "p")] == ["stays", "stays"]


def test_caption_is_bad_for_a_div_only() -> None:
    assert cleaned("<section class=caption>stays</section>") == ["<section>stays</section>"]


def test_code_is_left_as_text() -> None:
    assert cleaned("<p>a <code>b <i>c</i></code></p><pre>d <p>e</p></pre>") == ["<p>a b c</p>"]


def test_emphasis_goes_unless_one_holds_an_image() -> None:
    assert cleaned("<p>a <em>b</em> <u>c</u></p>") == ["<p>a b c</p>"]
    assert cleaned("<p>a <em>b</em><em><img></em></p>") == ["<p>a <em>b</em><em><img></img></em></p>"]


def test_line_breaks_in_the_source_divide_words_in_paragraphs_only() -> None:
    reading = reading_of(document("<p>it\nwas</p><section>it\nwas</section>"))
    assert reading.stops_in(reading.page.tagged("p")[0]) == 2
    assert reading.stops_in(reading.page.tagged("section")[0]) == 0


def test_punctuation_is_cut_out_of_words() -> None:
    reading = reading_of(document("<p>(The), IT'S w-a-s \u201cthe\u201d</p>"))
    assert reading.stops_in(reading.page.tagged("p")[0]) == 3  # the, its, was; curly quotes stay


@pytest.mark.parametrize(
    ("body", "dense"),
    [
        ("<p>no links at all</p>", False),
        ("<p><a>all of it</a></p>", True),
        ("<p>one two <a>three</a></p>", False),
        ("<p>one <a>two</a> <a>three</a></p>", True),
        ("<p>a b c d e <a>f</a> <a>g</a></p>", False),
    ],
)
def test_link_density_grows_with_the_number_of_links(body: str, dense: bool) -> None:
    reading = reading_of(document(body))
    assert reading.is_link_dense(reading.page.tagged("p")[0]) is dense


def test_late_candidates_of_many_lose_points() -> None:
    """Twenty paragraphs of seven: boosts 50/1 to 50/14, then 0, -1, -4, -9, -16 (and the fifth-last is 0)."""
    reading = reading_of(document(f"<p>{WORDY}</p>" * 20))
    boosts = [0, *(50 / n for n in range(1, 15)), 0, -1, -4, -9, -16]
    assert reading.scores[2] == sum(int(7 + boost // 1) for boost in boosts)


def test_half_points_of_a_grandparent_are_cut() -> None:
    reading = reading_of(document(f"<p>{WORDY}</p><p>it was on</p>"))
    assert reading.scores == {2: 7 + 53, 0: 3 + 26.5}


def test_children_without_a_paragraph_or_with_few_points_go() -> None:
    body = (
        f"<section><p>{P1}</p><p>{P2}</p><table><tr><td>{WORDY}</td></tr></table><aside><p>{WORDY}</p></aside>"
        "</section>"
    )
    assert pieces(document(body)) == [P1, P2]


def test_lists_and_children_with_enough_points_stay() -> None:
    body = (
        f"<section><p>{P1}</p><p>{P2}</p><ul><li>{WORDY}</li></ul>"
        f"<aside><p>{WORDY}, said the mayor.</p></aside>and this is loose text</section>"
    )
    kept = [P1, P2, WORDY, f"{WORDY}, said the mayor.", "and this is loose text"]
    assert pieces(document(body)) == kept


@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><td>it was on the way" * 700 + " to them" * 2_000,
        "<table><tr><td>it was on the way" * 700 + "<b></b>" * 90_000,
        "<p>it was on the way<object>" * 1_200 + "<b></b>" * 80_000,
    ],
    ids=["text", "elements", "paragraphs"],
)
def test_what_is_counted_again_on_too_many_levels_is_refused(body: str) -> None:
    page = document(body)
    started = time.process_time()
    with pytest.raises(ExtractorError, match="nested too deep"):
        extract(page, "unfluff")
    assert time.process_time() - started < 10  # about one second


def test_a_span_around_a_regrouped_div_is_regrouped_with_its_paragraphs() -> None:
    """Text that was loose in the div stays the paragraph that it became."""
    body = f"<span>before<div>loose<h2>Title</h2><p>{P1}</p>tail</div>after</span>"
    expected = ["before", "Title", "loose", P1, "tail", "after"]
    assert cleaned(body) == [f"<p>{piece}</p>" for piece in expected]


def test_paragraphs_before_the_top_element_are_taken() -> None:
    body = f"<p>{P3}</p><header><p>{P1}</p><p>short</p></header><section><p>{P1}</p><p>{P2}</p></section>"
    assert pieces(document(body)) == [P3, P1, P1, P2]


def test_text_in_brackets_and_with_few_stop_words_goes() -> None:
    body = f"<section><p>{P1}</p><p>{P2}</p><p>({WORDY})</p><p>Photo: Ann Lee</p></section>"
    assert pieces(document(body)) == [P1, P2]


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=es-MX>", "es"),
        ("<html lang=tlh>", "en"),
        ("<meta http-equiv=Content-Language content=fr-FR>", "fr"),
        ("<html lang=tlh><meta http-equiv=content-language content='de, en'>", "de"),
        ("", "en"),
    ],
)
def test_the_language_is_what_the_page_declares(html: str, language: str) -> None:
    assert declared(parse(f"{html}<p>x".encode())) == language


def test_another_language_than_that_of_the_page_finds_nothing() -> None:
    assert pieces(parse(EXAMPLE.encode()), language="fi") == []


def test_a_page_without_candidates_gives_nothing() -> None:
    assert pieces(document("<p>Home</p><table><tr><td>News</table>")) == []
