"""Random schedules, one request after the other: at every step invariants 4, 5 and 6 hold.

Drawn and shrunk by hypothesis. There are few pages for all of them, or many. A client may die in the midst
of a request, at any of its writes, or not hear the answer, and come back with what it believed before.
`test_waves` has them all at once.
"""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from annotator.annotations.study import actions as study
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from tests.annotator.annotations.invariants import checks, staff
from tests.annotator.annotations.invariants.browser_window import BrowserWindow, Lost, may_change
from tests.annotator.annotations.invariants.request_log import RequestLog
from tests.annotator.annotations.invariants.scenario import MANY, PEOPLE, WINDOWS, Scenario, make_scenario
from tests.factories import MakePage

pytestmark = pytest.mark.django_db

FEW_SCHEDULES = 6
MANY_SCHEDULES = int(os.environ.get("GOLDPAN_SCHEDULES", "400"))
STEPS = 50

# All of them, a few of them often: who meets nobody breaks nothing.
windows = st.integers(0, 5) | st.integers(0, PEOPLE * WINDOWS - 1)
numbers = st.integers(0, 40)
# What happens to a request: it is answered; nobody hears the answer; the client dies at such a write of it.
ANSWERED, UNHEARD = 0, -1
fates = st.sampled_from([ANSWERED] * 6 + [UNHEARD] * 2 + list(range(1, 13)))


# Designs draw their seeds here, so that the same schedule is the same twice.
seeds = Random(0)


class ConnectionLost(OperationalError):
    """The connection of this client is gone."""


class Schedule(RuleBasedStateMachine):
    scenario: ClassVar[Scenario]

    def __init__(self) -> None:
        super().__init__()
        cache.clear()
        seeds.seed(0)
        self.outer = transaction.atomic()
        self.outer.__enter__()
        self.log = RequestLog()
        self.windows = self.scenario.windows(self.log)
        self.staff = staff.Staff(self.scenario)
        for client in (*(window.client for window in self.windows), *self.staff.clients.values()):
            client.around = self.one_request
        self.fate = ANSWERED
        self.actor: User | None = None
        self.ended = 0
        self.history = checks.History()

    def teardown(self) -> None:
        """All of it is undone: the next schedule begins where this one did."""
        transaction.set_rollback(True)
        self.outer.__exit__(None, None, None)

    # ---- requests ----

    def does(self, act: Callable[..., None], *given: Any, fate: int = ANSWERED, **named: Any) -> None:
        """One act of an annotator or of the staff, its first request with such a fate; then all checks."""
        owner = getattr(act, "__self__", None)
        self.actor = (
            owner.person
            if isinstance(owner, BrowserWindow)
            else given[0]
            if act == self.staff.let_go
            else None
        )
        self.fate = fate
        with suppress(Lost):
            act(*given, **named)
        self.fate = ANSWERED
        self.check()

    @contextmanager
    def one_request(self) -> Iterator[None]:
        """The request, cut off at the write that its fate names; what was refused has changed nothing."""
        fate, self.fate = self.fate, ANSWERED
        left = [fate]

        def query(execute: Callable[..., Any], sql: str, *given: Any) -> Any:
            left[0] -= may_change(sql)
            if left[0] == 0 and may_change(sql):
                raise ConnectionLost("terminating connection")
            return execute(sql, *given)

        error: Exception | None = None
        try:
            with connection.execute_wrapper(query):
                yield
        except Exception as raised:  # noqa: BLE001  whatever dying came to
            error = raised
        if fate > 0 and left[0] <= 0:
            # Django takes the outermost transaction for lost; the request's own was, and has been undone.
            transaction.set_rollback(False)
            raise Lost from error
        if error:
            raise error
        if fate == UNHEARD:
            raise Lost

    def check(self) -> None:
        wrong = [*checks.violations(), *self.history.rewritten(), *self.log.differences(), *self.given_away()]
        assert not wrong, "\n".join(wrong)

    def given_away(self) -> Iterator[str]:
        """Claims that ended without anybody's coming: only by an act of the same person."""
        for number, was, became in checks.ask(
            "select id, was, became from watched_claims where id > %s order by id", self.ended
        ):
            self.ended = number
            if became is None and (self.actor is None or self.actor.pk != was):
                yield f"what {was} had was given back by {self.actor}"

    @initialize(are_many=st.booleans())
    def pages_are_there(self, are_many: bool) -> None:
        if are_many:
            self.staff.pages_come(MANY)

    # ---- annotators ----

    def at_a_page(self, window: int) -> BrowserWindow:
        """The window, with a page before it; the one that it had, as it saw it last."""
        mine = self.windows[window]
        if mine.document is None:
            self.does(mine.next)
            self.does(mine.open)
        return mine

    def with_marks(self, window: int, choice: int) -> BrowserWindow:
        mine = self.at_a_page(window)
        if mine.revision == 0:
            self.does(mine.save, choice, choice)
        return mine

    @rule(window=windows, choice=numbers, pages=st.integers(1, 3))
    def works(self, window: int, choice: int, pages: int) -> None:
        for _ in range(pages):
            self.does(self.with_marks(window, choice).submit)

    @rule(window=windows, fate=fates)
    def asks_for_the_next(self, window: int, fate: int) -> None:
        self.does(self.windows[window].next, fate=fate)

    @rule(window=windows, fate=fates)
    def opens(self, window: int, fate: int) -> None:
        self.does(self.windows[window].open, fate=fate)

    @rule(window=windows, choice=numbers, fate=fates)
    def saves(self, window: int, choice: int, fate: int) -> None:
        self.does(self.at_a_page(window).save, choice, choice, fate=fate)

    @rule(window=windows, choice=numbers, again=numbers, done=st.booleans())
    def saves_in_two_windows(self, window: int, choice: int, again: int, done: bool) -> None:
        """Both have the page open; one saves, the other knows nothing of it, and saves or submits."""
        other = self.with_marks(window ^ 1, choice)
        self.does(self.at_a_page(window).save, choice, choice)
        if done:
            self.does(other.submit)
        else:
            self.does(other.save, again, again)

    @rule(window=windows, fate=fates)
    def saves_again(self, window: int, fate: int) -> None:
        self.does(self.windows[window].save_again, fate=fate)

    @rule(window=windows, choice=numbers, fate=fates, twice=st.booleans())
    def submits(self, window: int, choice: int, fate: int, twice: bool) -> None:
        mine = self.with_marks(window, choice)
        slot = mine.slot
        self.does(mine.submit, fate=fate)
        if twice and mine.slot == slot:
            self.does(mine.submit)

    @rule(window=windows, fate=fates)
    def skips(self, window: int, fate: int) -> None:
        self.does(self.at_a_page(window).skip, fate=fate)

    @rule(window=windows, fate=fates)
    def is_heard_of(self, window: int, fate: int) -> None:
        self.does(self.windows[window].heartbeat, fate=fate)

    @rule(window=windows, fate=fates, looks=st.booleans())
    def reserves(self, window: int, fate: int, looks: bool) -> None:
        self.does(self.at_a_page(window).reserve, fate=fate)
        if looks:
            self.does(self.windows[window].open_what_waits)

    @rule(window=windows, which=numbers, fate=fates, choice=numbers, on=st.booleans())
    def reopens(self, window: int, which: int, fate: int, choice: int, on: bool) -> None:
        """A draft, or what was submitted; and goes on with it."""
        mine = self.windows[window]
        self.does(mine.reopen, which, fate=fate)
        if on:
            self.does(mine.save, choice, 0)
            self.does(mine.submit)

    @rule(window=windows, other=windows, choice=numbers)
    def leaves_a_draft_to_lapse(self, window: int, other: int, choice: int) -> None:
        """Somebody else comes to the page; the first comes back and finds their draft, in any slot."""
        mine = self.with_marks(window, choice)
        self.does(staff.time_passes, 31)
        if mine.slot:
            self.does(self.windows[other].come_to, Page.objects.get(rounds__slots__key=mine.slot))
        self.does(mine.save, choice + 1, 0)
        self.does(mine.reopen, -1)

    @rule(window=windows, slot=numbers, which=numbers)
    def pries(self, window: int, slot: int, which: int) -> None:
        slots = [
            key for (key,) in checks.ask("select key from annotator_slot order by claimed_at desc nulls last")
        ]
        self.does(self.windows[window].pry, slots[slot % len(slots)], which)
        self.does(self.windows[window].home)

    # ---- the others ----

    @rule(minutes=st.sampled_from([1, 10, 29, 31, 61]))
    def time_passes(self, minutes: int) -> None:
        self.does(staff.time_passes, minutes)

    @rule()
    def workers_catch_up(self) -> None:
        self.does(self.staff.catch_up)

    @rule(who=numbers, choice=numbers, to_the_end=st.booleans(), fate=fates)
    def somebody_adjudicates(self, who: int, choice: int, to_the_end: bool, fate: int) -> None:
        self.does(self.staff.catch_up)
        self.does(self.staff.adjudicate, who, choice, to_the_end=to_the_end, fate=fate)

    @rule(which=numbers, fate=fates)
    def gold_is_reopened(self, which: int, fate: int) -> None:
        self.does(self.staff.catch_up)
        self.does(self.staff.reopen_gold, which, fate=fate)

    @rule(slots=st.integers(1, 4), blind=st.sampled_from([0.2, 0.3, 0.5, 1.0]), who=numbers, order=numbers)
    def the_design_changes(self, slots: int, blind: float, who: int, order: int) -> None:
        self.does(self.staff.change_design, slots=slots, blind=blind, who=who, order=order)
        self.does(self.staff.page_comes)

    @rule(pages=st.integers(1, 3))
    def pages_come(self, pages: int) -> None:
        self.does(self.staff.pages_come, pages)

    @rule(person=st.integers(0, PEOPLE - 1))
    def somebody_is_let_go(self, person: int) -> None:
        self.does(self.staff.let_go, self.scenario.people[person])


@pytest.fixture
def made(
    corpus: Corpus,
    make_page: MakePage,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> Scenario:
    monkeypatch.setattr(study, "secrets", SimpleNamespace(randbits=seeds.getrandbits))
    # Requests die here by the thousand.
    caplog.set_level(logging.CRITICAL, "django.request")
    checks.ask(checks.WATCH)
    return make_scenario(corpus, make_page)


@pytest.mark.parametrize("schedules", [FEW_SCHEDULES, pytest.param(MANY_SCHEDULES, marks=pytest.mark.long)])
def test_invariants_hold_under_random_schedules(made: Scenario, schedules: int) -> None:
    Schedule.scenario = made
    run_state_machine_as_test(
        Schedule,
        settings=settings(
            max_examples=schedules,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
