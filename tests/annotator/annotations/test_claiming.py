"""Invariant 4: as many slots as the corpus asks for, one annotator in each, nobody twice on a page."""

from collections import Counter
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotator.annotations import actions
from annotator.annotations.models import Slot
from annotator.common.errors import Gone
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus
from tests.annotator.annotations.waiting import at_once
from tests.factories import (
    MakePage,
    annotate,
    change_design,
    draft,
    make_user,
    span_of,
)

pytestmark = pytest.mark.django_db


def lapse(slot: Slot) -> None:
    Slot.objects.filter(pk=slot.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_page_has_the_slots_that_its_corpus_asks_for(corpus: Corpus, make_page: MakePage) -> None:
    change_design(corpus, slots=3)
    assert make_page().rounds.get().slots.count() == 3


def test_opening_a_round_twice_opens_it_once(make_page: MakePage) -> None:
    page = make_page()
    first = page.rounds.get()
    arms = list(first.slots.values_list("arm", flat=True))
    assert actions.open_round(page=page) == first
    assert list(first.slots.values_list("arm", flat=True)) == arms


def test_nobody_gets_two_slots_of_a_page(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    annotate(page, cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) is None
    assert actions.claim_next(corpus=corpus, annotator=cast.ben).round.page == page


def test_the_next_page_is_the_one_already_claimed(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    make_page(), make_page()
    first = actions.claim_next(corpus=corpus, annotator=cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) == first


def test_half_annotated_pages_come_first(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> None:
    make_page()
    second = make_page()
    annotate(second, cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ben).round.page == second


def test_the_first_claim_pins_the_document(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    assert page.pinned_at is None
    actions.claim_next(corpus=corpus, annotator=cast.ada)
    page.refresh_from_db()
    assert page.pinned_at
    assert page.document == page.documents.get()


def test_a_lapsed_lease_frees_the_slot_and_keeps_the_draft(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ben)
    slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
    mark = span_of(page, "Bridge opens", "headline")
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, [mark]))
    lapse(slot)
    eve = make_user("eve")
    grant_role(corpus=corpus, user=eve, role="annotator")
    taken = actions.claim_next(corpus=corpus, annotator=eve)
    assert taken.pk == slot.pk
    assert cast.ada.annotations.get().revisions.get().spans == [list(mark)]


def test_a_lapsed_draft_is_resumed_where_a_slot_is_free(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
    mark = span_of(page, "Bridge opens", "headline")
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, [mark]))
    actions.release_all(corpus=corpus, user=cast.ada)
    annotate(page, cast.ben)
    slot.refresh_from_db()
    again = actions.resume(slot=slot, annotator=cast.ada)
    assert actions.state_of(again.annotations.get(annotator=cast.ada))["spans"] == [list(mark)]


def test_the_last_save_is_resumed_where_it_was_left(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    """Out of a slot, on in the other one, and back in the first: not what was left there."""
    page = make_page()
    eve = make_user("eve")
    grant_role(corpus=corpus, user=eve, role="annotator")
    first = actions.claim_on(page=page, annotator=cast.ada)
    actions.save(slot=first, annotator=cast.ada, draft=draft(first, cast.ada, note="old"))
    lapse(first)
    assert actions.claim_next(corpus=corpus, annotator=eve) == first
    second = actions.resume(slot=first, annotator=cast.ada)
    actions.save(slot=second, annotator=cast.ada, draft=draft(second, cast.ada, note="new"))
    lapse(second)
    assert actions.claim_next(corpus=corpus, annotator=cast.ben) == second
    actions.skip(slot=first, annotator=eve)
    again = actions.resume(slot=second, annotator=cast.ada)
    assert again == first
    for _window in range(2):
        state = actions.state_of(actions.open_slot(slot=again, annotator=cast.ada))
        assert (state["note"], state["revision"]) == ("new", 2)


def test_what_was_submitted_or_reassigned_meanwhile_is_not_resumed(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    """Another window, or another person, changed the slot after this request had read it."""
    page = make_page()
    change_design(corpus, slots=1)
    single = make_page()
    for read in (actions.claim_on(page=where, annotator=cast.ada) for where in (page, single)):
        if read.round.page == page:
            annotate(page, cast.ada)
        else:
            actions.release_all(corpus=corpus, user=cast.ada)
            lease = actions.claim_on(page=single, annotator=cast.ben).lease_until
        with pytest.raises(Gone, match="No slot of this page is free for you now"):
            actions.resume(slot=read, annotator=cast.ada)
    assert Slot.objects.get(round__page=single).lease_until == lease


def test_a_skipped_page_is_not_offered_again(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    make_page()
    slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
    actions.skip(slot=slot, annotator=cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) is None
    assert actions.claim_next(corpus=corpus, annotator=cast.ben) == slot


def test_the_database_refuses_an_annotator_twice_in_a_round(
    cast: SimpleNamespace, make_page: MakePage
) -> None:
    one, two = make_page().rounds.get().slots.all()
    now = timezone.now()
    for slot in (one, two):
        slot.annotator, slot.claimed_at, slot.lease_until = cast.ada, now, now
    one.save()
    with pytest.raises(IntegrityError, match="one_slot_per_annotator"), transaction.atomic():
        two.save()


def test_the_database_refuses_the_same_arm_twice_in_a_round(corpus: Corpus, make_page: MakePage) -> None:
    one, two = make_page().rounds.get().slots.all()
    Slot.objects.filter(pk=one.pk).update(arm=corpus.enabled.first().extractor)
    with pytest.raises(IntegrityError, match="no_arm_twice_in_a_round"), transaction.atomic():
        Slot.objects.filter(pk=two.pk).update(arm=corpus.enabled.first().extractor)


@pytest.mark.django_db(transaction=True)
def test_two_windows_of_one_person_get_the_same_slot(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    for _ in range(3):
        make_page()

    at_once([lambda: actions.claim_next(corpus=corpus, annotator=cast.ada)] * 8)
    held = Slot.objects.filter(annotator=cast.ada)
    assert Counter(held.values_list("round", flat=True)).most_common(1)[0][1] == 1
