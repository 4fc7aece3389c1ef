"""Everybody at once, each on their own connection, some of them killed: the invariants hold after each wave.

In a wave each window does some requests, drawn beforehand, while workers finalise, the admin changes the
design, and somebody ends connections in the midst of what they do (pg_terminate_backend). Windows keep what
they believed into the next wave.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from uuid import UUID

import pytest
from django.db import InterfaceError, OperationalError, connection

from annotator.annotations.models import Slot
from tests.annotator.annotations.invariants import checks, scenario, staff
from tests.annotator.annotations.invariants.browser_window import BrowserWindow, Lost, ServerError
from tests.annotator.annotations.invariants.request_log import RequestLog

pytestmark = pytest.mark.django_db(transaction=True)

FEW_WAVES = 4
MANY_WAVES = int(os.environ.get("GOLDPAN_WAVES", "200"))
SEED = int(os.environ.get("GOLDPAN_WAVES_SEED", "1"))
# What a window does in a wave, at most. How often somebody looks whom to kill, in seconds, and how many of
# those who are seen.
ACTS, PAUSE, KILLED = 8, 0.01, 0.1

requests = count()


@dataclass
class Killer:
    """Ends connections while somebody asks something on them."""

    busy: dict[int, tuple[int, int]] = field(default_factory=dict)
    killed: set[int] = field(default_factory=set)
    over: threading.Event = field(default_factory=threading.Event)
    # Whoever has had the answer is not killed any more.
    choosing: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def around(self) -> Iterator[None]:
        """A request that may lose its connection; Lost, if it did."""
        connection.ensure_connection()
        pid = connection.connection.info.backend_pid
        self.busy[threading.get_ident()] = pid, next(requests)
        error: Exception | None = None
        try:
            yield
        except (ServerError, OperationalError, InterfaceError) as raised:
            error = raised
        finally:
            with self.choosing:
                del self.busy[threading.get_ident()]
        if pid in self.killed:
            connection.close()
            raise Lost from error
        if error:
            raise error

    def kill(self, dice: Random) -> None:
        """Some of all requests, each at some moment of it."""
        seen: set[int] = set()
        while not self.over.wait(PAUSE * dice.random()):
            with self.choosing:
                asking = {pid: request for pid, request in self.busy.values() if request not in seen}
                seen |= set(asking.values())
                for pid in asking:
                    if dice.random() < KILLED:
                        self.killed.add(pid)
                        checks.ask("select pg_terminate_backend(%s)", pid)


@dataclass
class Wave:
    scenario: scenario.Scenario
    windows: list[BrowserWindow]
    staff: staff.Staff
    dice: Random

    def run(self) -> int:
        """Let them all loose and wait for the end; how many connections were ended."""
        killer = Killer()
        for client in (*(window.client for window in self.windows), *self.staff.clients.values()):
            client.around = killer.around
        scripts = [self._script(window) for window in self.windows] + self._staff(killer)
        with ThreadPoolExecutor(len(scripts) + 1) as pool:
            killing = pool.submit(_and_close, lambda: killer.kill(Random(self.dice.random())))
            done = [pool.submit(_and_close, script) for script in scripts]
            try:
                for each in done:
                    each.result()
            finally:
                killer.over.set()
            killing.result()
        return len(killer.killed)

    def _script(self, window: BrowserWindow) -> Callable[[], None]:
        """What it does, drawn now; it stops where it stands when its draw is over."""
        drawn = [(self.dice.random(), self.dice.randrange(40)) for _ in range(self.dice.randrange(ACTS + 1))]

        def play() -> None:
            for act, number in drawn:
                _undisturbed(partial(_act, window, act, number))

        return play

    def _staff(self, killer: Killer) -> list[Callable[[], None]]:
        """Workers, an adjudicator and the admin, each going on for some time."""
        dice = Random(self.dice.random())

        def under_fire(act: Callable[[], None]) -> Callable[[], None]:
            def once() -> None:
                with killer.around():
                    act()

            return once

        def adjudicate_all() -> None:
            self.staff.adjudicate(dice.randrange(3), dice.randrange(40), to_the_end=dice.random() < 0.8)

        def administer() -> None:
            self.staff.reopen_gold(dice.randrange(40))
            if dice.random() < 0.3:
                blind = dice.choice([0.2, 0.5])
                under_fire(
                    lambda: self.staff.change_design(
                        slots=dice.randint(1, 3), blind=blind, who=dice.randrange(3), order=dice.randrange(4)
                    )
                )()
            under_fire(self.staff.page_comes)()

        acts = (
            under_fire(self.staff.catch_up),
            under_fire(self.staff.catch_up),
            adjudicate_all,
            adjudicate_all,
            administer,
        )
        return [partial(_three_times, act) for act in acts]


def _act(window: BrowserWindow, act: float, number: int) -> None:
    """One thing that people do, the frequent ones often."""
    if act < 0.5:
        window.next()
        window.open()
        window.reserve()
        window.save(number, number)
        if act < 0.35:
            window.submit()
    else:
        others = (
            window.open, lambda: window.save(number, number), window.save_again, window.submit, window.skip,
            window.heartbeat, window.open_what_waits, lambda: window.reopen(number),
            lambda: window.pry(_some_slot(number), number), window.home,
        )  # fmt: skip
        others[int((act - 0.5) * 2 * len(others))]()


def _some_slot(number: int) -> UUID:
    """The key of one of the slots, whosever it is."""
    keys = list(Slot.objects.order_by("pk").values_list("key", flat=True))
    return keys[number * 7 % len(keys)]


def _three_times(act: Callable[[], object]) -> None:
    for _ in range(3):
        _undisturbed(act)


def _undisturbed(act: Callable[[], object]) -> None:
    """The client is gone in the midst of it, and comes back for the next thing."""
    try:
        act()
    except Lost:
        connection.close()


def _and_close(script: Callable[[], object]) -> None:
    try:
        script()
    finally:
        connection.close()


@pytest.mark.parametrize("waves", [FEW_WAVES, pytest.param(MANY_WAVES, marks=pytest.mark.long)])
def test_invariants_hold_under_concurrent_requests(made: scenario.Scenario, waves: int) -> None:
    dice, log, history, killed = Random(SEED), RequestLog(), checks.History(), 0
    windows, crew = made.windows(log), staff.Staff(made)
    crew.pages_come(scenario.MANY)
    for window in windows:
        window.alone = False
    done = 0
    # When each thread has its turn decides what becomes gold, so it may take longer.
    while done < waves or (done < 5 * waves and not made_gold()):
        killed += Wave(made, windows, crew, dice).run()
        wrong = [*checks.violations(), *history.rewritten(), *log.differences()]
        assert not wrong, f"seed {SEED}, wave {done}:\n" + "\n".join(wrong)
        staff.time_passes(dice.choice([1, 20, 31]))
        done += 1
    assert killed > done
    assert len(log.kept) > done * scenario.PEOPLE / 2
    assert made_gold()


def made_gold() -> bool:
    return bool(checks.ask("select count(*) from annotator_gold")[0][0])
