"""Each request is cut off at each of its writes in turn, commits among them.

It has done all of a step or none of it, the invariants hold, and the browser that asks again is answered. The
server loses its connection for real (pg_terminate_backend), in transactions of its own: what is not held
together by one stays behind by half.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q

from annotator.annotations.actions import release_all
from annotator.pages.models import Page
from tests.annotator.annotations.invariants import checks, scenario, staff
from tests.annotator.annotations.invariants.browser_window import BrowserWindow, Lost, ServerError, may_change
from tests.annotator.annotations.invariants.request_log import RequestLog
from tests.processes import A_WHILE

pytestmark = pytest.mark.django_db(transaction=True)

# How long a connection may take to end, in milliseconds.
PATIENCE = 1000 * A_WHILE
NEVER, FEWEST = 0, 2
SOME, OTHERS = 5, 6


@dataclass
class ConnectionCutter:
    """End the connection before its n-th write or commit, and know what stood after each commit."""

    beside: BaseDatabaseWrapper
    left: int = 0
    was_cut: bool = False
    commits: int = 0
    stands: list[Any] = field(default_factory=list)

    def set_to(self, number: int) -> None:
        self.left, self.was_cut, self.commits = number, False, 0
        self.stands = checks.fingerprint(on=self.beside)

    @contextmanager
    def around(self) -> Iterator[None]:
        """A request; Lost where the server could not answer because of the cut."""
        connection.ensure_connection()
        database: Any = connection  # its stubs have no `_commit`
        commit = database._commit
        database._commit = lambda: self._committing(commit)
        try:
            with connection.execute_wrapper(self._asking):
                yield
        except (ServerError, OperationalError, InterfaceError) as error:
            if not self.was_cut:
                raise
            raise Lost from error
        finally:
            database._commit = commit
            if self.was_cut:
                connection.close()

    def _asking(self, execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        if may_change(sql):
            self._maybe_cut()
        return execute(sql, *given)

    def _committing(self, commit: Callable[[], None]) -> None:
        self._maybe_cut()
        commit()
        self.commits += 1
        self.stands = checks.fingerprint(on=self.beside)

    def _maybe_cut(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.was_cut = True
            pid = connection.connection.info.backend_pid
            ((is_gone,),) = checks.ask("select pg_terminate_backend(%s, %s)", pid, PATIENCE, on=self.beside)
            assert is_gone, "the connection did not end"


@dataclass(frozen=True)
class Case:
    """What somebody does, and how they come to where they can do it."""

    name: str
    prepare: Callable[[], object]
    act: Callable[[], object]


def cases(windows: list[BrowserWindow], crew: staff.Staff, cutter: ConnectionCutter) -> Iterator[Case]:
    """Each by somebody else, or by the staff; the second window is of the same person."""
    people = zip(windows[::2], windows[1::2], strict=True)

    def by_staff(act: Callable[[], object]) -> Callable[[], None]:
        def once() -> None:
            with cutter.around():
                act()

        return once

    mine, _ = next(people)
    yield Case("asks for a page", lambda: None, mine.next)
    yield Case("opens it", lambda: None, mine.open)
    yield Case("saves", lambda: at_a_page(mine), lambda: mine.save(SOME))
    mine, _ = next(people)
    yield Case("reserves", lambda: [with_marks(mine), mine.submit(), mine.open()], mine.reserve)
    yield Case("sends a heartbeat while a page is reserved", mine.reserve, mine.heartbeat)
    yield Case("saves after some time", lambda: staff.time_passes(10), lambda: mine.save(OTHERS))
    yield Case("submits while a page waits", lambda: [with_marks(mine), mine.reserve()], mine.submit)
    mine, other = next(people)
    yield Case(
        "saves what is stale",
        lambda: [with_marks(mine), at_a_page(other), mine.save(OTHERS)],
        lambda: other.save(SOME),
    )
    yield Case("skips", lambda: [with_marks(mine), mine.reserve()], mine.skip)
    mine, _ = next(people)
    yield Case("reopens a submission", lambda: [with_marks(mine), mine.submit()], lambda: mine.reopen(-1))
    yield Case("submits again", lambda: [mine.reopen(-1), mine.save(OTHERS)], mine.submit)
    (mine, _), (somebody, _) = next(people), next(people)
    yield Case(
        "goes on in another slot of the page",
        lambda: leave_a_slot(mine, somebody),
        lambda: mine.reopen(-1),
    )
    yield Case("a page comes", lambda: None, by_staff(crew.page_comes))
    yield Case("the design changes", lambda: None, by_staff(lambda: another_design(crew)))


def at_a_page(mine: BrowserWindow) -> None:
    mine.next()
    mine.open()


def with_marks(mine: BrowserWindow) -> None:
    at_a_page(mine)
    mine.save(SOME)


def leave_a_slot(mine: BrowserWindow, somebody: BrowserWindow) -> None:
    """They leave a draft on a page of which they had the first slot; somebody else gets that slot."""
    touched = Page.objects.filter(
        Q(rounds__slots__annotations__isnull=False) | Q(rounds__slots__annotator__isnull=False)
    )
    page = Page.objects.filter(rounds__isnull=False).exclude(pk__in=touched).latest("pk")
    mine.come_to(page)
    mine.save(SOME)
    release_all(corpus=page.corpus, user=mine.person)
    somebody.come_to(page)


def another_design(crew: staff.Staff) -> None:
    crew.change_design(slots=3, blind=0.5, who=0, order=1)


@pytest.fixture
def beside() -> Iterator[BaseDatabaseWrapper]:
    """A second connection to the same database."""
    made = connections.create_connection(DEFAULT_DB_ALIAS)
    yield made
    made.close()


def test_a_request_that_is_cut_off_has_done_all_of_a_step_or_none(
    made: scenario.Scenario, beside: BaseDatabaseWrapper
) -> None:
    log = RequestLog()
    windows, crew, cutter = made.windows(log), staff.Staff(made), ConnectionCutter(beside)
    crew.pages_come(scenario.MANY)
    for window in windows:
        window.client.around = cutter.around
    history = checks.History()
    for case in cases(windows, crew, cutter):
        case.prepare()
        for number in count(1):
            cutter.set_to(number)
            with suppress(Lost):
                case.act()
            cutter.left = NEVER
            wrong = [*checks.violations(), *history.rewritten(), *log.differences()]
            if cutter.was_cut and checks.fingerprint() != cutter.stands:
                wrong.append("half of a step was done")
            assert not wrong, f"{case.name}, cut off at {number}:\n" + "\n".join(wrong)
            if not cutter.was_cut:
                break
            if cutter.commits:
                case.prepare()
        assert number > FEWEST, f"{case.name} requested the database nothing"
