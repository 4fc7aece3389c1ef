"""Whole evaluations: figures known by hand on our page."""

import re
from collections.abc import Iterator

import pytest

from extraction.documents.document import Document
from extraction.evaluation import METRICS, Candidate, EvaluationRow, PageResult, Task, evaluate
from extraction.extractors import REGISTRY, extractor, get
from extraction.formats import BadRecord, GoldRecord, PageRecord
from extraction.spans import LABEL_SETS, Span
from tests.extraction.corpora import EXAMPLE, P1, P2, P3

BODY = frozenset({"body"})
PAGE = PageRecord("own", EXAMPLE.encode(), gold=GoldRecord(text=f"{P1}\n{P2}\n{P3}", labels=BODY))


def candidate(name: str, **parameters: object) -> Candidate:
    return Candidate(name, get(name).with_defaults(parameters))


def rows(
    records: list[PageRecord | BadRecord], *candidates: Candidate, metric: str = "character"
) -> list[EvaluationRow]:
    return evaluate(records, Task(candidates, [metric], LABEL_SETS["body"]))[metric]


def visible(text: str) -> int:
    return len("".join(text.split()))


def test_character_figures_of_the_example() -> None:
    (row,) = rows([PAGE], candidate("boilerpipe-default"))
    found = visible(P1 + P2)
    prediction = found + visible("Bridge opens" + "Photo: Ann Lee" + "Copyright 2010 Daily")
    assert row.summary.precision == pytest.approx(found / prediction)
    assert row.summary.recall == pytest.approx(found / (found + visible(P3)))


def test_char_lcs_figures_of_the_example() -> None:
    (row,) = rows([PAGE], candidate("tree-filter"), metric="char-lcs")
    words = sum(map(len, re.findall(r"\w+", P1 + P2 + P3)))
    extra = len("NewsBridgeopensPhotoAnnLee")
    assert row.summary.recall == 1.0
    # The list with the menu has the same grandparent as the paragraphs, the footer has not.
    assert row.summary.precision == pytest.approx(words / (words + extra))


def test_a_crash_is_a_score() -> None:
    @extractor("crash-for-tests", version=1)
    def crash(document: Document) -> list[Span]:
        raise RuntimeError("on purpose")

    try:
        (row,) = rows([PAGE], Candidate("crash-for-tests", {}))
    finally:
        del REGISTRY["crash-for-tests"]
    assert row.results[0].error == "RuntimeError: on purpose"
    assert (row.summary.n, row.summary.failures, row.summary.precision, row.summary.recall) == (1, 1, 0, 0)


def test_a_page_that_cannot_be_parsed_counts_against_all() -> None:
    empty = PageRecord("empty", b"", gold=GoldRecord(text="Some gold text, five words", labels=BODY))
    for row in rows([empty, PAGE], candidate("everything"), candidate("tree-filter")):
        assert (row.summary.n, row.summary.failures) == (2, 1)
        assert row.summary.recall <= 0.5
        assert "empty" in str(row.results[0].error)


def test_what_cannot_be_scored_is_left_out_with_its_reason() -> None:
    records: list[PageRecord | BadRecord] = [
        BadRecord("bad", "is not valid gzip"),
        PageRecord("plain", EXAMPLE.encode()),
        PageRecord("shop", EXAMPLE.encode(), gold=GoldRecord(verdict="not_article", spans=(), labels=BODY)),
        PageRecord("vague", EXAMPLE.encode(), gold=GoldRecord(text=P1, labels=frozenset({"headline"}))),
        PageRecord("old", EXAMPLE.encode(), gold=GoldRecord(spans=(Span(0, 1, "body"),), parser="0+old")),
    ]
    heard: list[PageResult] = []
    task = Task([candidate("everything")], ["character"], LABEL_SETS["body"])
    (row,) = evaluate(records, task, on_page=heard.append)["character"]
    assert row.results == []
    reasons = [page.left_out or "" for page in heard]
    assert reasons[0] == "is not valid gzip"
    assert reasons[1] == "has no gold"
    assert reasons[2] == "its verdict is not_article"
    assert "cannot tell" in reasons[3]
    assert "parser 0+old" in reasons[4]


def test_processes_give_the_same_rows_in_the_same_order() -> None:
    other = PageRecord("other", f"<p>{P3}".encode(), gold=GoldRecord(text=P3, labels=BODY))
    records: list[PageRecord | BadRecord] = [PAGE, other] * 6
    task = Task([candidate("everything"), candidate("tree-filter")], list(METRICS), LABEL_SETS["body"])
    alone, together = evaluate(records, task), evaluate(records, task, jobs=2)
    assert list(alone) == list(together) == list(METRICS)
    for metric in METRICS:
        assert [row.scores for row in together[metric]] == [row.scores for row in alone[metric]]
        assert [row.candidate for row in together[metric]] == list(task.candidates)


def test_records_are_not_read_far_ahead() -> None:
    read: list[int] = []

    def records() -> Iterator[PageRecord]:
        for number in range(100):
            read.append(number)
            yield PageRecord("without gold", EXAMPLE.encode())

    class Enough(Exception):
        pass

    def stop(page: PageResult) -> None:
        raise Enough

    with pytest.raises(Enough):
        evaluate(records(), Task([candidate("everything")], ["character"], BODY), jobs=2, on_page=stop)
    assert len(read) <= 8
