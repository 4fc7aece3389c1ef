"""The machine's share of a piece of work: beside others or alone, and how much CPU time."""

import fcntl
import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

_held = threading.local()


@contextmanager
def machine_lock(*, alone: bool) -> Iterator[None]:
    """Work beside others, or alone: then wait until the others are done, and let nobody begin meanwhile.

    Work within other work of this thread is part of that. The kernel gives up the locks of a process that
    ends.
    """
    if getattr(_held, "value", False):
        yield
        return
    with (
        (settings.GOLDPAN_HOME / "work.entry").open("a") as entry,
        (settings.GOLDPAN_HOME / "work.lock").open("a") as work,
    ):
        # Who waits to be alone keeps the entry, so that nobody comes in before.
        fcntl.flock(entry, fcntl.LOCK_EX)
        fcntl.flock(work, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(entry, fcntl.LOCK_UN)
        _held.value = True
        try:
            yield
        finally:
            _held.value = False


# CPU seconds after the limit in which code that no exception can reach, such as a regular expression in C,
# goes on; then the kernel ends the process.
GRACE = 15


class CpuLimitExceeded(Exception):
    """The work has used up its CPU time."""


@contextmanager
def cpu_limit(seconds: int) -> Iterator[None]:
    """Raise `CpuLimitExceeded` when this process has used so many seconds more.

    Within another limit, that one pauses. In a thread other than the main one, which no signal reaches, there
    is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def exceeded(_signal: int, _frame: object) -> None:
        raise CpuLimitExceeded(f"more than {seconds} s of CPU time")

    before = signal.signal(signal.SIGPROF, exceeded)
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = int(usage.ru_utime + usage.ru_stime) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds + GRACE, hard))
    left_of_outer, _ = signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
        signal.setitimer(signal.ITIMER_PROF, left_of_outer)
