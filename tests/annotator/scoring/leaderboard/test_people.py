"""Human agreement by every metric: pairs of annotators who were shown nothing, measured by a worker."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.administration.labels.actions import add_label, retire_label
from annotator.agreement.models import Agreement
from annotator.corpora.models import Corpus, Label
from annotator.gold.queries import labels_given_in
from annotator.pages.models import Page
from annotator.scoring.leaderboard import people
from annotator.scoring.leaderboard.leaderboard import LeaderboardFigures
from annotator.scoring.measuring import MEASURED, MeasuredText
from annotator.scoring.models import Analysis
from annotator.scoring.tasks import analyse
from extraction.evaluation.page_metrics import METRICS, Prediction, Reference
from extraction.spans import LABELS, Span, text_of
from tests.annotator.scored import compare_annotations, give_gold
from tests.factories import MakePage, annotate, change_design, label_block

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def page(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> Page:
    """A page on which ada and ben, shown nothing, differ by a paragraph."""
    change_design(corpus, blind_share=1.0)
    page = make_page()
    assert page.document
    first, second, *_others = (Span(start, end, "body") for start, end in page.document.blocks)
    annotate(page, cast.ada, [first, second])
    annotate(page, cast.ben, [second])
    compare_annotations(page)
    give_gold(page)
    return page


def test_every_metric_has_a_ceiling(corpus: Corpus, page: Page, rhea: Client) -> None:
    rhea.get(reverse("leaderboard", args=[corpus.slug]))
    analyse(Analysis.objects.get().pk)
    document = page.document
    assert document
    source = MeasuredText.of(document)
    ada, ben = ([Span(*source.blocks[n], "body") for n in which] for which in ((0, 1), (1,)))
    for metric in (*MEASURED, "character"):
        found, to_gold, is_due = people.people_of(corpus, labels="main", metric=metric, mean="macro")
        assert not is_due
        assert_mean_annotator_is(to_gold, metric, source, [ada, ben])
        assert found, metric
        expected = METRICS[metric].score(
            Reference(ada, text_of(source, ada, "main"), 0),
            Prediction(ben, text_of(source, ben, "main"), source, False),
            {"headline", "body"},
        )
        assert found.precision == pytest.approx(expected.precision or 0.0), metric
        assert found.recall == pytest.approx(expected.recall or 0.0), metric
        assert found.n == 1
        shown = rhea.get(reverse("leaderboard", args=[corpus.slug]) + f"?metric={metric}&labels=main")
        assert "Human agreement" in shown.content.decode(), metric
        assert "Annotators against gold" in shown.content.decode(), metric


def assert_mean_annotator_is(
    found: LeaderboardFigures | None, metric: str, source: MeasuredText, annotators: list[list[Span]]
) -> None:
    """Gold is the last block but one: no annotator has marked it."""
    gold = [Span(*source.blocks[-2], "body")]
    scores = [
        METRICS[metric].score(
            Reference(gold, text_of(source, gold, "main"), 0),
            Prediction(marks, text_of(source, marks, "main"), source, False),
            {"headline", "body"},
        )
        for marks in annotators
    ]
    assert found, metric
    assert found.n == 1
    assert found.precision == pytest.approx(sum(score.precision or 0.0 for score in scores) / 2), metric
    assert found.recall == pytest.approx(sum(score.recall or 0.0 for score in scores) / 2), metric


def test_who_was_shown_something_is_no_measure_of_people(page: Page) -> None:
    (compared,) = Agreement.objects.values_list("participants", flat=True)
    assert people.is_blind(compared)
    assert not people.is_blind([compared[0], {**compared[1], "shown": 1}])


def test_a_ceiling_of_all_annotators_says_so(corpus: Corpus, page: Page, rhea: Client) -> None:
    """No slice is measured on those alone who were shown nothing."""
    board = reverse("leaderboard", args=[corpus.slug])
    rhea.get(board)
    analyse(Analysis.objects.get().pk)
    all_pages, of_slice = (rhea.get(board + of).content.decode() for of in ("", "?of=verdict:article"))
    for shown in (all_pages, of_slice):
        assert "Human agreement" in shown
    assert "whatever they were shown" not in all_pages
    assert "whatever they were shown" in of_slice


def test_a_comparison_is_measured_once(corpus: Corpus, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    first = people.human_agreement(corpus, {}, lambda done, total: True)
    Analysis.objects.create(corpus=corpus, name="people", filters="", result=first)
    monkeypatch.setattr(people, "_cells", None)
    assert people.human_agreement(corpus, {}, lambda done, total: True) == first


def test_the_ceiling_is_of_the_labels_of_now(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    change_design(corpus, blind_share=1.0)
    labelled_page(cast, make_page)
    add_label(corpus=corpus, based_on=1, title="Tags")
    labelled_page(cast, make_page)
    # The gold of the first page cannot tell the label that was added.
    assert all(found["n"] == 1 and found["recall"] < 1 for found in ceiling_of_any(corpus).values())
    for version, name in enumerate(("tags", "body"), start=2):
        retire_label(corpus=corpus, based_on=version, pk=corpus.labels.get(name=name).pk)
    # They agree on all but the body.
    assert all((found["n"], found["recall"]) == (2, 1) for found in ceiling_of_any(corpus).values())


def labelled_page(cast: SimpleNamespace, make_page: MakePage) -> Page:
    """A page on which two who were shown nothing agree on the headline, and differ by a paragraph."""
    page = make_page()
    assert page.document
    first, second, *_others = page.document.blocks
    annotate(page, cast.ada, [label_block(first, "headline"), label_block(second, "body")])
    annotate(page, cast.ben, [label_block(first, "headline")])
    compare_annotations(page)
    told = labels_given_in(page.rounds.get(), [])
    give_gold(page, [label_block(first, "headline")], distinguishable_labels=told)
    return page


def ceiling_of_any(corpus: Corpus) -> dict[str, Any]:
    """By metric, with what the last analysis has measured."""
    result = people.human_agreement(corpus, {}, lambda done, total: True)
    Analysis.objects.update_or_create(corpus=corpus, name="people", filters="", defaults={"result": result})
    assert set(result["figures"]) == {*MEASURED, "character"}
    return {metric: found["any"]["macro"] for metric, found in result["figures"].items()}


def test_board_of_a_label_whose_name_has_two_hyphens_is_shown(
    corpus: Corpus, rhea: Client, make_page: MakePage
) -> None:
    name = "caption--2"
    Label.objects.create(corpus=corpus, name=name, number=8, key=8, position=99)
    give_gold(make_page(), distinguishable_labels=[*LABELS, name])
    address = reverse("leaderboard", args=[corpus.slug])
    answer = rhea.get(address, {"labels": f"label:{name}"})
    assert (answer.status_code, answer.context["board"].labels) == (200, f"label:{name}")
