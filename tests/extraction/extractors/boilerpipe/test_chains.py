"""Boilerpipe's chains on the worked example that both Java versions were run on."""

import pytest

from extraction.extractors import ExtractorError, boilerpipe, extract, get
from extraction.extractors.boilerpipe import CHAINS, content_blocks, text_blocks_of
from extraction.extractors.boilerpipe.blocks import Blocks
from extraction.extractors.boilerpipe.chains import ARTICLE, ARTICLE_2, DEFAULT, LARGEST
from extraction.extractors.boilerpipe.rules import by_word_count
from extraction.extractors.boilerpipe.steps import Step
from extraction.parsing.parse import parse
from tests.extraction.corpora import EXAMPLE, P1, P2, P3
from tests.extraction.extractors.boilerpipe.rows import texts_of

MENU = ["Home", "News"]
LINKS = "Buy cheap tickets More offers"
PHOTO, FOOT, HEADING = "Photo: Ann Lee", "Copyright 2010 Daily", "Bridge opens"


def run(step: Step) -> Blocks:
    page = Blocks.of(text_blocks_of(parse(EXAMPLE.encode())))
    step(page)
    return page


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("boilerpipe-default", [HEADING, P1, P2, PHOTO, FOOT]),
        ("boilerpipe-article", ["News", HEADING, P1, P2, PHOTO, P3, FOOT]),
        ("boilerpipe-article-2", ["News", HEADING, P1, P2, PHOTO]),
        ("boilerpipe-article-sentences", [P1, P2, P3]),
        ("boilerpipe-largest", ["News", HEADING, P1, P2, PHOTO]),
        ("boilerpipe-canola", [P1, P2, LINKS, P3]),
        ("boilerpipe-num-words", [HEADING, P1, P2, PHOTO, FOOT]),
        ("boilerpipe-everything", [*MENU, HEADING, P1, P2, PHOTO, LINKS, P3, FOOT]),
    ],
)
def test_the_example_as_java_has_it(name: str, expected: list[str]) -> None:
    page = parse(EXAMPLE.encode())
    found = [page.text[span.start : span.end] for span in extract(page, name)]
    assert found == expected
    text_blocks = text_blocks_of(page)
    assert [text_blocks.texts[block] for block in content_blocks(text_blocks, name)] == expected


def test_word_count_tree_on_the_example() -> None:
    assert run(by_word_count).content == [False, False, True, True, True, True, False, False, True]


def test_default_fuses_the_two_links() -> None:
    assert texts_of(run(DEFAULT))[0] == "Home\nNews"


def test_article_makes_one_region() -> None:
    page = run(ARTICLE)
    assert page.content == [True]
    assert (page.parts(0)[0], page.parts(0)[-1], page.words(0)) == (1, 8, 85)


@pytest.mark.parametrize("step", [LARGEST, ARTICLE_2])
def test_the_largest_region_of_the_example(step: Step) -> None:
    page = run(step)
    region = page.content.index(True)
    assert (page.parts(region)[0], page.parts(region)[-1], page.words(region)) == (1, 5, 59)


def test_content_blocks_refuses_an_unknown_chain() -> None:
    with pytest.raises(ExtractorError, match="boilerpipe-default, boilerpipe-article"):
        content_blocks(text_blocks_of(parse(b"<p>x")), "everything")


@pytest.mark.parametrize("name", CHAINS)
def test_joined_blocks_are_one_span(name: str) -> None:
    long = "These are the words of a paragraph that every one of the rules takes for content at once. " * 3
    page = parse(f"<p>{long}<br>{long}</p><p>{long}</p><p>The end.</p>".encode())
    first = extract(page, name)[0]
    assert page.text[first.start : first.end] == f"{long.strip()}\n{long.strip()}"


def test_spans_alone_cost_no_printed_text(monkeypatch: pytest.MonkeyPatch) -> None:
    page, chain = parse(EXAMPLE.encode()), get("boilerpipe-article")
    spans, text, _ = chain.run(page)
    assert text is not None
    assert text.startswith(f"News\n{HEADING}\n")
    monkeypatch.setattr(boilerpipe, "text_of_chain", None)
    assert chain(page) == spans
