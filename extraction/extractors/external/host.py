"""The parent's side: the child process that runs the libraries, and its protocol.

A request is the program's name, and the page as UTF-8; an answer JSON with the CPU seconds, and the printed
text, or else a reason and a message.
"""

import json
import os
import sys
import threading

from extraction.child_process import DONE, ChildGone, KillableChild, Reply, python_module
from extraction.extractors.spec import ExtractorError, Printed

CPU_SECONDS = 20  # of one page; the slowest of the libraries takes 3 on the slowest page
WALL_SECONDS = 300.0  # that a page is waited for, on however busy a machine
MEMORY_BYTES = 3 << 30  # of address space


class LibraryError(ExtractorError):
    """A third-party program failed; `reason` is missing, time, memory or crash."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Host:
    """A child process in which programs print; the arguments are those of `KillableChild`."""

    def __init__(
        self,
        command: list[str],
        *,
        wall_seconds: float = WALL_SECONDS,
        cpu_seconds: int | None = None,
        environment: dict[str, str] | None = None,
    ) -> None:
        self._child = KillableChild(
            command, wall_seconds=wall_seconds, cpu_seconds=cpu_seconds, environment=environment
        )
        self._lock = threading.Lock()
        #: The network addresses that the last program tried to reach and was refused.
        self.attempts: list[str] = []

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is none."""
        return self._child.pid

    def ask(self, program: str, html: str) -> Printed:
        """What a program prints for a page; raises `LibraryError`, and as `KillableChild.ask`."""
        try:
            with self._lock:
                answer = self._child.ask(program.encode(), html.encode("utf-8", "replace"))
        except ChildGone as gone:
            ended = f"ended its process with status {gone.status}"
            message = "took more CPU time on this page than it may" if gone.reason == "time" else ended
            raise LibraryError(gone.reason, f"{program} {message}") from None
        return self._read(program, answer)

    def close(self) -> None:
        """End the child; the next page would start another."""
        self._child.close()

    def _read(self, program: str, answer: Reply) -> Printed:
        if answer.status == DONE:
            usage = json.loads(answer.first)
            self.attempts = usage["attempts"]
            return Printed(answer.second.decode("utf-8", "replace"), usage["seconds"])
        reason, message = answer.first.decode(), answer.second.decode("utf-8", "replace")
        if reason == "memory":
            self.close()  # a library that ran out of memory may have left anything behind
        raise LibraryError(reason, f"{program}: {message}")


_hosts: dict[int, Host] = {}


def of_this_process() -> Host:
    """The child that holds the libraries of Python; a process that was forked has one of its own."""
    if os.getpid() not in _hosts:
        _hosts.clear()
        _hosts[os.getpid()] = python_host()
    return _hosts[os.getpid()]


def python_host(
    *, wall_seconds: float = WALL_SECONDS, cpu_seconds: int = CPU_SECONDS, memory_bytes: int = MEMORY_BYTES
) -> Host:
    """A child for the libraries of Python, which are looked for where this process looks."""
    return Host(
        python_module("extraction.extractors.external", cpu_seconds, memory_bytes),
        wall_seconds=wall_seconds,
        environment={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
