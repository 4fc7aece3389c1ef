"""A managed child process: started in a session of its own, stopped gently, then hard."""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from launcher import accounts
from launcher.accounts import ServerAccount

PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)
POLL_SECONDS = 0.05
# Between `Program.hard_signal` and SIGKILL.
HARD_STOP_SECONDS = 5.0


@dataclass(frozen=True)
class Program:
    """What to run and how to stop it."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    folder: Path
    account: ServerAccount | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    hard_signal: signal.Signals = signal.SIGKILL
    grace_seconds: float = 8.0
    pass_fds: Sequence[int] = ()


class ManagedProcess:
    """A running program; `start` runs it again after it has ended."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.start()

    def start(self) -> None:
        """Start the program, with its output in its log."""
        program = self.program
        with program.log.open("ab") as log:
            self.log_start = log.tell()
            self._process = subprocess.Popen(
                list(program.command),
                env=dict(program.environment),
                cwd=program.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # Ctrl-C in the terminal then reaches the launcher alone, which stops the children in order.
                start_new_session=True,
                pass_fds=program.pass_fds,
                umask=0o077,
                # Safe here: the launcher has no threads, and libc is loaded before the fork.
                preexec_fn=die_with_parent(program.stop_signal),
                **accounts.popen_options(program.account),
            )
        self._started = time.monotonic()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Return None while it runs, minus the number of the signal that ended it, or its exit status."""
        return self._process.poll()

    @property
    def seconds(self) -> float:
        """Return how long ago it was started."""
        return time.monotonic() - self._started

    def ask_to_stop(self) -> None:
        """Send the stop signal and return at once."""
        if self.exit_code is None:
            self._process.send_signal(self.program.stop_signal)

    def stop(self, impatient: Callable[[], bool] = lambda: False) -> None:
        """After `ask_to_stop`: wait for the grace, or until `impatient()`, then kill what still runs."""
        self._wait(self.program.grace_seconds, impatient)
        if self.exit_code is None and self.program.hard_signal != signal.SIGKILL:
            self._process.send_signal(self.program.hard_signal)
            self._wait(HARD_STOP_SECONDS, lambda: False)
        self.kill_group()

    def kill_group(self) -> None:
        """Kill what is left of its group: itself, or workers that outlived it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()

    def _wait(self, seconds: float, impatient: Callable[[], bool]) -> None:
        end = time.monotonic() + seconds
        while self.exit_code is None and time.monotonic() < end and not impatient():
            time.sleep(POLL_SECONDS)


def stop_all(processes: Sequence[ManagedProcess], impatient: Callable[[], bool] = lambda: False) -> None:
    """Ask all of them to stop, then wait for each."""
    for process in processes:
        process.ask_to_stop()
    for process in processes:
        process.stop(impatient)


def die_with_parent(stop_signal: signal.Signals) -> Callable[[], None]:
    """Return a `preexec_fn`: the kernel will send the signal when the launcher ends, however it ends."""
    parent = os.getpid()

    def ask_kernel() -> None:
        _LIBC.prctl(PR_SET_PDEATHSIG, int(stop_signal), 0, 0, 0)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    return ask_kernel
