"""Requests hold rows in one order: who waits for one has none that comes later, so nobody waits for ever.

Two windows of a person, and people on the same page, ask at the same moment. Here a row is held from outside,
the request runs into it, and whatever comes after that row must be free.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from annotator.annotations import actions
from annotator.annotations.models import Annotation, Round, Slot
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from tests.annotator.annotations.waiting import Meanwhile
from tests.factories import MakePage, change_design, draft

pytestmark = pytest.mark.django_db(transaction=True)

ORDER = {"person": User, "round": Round, "annotation": Annotation, "slot": Slot, "page": Page}


@dataclass
class OpenPage:
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

    def heartbeat(self) -> None:
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
def open_page(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> OpenPage:
    for _ in range(2):
        make_page()
    slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    actions.reserve_next(slot=slot, annotator=cast.ada)
    return OpenPage(cast.ada, corpus, slot, draft(slot, cast.ada))


# What is asked, and all that it waits for.
WAITS: dict[Callable[[OpenPage], None], tuple[str, ...]] = {
    OpenPage.next: ("person", "slot"),
    OpenPage.reserve: ("person", "slot"),
    OpenPage.open: ("slot",),
    OpenPage.save: ("annotation", "slot"),
    OpenPage.heartbeat: ("annotation", "slot"),
    OpenPage.submit: ("round", "annotation", "slot"),
    OpenPage.skip: ("slot",),
    OpenPage.resume: ("person", "slot"),
    OpenPage.reopen: ("round", "annotation", "slot"),
}


@pytest.mark.parametrize("act", WAITS, ids=lambda act: act.__name__)
def test_who_waits_for_a_row_has_none_that_comes_later(
    open_page: OpenPage, act: Callable[[OpenPage], None]
) -> None:
    if act is OpenPage.reopen:
        open_page.submit()
    rows, waited = open_page.rows(), []
    for index, name in enumerate(ORDER):
        with transaction.atomic():
            _hold(name, rows)
            asking = Meanwhile(lambda: _undone(act, open_page))
            if asking.waits():
                waited.append(name)
                for later in list(ORDER)[index + 1 :]:
                    _hold_or_fail(later, rows, name)
        asking.result()
    assert tuple(waited) == WAITS[act]


# ---- several slots at once ----


def _age(slot: Slot) -> None:
    """Its row moves behind the others where they lie: who asks for no order finds them in another one."""
    Slot.objects.filter(pk=slot.pk).update(queue_key="z" * 30)


@pytest.fixture
def slots(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> list[Slot]:
    """The three slots of a page, of which ada holds the last; as rows the first lies behind the others."""
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
def test_who_submits_waits_for_a_slot_and_has_none_that_comes_later(
    cast: SimpleNamespace, corpus: Corpus, slots: list[Slot], number: int
) -> None:
    own = Slot.objects.get(annotator=cast.ada)
    open_page = OpenPage(cast.ada, corpus, own, draft(own, cast.ada))
    _waits_in_order(slots, number, open_page, OpenPage.submit)


@pytest.mark.parametrize("number", [0, 1])
def test_who_releases_several_slots_waits_for_one_and_has_none_that_comes_later(
    open_page: OpenPage, number: int
) -> None:
    own = list(Slot.objects.filter(annotator=open_page.annotator).order_by("pk"))
    _age(own[0])
    _waits_in_order(
        own, number, open_page, lambda it: actions.release_all(corpus=it.corpus, user=it.annotator)
    )


def _waits_in_order(
    slots: list[Slot], number: int, open_page: OpenPage, act: Callable[[OpenPage], object]
) -> None:
    with transaction.atomic():
        Slot.objects.select_for_update(no_key=True, nowait=True).get(pk=slots[number].pk)
        asking = Meanwhile(lambda: _undone(act, open_page))
        assert asking.waits()
        for later in slots[number + 1 :]:
            _hold_or_fail("slot", {"slot": later.pk}, "slot before")
    asking.result()


@transaction.atomic
def _undone(act: Callable[[OpenPage], object], open_page: OpenPage) -> None:
    act(open_page)
    transaction.set_rollback(True)


def _hold(name: str, rows: dict[str, int]) -> None:
    ORDER[name]._default_manager.select_for_update(no_key=True, nowait=True).get(pk=rows[name])


def _hold_or_fail(name: str, rows: dict[str, int], waiting_for: str) -> None:
    try:
        _hold(name, rows)
    except OperationalError:
        pytest.fail(f"waits for the {waiting_for} and has the {name}")
