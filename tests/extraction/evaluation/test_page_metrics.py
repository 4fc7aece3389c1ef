"""What each metric is given of a page: gold with marks, gold that is not in the document, printed text."""

from collections.abc import Iterator

import pytest

from extraction.documents.document import Document
from extraction.evaluation import Candidate, EvaluationRow, Task, evaluate
from extraction.evaluation.page_metrics import METRICS
from extraction.extractors import REGISTRY, Printed, extractor
from extraction.formats import GoldRecord, PageRecord
from extraction.metrics import PageScore, cleaneval
from extraction.spans import LABEL_SETS, Span, together
from tests.extraction.corpora import EXAMPLE, P1, P2, P3

MAIN = frozenset({together(LABEL_SETS["main"])})
MARKED = f"<h>Bridge opens\n<p>{P1}\n<p>{P2}\n<l>{P3}"
TEXT = f"Bridge opens\n{P1}\n{P2}\n{P3}"
BLOCKS = {"Bridge opens", P1, P2, P3}


@pytest.fixture(autouse=True)
def perfect() -> Iterator[None]:
    """Two extractors that are right: one by spans, one that prints."""

    @extractor("perfect-for-tests", version=1)
    def spans(document: Document) -> list[Span]:
        return [
            Span(*block, "content") for block in document.blocks if document.text[slice(*block)] in BLOCKS
        ]

    @extractor("printer-for-tests", version=1)
    def printer(document: Document) -> Printed:
        return Printed(TEXT)

    yield
    del REGISTRY["perfect-for-tests"], REGISTRY["printer-for-tests"]


def rows(gold: GoldRecord, *metrics: str, raw: bytes = EXAMPLE.encode()) -> dict[str, list[EvaluationRow]]:
    candidates = [Candidate(name, {}) for name in ("perfect-for-tests", "printer-for-tests")]
    return evaluate([PageRecord("page", raw, gold=gold)], Task(candidates, metrics, LABEL_SETS["main"]))


def one(gold: GoldRecord, metric: str, raw: bytes = EXAMPLE.encode()) -> PageScore:
    score, printed = (row.scores[0] for row in rows(gold, metric, raw=raw)[metric])
    assert (printed.precision, printed.recall) == (score.precision, score.recall)
    return score


@pytest.mark.parametrize("metric", METRICS)
def test_a_perfect_extraction_is_perfect_by_every_metric(metric: str) -> None:
    score = one(GoldRecord(text=TEXT, labels=MAIN, marked=MARKED), metric)
    assert (score.precision, score.recall, score.recall_all) == (1, 1, 1)


def test_cleaneval_takes_gold_with_its_marks_and_a_line_for_a_paragraph() -> None:
    score = one(GoldRecord(text=TEXT, labels=MAIN, marked=MARKED), "cleaneval")
    words = len(TEXT.split())
    assert (score.true, score.gold) == (words + 4 + 1, words + 4 + 1)
    assert score.extras["marks_f1"] == 1
    assert score.extras["f1_text"] == 1


def test_cleaneval_says_what_the_text_alone_scores() -> None:
    joined = f"<p>Bridge opens {P1} {P2} {P3}"
    score = one(GoldRecord(text=TEXT, labels=MAIN, marked=joined), "cleaneval")
    assert (score.extras["f1_text"], score.extras["marks_precision"]) == (1, 0.25)
    assert score.f1 == cleaneval.compare(joined, cleaneval.with_marks(TEXT)).f1 < 1


def test_cleaneval_without_marks_in_the_gold_has_none_at_all() -> None:
    score = one(GoldRecord(text=TEXT, labels=MAIN), "cleaneval")
    assert (score.true, set(score.extras)) == (len(TEXT.split()), {"f1_lcs"})


@pytest.mark.parametrize("metric", ["character", "block"])
def test_gold_that_the_page_does_not_have_is_missed_in_recall_all(metric: str) -> None:
    lost = "Nothing resembling these twelve particular words stands anywhere upon that whole page."
    score = one(GoldRecord(text=f"{TEXT}\n{lost}", labels=MAIN), metric)
    unit = len("".join(lost.split())) if metric == "character" else 12
    assert score.recall == 1
    assert score.gold_unplaced == unit
    assert score.recall_all == score.gold / (score.gold + unit)


@pytest.mark.parametrize("metric", METRICS)
def test_all_gold_is_missed_where_a_page_cannot_be_parsed(metric: str) -> None:
    score = one(GoldRecord(text=TEXT, labels=MAIN, marked=MARKED), metric, raw=b"")
    assert (score.precision, score.recall, score.recall_all, score.failed) == (0, 0, 0, True)
    assert score.gold + score.gold_unplaced > 0


def test_printed_text_counts_where_it_is_not_on_the_page() -> None:
    """Metrics of texts take what a program prints, those of offsets what of it was found."""
    gold = GoldRecord(text=TEXT.replace("Bridge opens", "Bridge open at last"), labels=MAIN)
    spans, printed = rows(gold, "words")["words"]
    assert spans.scores[0].predicted == printed.scores[0].predicted
    assert spans.scores[0].true < spans.scores[0].gold


def test_halves_of_a_row_are_rows() -> None:
    records = [
        PageRecord(str(index), EXAMPLE.encode(), gold=GoldRecord(text=TEXT, labels=MAIN))
        for index in range(5)
    ]
    task = Task([Candidate("everything", {})], ["words", "shingle"], LABEL_SETS["main"])
    (row,) = evaluate(records, task)["shingle"]
    half = row.where(lambda index: int(index) % 2 == 0)
    assert [result.location for result in half.results] == ["0", "2", "4"]
    assert (half.candidate, half.metric, half.summary.n, row.summary.n) == (row.candidate, "shingle", 3, 5)


def test_an_extractor_runs_once_for_all_metrics() -> None:
    runs = []

    @extractor("counted-for-tests", version=1)
    def counted(document: Document) -> list[Span]:
        runs.append(document)
        return []

    record = PageRecord("page", EXAMPLE.encode(), gold=GoldRecord(text=TEXT, labels=MAIN))
    found = evaluate([record], Task([Candidate("counted-for-tests", {})], list(METRICS), LABEL_SETS["main"]))
    del REGISTRY["counted-for-tests"]
    assert (len(runs), list(found)) == (1, list(METRICS))
