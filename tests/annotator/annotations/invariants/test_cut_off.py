"""Each request is cut off at each of its writes in turn, commits among them.

It has done all of a step or none of it, the laws hold, and the browser that asks again is answered. The
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
from tests.annotator.annotations.invariants import laws, newsroom, office
from tests.annotator.annotations.invariants.ledger import Ledger
from tests.annotator.annotations.invariants.window import Lost, ServerError, Window, may_change

pytestmark = pytest.mark.django_db(transaction=True)

# How long a connection may take to end, in milliseconds.
PATIENCE = 20_000
NEVER, FEWEST = 0, 2
SOME, OTHERS = 5, 6


@dataclass
class Scissors:
    """End the connection before its so-manieth write or commit, and know what stood after each commit."""

    beside: BaseDatabaseWrapper
    left: int = 0
    was_cut: bool = False
    commits: int = 0
    stands: list[Any] = field(default_factory=list)

    def set_to(self, number: int) -> None:
        self.left, self.was_cut, self.commits = number, False, 0
        self.stands = laws.fingerprint(on=self.beside)

    @contextmanager
    def around(self) -> Iterator[None]:
        """A request; Lost where the server could not answer because of the cut."""
        connection.ensure_connection()
        commit = connection._commit
        connection._commit = lambda: self._committing(commit)
        try:
            with connection.execute_wrapper(self._asking):
                yield
        except (ServerError, OperationalError, InterfaceError) as error:
            if not self.was_cut:
                raise
            raise Lost from error
        finally:
            connection._commit = commit
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
        self.stands = laws.fingerprint(on=self.beside)

    def _maybe_cut(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.was_cut = True
            pid = connection.connection.info.backend_pid
            laws.ask("select pg_terminate_backend(%s, %s)", pid, PATIENCE, on=self.beside)


@dataclass(frozen=True)
class Case:
    """What somebody does, and how she comes to where she can do it."""

    name: str
    prepare: Callable[[], object]
    act: Callable[[], object]


def cases(windows: list[Window], staff: office.Office, scissors: Scissors) -> Iterator[Case]:
    """Each by somebody else, or by the office; the second window is hers too."""
    people = zip(windows[::2], windows[1::2], strict=True)

    def by_office(act: Callable[[], object]) -> Callable[[], None]:
        def once() -> None:
            with scissors.around():
                act()

        return once

    her, _ = next(people)
    yield Case("asks for a page", lambda: None, her.next)
    yield Case("opens it", lambda: None, her.open)
    yield Case("saves", lambda: at_a_page(her), lambda: her.save(SOME))
    her, _ = next(people)
    yield Case("reserves", lambda: [with_marks(her), her.submit(), her.open()], her.reserve)
    yield Case("is heard of while a page waits", her.reserve, her.beat)
    yield Case("saves after some time", lambda: office.time_passes(10), lambda: her.save(OTHERS))
    yield Case("hands in while a page waits", lambda: [with_marks(her), her.reserve()], her.submit)
    her, other = next(people)
    yield Case(
        "saves what is stale",
        lambda: [with_marks(her), at_a_page(other), her.save(OTHERS)],
        lambda: other.save(SOME),
    )
    yield Case("skips", lambda: [with_marks(her), her.reserve()], her.skip)
    her, _ = next(people)
    yield Case(
        "takes up what she handed in", lambda: [with_marks(her), her.submit()], lambda: her.take_up(-1)
    )
    yield Case("hands in again", lambda: [her.take_up(-1), her.save(OTHERS)], her.submit)
    (her, _), (somebody, _) = next(people), next(people)
    yield Case(
        "goes on in another place of the page",
        lambda: loses_her_place(her, somebody),
        lambda: her.take_up(-1),
    )
    yield Case("a page comes", lambda: None, by_office(staff.page_comes))
    yield Case("the design changes", lambda: None, by_office(lambda: another_design(staff)))


def at_a_page(her: Window) -> None:
    her.next()
    her.open()


def with_marks(her: Window) -> None:
    at_a_page(her)
    her.save(SOME)


def loses_her_place(her: Window, somebody: Window) -> None:
    """She leaves a draft on a page of which she had the first place; somebody else gets that."""
    touched = Page.objects.filter(
        Q(rounds__slots__annotations__isnull=False) | Q(rounds__slots__annotator__isnull=False)
    )
    page = Page.objects.filter(rounds__isnull=False).exclude(pk__in=touched).latest("pk")
    her.come_to(page)
    her.save(SOME)
    release_all(corpus=page.corpus, user=her.person)
    somebody.come_to(page)


def another_design(staff: office.Office) -> None:
    staff.change_design(slots=3, blind=0.5, who=0, order=1)


@pytest.fixture
def beside() -> Iterator[BaseDatabaseWrapper]:
    """A second connection to the same database."""
    made = connections.create_connection(DEFAULT_DB_ALIAS)
    yield made
    made.close()


def test_a_request_that_is_cut_off_has_done_all_of_a_step_or_none(
    room: newsroom.Newsroom, beside: BaseDatabaseWrapper
) -> None:
    ledger = Ledger()
    windows, staff, scissors = room.windows(ledger), office.Office(room), Scissors(beside)
    staff.pages_come(newsroom.MANY)
    for window in windows:
        window.desk.around = scissors.around
    past = laws.Past()
    for case in cases(windows, staff, scissors):
        case.prepare()
        for number in count(1):
            scissors.set_to(number)
            with suppress(Lost):
                case.act()
            scissors.left = NEVER
            wrong = [*laws.broken(), *past.rewritten(), *ledger.differences()]
            if scissors.was_cut and laws.fingerprint() != scissors.stands:
                wrong.append("half of a step was done")
            assert not wrong, f"{case.name}, cut off at {number}:\n" + "\n".join(wrong)
            if not scissors.was_cut:
                break
            if scissors.commits:
                case.prepare()
        assert number > FEWEST, f"{case.name} asked the database nothing"
