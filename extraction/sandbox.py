"""Parsing untrusted pages in a persistent child process that can be killed.

Parent and child speak over two pipes. A message is frames, each a length of four bytes and that many bytes:
a request is the charset and the raw bytes, an answer the packed document and the compressed view, or else a
reason and a message. Nothing is pickled, so a child that a page has taken over can say nothing but data.

    with Parser() as parser:
        parsed = parser.parse(raw)
"""

import gzip
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple, Self

from extraction.document import Document
from extraction.errors import REASONS, ParseError
from extraction.limits import check_bytes
from extraction.parse import parse
from extraction.view import build_view

CPU_SECONDS = 8  # of one page; the slowest real page takes 0.5
MEMORY_BYTES = 3 << 30  # of address space
WALL_SECONDS = 40.0  # of one page, on a machine so busy that 8 seconds of CPU take that long

_LENGTH = struct.Struct(">I")
_MAX_FRAME = 256 << 20
_DONE, _REFUSED = b"done", b"refused"
_ROOT = Path(__file__).resolve().parent.parent
_VIEW_COMPRESSION = 4


class Parsed(NamedTuple):
    """A document and its view, which is gzipped JSON, ready to be stored and served."""

    document: Document
    view: bytes


class Parser:
    """A child process that parses one page after the other.

    For one thread of one process: a worker that forks makes its own afterwards. After a page that broke its
    limits the child is replaced, so that the next page is parsed like the first.
    """

    def __init__(
        self,
        *,
        cpu_seconds: int = CPU_SECONDS,
        memory_bytes: int = MEMORY_BYTES,
        wall_seconds: float = WALL_SECONDS,
    ) -> None:
        self._limits = (str(cpu_seconds), str(memory_bytes))
        self._wall_seconds = wall_seconds
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The child's process id, None before the first page and after `close`."""
        return self._child.pid if self._child else None

    def parse(self, raw: bytes, charset: str | None = None) -> Parsed:
        """The document and view of a page; raises ParseError for any page that has none."""
        check_bytes(raw)
        child = self._running()
        late = threading.Event()
        alarm = threading.Timer(self._wall_seconds, _kill, (child, late))
        alarm.start()
        try:
            answer = _ask(child, raw, charset)
        except (OSError, EOFError):
            raise self._died(late) from None
        finally:
            alarm.cancel()
        return self._read(answer)

    def close(self) -> None:
        """End the child; the next page would start another."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError):  # what could not be written to a dead child is of no use to anybody
                _pipe(pipe).close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child and self._child.poll() is not None:
            self.close()
        if self._child is None:
            self._child = _start(self._limits)
        return self._child

    def _died(self, late: threading.Event) -> ParseError:
        child = self._child
        code = child.wait() if child else 0
        self.close()
        if late.is_set() or code == -signal.SIGXCPU:
            return ParseError("time", "the page took longer to parse than it may")
        if code == -signal.SIGKILL:
            return ParseError("memory", "the parser was killed, most likely for want of memory")
        return ParseError("crash", f"the parser ended with status {code}")

    def _read(self, answer: list[bytes]) -> Parsed:
        status, first, second = answer
        if status == _DONE:
            return Parsed(Document.unpack(first), second)
        reason, message = first.decode(), second.decode("utf-8", "replace")
        if reason in ("memory", "crash"):
            self.close()  # what such a page leaves behind in the child is anybody's guess
        raise ParseError(reason if reason in REASONS else "crash", message)


def _start(limits: tuple[str, str]) -> subprocess.Popen[bytes]:
    # A bare environment: secrets of the parent are no business of a process that reads hostile pages. Its own
    # session: an interrupt at the terminal is for the parent, whose end then ends the child's input.
    return subprocess.Popen(
        [sys.executable, "-m", "extraction.sandbox", *limits],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
        env={"PATH": os.defpath, "LANG": "C.UTF-8"},
        start_new_session=True,
    )


def _kill(child: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    child.kill()


def _ask(child: subprocess.Popen[bytes], raw: bytes, charset: str | None) -> list[bytes]:
    _write(_pipe(child.stdin), (charset or "").encode("utf-8", "replace"), raw)
    return [_read_frame(_pipe(child.stdout)) for _ in range(3)]


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "the child was started with pipes"
    return pipe


def _write(pipe: IO[bytes], *frames: bytes) -> None:
    for frame in frames:
        pipe.write(_LENGTH.pack(len(frame)))
        pipe.write(frame)
    pipe.flush()


def _read_frame(pipe: IO[bytes]) -> bytes:
    """One frame; raises EOFError where the other side is gone, or says what it may not."""
    (length,) = _LENGTH.unpack(_read_exactly(pipe, _LENGTH.size))
    if length > _MAX_FRAME:
        raise EOFError
    return _read_exactly(pipe, length)


def _read_exactly(pipe: IO[bytes], length: int) -> bytes:
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


def serve(requests: IO[bytes], answers: IO[bytes], cpu_seconds: int) -> None:
    """The child: answer until the parent is gone."""
    while True:
        try:
            charset, raw = _read_frame(requests).decode(), _read_frame(requests)
        except EOFError:
            return
        _allow_cpu(cpu_seconds)
        _write(answers, *_answer(raw, charset or None))


def _answer(raw: bytes, charset: str | None) -> tuple[bytes, bytes, bytes]:
    try:
        document = parse(raw, charset)
        view = json.dumps(build_view(document), ensure_ascii=False, separators=(",", ":")).encode()
        return _DONE, document.pack(), gzip.compress(view, _VIEW_COMPRESSION, mtime=0)
    except ParseError as error:
        return _REFUSED, error.reason.encode(), error.message.encode()
    except MemoryError:
        return _REFUSED, b"memory", b"the page needs more memory than it may have"
    except Exception as error:  # noqa: BLE001 - whatever a hostile page breaks is an answer, too
        return _REFUSED, b"crash", f"{type(error).__name__}: {error}".encode("utf-8", "replace")


def _allow_cpu(seconds: int) -> None:
    """Let the process use this many seconds more, rounded up, before the kernel ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


def _limit_memory(bytes_: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    _limit_memory(int(sys.argv[2]))
    serve(sys.stdin.buffer, sys.stdout.buffer, int(sys.argv[1]))
