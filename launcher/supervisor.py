"""Supervise the child processes: restart those that ended, later each time."""

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from launcher.process import ManagedProcess

LONGEST_DELAY = 30.0
# After this long a process counts as healthy again, and its next restart is a first one.
HEALTHY_SECONDS = 60.0
INTERVAL_SECONDS = 0.25


@dataclass
class Supervised:
    process: ManagedProcess
    failures: int = 0
    restart_at: float | None = None


def delay_after(failures: int) -> float:
    """Return the seconds to wait before restart number `failures` + 1: 1, 2, 4 ... at most LONGEST_DELAY."""
    # 2 to a power that is not bounded is no float any more after a night of failures.
    return min(LONGEST_DELAY, 2.0 ** min(failures, 10))


def supervise(
    processes: Sequence[ManagedProcess], stop: Callable[[], bool], say: Callable[[str], None]
) -> None:
    """Return when `stop()` is true."""
    supervised = [Supervised(process) for process in processes]
    while not stop():
        for one in supervised:
            check(one, say)
        time.sleep(INTERVAL_SECONDS)


def check(supervised: Supervised, say: Callable[[str], None]) -> None:
    """Check one process once, and restart it when it is time to."""
    process = supervised.process
    if supervised.restart_at is not None:
        if time.monotonic() >= supervised.restart_at:
            process.start()
            supervised.restart_at = None
    elif process.exit_code is None:
        if process.seconds > HEALTHY_SECONDS:
            supervised.failures = 0
    else:
        delay = delay_after(supervised.failures)
        process.kill_group()  # its pool may outlive it, and would work beside its successor
        supervised.failures += 1
        supervised.restart_at = time.monotonic() + delay
        program, how = process.program, describe(process.exit_code)
        say(f"{program.name} ended ({how}); restarting it in {delay:.0f} s; see {program.log}")


def describe(exit_code: int) -> str:
    """Return an exit code in words."""
    return f"exit status {exit_code}" if exit_code >= 0 else signal.Signals(-exit_code).name
