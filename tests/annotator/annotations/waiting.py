"""Several transactions at once, and whether one waits for another."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from threading import Barrier
from typing import Generic, TypeVar

from django.db import connection

from tests.processes import A_WHILE

Result = TypeVar("Result")


class Meanwhile(Generic[Result]):
    """What another thread has begun to do, on a connection of its own."""

    def __init__(self, act: Callable[[], Result]) -> None:
        self._pids: list[int] = []
        threads = ThreadPoolExecutor(1)
        self._asking = threads.submit(self._on_own_connection, act)
        threads.shutdown(wait=False)

    def _on_own_connection(self, act: Callable[[], Result]) -> Result:
        try:
            with connection.cursor():
                self._pids.append(connection.connection.info.backend_pid)
            return act()
        finally:
            connection.close()

    def waits(self) -> bool:
        """Whether it waits for what is held; False when it is done."""
        while not self._asking.done():
            wait([self._asking], timeout=0.02)
            with connection.cursor() as cursor:
                cursor.execute(
                    "select pg_blocking_pids(pid) <> '{}' from unnest(%s::int[]) pid", [self._pids]
                )
                if cursor.fetchone() == (True,):
                    return True
        return False

    def result(self) -> Result:
        return self._asking.result()


def at_once(acts: Iterable[Callable[[], Result]]) -> list[Result]:
    """What each returns of acts that begin together, each on a connection of its own."""
    acts = list(acts)
    start = Barrier(len(acts), timeout=A_WHILE)

    def begin(act: Callable[[], Result]) -> Result:
        start.wait()
        return act()

    begun = [Meanwhile(partial(begin, act)) for act in acts]
    return [each.result() for each in begun]
