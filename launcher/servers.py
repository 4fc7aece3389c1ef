"""Both private servers together, and the environment that Goldpan's programs need to use them."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from launcher import accounts, place, postgres, valkey
from launcher.child import POLL_SECONDS, Child, Program
from launcher.errors import LauncherError
from launcher.home import Home
from launcher.place import Place

READY_SECONDS = 60.0


@contextmanager
def running(
    home: Home,
    given: Mapping[str, str] = os.environ,
    *,
    where: Place | None = None,
    throwaway: bool = False,
    interrupted: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[dict[str, str], list[Child]]]:
    """Start the servers that `given` does not replace; yields (DATABASE_URL and REDIS_URL, the children).

    The caller holds the home's lock. The caller may replace a child in the list when it starts it again.
    """
    chosen = where or place.place_for(home, accounts.server_account())
    children: list[Child] = []
    urls: dict[str, str] = {}
    with ExitStack() as cleanup:
        cleanup.callback(chosen.discard_sockets)
        cleanup.callback(_stop, children, interrupted)
        if given.get("DATABASE_URL"):
            urls["DATABASE_URL"] = given["DATABASE_URL"]
        else:
            urls["DATABASE_URL"] = _start_postgres(home, chosen, children, throwaway)
        if given.get("REDIS_URL"):
            urls["REDIS_URL"] = given["REDIS_URL"]
        else:
            urls["REDIS_URL"] = _start_valkey(home, chosen, children, throwaway)
        ready = {"postgres": postgres.is_ready, "valkey": valkey.is_ready}
        for child in children:
            _wait(child, lambda name=child.program.name: ready[name](chosen), interrupted)  # type: ignore[misc]
        yield urls, children


def _start_postgres(home: Home, chosen: Place, children: list[Child], throwaway: bool) -> str:
    log = home.logs / "postgres.log"
    password = home.secret("postgres_password")
    postgres.clear_leftovers(chosen)
    postgres.create(chosen, password, log)
    children.append(Child(postgres.program(chosen, log, throwaway=throwaway)))
    return postgres.url(chosen, password)


def _start_valkey(home: Home, chosen: Place, children: list[Child], throwaway: bool) -> str:
    valkey.clear_leftovers(chosen)
    children.append(Child(_valkey_program(home, chosen, throwaway)))
    return valkey.url(chosen)


def _valkey_program(home: Home, chosen: Place, throwaway: bool) -> Program:
    return valkey.program(chosen, home.logs / "valkey.log", throwaway=throwaway)


def _wait(child: Child, is_ready: Callable[[], bool], interrupted: Callable[[], bool]) -> None:
    end = time.monotonic() + READY_SECONDS
    while not is_ready():
        if interrupted():
            raise KeyboardInterrupt
        if child.exit_code is not None or time.monotonic() > end:
            raise LauncherError(f"{child.program.name} did not start; see {child.program.log}.")
        time.sleep(POLL_SECONDS)


def _stop(children: list[Child], hurry: Callable[[], bool]) -> None:
    for child in children:
        child.ask_to_stop()
    for child in children:
        child.stop(hurry)
