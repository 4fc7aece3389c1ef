"""Bringing gold into a document."""

import pytest

from extraction.alignment import Alignment
from extraction.formats import GoldError, GoldRecord, place
from extraction.parsing.parse import parse
from extraction.spans import LABEL_SETS, Span

PAGE = parse(b"<h1>Bridge opens</h1><p>It opened on Monday, they said.</p><p>Share this</p>")
BODY = Span(*PAGE.blocks[1], "body")


def test_spans_of_this_parser_are_taken_as_they_are() -> None:
    found = place(GoldRecord(spans=(BODY,), parser=PAGE.version, text="ignored"), PAGE)
    assert (found.spans, found.placed, found.total) == ([BODY], 26, len("ItopenedonMonday,theysaid."))


def test_text_is_aligned_under_the_one_label() -> None:
    gold = GoldRecord(text="It opened on Monday, they said. Much later.", labels=frozenset({"body"}))
    found = place(gold, PAGE)
    assert (found.spans, found.placed, found.total) == ([BODY], 26, 36)


def test_text_of_several_labels_is_content() -> None:
    gold = GoldRecord(text="Bridge opens It opened on Monday, they said.", labels=LABEL_SETS["main"])
    assert {span.label for span in place(gold, PAGE).spans} == {"content"}


def test_spans_of_another_parser_fall_back_to_the_text() -> None:
    gold = GoldRecord(spans=(Span(0, 1, "body"),), parser="0+old", text="It opened on Monday, they said.")
    assert [span[:2] for span in place(gold, PAGE).spans] == [BODY[:2]]


def test_spans_of_another_parser_alone_are_refused() -> None:
    with pytest.raises(GoldError, match=r"parser 0\+old"):
        place(GoldRecord(spans=(BODY,), parser="0+old"), PAGE)


def test_spans_that_do_not_fit_are_refused() -> None:
    with pytest.raises(GoldError, match="outside the text"):
        place(GoldRecord(spans=(Span(0, 999, "body"),), parser=PAGE.version), PAGE)


def test_a_page_that_is_no_article_has_no_spans() -> None:
    assert place(GoldRecord(verdict="not-an-article"), PAGE) == Alignment([], 0, 0, [])


def test_gold_is_scored_only_on_what_it_can_tell() -> None:
    gold = GoldRecord(labels=frozenset({"body"}))
    assert gold.can_tell(LABEL_SETS["body"])
    assert not gold.can_tell(LABEL_SETS["main"])
    assert gold.default_label_set == "body"
    assert GoldRecord().default_label_set == "article"
