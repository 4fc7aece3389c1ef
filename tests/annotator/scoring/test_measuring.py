"""Scores by all metrics: what `extraction.measures` says, kept with the score, filled in where older."""

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.gold.actions import add_gold
from annotator.gold.models import Gold
from annotator.home import pending
from annotator.home.queries import failed_work
from annotator.pages.models import Page
from annotator.runs.models import Extraction
from annotator.scoring import actions, measuring, queries, tasks
from annotator.scoring.measuring import Paper, measure, packed, unpacked
from annotator.scoring.models import Measurement, Score
from extraction.measures import METRICS, Said, Truth
from extraction.metrics.character import matrix
from extraction.metrics.pages import PageScore
from extraction.spans import LABEL_SETS, LABELS, Span, text_of
from extraction.text import Block
from tests.annotator.scored import give_gold
from tests.factories import MakePage, extract_all, span_of

PIECES = ("Bridge opens", "The bridge will open on Monday again", "A caption of it", "More news from here")
TEXT = "\n\n".join(PIECES)


def blocks() -> Iterator[Block]:
    for piece in PIECES:
        start = TEXT.index(piece)
        yield Block(start, start + len(piece))


PAPER = Paper(TEXT, list(blocks()))
HEADLINE, BODY, CAPTION, MORE = (Block(*block) for block in PAPER.blocks)
GOLD = [Span(*HEADLINE, "headline"), Span(*BODY, "body"), Span(*CAPTION, "supplemental")]
SAYINGS = {
    "much": [Span(*BODY, "content"), Span(*MORE, "content")],
    "labels": [Span(*HEADLINE, "headline"), Span(BODY.start, BODY.start + 15, "body")],
    "nothing": [],
}


def test_every_metric_but_the_stored_one_is_measured() -> None:
    assert {measuring.STORED, *measuring.MEASURED} == set(METRICS)
    assert set(METRICS) >= measuring.IN_ORDER


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("saying", SAYINGS)
@pytest.mark.parametrize("gold", [GOLD, []], ids=["gold", "no gold"])
def test_figures_are_those_of_the_metric(gold: list[Span], saying: str, failed: bool) -> None:
    said = [] if failed else SAYINGS[saying]
    found = measure(PAPER, gold, said, tells=LABELS, failed=failed)
    assert found.error == ""
    for name in measuring.MEASURED:
        for labels_name, labels in LABEL_SETS.items():
            truth = Truth(gold, text_of(PAPER, gold, labels), 0)
            printed = Said(said, text_of(PAPER, said, labels), PAPER, failed)
            expected = METRICS[name].score(truth, printed, labels)
            got = unpacked(found.figures[name][labels_name], failed=failed)
            assert got.failed == expected.failed
            for amount in ("true", "predicted", "gold", "precision", "recall"):
                assert getattr(got, amount) == pytest.approx(getattr(expected, amount)), (name, amount)


def test_label_sets_differ_where_their_texts_do() -> None:
    """The same text is worked out once; another one must not be taken for it."""
    found = measure(PAPER, GOLD, SAYINGS["labels"], tells=LABELS, failed=False).figures["words"]
    assert found["main"] != found["article"]
    assert found["main"] != found["body"]
    assert found["article"] == found["any"]


def test_only_what_the_gold_can_tell_is_measured() -> None:
    found = measure(PAPER, GOLD, [], tells=["body"], failed=False)
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
def test_a_packed_score_comes_back(score: PageScore) -> None:
    assert unpacked(packed(score), failed=score.failed) == score


def test_metrics_that_crash_leave_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "rouge", ZeroDivisionError("rouge broke"))
    found = measure(PAPER, GOLD, [], tells=LABELS, failed=False)
    assert set(found.figures) == set(measuring.MEASURED) - {"rouge"}
    assert found.error == "rouge: ZeroDivisionError: rouge broke"


def test_what_was_measured_before_time_ran_out_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "cleaneval", SoftTimeLimitExceeded())
    found = measure(PAPER, GOLD, [], tells=LABELS, failed=False)
    assert "words" in found.figures
    assert "cleaneval" not in found.figures
    assert found.error == "cleaneval: took too long"


def plant(monkeypatch: pytest.MonkeyPatch, metric: str, error: Exception) -> None:
    def stumble(*_given: object) -> PageScore:
        raise error

    monkeypatch.setitem(METRICS, metric, replace(METRICS[metric], score=stumble))


@pytest.mark.parametrize("longer", [0, 1])
def test_a_page_that_is_too_long_has_no_metric_that_aligns_texts(longer: int) -> None:
    text = TEXT.ljust(measuring.MOST_CHARACTERS + longer, "x")
    found = measure(Paper(text, PAPER.blocks), GOLD, [], tells=LABELS, failed=False)
    left_out = set(measuring.MEASURED) - set(found.figures)
    assert left_out == (measuring.IN_ORDER if longer else set())
    assert found.error == ""


# ---- as rows ----


@pytest.mark.django_db
def test_a_score_comes_with_its_measurement(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page())
    assert Measurement.objects.count() == Score.objects.count() > 0
    assert not Measurement.objects.open().exists()
    for row in Measurement.objects.all():
        assert set(row.figures) == set(measuring.MEASURED)
    assert not queries.unmeasured().exists()


@pytest.mark.django_db
def test_a_metric_that_crashes_leaves_the_score_alone_and_is_tried_again(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as planted:
        plant(planted, "rouge", ZeroDivisionError("rouge broke"))
        give_gold(make_page())
        assert not Score.objects.failed().exists()
        failed = list(Measurement.objects.failed())
        assert len(failed) == Score.objects.count()
        assert all("rouge" not in row.figures and "words" in row.figures for row in failed)
        (shown,) = [each for each in failed_work(corpus) if each.kind == "measurement"]
        assert "rouge broke" in shown.rows[0].error
        # Still broken: it fails again, and is not lost.
        assert work.retry(failed[0])
        tasks.measure_score(failed[0].pk)
        assert Measurement.objects.failed().count() == len(failed)
    for row in failed:
        assert work.retry(row)
        tasks.measure_score(row.pk)
    assert not Measurement.objects.failed().exists()
    assert all(set(row.figures) == set(measuring.MEASURED) for row in Measurement.objects.all())


@pytest.mark.django_db
def test_scores_from_before_are_filled_in_so_many_at_a_time(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = scored_as_before(make_page())
    version = Corpus.objects.get(pk=corpus.pk).board_version
    monkeypatch.setattr(tasks, "AT_ONCE", 2)
    tasks.measure_missing()
    assert Measurement.objects.open().count() == 2
    assert all(hint.queue == "bulk" for hint in Measurement.objects.open())
    pending.work_off(corpus)
    kept = {row.score_id: row.figures for row in Measurement.objects.all()}
    assert set(kept) == {row.pk for row in rows}
    assert Corpus.objects.get(pk=corpus.pk).board_version >= version + len(rows)
    for row in rows:
        assert kept[row.pk] == actions._measured(row, *actions._spans(row)).figures
    # Another round finds nothing.
    tasks.measure_missing()
    assert Measurement.objects.count() == len(rows)


@pytest.mark.django_db
def test_the_migration_asks_for_what_the_board_may_show(corpus: Corpus, make_page: MakePage) -> None:
    superseded = make_page()
    scored_as_before(superseded)
    gold_of(superseded)
    rows = scored_as_before(make_page())
    with connection.cursor() as cursor:
        cursor.execute(import_module("annotator.migrations.0022_measurement").REQUESTS)
    asked = Measurement.objects.open()
    assert {row.score_id for row in asked} == {row.pk for row in rows}
    assert {row.pk for row in asked.due(timezone.now() + work.UNCLAIMED)} == {row.pk for row in asked}
    row = asked.first()
    tasks.measure_score(row.pk)
    row.refresh_from_db()
    assert set(row.figures) == set(measuring.MEASURED)


@pytest.mark.django_db
def test_superseded_gold_is_not_filled_in(corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    scored_as_before(page)
    gold_of(page)
    assert not queries.unmeasured().exists()


@pytest.mark.django_db
def test_what_was_measured_stays(corpus: Corpus, make_page: MakePage) -> None:
    give_gold(make_page())
    rows = Measurement.objects.all()
    with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
        rows.update(figures={})
    with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
        rows._raw_delete(rows.db)


def gold_of(page: Page) -> Gold:
    spans = [[*span_of(page, "The council said", "body"), "single"]]
    return add_gold(document=page.documents.get(), verdict="article", spans=spans, source="single")


def scored_as_before(page: Page) -> list[Score]:
    """The page's scores as an earlier version of the program left them: a matrix, and nothing beside it."""
    gold = gold_of(page)
    extract_all(page)
    rows = actions.request_scores(actions.cells_of_gold(gold))
    for row in rows:
        claimed = work.claim(Score, row.pk)
        said = [Span(*span) for span in Extraction.objects.get(pk=row.extraction_id).spans]
        marks = [Span(*span[:3]) for span in gold.spans]
        work.finish(claimed, matrix=matrix(marks, said, gold.document.text), blind=True, tuned_on=False)
    return list(Score.objects.filter(pk__in=[row.pk for row in rows]))
