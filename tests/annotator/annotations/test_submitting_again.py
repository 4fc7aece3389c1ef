"""Invariant 7: what was submitted may be reopened until it has gold, and stays on record."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotator.agreement.actions import request_comparison
from annotator.agreement.models import Agreement
from annotator.agreement.queries import compared_rounds
from annotator.annotations import actions
from annotator.annotations.models import Annotation, Round, Submission
from annotator.common.errors import Conflict, Gone
from annotator.corpora.models import Corpus
from annotator.gold import actions as adjudicating
from annotator.gold import finalisation
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Page
from tests.annotator.annotations.waiting import at_once
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.scored import compare_annotations
from tests.factories import MakePage, SignedIn, annotate, draft, span_of

pytestmark = pytest.mark.django_db


def again(annotation: Annotation, **changes: Any) -> Annotation:
    """Reopen it, change it, submit it."""
    slot, annotator = annotation.slot, annotation.annotator
    actions.reopen(slot=slot, annotator=annotator)
    saved = actions.save(slot=slot, annotator=annotator, draft=draft(slot, annotator, **changes))
    return actions.submit(slot=slot, annotator=annotator, based_on=saved.number)


@pytest.fixture
def page(make_page: MakePage) -> Page:
    return make_page()


@pytest.fixture
def annotation(page: Page, cast: SimpleNamespace) -> Annotation:
    return annotate(page, cast.ada, note="first")


def test_the_first_submission_stays_on_record(annotation: Annotation) -> None:
    first_at = annotation.submitted_at
    later = again(annotation, note="second")
    one, two = later.submissions.all()
    assert (one.revision.note, one.submitted_at, one.withdrawn_at) == ("first", first_at, two.submitted_at)
    assert (two.revision.note, two.number, two.withdrawn_at) == ("second", 2, None)
    assert later.submitted_at == two.submitted_at
    assert actions.submitted_revision(later).note == "second"


def test_until_submitted_again_the_first_submission_counts(
    annotation: Annotation, page: Page, cast: SimpleNamespace
) -> None:
    actions.reopen(slot=annotation.slot, annotator=cast.ada)
    actions.save(
        slot=annotation.slot, annotator=cast.ada, draft=draft(annotation.slot, cast.ada, verdict="several")
    )
    annotate(page, cast.ben)
    gold = finalise(page)
    assert gold.verdict == "article"


def test_the_slot_stays_taken_meanwhile(
    annotation: Annotation, corpus: Corpus, cast: SimpleNamespace
) -> None:
    actions.reopen(slot=annotation.slot, annotator=cast.ada)
    actions.release_all(corpus=corpus, user=cast.ada)
    actions.heartbeat(slot=annotation.slot, annotator=cast.ada, active_seconds=5)
    annotation.slot.refresh_from_db()
    assert (annotation.slot.annotator, annotation.slot.submitted_at) == (cast.ada, annotation.submitted_at)
    assert Annotation.objects.get(pk=annotation.pk).active_seconds == 5


def test_submitting_unchanged_leaves_everything_as_it_was(
    annotation: Annotation, cast: SimpleNamespace
) -> None:
    actions.reopen(slot=annotation.slot, annotator=cast.ada)
    after = actions.submit(slot=annotation.slot, annotator=cast.ada, based_on=1)
    assert (after.submitted_at, after.reopened_at) == (annotation.submitted_at, None)
    assert Submission.objects.count() == 1
    assert Round.objects.get().edition == 1


def test_what_has_gold_is_neither_reopened_nor_submitted(
    annotation: Annotation, page: Page, cast: SimpleNamespace
) -> None:
    actions.reopen(slot=annotation.slot, annotator=cast.ada)
    annotate(page, cast.ben)
    finalise(page)
    actions.save(
        slot=annotation.slot, annotator=cast.ada, draft=draft(annotation.slot, cast.ada, note="late")
    )
    with pytest.raises(Conflict, match="been finalised"):
        actions.submit(slot=annotation.slot, annotator=cast.ada, based_on=2)
    assert annotation.revisions.last().note == "late"
    other = Annotation.objects.get(annotator=cast.ben)
    with pytest.raises(Conflict, match="been finalised"):
        actions.reopen(slot=other.slot, annotator=cast.ben)


# ---- the comparison and the dispute of an earlier edition ----


@pytest.fixture
def disputed(annotation: Annotation, page: Page, cast: SimpleNamespace) -> Adjudication:
    annotate(page, cast.ben, [span_of(page, "Bridge opens", "headline")])
    finalise(page)
    return Adjudication.objects.get()


def test_a_comparison_of_the_first_submission_is_superseded(
    disputed: Adjudication, annotation: Annotation, page: Page, corpus: Corpus
) -> None:
    before = compared_rounds(corpus).count()
    again(annotation, spans=[span_of(page, "Bridge opens", "headline")])
    assert compared_rounds(corpus).count() == 0
    gold = finalise(page)
    assert isinstance(gold, Gold)
    assert gold.source == "unanimous"
    assert (before, compared_rounds(corpus).count()) == (1, 1)
    assert list(Agreement.objects.order_by("edition").values_list("edition", flat=True)) == [1, 2]
    assert Adjudication.objects.get() == disputed


def test_an_adjudicator_learns_that_their_dispute_is_superseded(
    disputed: Adjudication, annotation: Annotation, corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    held = adjudicating.claim_next(corpus=corpus, user=cast.cleo)
    again(annotation, note="second")
    for step in (
        lambda: adjudicating.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="A"),
        lambda: adjudicating.heartbeat(adjudication=held, user=cast.cleo),
        lambda: adjudicating.submit(adjudication=held, user=cast.cleo),
    ):
        with pytest.raises(Gone):
            step()
    assert adjudicating.claim_next(corpus=corpus, user=cast.cleo) is None
    assert not Gold.objects.exists()


def test_reopening_does_not_tell_whether_it_is_in_dispute(
    disputed: Adjudication, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn
) -> None:
    """Blind: alone, compared and before an adjudicator, a page answers alike."""
    adjudicating.claim_next(corpus=corpus, user=cast.cleo)
    alone = annotate(make_page(), cast.ada)
    client = signed_in(cast.ada)
    in_dispute = Annotation.objects.filter(annotator=cast.ada).exclude(pk=alone.pk).get()
    for annotation in (alone, in_dispute):
        address = f"/c/dailies/slots/{annotation.slot.key}/"
        answer = client.post(f"{address}reopen/")
        assert (answer.status_code, answer["Location"]) == (302, address)
        assert b'"submitted": false' in client.get(address).content


# ---- races ----


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", range(3))
def test_submitting_again_and_adjudicating_come_one_after_the_other(
    disputed: Adjudication, annotation: Annotation, corpus: Corpus, cast: SimpleNamespace, _round: int
) -> None:
    """Either the annotator is first, and the dispute is superseded, or the adjudicator, and there is gold."""
    held = adjudicating.claim_next(corpus=corpus, user=cast.cleo)
    for segment in held.segments.all():
        adjudicating.decide(adjudication=held, user=cast.cleo, numbers=[segment.number], choice="neither")
    actions.reopen(slot=annotation.slot, annotator=cast.ada)
    saved = actions.save(
        slot=annotation.slot, annotator=cast.ada, draft=draft(annotation.slot, cast.ada, note="2")
    )

    def submit() -> str:
        actions.submit(slot=annotation.slot, annotator=cast.ada, based_on=saved.number)
        return "submitted"

    def adjudicate() -> str:
        adjudicating.submit(adjudication=held, user=cast.cleo)
        return "adjudicated"

    def attempt(act: Callable[[], str]) -> str:
        try:
            return act()
        except (Conflict, Gone):
            return "refused"

    answers = set(at_once(partial(attempt, act) for act in (submit, adjudicate)))
    assert answers in ({"submitted", "refused"}, {"adjudicated", "refused"})
    assert Gold.objects.exists() == ("adjudicated" in answers)
    assert Round.objects.get().edition == (1 if "adjudicated" in answers else 2)


def test_a_comparison_that_was_under_way_does_not_stand_for_the_new_edition(
    annotation: Annotation, page: Page, cast: SimpleNamespace
) -> None:
    annotate(page, cast.ben, [span_of(page, "Bridge opens", "headline")])
    slow = request_comparison(round_=page.rounds.get())
    again(annotation, spans=[span_of(page, "Bridge opens", "headline")])
    compare_annotations(page)
    assert not Agreement.objects.get(pk=slow.pk).finished_at
    gold = finalisation.finalise_round(round_=page.rounds.get())
    assert isinstance(gold, Gold)
    assert gold.source == "unanimous"


# ---- history in the database ----


def test_the_database_keeps_submissions_as_they_are(annotation: Annotation) -> None:
    first = Submission.objects.filter(pk=annotation.submissions.get().pk)
    again(annotation, note="second")
    refused = (
        lambda: first.update(withdrawn_at=None),
        lambda: first.update(submitted_at=timezone.now()),
        lambda: first._raw_delete(first.db),
        lambda: Annotation.objects.update(submitted_at=None),
        lambda: Annotation.objects.update(submitted_at=first.get().submitted_at),
        lambda: Annotation.objects.update(revision=7),
        lambda: Annotation.objects.update(shown=None, guideline_version=9),
    )
    for rewrite in refused:
        with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
            rewrite()
