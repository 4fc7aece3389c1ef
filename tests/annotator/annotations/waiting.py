"""Two transactions at once: whether one waits for the other."""

from concurrent.futures import Future, wait

from django.db import connection


def waits(asking: "Future[None]", pids: list[int]) -> bool:
    """Whether the connection whose number is in `pids` waits for what is held; False when it is done."""
    while not asking.done():
        wait([asking], timeout=0.02)
        with connection.cursor() as cursor:
            cursor.execute("select pg_blocking_pids(pid) <> '{}' from unnest(%s::int[]) pid", [pids])
            if cursor.fetchone() == (True,):
                return True
    return False
