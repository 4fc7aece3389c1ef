"""Both private servers together, and the URLs by which Goldpan's programs reach them."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from launcher import accounts, logs, place, postgres, valkey
from launcher.child import POLL_SECONDS, Child, stop_all
from launcher.errors import LauncherError
from launcher.home import Home
from launcher.place import Place
from launcher.stops import Stops

READY_SECONDS = 60.0


class Interrupted(Exception):
    """Somebody asked to stop while we were starting."""


@contextmanager
def running(
    home: Home,
    given: Mapping[str, str],
    stops: Stops,
    *,
    where: Place | None = None,
    throwaway: bool = False,
) -> Iterator[tuple[dict[str, str], list[Child]]]:
    """Start the servers that `given` does not replace; yields (DATABASE_URL and REDIS_URL, their children).

    Call it under the home's lock. `throwaway` trades what survives a power failure for speed.
    """
    urls = {name: given[name] for name in ("DATABASE_URL", "REDIS_URL") if given.get(name)}
    if len(urls) == 2:
        yield urls, []
        return
    chosen = where or place.place_for(home, accounts.server_account())
    children: list[Child] = []
    with ExitStack() as cleanup:
        cleanup.callback(chosen.discard_sockets)
        cleanup.callback(stop_all, children, stops.impatient)
        if "REDIS_URL" not in urls:
            urls["REDIS_URL"] = _start_valkey(home, chosen, children, throwaway)
        if "DATABASE_URL" not in urls:
            urls["DATABASE_URL"] = _start_postgres(home, chosen, children, throwaway)
        ready = {"postgres": postgres.is_ready, "valkey": valkey.is_ready}
        for child in children:
            wait_until(lambda name=child.program.name: ready[name](chosen), child, stops)  # type: ignore[misc]
        yield urls, children


def wait_until(is_ready: Callable[[], bool], child: Child, stops: Stops) -> None:
    """Wait for a started child; LauncherError when it ends or takes too long, Interrupted by `stops`."""
    end = time.monotonic() + READY_SECONDS
    while not is_ready():
        if stops.asked():
            raise Interrupted
        if child.exit_code is not None or time.monotonic() > end:
            log = child.program.log
            raise LauncherError(f"{child.program.name} did not start; see {log}:\n{logs.last_lines(log)}")
        time.sleep(POLL_SECONDS)


def _start_postgres(home: Home, chosen: Place, children: list[Child], throwaway: bool) -> str:
    log = logs.fresh(home.logs / "postgres.log")
    password = home.secret("postgres_password")
    postgres.clear_leftovers(chosen)
    postgres.create(chosen, password, log, throwaway=throwaway)
    children.append(Child(postgres.program(chosen, log, throwaway=throwaway)))
    return postgres.url(chosen, password)


def _start_valkey(home: Home, chosen: Place, children: list[Child], throwaway: bool) -> str:
    log = logs.fresh(home.logs / "valkey.log")
    valkey.clear_leftovers(chosen)
    children.append(Child(valkey.program(chosen, log, throwaway=throwaway)))
    return valkey.url(chosen)
