"""The reserve: one at most, not opened before its annotator opens it, and available to others until then."""

from collections import Counter
from functools import partial
from threading import Barrier
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from annotator.annotations import actions, eligibility
from annotator.annotations.models import LEASE, Annotation, Slot
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from tests.annotator.annotations.waiting import Meanwhile, at_once
from tests.factories import MakePage, SignedIn, change_design, draft, make_user, submit_by_http

pytestmark = pytest.mark.django_db


@pytest.fixture
def active(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> Slot:
    """The page that ada works on, of four."""
    for _ in range(4):
        make_page()
    slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
    actions.open_slot(slot=slot, annotator=cast.ada)
    return slot


def held(user: User) -> dict[int, bool]:
    """The user's slots, and whether each is in reserve."""
    found = Slot.objects.filter(annotator=user, submitted_at=None).order_by("pk")
    return {slot.pk: slot.reserved_at is not None for slot in found}


def submit(slot: Slot, user: User) -> None:
    actions.save(slot=slot, annotator=user, draft=draft(slot, user))
    actions.submit(slot=slot, annotator=user, based_on=1)


def test_one_page_is_reserved_beside_the_open_one(active: Slot, cast: SimpleNamespace) -> None:
    first = actions.reserve_next(slot=active, annotator=cast.ada)
    assert first.round_id != active.round_id
    assert actions.reserve_next(slot=active, annotator=cast.ada) == first
    assert held(cast.ada) == {active.pk: False, first.pk: True}


def test_a_reserved_page_comes_next_but_not_while_another_is_open(
    active: Slot, cast: SimpleNamespace, corpus: Corpus
) -> None:
    waiting = actions.reserve_next(slot=active, annotator=cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) == active
    submit(active, cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) == waiting
    assert held(cast.ada) == {waiting.pk: False}


def test_skipping_leads_to_what_waits(active: Slot, cast: SimpleNamespace, corpus: Corpus) -> None:
    waiting = actions.reserve_next(slot=active, annotator=cast.ada)
    actions.skip(slot=active, annotator=cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) == waiting


def test_its_arm_is_shown_when_it_is_opened(
    active: Slot, cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn
) -> None:
    """Neither being reserved, nor fetching its view ahead, nor its turn coming is opening it."""
    client = signed_in(cast.ada)
    view = client.post(f"/c/dailies/slots/{active.key}/reserve/").json()["view"]
    assert client.get(view).status_code == 200
    address = view.removesuffix("view.json")
    assert client.get(address).status_code == 404
    submit(active, cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ada)
    waiting = Annotation.objects.filter(annotator=cast.ada).exclude(slot=active)
    assert not waiting.exists()
    before = timezone.now()
    assert client.get(address).status_code == 200
    assert waiting.get().opened_at >= before


def test_a_prefetched_page_stays_with_its_annotator(
    active: Slot, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    client = signed_in(cast.ada)
    view = client.post(f"/c/dailies/slots/{active.key}/reserve/").json()["view"]
    answer = client.get(view)
    assert answer["Cache-Control"] == "private, max-age=86400, immutable"
    assert "Cookie" in answer["Vary"]
    assert answer["ETag"]
    assert signed_in(cast.ben).get(view).status_code == 404


def test_nothing_is_reserved_beside_a_page_that_is_not_held(
    active: Slot, cast: SimpleNamespace, corpus: Corpus
) -> None:
    assert actions.reserve_next(slot=active, annotator=cast.ben) is None
    actions.release_all(corpus=corpus, user=cast.ada)
    assert actions.reserve_next(slot=active, annotator=cast.ada) is None


def test_a_heartbeat_or_a_save_of_either_page_extends_both(
    active: Slot, cast: SimpleNamespace, make_page: MakePage
) -> None:
    """A second window shows the page in reserve: what is saved there keeps both."""
    other = actions.claim_on(page=make_page(), annotator=cast.ada)

    def beat(slot: Slot) -> None:
        actions.heartbeat(slot=slot, annotator=cast.ada, active_seconds=0)

    def save(slot: Slot) -> None:
        actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))

    def resume(slot: Slot) -> None:
        actions.resume(slot=slot, annotator=cast.ada)

    for slot, extend in ((active, beat), (active, save), (other, beat), (other, save), (active, resume)):
        now = timezone.now()
        Slot.objects.filter(annotator=cast.ada).update(lease_until=now)
        extend(slot)
        first, second = Slot.objects.filter(pk__in=[active.pk, other.pk])
        assert first.lease_until == second.lease_until >= now + LEASE


def test_what_waits_unopened_is_not_submitted(
    active: Slot, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    waiting = actions.reserve_next(slot=active, annotator=cast.ada)
    answer = signed_in(cast.ada).post(
        f"/c/dailies/slots/{waiting.key}/submit/", {"based_on": 0}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["error"]) == (409, "Open the page first.")


def test_who_finds_nothing_else_gets_what_waits_unopened_for_another(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    """A reserve starves nobody."""
    change_design(corpus, slots=1)
    make_page(), make_page()
    active = actions.claim_next(corpus=corpus, annotator=cast.ada)
    waiting = actions.reserve_next(slot=active, annotator=cast.ada)
    assert eligibility.pages_left(corpus, cast.ben) == 2
    assert actions.claim_next(corpus=corpus, annotator=cast.ben) == waiting
    assert held(cast.ada) == {active.pk: False}
    assert actions.claim_next(corpus=corpus, annotator=make_annotator(corpus, "eve")) is None


def make_annotator(corpus: Corpus, name: str) -> User:
    person = make_user(name)
    grant_role(corpus=corpus, user=person, role="annotator")
    return person


def test_signing_out_releases_it_and_keeps_the_active_page(
    active: Slot, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    actions.reserve_next(slot=active, annotator=cast.ada)
    signed_in(cast.ada).post("/sign-out/")
    assert held(cast.ada) == {active.pk: False}


def test_leaving_the_corpus_releases_both(active: Slot, cast: SimpleNamespace, corpus: Corpus) -> None:
    actions.reserve_next(slot=active, annotator=cast.ada)
    assert actions.release_all(corpus=corpus, user=cast.ada) == 2
    assert held(cast.ada) == {}


def test_resuming_a_draft_keeps_the_active_page_in_reserve(
    active: Slot, cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    draft_of = actions.claim_on(page=make_page(), annotator=cast.ada)
    assert held(cast.ada) == {active.pk: True, draft_of.pk: False}
    assert actions.resume(slot=active, annotator=cast.ada) == active
    assert held(cast.ada) == {active.pk: False, draft_of.pk: True}
    actions.save(slot=draft_of, annotator=cast.ada, draft=draft(draft_of, cast.ada))
    assert actions.claim_next(corpus=corpus, annotator=cast.ada) == active


def test_a_page_open_in_another_window_is_not_taken_away(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    change_design(corpus, slots=1)
    pages = make_page(), make_page()
    for page in pages:
        actions.claim_on(page=page, annotator=cast.ada)
    assert actions.claim_next(corpus=corpus, annotator=cast.ben) is None


# ---- the constraints behind it ----


def test_the_database_refuses_a_second_active_and_a_second_reserve_claim(
    active: Slot, cast: SimpleNamespace
) -> None:
    now = timezone.now()
    free = Slot.objects.filter(annotator=None).exclude(round=active.round)
    claim = {"annotator": cast.ada, "claimed_at": now, "lease_until": now}
    with pytest.raises(IntegrityError, match="one_active_claim"), transaction.atomic():
        Slot.objects.filter(pk=free.first().pk).update(**claim)
    actions.reserve_next(slot=active, annotator=cast.ada)
    with pytest.raises(IntegrityError, match="one_reserve_claim"), transaction.atomic():
        Slot.objects.filter(pk=free.last().pk).update(**claim, reserved_at=now)


def test_the_database_refuses_a_reserve_without_a_claim_and_one_submitted(
    active: Slot, cast: SimpleNamespace
) -> None:
    now = timezone.now()
    with pytest.raises(IntegrityError, match="reserve_is_a_claim"), transaction.atomic():
        Slot.objects.filter(annotator=None).update(reserved_at=now)
    with pytest.raises(IntegrityError, match="reserve_is_a_claim"), transaction.atomic():
        Slot.objects.filter(pk=active.pk).update(reserved_at=now, submitted_at=now)


def test_the_database_refuses_a_slot_of_another_corpus(active: Slot) -> None:
    with pytest.raises(IntegrityError, match="corpus of its page"), transaction.atomic():
        Slot.objects.filter(pk=active.pk).update(corpus=create_corpus(slug="weeklies"))


# ---- races ----


@pytest.mark.django_db(transaction=True)
def test_twenty_clients_with_a_page_in_reserve_never_share_a_slot(
    corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    """To the end, where what waits for one is all that is left for another."""
    for _ in range(12):
        make_page()
    people = [make_annotator(corpus, f"person{n}") for n in range(20)]
    start = Barrier(len(people))

    def work_through(person: User) -> None:
        client = signed_in(person)
        start.wait()
        address = client.post("/c/dailies/next/").headers["Location"]
        while address and address != "/":
            address = _annotate(client, address, person)

    at_once(partial(work_through, person) for person in people)
    slots = Slot.objects.filter(corpus=corpus)
    assert not slots.filter(submitted_at=None).exists()
    assert not slots.exclude(reserved_at=None).exists()
    assert set(Counter(slots.values_list("round", "annotator")).values()) == {1}
    assert Annotation.objects.exclude(submitted_at=None).count() == slots.count() == 24


def _annotate(client: Client, address: str, person: User) -> str | None:
    """Open the page, have the next one kept, save, submit; the next address."""
    assert client.get(address).status_code == 200
    assert client.post(f"{address}reserve/").status_code == 200
    return submit_by_http(client, address, person)


@pytest.mark.django_db(transaction=True)
def test_a_reserve_that_another_takes_at_this_moment_is_not_activated(
    active: Slot, cast: SimpleNamespace, corpus: Corpus
) -> None:
    """The owner waits for the row that the other annotator has locked, and then goes without it."""
    waiting = actions.reserve_next(slot=active, annotator=cast.ada)
    submit(active, cast.ada)

    def next_of_owner() -> Slot | None:
        return actions.claim_next(corpus=corpus, annotator=cast.ada)

    with transaction.atomic():
        Slot.objects.filter(pk=waiting.pk).update(annotator=cast.ben, reserved_at=None)
        asking = Meanwhile(next_of_owner)
        assert asking.waits()
    following = asking.result()
    assert following not in (None, waiting)
    assert held(cast.ada) == {following.pk: False}
    assert held(cast.ben) == {waiting.pk: False}
