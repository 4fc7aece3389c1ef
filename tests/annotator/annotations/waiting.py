"""Two transactions at once: whether one waits for the other."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from django.db import connection

Result = TypeVar("Result")


def on_own_connection(act: Callable[[], Result], pids: list[int]) -> Result:
    """What `act` returns, on a connection of this thread whose number is put in `pids`."""
    try:
        with connection.cursor():
            pids.append(connection.connection.info.backend_pid)
        return act()
    finally:
        connection.close()


def waits(asking: "Future[Any]", pids: list[int]) -> bool:
    """Whether the connection whose number is in `pids` waits for what is held; False when it is done."""
    while not asking.done():
        wait([asking], timeout=0.02)
        with connection.cursor() as cursor:
            cursor.execute("select pg_blocking_pids(pid) <> '{}' from unnest(%s::int[]) pid", [pids])
            if cursor.fetchone() == (True,):
                return True
    return False
