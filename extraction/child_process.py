"""A persistent child process that answers requests under limits and can be killed.

Parent and child speak over two pipes. A message is frames, each a length of four bytes, big end first, and
that many bytes: a request is two frames, an answer three, the first of which is `DONE` or `REFUSED`. Before
the first request the child sends one frame, `READY`. Nothing is pickled, so a compromised child can send
nothing but data.

What a page may cost is limited in CPU time and memory, which are the same on a busy machine. Wall-clock
limits only end a wait, and what runs into one says nothing about the page.
"""

import os
import resource
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, ClassVar, NamedTuple, Self

READY, DONE, REFUSED = b"ready", b"done", b"refused"

# For the start of a child, which needs half a second of CPU time.
START_SECONDS = 300.0

#: Where `python -m extraction...` finds this package.
ROOT = Path(__file__).resolve().parent.parent

# NumPy's library would take address space for each core of the machine, and the limit would depend on it.
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}

_LENGTH = struct.Struct(">I")
_MAX_FRAME = 256 << 20


class Reply(NamedTuple):
    """The answer of a child: `status` is DONE or REFUSED; the meaning of the others is up to the child."""

    status: bytes
    first: bytes
    second: bytes


class ChildGone(Exception):
    """The child ended at work; `reason` is time (of the CPU) or crash, `status` how it ended."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(f"{reason}: status {status}")
        self.reason = reason
        self.status = status


class KillableChild:
    """A process that is started with the first request, and again after it ended or was killed; a context
    manager, which closes it.

    For one thread of one process: a worker that forks makes its own afterwards. `wall_seconds` is how long
    an answer is waited for. `cpu_seconds` limits the CPU time of an answer of a child that cannot do so
    itself, as one of Python can in `serve`; Linux only.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        wall_seconds: float,
        cpu_seconds: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command = list(command)
        self._wall_seconds = wall_seconds
        self._cpu_seconds = cpu_seconds
        self._environment = dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process id, None before the first request and after `close`."""
        return self._process.pid if self._process else None

    def ask(self, first: bytes, second: bytes) -> Reply:
        """The answer to one request.

        Raises `ChildGone` where the child ends instead. Two errors say nothing about the request:
        TimeoutError where no answer comes in time, ChildProcessError where the child does not start or is
        killed.
        """
        process = self._running()
        if self._cpu_seconds is not None:
            _allow_cpu_of(process.pid, self._cpu_seconds)
        with self._patience(process, self._wall_seconds) as late:
            try:
                write_frames(_pipe(process.stdin), first, second)
                return Reply(*(read_frame(_pipe(process.stdout)) for _ in Reply._fields))
            except (OSError, EOFError):
                status = self._end_of(process)
        if late.is_set():
            raise TimeoutError(f"no answer after {self._wall_seconds:.0f} s")
        if status == -signal.SIGKILL:
            raise ChildProcessError("the child was killed, as the kernel does when memory runs out")
        raise ChildGone("time" if status == -signal.SIGXCPU else "crash", status)

    def close(self) -> None:
        """End the child; the next request would start another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # bytes that a dead child did not take are of no use
                _pipe(pipe).close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = _start(self._command, self._environment)
            self._wait_until_ready(self._process)
        return self._process

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        with self._patience(process, START_SECONDS):
            try:
                if read_frame(_pipe(process.stdout)) == READY:
                    return
            except (OSError, EOFError):
                pass
            process.kill()
            raise ChildProcessError(f"{self._command[0]} did not start: status {self._end_of(process)}")

    @contextmanager
    def _patience(self, process: subprocess.Popen[bytes], seconds: float) -> Iterator[threading.Event]:
        """Kill the child after so many seconds, which sets the event; and if anything is raised."""
        late = threading.Event()
        alarm = threading.Timer(seconds, _kill, (process, late))
        try:
            # An interrupt may come before this returns, and a program ends no sooner than its threads.
            alarm.start()
            yield late
        except BaseException:
            self.close()  # otherwise the late answer would be read as the one to the next request
            raise
        finally:
            alarm.cancel()

    def _end_of(self, process: subprocess.Popen[bytes]) -> int:
        status = process.wait()
        self.close()
        return status


def _start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    # A bare environment, as a process that reads hostile pages must not see the parent's secrets. Its own
    # session, as an interrupt at the terminal is for the parent, whose end then ends the child's input.
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
    """Read one frame; raises EOFError where the other side has ended or the frame is too long."""
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
    requests: IO[bytes], answers: IO[bytes], respond: Callable[[bytes, bytes], Reply], cpu_seconds: int
) -> None:
    """Answer requests until the parent ends; each answer may take `cpu_seconds` of CPU time."""
    write_frames(answers, READY)
    while True:
        try:
            first, second = read_frame(requests), read_frame(requests)
        except EOFError:
            return
        _allow_cpu(cpu_seconds)
        write_frames(answers, *respond(first, second))


def answer_parent(respond: Callable[[bytes, bytes], Reply]) -> None:
    """Serve as `python -m MODULE CPU_SECONDS [MEMORY_BYTES]`, under these limits."""
    cpu_seconds, *memory_bytes = map(int, sys.argv[1:])
    for limit in memory_bytes:
        limit_memory(limit)
    serve(*own_pipes(), respond, cpu_seconds)


def own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Requests and answers, kept from libraries that read standard input or print to standard output."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    return requests, answers


class LimitedChild(KillableChild):
    """A child that runs a module of this package under limits of CPU time and memory (address space)."""

    module: ClassVar[str]
    cpu_seconds: ClassVar[int]
    memory_bytes: ClassVar[int]
    wall_seconds: ClassVar[float]

    def __init__(self, *, cpu_seconds: int | None = None, memory_bytes: int | None = None) -> None:
        limits = cpu_seconds or self.cpu_seconds, memory_bytes or self.memory_bytes
        super().__init__(python_module(self.module, *limits), wall_seconds=self.wall_seconds)


def python_module(name: str, *arguments: object) -> list[str]:
    """The command that runs a module of this package with the Python of this process."""
    return [sys.executable, "-m", name, *map(str, arguments)]


def _allow_cpu(seconds: int) -> None:
    """Let the process use this many seconds more, rounded up, before the kernel ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


def _allow_cpu_of(pid: int, seconds: int) -> None:
    """As `_allow_cpu`, of a child process."""
    fields = (
        Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    )
    ticks = int(fields[11]) + int(fields[12])  # in user and in kernel mode: proc_pid_stat(5)
    limit = ticks // os.sysconf("SC_CLK_TCK") + 1 + seconds
    _, hard = resource.prlimit(pid, resource.RLIMIT_CPU)
    resource.prlimit(pid, resource.RLIMIT_CPU, (limit, hard))


def limit_memory(bytes_: int) -> None:
    """Allow the process this much address space, and no core file."""
    resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
