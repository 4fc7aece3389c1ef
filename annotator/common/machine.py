"""One machine's share of background work, for all worker processes that use the same GOLDPAN_HOME."""

import fcntl
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
