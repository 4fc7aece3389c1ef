"""Requests hold rows in one order: who waits for one has none that comes later, so nobody waits for ever.

Two windows of a person, and people on the same page, ask at the same moment. Here a row is held from outside,
the request runs into it, and whatever comes after that row must be free.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from annotator.annotations import actions
from annotator.annotations.models import Annotation, Round, Slot
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from tests.annotator.annotations.waiting import on_own_connection, waits
from tests.factories import MakePage, change_design, draft

pytestmark = pytest.mark.django_db(transaction=True)

ORDER = {"person": User, "round": Round, "annotation": Annotation, "slot": Slot, "page": Page}


@dataclass
class Desk:
    """A page with a draft, a reserve, and the requests of their annotator."""

    annotator: User
    corpus: Corpus
    slot: Slot
    draft: actions.Draft

    def rows(self) -> dict[str, int]:
        mine = Annotation.objects.get(slot=self.slot, annotator=self.annotator)
        round_ = self.slot.round
        return dict(
            zip(ORDER, (self.annotator.pk, round_.pk, mine.pk, self.slot.pk, round_.page_id), strict=True)
        )

    def next(self) -> None:
        actions.claim_next(corpus=self.corpus, annotator=self.annotator)

    def reserve(self) -> None:
        actions.reserve_next(slot=self.slot, annotator=self.annotator)

    def open(self) -> None:
        actions.open_own(corpus=self.corpus, annotator=self.annotator, key=self.slot.key)

    def save(self) -> None:
        actions.save(slot=self.slot, annotator=self.annotator, draft=self.draft)

    def beat(self) -> None:
        actions.heartbeat(slot=self.slot, annotator=self.annotator, active_seconds=1000)

    def submit(self) -> None:
        actions.submit(slot=self.slot, annotator=self.annotator, based_on=1)

    def skip(self) -> None:
        actions.skip(slot=self.slot, annotator=self.annotator)

    def resume(self) -> None:
        actions.resume(slot=self.slot, annotator=self.annotator)

    def reopen(self) -> None:
        actions.reopen(slot=self.slot, annotator=self.annotator)


@pytest.fixture
def desk(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> Desk:
    for _ in range(2):
        make_page()
    slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    actions.reserve_next(slot=slot, annotator=cast.ada)
    return Desk(cast.ada, corpus, slot, draft(slot, cast.ada))


# What is asked, and all that it waits for.
WAITS = {
    Desk.next: ("person", "slot"),
    Desk.reserve: ("person", "slot"),
    Desk.open: ("slot",),
    Desk.save: ("annotation", "slot"),
    Desk.beat: ("annotation", "slot"),
    Desk.submit: ("round", "annotation", "slot"),
    Desk.skip: ("slot",),
    Desk.resume: ("person", "slot"),
    Desk.reopen: ("round", "annotation", "slot"),
}


@pytest.mark.parametrize("act", WAITS, ids=lambda act: act.__name__)
def test_who_waits_for_a_row_has_none_that_comes_later(desk: Desk, act: Callable[[Desk], None]) -> None:
    if act is Desk.reopen:
        desk.submit()
    rows, waited = desk.rows(), []
    for place, name in enumerate(ORDER):
        with ThreadPoolExecutor(1) as pool, transaction.atomic():
            _hold(name, rows)
            asking = pool.submit(_ask, act, desk, pids := [])
            if waits(asking, pids):
                waited.append(name)
                for later in list(ORDER)[place + 1 :]:
                    _hold_or_fail(later, rows, name)
        asking.result()
    assert tuple(waited) == WAITS[act]


# ---- several slots at once ----


def _age(slot: Slot) -> None:
    """Its row moves behind the others where they lie: who asks for no order finds them in another one."""
    Slot.objects.filter(pk=slot.pk).update(queue_key="z" * 30)


@pytest.fixture
def places(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> list[Slot]:
    """The three places of a page, of which ada holds the last; as rows the first lies behind the others."""
    change_design(corpus, slots=3)
    slots = list(make_page().rounds.get().slots.order_by("pk"))
    Slot.objects.filter(pk__in=[slot.pk for slot in slots[:2]]).update(begun_at=timezone.now())
    last = actions.claim_next(corpus=corpus, annotator=cast.ada)
    assert last
    Slot.objects.filter(pk__in=[slot.pk for slot in slots]).update(begun_at=None)
    actions.save(slot=last, annotator=cast.ada, draft=draft(last, cast.ada))
    _age(slots[0])
    return slots


@pytest.mark.parametrize("number", [0, 1, 2])
def test_who_submits_waits_for_a_place_and_has_none_that_comes_later(
    cast: SimpleNamespace, corpus: Corpus, places: list[Slot], number: int
) -> None:
    own = Slot.objects.get(annotator=cast.ada)
    desk = Desk(cast.ada, corpus, own, draft(own, cast.ada))
    _waits_in_order(places, number, desk, Desk.submit)


@pytest.mark.parametrize("number", [0, 1])
def test_who_gives_back_several_places_waits_for_one_and_has_none_that_comes_later(
    desk: Desk, number: int
) -> None:
    own = list(Slot.objects.filter(annotator=desk.annotator).order_by("pk"))
    _age(own[0])
    _waits_in_order(own, number, desk, lambda it: actions.release_all(corpus=it.corpus, user=it.annotator))


def _waits_in_order(slots: list[Slot], number: int, desk: Desk, act: Callable[[Desk], object]) -> None:
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        Slot.objects.select_for_update(no_key=True, nowait=True).get(pk=slots[number].pk)
        asking = pool.submit(_ask, act, desk, pids := [])
        assert waits(asking, pids)
        for later in slots[number + 1 :]:
            _hold_or_fail("slot", {"slot": later.pk}, "slot before")
    asking.result()


def _ask(act: Callable[[Desk], object], desk: Desk, pids: list[int]) -> None:
    on_own_connection(lambda: _undone(act, desk), pids)


@transaction.atomic
def _undone(act: Callable[[Desk], object], desk: Desk) -> None:
    act(desk)
    transaction.set_rollback(True)


def _hold(name: str, rows: dict[str, int]) -> None:
    ORDER[name].objects.select_for_update(no_key=True, nowait=True).get(pk=rows[name])


def _hold_or_fail(name: str, rows: dict[str, int], waiting_for: str) -> None:
    try:
        _hold(name, rows)
    except OperationalError:
        pytest.fail(f"waits for the {waiting_for} and has the {name}")
