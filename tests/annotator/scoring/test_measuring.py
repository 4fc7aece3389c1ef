"""The metrics stored beside the matrix of a score: as `page_metrics` computes them, and retried."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from annotator.common import work
from annotator.common.machine import CpuLimitExceeded
from annotator.corpora.models import Corpus
from annotator.home.queries import troubled_work
from annotator.scoring import measuring, tasks
from annotator.scoring.measuring import MeasuredText, measure, packed, unpacked
from annotator.scoring.models import Measurement, Score
from extraction.documents.canonical_text import Block
from extraction.evaluation.page_metrics import METRICS, Prediction, Reference
from extraction.metrics.pages import PageScore
from extraction.spans import LABEL_SETS, LABELS, Span, text_of
from tests.annotator.scored import give_gold
from tests.factories import MakePage

PIECES = ("Bridge opens", "The bridge will open on Monday again", "A caption of it", "More news from here")
TEXT = "\n\n".join(PIECES)


def blocks() -> Iterator[Block]:
    for piece in PIECES:
        start = TEXT.index(piece)
        yield Block(start, start + len(piece))


SOURCE = MeasuredText(TEXT, tuple(blocks()))
HEADLINE, BODY, CAPTION, MORE = (Block(*block) for block in SOURCE.blocks)
GOLD = [Span(*HEADLINE, "headline"), Span(*BODY, "body"), Span(*CAPTION, "supplemental")]
EXTRACTIONS = {
    "much": [Span(*BODY, "content"), Span(*MORE, "content")],
    "labels": [Span(*HEADLINE, "headline"), Span(BODY.start, BODY.start + 15, "body")],
    "nothing": [],
}


def test_every_metric_but_the_stored_one_is_measured() -> None:
    assert {measuring.STORED, *measuring.MEASURED} == set(METRICS)
    assert set(METRICS) >= measuring.IN_ORDER


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("extraction", EXTRACTIONS)
@pytest.mark.parametrize("gold", [GOLD, []], ids=["gold", "no gold"])
def test_stored_values_are_those_of_the_metric(gold: list[Span], extraction: str, failed: bool) -> None:
    predicted = [] if failed else EXTRACTIONS[extraction]
    found = measure(SOURCE, gold, predicted, distinguishable_labels=LABELS, failed=failed)
    assert found.error == ""
    for name in measuring.MEASURED:
        for labels_name, labels in LABEL_SETS.items():
            truth = Reference(gold, text_of(SOURCE, gold, labels), 0)
            printed = Prediction(predicted, text_of(SOURCE, predicted, labels), SOURCE, failed)
            expected = METRICS[name].score(truth, printed, labels)
            got = unpacked(found.figures[name][labels_name], failed=failed)
            assert got.failed == expected.failed
            for amount in ("true", "predicted", "gold", "precision", "recall"):
                assert getattr(got, amount) == pytest.approx(getattr(expected, amount)), (name, amount)


def test_label_sets_differ_where_their_texts_do() -> None:
    found = measure(SOURCE, GOLD, EXTRACTIONS["labels"], distinguishable_labels=LABELS, failed=False).figures[
        "words"
    ]
    assert found["main"] != found["article"]
    assert found["main"] != found["body"]
    assert found["article"] == found["any"]


def test_only_label_sets_that_the_gold_distinguishes_are_measured() -> None:
    found = measure(SOURCE, GOLD, [], distinguishable_labels=["body"], failed=False)
    assert {name: set(sets) for name, sets in found.figures.items()} == {
        name: {"body"} for name in measuring.MEASURED
    }


@pytest.mark.parametrize(
    "score",
    [
        PageScore(3, 4, 6, 0.75, 0.5),
        PageScore(0, 0, 6, 0.0, 0.0),
        PageScore(0.0, 0.0, 1.0, None, 0.0),
        PageScore(0.0, 1.0, 0.0, 0.0, None),
        PageScore(0, 0, 0, 1.0, 1.0),
        PageScore(0, 5, 6, 0.0, 0.0, failed=True),
    ],
)
def test_packing_round_trip(score: PageScore) -> None:
    assert unpacked(packed(score), failed=score.failed) == score


def test_a_crashing_metric_does_not_affect_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "rouge", ZeroDivisionError("rouge broke"))
    found = measure(SOURCE, GOLD, [], distinguishable_labels=LABELS, failed=False)
    assert set(found.figures) == set(measuring.MEASURED) - {"rouge"}
    assert found.error == "rouge: ZeroDivisionError: rouge broke"


def test_metrics_before_the_cpu_limit_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "cleaneval", CpuLimitExceeded())
    found = measure(SOURCE, GOLD, [], distinguishable_labels=LABELS, failed=False)
    assert "words" in found.figures
    assert "cleaneval" not in found.figures
    assert found.error == "cleaneval: took too long"


def plant(monkeypatch: pytest.MonkeyPatch, metric: str, error: Exception) -> None:
    def stumble(*_given: Any, **_more: Any) -> PageScore:
        raise error

    monkeypatch.setitem(METRICS, metric, replace(METRICS[metric], score=stumble))


@pytest.mark.parametrize("longer", [0, 1])
def test_long_pages_have_no_metric_that_aligns_texts(longer: int) -> None:
    text = TEXT.ljust(measuring.MAX_CHARACTERS + longer, "x")
    found = measure(MeasuredText(text, SOURCE.blocks), GOLD, [], distinguishable_labels=LABELS, failed=False)
    left_out = set(measuring.MEASURED) - set(found.figures)
    assert left_out == (measuring.IN_ORDER if longer else set())
    assert found.error == ""


# ---- as rows ----


@pytest.mark.django_db
def test_a_measurement_is_created_with_the_score(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page())
    assert Measurement.objects.count() == Score.objects.count() > 0
    assert not Measurement.objects.open().exists()
    for row in Measurement.objects.all():
        assert set(row.figures) == set(measuring.MEASURED)


@pytest.mark.django_db
def test_a_crashing_metric_does_not_affect_the_score_and_can_be_retried(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as planted:
        plant(planted, "rouge", ZeroDivisionError("rouge broke"))
        give_gold(make_page())
        assert not Score.objects.failed().exists()
        failed = list(Measurement.objects.failed())
        assert len(failed) == Score.objects.count()
        assert all("rouge" not in row.figures and "words" in row.figures for row in failed)
        (shown,) = [each for each in troubled_work(corpus)[0] if each.name == "measurement"]
        assert "rouge broke" in shown.rows[0].error
        # Still broken: it fails again.
        assert work.retry(failed[0])
        tasks.measure_score(failed[0].pk)
        assert Measurement.objects.failed().count() == len(failed)
    for row in failed:
        assert work.retry(row)
        tasks.measure_score(row.pk)
    assert not Measurement.objects.failed().exists()
    assert all(set(row.figures) == set(measuring.MEASURED) for row in Measurement.objects.all())


@pytest.mark.django_db
def test_measurements_cannot_be_changed(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page())
    rows = Measurement.objects.all()
    with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
        rows.update(figures={})
    with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
        rows._raw_delete(rows.db)
