"""Looks after the children: starts an ended one again, later each time, or says that all must end."""

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from launcher.child import Child
from launcher.errors import LauncherError

LONGEST_DELAY = 30.0
# After this long a child counts as healthy again, and its next restart is a first one.
HEALTHY_SECONDS = 60.0
LOOK_SECONDS = 0.25


@dataclass
class Watched:
    child: Child
    failures: int = 0
    start_at: float | None = None


def delay_after(failures: int) -> float:
    """Seconds to wait before restart number `failures` + 1: 1, 2, 4 ... at most LONGEST_DELAY."""
    return min(LONGEST_DELAY, 2.0**failures)


def watch(children: Sequence[Child], stop: Callable[[], bool], say: Callable[[str], None]) -> None:
    """Return when `stop()` says so; raise LauncherError when a child ends without which nothing works."""
    all_watched = [Watched(child) for child in children]
    while not stop():
        for watched in all_watched:
            look_after(watched, say)
        time.sleep(LOOK_SECONDS)


def look_after(watched: Watched, say: Callable[[str], None]) -> None:
    """One look at one child."""
    child, program = watched.child, watched.child.program
    if watched.start_at is not None:
        if time.monotonic() >= watched.start_at:
            child.start()
            watched.start_at = None
    elif child.exit_code is None:
        if child.seconds > HEALTHY_SECONDS:
            watched.failures = 0
    elif not program.restart:
        raise LauncherError(
            f"{program.name} ended ({ending(child.exit_code)}), so all stops; see {program.log}."
        )
    else:
        _schedule(watched, child.exit_code, say)


def _schedule(watched: Watched, code: int, say: Callable[[str], None]) -> None:
    program = watched.child.program
    delay = delay_after(watched.failures)
    watched.child.kill_group()  # its pool may outlive it, and would work beside its successor
    watched.failures += 1
    watched.start_at = time.monotonic() + delay
    say(f"{program.name} ended ({ending(code)}); starting it again in {delay:.0f} s; see {program.log}")


def ending(code: int) -> str:
    """An exit status in words."""
    if code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
