"""A re-annotated page counts once in all figures, and once under each guideline."""

from types import SimpleNamespace
from typing import Any

import pytest

from annotator.agreement import actions, queries
from annotator.agreement.selection import BLIND, ReportSelection, SliceCell
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.pages.models import Page
from annotator.quality.bias import actions as bias
from annotator.quality.bias import tasks as bias_tasks
from annotator.quality.bias.figures import BiasFigures
from annotator.quality.bias.models import AdjudicationDelta
from annotator.quality.bias.queries import main_round_gold
from annotator.releases.gold_counts import count
from annotator.releases.takedown import take_down
from tests.annotator.gold.reannotation.scenarios import (
    adjudicated_page,
    again,
    annotate_alike,
    finalised_page,
    guideline,
    people,
)
from tests.annotator.gold.test_adjudication import FIRST, SECOND, finalise, paragraph
from tests.factories import MakePage, annotate

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def eve_and_fay(corpus: Corpus) -> list[User]:
    return people(corpus, "eve", "fay")


@pytest.fixture
def reannotated(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, eve_and_fay: list[User]) -> Page:
    """Under guideline 1 ada and ben agree on it, under 2 eve and fay differ. A second page stays as it is."""
    page = finalised_page(make_page, cast)
    finalised_page(make_page, cast)
    guideline(corpus, cast)
    again(page)
    eve, fay = eve_and_fay
    annotate(page, eve, [paragraph(page, FIRST, "body")])
    annotate(page, fay, [paragraph(page, SECOND, "body")])
    finalise(page)
    return page


def figures(corpus: Corpus) -> dict[str, Any]:
    return actions.request_report(corpus=corpus, selection=ReportSelection()).figures


def test_the_headline_counts_it_once_with_its_last_round(corpus: Corpus, reannotated: Page) -> None:
    found = figures(corpus)
    assert found["pairs"][BLIND]["f1"]["n"] == 2
    assert found["pairs"][BLIND]["f1"]["value"] < 1
    assert queries.compared_up_to(corpus, 200) == 2
    assert sum(measured["f1"]["n"] for _site, measured in found["site"]) == 2
    behind = queries.pages_behind(corpus, ReportSelection(), SliceCell())
    rows = queries.load_comparisons(behind)
    assert [row.round.purpose for row, _record, _names in rows] == ["guideline", "main"], "the worst first"
    assert {names for row, _record, names in rows if row.round.page == reannotated} == {
        names for row, _record, names in rows if row.round.purpose == "guideline"
    }


def test_each_guideline_counts_it_with_its_own_round(
    corpus: Corpus, cast: SimpleNamespace, reannotated: Page, eve_and_fay: list[User]
) -> None:
    found = dict(figures(corpus)["guideline"])
    assert (found["1"]["f1"]["n"], found["1"]["f1"]["value"]) == (2, 1.0)
    assert (found["2"]["f1"]["n"], found["2"]["f1"]["value"]) == (1, 0.0)
    behind = queries.pages_behind(corpus, ReportSelection(), SliceCell("guideline", "2"))
    assert {int(name) for _pk, names in behind for name in names} == {user.pk for user in eve_and_fay}
    assert len(queries.pages_behind(corpus, ReportSelection(), SliceCell("guideline", "1"))) == 2


def test_until_it_is_compared_the_earlier_round_counts(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, eve_and_fay: list[User]
) -> None:
    page = finalised_page(make_page, cast)
    again(page)
    annotate(page, eve_and_fay[0], [paragraph(page, SECOND, "body")])
    assert figures(corpus)["pairs"][BLIND]["f1"]["value"] == 1.0
    assert queries.excluded_pages(corpus) == {}


def test_deltas_are_of_main_rounds(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, eve_and_fay: list[User]
) -> None:
    page = finalised_page(make_page, cast)
    first = page.gold.get()
    assert main_round_gold().get() == first
    again(page)
    for person in eve_and_fay:
        annotate(page, person, [paragraph(page, SECOND, "body")])
    assert isinstance(finalise(page), Gold)
    assert main_round_gold().get() == first


@pytest.mark.parametrize("is_late", [False, True])
def test_a_reannotated_page_keeps_its_first_delta(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, eve_and_fay: list[User], is_late: bool
) -> None:
    """Ada had marked a paragraph that cleo took out. Late: it is worked out when the page has other gold."""
    page = adjudicated_page(make_page, cast)
    if not is_late:
        _work_out_changes()
    guideline(corpus, cast)
    again(page)
    annotate_alike(page, eve_and_fay, [paragraph(page, SECOND, "body")])
    _work_out_changes()
    (change,) = AdjudicationDelta.objects.all()
    differ, either = change.differences[str(cast.ada.pk)]
    assert differ == either > 0
    (nothing,) = BiasFigures.from_json(bias.request_report(corpus=corpus).figures).arms
    assert (nothing.annotations, nothing.changed.n) == (2, 1)
    assert nothing.changed.value > 0


def _work_out_changes() -> None:
    bias_tasks.request_missing()
    for change in AdjudicationDelta.objects.filter(finished_at=None):
        bias_tasks.compare_with_gold(change.pk)


def test_deltas_of_pages_taken_down_are_excluded(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = finalised_page(make_page, cast)
    take_down(page=page, reason="asked to")
    assert not main_round_gold().exists()


def test_a_release_tells_of_the_round_that_its_gold_came_of(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, eve_and_fay: list[User]
) -> None:
    page = finalised_page(make_page, cast)
    again(page)
    marks = [paragraph(page, SECOND, "body")]
    for person in eve_and_fay:
        annotate(page, person, marks)
    first, newer = page.gold.get(), finalise(page)
    assert isinstance(newer, Gold)
    length = marks[0].end - marks[0].start

    def marked(gold: Gold) -> int:
        counts = count([gold])[gold.pk].counts
        return sum(end - start for start, end, *_more in gold.spans) if counts else 0

    assert marked(newer) == length != marked(first)
