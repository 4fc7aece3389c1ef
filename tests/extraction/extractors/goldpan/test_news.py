"""goldpan on whole pages in nine languages."""

import pytest

from extraction.documents.document import Document
from extraction.extractors import extract
from extraction.parsing.parse import parse
from extraction.spans import Span, check
from tests.extraction.news import NEWS, News, page_of, without_names


def texts(page: Document, spans: list[Span], label: str) -> list[str]:
    return [page.text[start:end] for start, end, name in spans if name == label]


def visible(text: str) -> int:
    return len("".join(text.split()))


def body_f1(page: Document, spans: list[Span], news: News) -> float:
    """By non-blank characters; every paragraph of ours is one block of its own."""
    body = texts(page, spans, "body")
    right = sum(visible(paragraph) for paragraph in news.body if paragraph in body)
    return 2 * right / (sum(map(visible, body)) + sum(map(visible, news.body)))


@pytest.mark.parametrize("language", NEWS)
def test_the_labels_of_a_news_page(language: str) -> None:
    news = NEWS[language]
    page = parse(page_of(news).encode())
    spans = extract(page, "goldpan")
    check(spans, page)
    assert body_f1(page, spans, news) >= 0.95
    assert texts(page, spans, "headline") == [news.headline]
    assert {comment for _, comment in news.comments} <= set(texts(page, spans, "comments"))
    assert set(texts(page, spans, "supplemental")) == {news.byline, news.caption}
    assert set(news.related) <= set(texts(page, spans, "related"))


@pytest.mark.parametrize("language", NEWS)
def test_body_and_headline_of_a_page_whose_elements_have_no_names(language: str) -> None:
    news = NEWS[language]
    page = parse(without_names(page_of(news)).encode())
    spans = extract(page, "goldpan")
    assert body_f1(page, spans, news) >= 0.9
    assert texts(page, spans, "headline") == [news.headline]


def test_names_help_to_tell_comments_from_the_body() -> None:
    """The pages would teach nothing about names if it made no difference."""
    for news in NEWS.values():
        page = parse(without_names(page_of(news)).encode())
        assert not texts(page, extract(page, "goldpan"), "comments")
