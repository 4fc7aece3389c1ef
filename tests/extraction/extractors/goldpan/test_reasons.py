"""Why a block has its label."""

import re

import pytest

from extraction.documents.document import Document
from extraction.extractors import BlockReason, Evidence, ExtractorError, explain, extract
from extraction.extractors.goldpan import known_page
from extraction.extractors.goldpan.model import model
from extraction.extractors.goldpan.reasons import _THEMES, MAX_EVIDENCE, SENTENCES, _by_theme
from extraction.parsing.parse import parse
from tests.extraction.corpora import EXAMPLE, P1, P2
from tests.extraction.news import NEWS, page_of

NEWS_PAGE = parse(page_of(NEWS["en"]).encode())

#: What decides a block without its probability.
RULES = {"in-core", "headline", "caption", "before-body", "comments", "related"}
#: Pages that between them make most findings.
PAGES = [
    NEWS_PAGE,
    parse(EXAMPLE.encode()),
    parse(f"<div hidden><p>{P1}</p></div><table><tr><td>a<td>b</table><p>{P2}</p><p>{P1}</p>".encode()),
    parse(
        f"<title>A bridge</title><h1>A bridge</h1><div><p>{P1}</p><p>{P2}</p></div>".encode()
        + b"<h3>4 comments</h3><ol class=comments>"
        + f"<li class=comment><p>Ann says:<p>{P2}<p>Reply".encode() * 4
    ),
    parse(b"<ul>" + b"<li><h3><a href=x>Title</a></h3><p>A line of text</p>" * 9 + b"</ul>"),
]


def reason_for(page: Document, text: str) -> BlockReason:
    return next(reason for reason in explain(page, "goldpan") if page.text[reason.start : reason.end] == text)


def codes(reason: BlockReason) -> list[str]:
    return [item.code for item in reason.evidence]


@pytest.mark.parametrize("setting", ["balanced", "precision"])
@pytest.mark.parametrize("page", PAGES)
def test_every_block_has_one_and_its_label_is_that_of_the_extraction(page: Document, setting: str) -> None:
    reasons = explain(page, "goldpan", setting=setting)
    assert [(reason.start, reason.end) for reason in reasons] == page.blocks
    labelled = [(reason.start, reason.end, reason.label) for reason in reasons if reason.label]
    assert labelled == extract(page, "goldpan", setting=setting)


@pytest.mark.parametrize("page", PAGES)
def test_a_reason_has_a_probability_and_a_few_findings(page: Document) -> None:
    for reason in explain(page, "goldpan"):
        assert 0 <= reason.probability <= 1
        assert len(reason.evidence) <= MAX_EVIDENCE
        assert reason.evidence or not reason.label
        assert len(set(codes(reason))) == len(reason.evidence)


def test_what_a_rule_decided_has_the_rule_for_a_reason() -> None:
    news = NEWS["en"]
    assert codes(reason_for(NEWS_PAGE, news.headline)) == ["headline"]
    assert codes(reason_for(NEWS_PAGE, news.caption)) == ["caption"]
    assert codes(reason_for(NEWS_PAGE, news.byline)) == ["before-body"]
    assert codes(reason_for(NEWS_PAGE, news.comments[0][1])) == ["comments"]
    assert codes(reason_for(NEWS_PAGE, news.related[0])) == ["related"]


def test_findings_of_the_model_speak_for_body_or_against_it() -> None:
    """What is said of a paragraph in the middle is not what is said of the menu."""
    body, menu = reason_for(NEWS_PAGE, NEWS["en"].body[2]), reason_for(NEWS_PAGE, NEWS["en"].menu[2])
    assert (body.label, menu.label) == ("body", None)
    assert body.probability > menu.probability
    assert not {"hidden", "short", "container-links", "far-from-prose"} & set(codes(body))
    assert not {"in-core", "container-prose", "near-prose"} & set(codes(menu))


@pytest.mark.parametrize("document", PAGES)
def test_what_is_told_moved_the_model_the_way_that_it_went(document: Document) -> None:
    page = known_page(document)
    weights = _by_theme(model().contributions(page.body_features))
    for block, reason in enumerate(explain(document, "goldpan")):
        if not set(codes(reason)) <= RULES:
            sign = 1 if reason.label else -1
            telling = [
                theme(page, block).code
                for theme, w in zip(_THEMES, weights[:, block], strict=True)
                if sign * w > 0
            ]
            assert set(codes(reason)) <= set(telling)


def test_findings_say_themselves_in_english() -> None:
    for page in PAGES:
        for reason in explain(page, "goldpan"):
            for item in reason.evidence:
                assert re.fullmatch(r"[^{}]{5,}", str(item))


def test_every_finding_has_a_sentence_and_no_sentence_is_idle() -> None:
    pages = [known_page(page) for page in PAGES]
    made = {theme(page, block).code for theme in _THEMES for page in pages for block in range(page.size)}
    assert made | RULES == set(SENTENCES)


def test_a_finding_without_a_sentence_says_its_code() -> None:
    assert str(Evidence("too-old", {"days": 3})) == "too-old days=3"


def test_a_page_without_text_has_no_reasons() -> None:
    assert explain(parse(b"<p></p>"), "goldpan") == []


def test_others_tell_no_reasons_and_say_so() -> None:
    with pytest.raises(ExtractorError, match="bte does not tell reasons"):
        explain(NEWS_PAGE, "bte")
    with pytest.raises(ExtractorError, match="setting cannot be 'high'"):
        explain(NEWS_PAGE, "goldpan", setting="high")


def test_findings_speak_for_what_was_decided() -> None:
    for reason in explain(NEWS_PAGE, "goldpan"):
        found = set(codes(reason))
        if len(found) > 1:
            assert not found & ({"records", "hidden", "after-core"} if reason.label else {"alone", "plain"})
