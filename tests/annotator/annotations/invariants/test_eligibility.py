"""What is offered to a person, the pages nobody may take and the counts follow the rules, on random data.

The rules are written down here once more, naively: row by row, in Python.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from math import ceil

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.annotations import eligibility
from annotator.annotations.models import (
    HIDDEN,
    TO_GOLD,
    Annotation,
    Purpose,
    Round,
    Skip,
    Slot,
    Unblinded,
)
from annotator.annotations.qualification.models import PracticeSettings, Qualification, QualificationBasis
from annotator.annotations.study.models import AssignmentMode, StudyDesign
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, Membership, User
from annotator.pages.models import Page, ShingleBand, StoredDocument
from tests.factories import change_design, make_user

pytestmark = pytest.mark.django_db

# `make invariants` asks for many more.
EXAMPLES = 2 * int(os.environ.get("GOLDPAN_SCHEDULES", "6"))
PEOPLE, PAGES, SOURCE_PAGES = 4, 4, 2

people = st.integers(0, PEOPLE - 1)
pages = st.integers(0, PAGES - 1)


@dataclass
class World:
    """A corpus with open rounds, one to practise on, one with some of its pages; and what befalls them."""

    corpus: Corpus
    source: Corpus
    elsewhere: Corpus
    people: list[User]
    pages: list[Page] = field(default_factory=list)
    practised_on: list[Page] = field(default_factory=list)

    def open_rounds(self, slots: int, bands: list[int]) -> None:
        self.pages = [self._page(self.corpus, number, bands[number]) for number in range(PAGES)]
        self.practised_on = [self._page(self.source, 100 + number, number) for number in range(SOURCE_PAGES)]
        for page in self.pages:
            self._round(page, Purpose.MAIN, slots)

    def take_part_elsewhere(self, roles: list[str], twins: set[int]) -> None:
        """Give people these roles in another corpus, which has some of the pages, too."""
        for person, role in zip(self.people, roles, strict=True):
            if role:
                Membership.objects.create(corpus=self.elsewhere, user=person, role=role)
        for number in twins:
            Page.objects.create(corpus=self.elsewhere, sha256=self.pages[number].sha256, size=1)

    def _page(self, corpus: Corpus, number: int, band: int) -> Page:
        digest = sha256(str(number).encode()).hexdigest()
        page = Page.objects.create(corpus=corpus, sha256=digest, size=1)
        ShingleBand.objects.create(page=page, corpus=corpus, band=0, digest=band)
        StoredDocument.objects.create(page=page, version="1", text="", sha256=digest, length=0, blocks=[])
        return page

    def _round(self, page: Page, purpose: Purpose, slots: int, **fields: object) -> list[Slot]:
        number = page.rounds.filter(purpose=purpose).count() + 1
        blind = {"blind": True, "draw": number, "number": number}
        round_ = Round.objects.create(page=page, purpose=purpose, **blind)
        return [
            Slot.objects.create(round=round_, corpus=self.corpus, number=each + 1, **fields)
            for each in range(slots)
        ]

    # ---- what may befall them: each does nothing where it cannot be ----

    def takes(self, person: User, page: Page, *, lapsed: bool, reserved: bool, opened: bool) -> None:
        now = timezone.now()
        held = Slot.objects.filter(corpus=self.corpus, annotator=person, submitted_at=None)
        slot = Slot.objects.filter(round__page=page, annotator=None, assigned_to=None).first()
        if slot is None or held.filter(reserved_at__isnull=not reserved).exists():
            return
        if Slot.objects.filter(round=slot.round_id, annotator=person).exists():
            return
        Slot.objects.filter(pk=slot.pk).update(
            annotator=person,
            claimed_at=now,
            lease_until=now + timedelta(hours=-1 if lapsed else 1),
            reserved_at=now if reserved else None,
        )
        if opened:
            self._annotation(slot, person)

    def submits(self, person: User, page: Page) -> None:
        now = timezone.now()
        for slot in Slot.objects.filter(round__page=page, annotator=person, submitted_at=None):
            self._annotation(slot, person, revision=1, submitted_at=now)
            Slot.objects.filter(pk=slot.pk).update(submitted_at=now, reserved_at=None)

    def _annotation(self, slot: Slot, person: User, **fields: object) -> None:
        document = slot.round.page.documents.get()
        kept = {"document": document, "guideline_version": 1, **fields}
        Annotation.objects.update_or_create(slot=slot, annotator=person, defaults=kept)

    def finalised(self, _person: User, page: Page, *, again: bool, returning: bool) -> None:
        """The page's rounds are final, and it may have a round for the next guideline."""
        now = timezone.now()
        page.rounds.filter(finalised_at=None).update(finalised_at=now)
        if again:
            slots = self._round(page, Purpose.GUIDELINE, 2)
            Round.objects.filter(slots=slots[0]).update(returning_annotators_since=now if returning else None)

    def skips(self, person: User, page: Page) -> None:
        for round_ in page.rounds.exclude(slots__annotator=person):
            Skip.objects.get_or_create(round=round_, annotator=person)

    def adjudicates(self, person: User, page: Page) -> None:
        Unblinded.objects.get_or_create(page=page, user=person)

    def adjudicates_elsewhere(self, person: User, page: Page) -> None:
        for twin in Page.objects.filter(corpus=self.elsewhere, sha256=page.sha256):
            self.adjudicates(person, twin)

    def is_checked(self, person: User, page: Page) -> None:
        self._round(page, Purpose.CHECK, 1, assigned_to=person)

    def practises(self, person: User, page: Page) -> None:
        page = self.practised_on[page.pk % SOURCE_PAGES]
        self._round(page, Purpose.PRACTICE, 1, assigned_to=person)

    def passes(self, person: User, _page: Page) -> None:
        passed = {"basis": QualificationBasis.PASSED}
        Qualification.objects.get_or_create(corpus=self.corpus, annotator=person, defaults=passed)

    def leaves(self, person: User, _page: Page) -> None:
        Membership.objects.filter(user=person).update(ended_at=timezone.now())

    def is_deactivated(self, person: User, _page: Page) -> None:
        User.objects.filter(pk=person.pk).update(is_active=False)


EVENTS: list[st.SearchStrategy[tuple[Callable[..., None], dict[str, bool]]]] = [
    st.tuples(
        st.just(World.takes),
        st.fixed_dictionaries({name: st.booleans() for name in ("lapsed", "reserved", "opened")}),
    ),
    st.tuples(
        st.just(World.finalised),
        st.fixed_dictionaries({name: st.booleans() for name in ("again", "returning")}),
    ),
    *(
        st.tuples(st.just(event), st.just({}))
        for event in (
            World.submits,
            World.skips,
            World.adjudicates,
            World.adjudicates_elsewhere,
            World.is_checked,
            World.practises,
            World.passes,
            World.leaves,
            World.is_deactivated,
        )
    ),
]


# ---- the rules, naively ----


class Rules:
    """Who may take what, from all rows there are."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.design = StudyDesign.objects.filter(corpus=world.corpus).latest("number")
        self.slots = list(Slot.objects.filter(corpus=world.corpus).select_related("round__page"))
        practice = PracticeSettings.objects.filter(corpus=world.corpus).last()
        self.asks_practice = practice is not None and practice.source_id is not None
        members = Membership.objects.filter(corpus=world.corpus, role="annotator", ended_at=None)
        self.active = [each.user for each in members.filter(user__is_active=True).select_related("user")]
        self.seen_marked = set(Unblinded.objects.values_list("user", "page__sha256"))
        for member in Membership.objects.filter(role="researcher"):
            self.seen_marked |= {(member.user_id, page.sha256) for page in member.corpus.pages.all()}
        self.bands = {band.page_id: band.digest for band in ShingleBand.objects.all()}

    def is_assigned(self, person: User) -> bool:
        if self.design.who == AssignmentMode.NAMED:
            return person in self.design.people.all()
        if self.design.who == AssignmentMode.BALANCED:
            slots = [slot for slot in self.slots if slot.assigned_to_id is None]
            return sum(slot.annotator_id == person.pk for slot in slots) < self.share()
        return True

    def share(self) -> int:
        slots = [slot for slot in self.slots if slot.assigned_to_id is None]
        return ceil(len(slots) / max(len(self.active), 1)) + eligibility.SHARE_SLACK

    def is_through(self, person: User) -> bool:
        return not self.asks_practice or Qualification.objects.filter(annotator=person).exists()

    def knows(self, person: User, page: Page) -> bool:
        practised = Slot.objects.filter(assigned_to=person, round__purpose=Purpose.PRACTICE)
        keys = {slot.round.page_id for slot in practised.select_related("round")}
        return page.pk in keys or self.bands[page.pk] in {self.bands[key] for key in keys}

    def has_seen(self, person: User, page: Page) -> bool:
        return (person.pk, page.sha256) in self.seen_marked or self.knows(person, page)

    def annotated_before(self, person: User, page: Page) -> bool:
        found = Annotation.objects.filter(annotator=person).select_related("slot__round")
        return any(
            each.slot.round.page_id == page.pk
            and (each.slot.round.finalised_at or each.slot.round.purpose in HIDDEN)
            for each in found
        )

    def may_take(self, person: User, slot: Slot) -> bool:
        """But for practice."""
        own = [each for each in self.slots if each.annotator_id == person.pk]
        has_slot = slot.round_id in {each.round_id for each in own}
        return self.is_assigned(person) and not has_slot and self.is_permitted(person, slot)

    def is_permitted(self, person: User, slot: Slot) -> bool:
        round_ = slot.round
        return (
            slot.assigned_to_id in {None, person.pk}
            and slot.submitted_at is None
            and round_.finalised_at is None
            and round_.purpose != Purpose.PRACTICE
            and not Skip.objects.filter(round=round_, annotator=person).exists()
            and not self.has_seen(person, round_.page)
            and (
                round_.purpose != Purpose.GUIDELINE
                or round_.returning_annotators_since is not None
                or not self.annotated_before(person, round_.page)
            )
        )

    def offered(self, person: User, is_open: Callable[[Slot], bool]) -> set[Slot]:
        if not self.is_through(person):
            return set()
        return {slot for slot in self.slots if is_open(slot) and self.may_take(person, slot)}

    def left(self, person: User) -> int:
        """Rounds that they may still submit, whoever holds the slots now."""
        own = [each for each in self.slots if each.annotator_id == person.pk and each.submitted_at]
        submitted = {each.round_id for each in own}
        found = {slot.round for slot in self.slots if self.is_permitted(person, slot)}
        rounds = [round_ for round_ in found if round_.pk not in submitted]
        hidden = sum(round_.purpose in HIDDEN for round_ in rounds)
        others = len(rounds) - hidden
        if not self.is_through(person):
            return 0
        if self.design.who == AssignmentMode.NAMED and not self.is_assigned(person):
            return 0
        if self.design.who == AssignmentMode.BALANCED:
            share = max(0, self.share() - sum(slot.assigned_to_id is None for slot in own))
            return min(others, share) + (hidden if share else 0)
        return others + hidden

    def without_annotator(self) -> set[Round]:
        free = [slot for slot in self.slots if slot.annotator_id is None and slot.round.purpose in TO_GOLD]
        return {
            slot.round
            for slot in free
            if slot.round.finalised_at is None
            and not any(self.may_take(person, slot) for person in self.active)
        }


def is_free(slot: Slot) -> bool:
    return slot.annotator_id is None or slot.lease_until < timezone.now()


def is_unopened_reserve(slot: Slot) -> bool:
    opened = Annotation.objects.filter(slot=slot, annotator=slot.annotator_id)
    return slot.reserved_at is not None and not opened.exists()


# ---- the test ----


@pytest.fixture
def world(corpus: Corpus) -> World:
    cast = [make_user(name) for name in ("ada", "ben", "fay", "gus")]
    for person in cast:
        grant_role(corpus=corpus, user=person, role="annotator")
    return World(corpus, create_corpus(slug="trials"), create_corpus(slug="weeklies"), cast)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    slots=st.integers(1, 3),
    who=st.sampled_from(AssignmentMode),
    named=st.sets(people, min_size=1),
    asks_practice=st.booleans(),
    bands=st.lists(st.integers(0, 3), min_size=PAGES, max_size=PAGES),
    elsewhere=st.lists(st.sampled_from(["", "annotator", "researcher"]), min_size=PEOPLE, max_size=PEOPLE),
    twins=st.sets(pages),
    events=st.lists(st.tuples(st.one_of(EVENTS), people, pages), max_size=20),
)
def test_every_list_and_count_follows_the_rules(
    world: World,
    slots: int,
    who: AssignmentMode,
    named: set[int],
    asks_practice: bool,
    bands: list[int],
    elsewhere: list[str],
    twins: set[int],
    events: list[tuple[tuple[Callable[..., None], dict[str, bool]], int, int]],
) -> None:
    with undone():
        change_design(world.corpus, who=who, people=[world.people[number] for number in sorted(named)])
        if asks_practice:
            PracticeSettings.objects.create(corpus=world.corpus, number=1, source=world.source, seed=1)
        world.open_rounds(slots, bands)
        world.take_part_elsewhere(elsewhere, twins)
        for (event, options), person, page in events:
            event(world, world.people[person], world.pages[page], **options)
        rules, now = Rules(world), timezone.now()
        for annotator in rules.active:
            claimable = eligibility.claimable_slots(world.corpus, annotator, now)
            assert set(claimable) == rules.offered(annotator, is_free)
            reserves = eligibility.unopened_reserves(world.corpus, annotator)
            assert set(reserves) == rules.offered(annotator, is_unopened_reserve)
            assert eligibility.pages_left(world.corpus, annotator) == rules.left(annotator)
        assert set(eligibility.rounds_without_annotator(world.corpus)) == rules.without_annotator()
        found = eligibility.eligible_annotators(world.corpus, [page.pk for page in world.pages])
        is_named = who == AssignmentMode.NAMED
        for shown in world.pages:
            everybody = {
                person.pk
                for person in rules.active
                if (not is_named or rules.is_assigned(person)) and not rules.has_seen(person, shown)
            }
            assert found[shown.pk].everybody == everybody
            new = {person.pk for person in rules.active if not rules.annotated_before(person, shown)}
            assert found[shown.pk].new_to_page == everybody & new
