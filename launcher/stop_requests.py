"""Requests to stop: INT, TERM and HUP, sent to the launcher, to its group, or to the make that started it."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SIGINT_BIT = 1 << (signal.SIGINT - 1)


class StopRequests:
    """Whether to stop, and whether to stop at once.

    Only a second INT is impatient: `kill -TERM -GROUP` reaches us twice, as make passes TERM on to us.
    """

    def __init__(self) -> None:
        self._terminated = False
        self._interrupts = 0
        self._raises = False
        self._started_by_make = _is_uninterrupted_make(os.getppid())

    def install(self) -> None:
        """Take over the signals, also where a shell started us with SIGINT ignored (`make run &`).

        But not HUP where it is ignored: `nohup make run &` outlives its terminal.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._handle)

    def requested(self) -> bool:
        """Return whether everything should stop."""
        return self._interrupts > 0 or self.passed_on()

    def passed_on(self) -> bool:
        """Return whether to stop what shares our terminal, too: Ctrl-C in there has reached it by itself."""
        return self._terminated or (self._started_by_make and not _is_uninterrupted_make(os.getppid()))

    def impatient(self) -> bool:
        """Return whether to stop without waiting."""
        return self._interrupts > 1

    @contextmanager
    def raised(self) -> Iterator[None]:
        """Raise KeyboardInterrupt at a request meanwhile, or before, in work that may end anywhere."""
        self._raises = True
        try:
            if self.requested():
                raise KeyboardInterrupt
            yield
        except Exception as error:
            # The library for age makes an error of its own of what is raised while it works.
            if self.requested():
                raise KeyboardInterrupt from error
            raise
        finally:
            self._raises = False

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._interrupts += number == signal.SIGINT
        self._terminated |= number != signal.SIGINT or not _is_in_foreground()
        if self._raises:
            self._raises = False
            raise KeyboardInterrupt


def _is_in_foreground() -> bool:
    """Return whether Ctrl-C in our terminal reaches our whole process group."""
    try:
        with Path("/dev/tty").open("rb") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False


def _is_uninterrupted_make(pid: int) -> bool:
    """Return whether the process is a make that still handles SIGINT.

    Sent SIGINT alone (`kill -INT`), make restores the default action, signals no child, and waits.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    found = re.search(r"^Name:\tg?make\n.*^SigCgt:\t(\w+)", status, re.MULTILINE | re.DOTALL)
    return found is not None and bool(int(found[1], 16) & SIGINT_BIT)
