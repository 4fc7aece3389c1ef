"""A child process that answers one request after the other, under limits, and that can be killed.

Parent and child speak over two pipes. A message is frames, each a length of four bytes, big end first, and
that many bytes: a request is two frames, an answer three, the first of which is `DONE` or `REFUSED`. Nothing
is pickled, so a child that a page has taken over can say nothing but data.
"""

import os
import resource
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

DONE, REFUSED = b"done", b"refused"

#: Where `python -m extraction...` finds this package.
ROOT = Path(__file__).resolve().parent.parent

# NumPy's library would take address space for each core of the machine, and the limit would depend on it.
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}

_LENGTH = struct.Struct(">I")
_MAX_FRAME = 256 << 20


class Answer(NamedTuple):
    """What a child says: `status` is DONE or REFUSED; what the others are is the child's own affair."""

    status: bytes
    first: bytes
    second: bytes


class Gone(Exception):
    """The child ended at work; `reason` is time, memory or crash, `status` how the process ended."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(f"{reason}: status {status}")
        self.reason = reason
        self.status = status


class Child:
    """A process that is started with the first request, and anew after it ended or was killed.

    For one thread of one process: a worker that forks makes its own afterwards. `wall_seconds` is what one
    answer may take.
    """

    def __init__(
        self, command: Sequence[str], *, wall_seconds: float, environment: Mapping[str, str] | None = None
    ) -> None:
        self._command = list(command)
        self._wall_seconds = wall_seconds
        self._environment = dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, None before the first request and after `close`."""
        return self._process.pid if self._process else None

    def ask(self, first: bytes, second: bytes) -> Answer:
        """The answer to one request; raises `Gone` where the child ends instead."""
        process = self._running()
        late = threading.Event()
        alarm = threading.Timer(self._wall_seconds, _kill, (process, late))
        alarm.start()
        try:
            write_frames(_pipe(process.stdin), first, second)
            return Answer(*(read_frame(_pipe(process.stdout)) for _ in Answer._fields))
        except (OSError, EOFError):
            raise self._gone(process, late) from None
        except BaseException:
            self.close()  # or else the answer that still comes would be taken for that to the next request
            raise
        finally:
            alarm.cancel()

    def close(self) -> None:
        """End the child; the next request would start another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what could not be written to a dead child is of no use to anybody
                _pipe(pipe).close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = _start(self._command, self._environment)
        return self._process

    def _gone(self, process: subprocess.Popen[bytes], late: threading.Event) -> Gone:
        status = process.wait()
        self.close()
        if late.is_set() or status == -signal.SIGXCPU:
            return Gone("time", status)
        return Gone("memory" if status == -signal.SIGKILL else "crash", status)


def _start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    # A bare environment: secrets of the parent are no business of a process that reads hostile pages. Its own
    # session: an interrupt at the terminal is for the parent, whose end then ends the child's input.
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=_ENVIRONMENT | environment,
        start_new_session=True,
    )


def _kill(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    process.kill()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "the child was started with pipes"
    return pipe


def write_frames(pipe: IO[bytes], *frames: bytes) -> None:
    """Send a message."""
    for frame in frames:
        pipe.write(_LENGTH.pack(len(frame)))
        pipe.write(frame)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> bytes:
    """One frame; raises EOFError where the other side is gone, or says more than it may."""
    (length,) = _LENGTH.unpack(_read_exactly(pipe, _LENGTH.size))
    if length > _MAX_FRAME:
        raise EOFError
    return _read_exactly(pipe, length)


def _read_exactly(pipe: IO[bytes], length: int) -> bytes:
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


def serve(
    requests: IO[bytes], answers: IO[bytes], respond: Callable[[bytes, bytes], Answer], cpu_seconds: int
) -> None:
    """The child's life: answer until the parent is gone; each answer may take `cpu_seconds`."""
    while True:
        try:
            first, second = read_frame(requests), read_frame(requests)
        except EOFError:
            return
        _allow_cpu(cpu_seconds)
        write_frames(answers, *respond(first, second))


def own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Requests and answers, kept from libraries that read standard input or print to standard output."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    return requests, answers


def python_module(name: str, *arguments: object) -> list[str]:
    """The command that runs a module of this package with the Python of this process."""
    return [sys.executable, "-m", name, *map(str, arguments)]


def _allow_cpu(seconds: int) -> None:
    """Let the process use this many seconds more, rounded up, before the kernel ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


def limit_memory(bytes_: int) -> None:
    """Allow the process this much address space, and no core file."""
    resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
