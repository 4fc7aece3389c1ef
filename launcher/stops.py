"""When to stop: INT, TERM and HUP, sent to us, to our group, or to the make that started us."""

import os
import signal
import time
from pathlib import Path
from types import FrameType

# `kill -TERM -GROUP` reaches us twice, as make passes it on; a person's second Ctrl-C comes later than that.
TOGETHER_SECONDS = 0.7
CATCHES_INTERRUPT = 1 << (signal.SIGINT - 1)


class Stops:
    """Counts requests to stop: one is a request, a later one is an impatient one."""

    def __init__(self) -> None:
        self._count = 0
        self._last = 0.0
        self._make = _Make.parent()

    def install(self) -> None:
        """Take over the signals, also where a shell started us with SIGINT ignored (`make run &`)."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note)

    def asked(self) -> bool:
        """Whether everything should stop."""
        if self._count == 0 and self._make is not None and self._make.gave_up():
            self._note(signal.SIGINT, None)
        return self._count > 0

    def impatient(self) -> bool:
        """Whether somebody asked twice: stop the hard way."""
        return self._count > 1

    def _note(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._count == 0 or now - self._last > TOGETHER_SECONDS:
            self._count += 1
        self._last = now


class _Make:
    """The make above us. Interrupted alone, it waits for us and does not pass SIGINT on, so we watch it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    @classmethod
    def parent(cls) -> "_Make | None":
        pid = os.getppid()
        try:
            name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
        except OSError:
            return None
        made = cls(pid)
        return made if name in ("make", "gmake") and made._catches_interrupt() else None

    def gave_up(self) -> bool:
        """Whether it has died, or has handled SIGINT: make then puts the signal's default action back."""
        return os.getppid() != self._pid or not self._catches_interrupt()

    def _catches_interrupt(self) -> bool:
        try:
            lines = Path(f"/proc/{self._pid}/status").read_text(encoding="utf-8").splitlines()
        except OSError:
            return False
        (caught,) = (line.split()[1] for line in lines if line.startswith("SigCgt:"))
        return bool(int(caught, 16) & CATCHES_INTERRUPT)
