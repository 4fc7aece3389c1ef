"""Programs of Goldpan that find it loaded: to load it takes each of them three seconds of a processor.

`python -m tests.forked` loads it once. Each line that it reads is a program, which becomes a process of its
own with what is loaded and nothing else: no connection, no thread. It answers with the process's number.
"""

import gc
import json
import os
import runpy
import select
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

# Variables that nobody reads while Goldpan is loaded: those of programs that tests start with it, and what a
# library leaves in the environment when a test imports it.
READ_LATE = {
    "HELD_AFTER",
    "HELD_FUNCTION",
    "KMP_DUPLICATE_LIB_OK",
    "PYTEST_CURRENT_TEST",
    "SLOW_EXTRACTOR_FOLDER",
}


class Forked:
    """A process that is not our child, and is waited for like one."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._file: int | None = None
        with suppress(ProcessLookupError):
            self._file = os.pidfd_open(pid)

    def wait(self, timeout: float | None = None) -> None:
        """Raises TimeoutExpired when it is still there after so many seconds."""
        if self._file is None:
            return
        if not select.select([self._file], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        os.close(self._file)
        self._file = None


class Loaded:
    """Goldpan, loaded in an environment; it goes with us."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._fixed = _fixed(environment)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked"],
            cwd=Path(__file__).parent.parent,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Whether a program with these variables would have loaded the same."""
        return _fixed(environment) == self._fixed

    def start(self, command: tuple[str, ...], log: Path, environment: Mapping[str, str]) -> Forked:
        """A program as `python -m COMMAND` is one, in a session of its own."""
        asked, told = self._process.stdin, self._process.stdout
        assert asked
        assert told
        asked.write(f"{json.dumps([command, str(log), dict(environment)])}\n")
        asked.flush()
        return Forked(int(told.readline()))


def _fixed(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name not in READ_LATE}


def _load() -> None:
    import django

    django.setup()
    from annotator import celery

    celery.import_tasks()
    import annotator.urls
    import annotator.wsgi  # noqa: F401

    gc.freeze()


def _become(command: list[str], log: str, environment: dict[str, str]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    nothing, output = os.open(os.devnull, os.O_RDONLY), os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for file, number in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(file, number)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = command
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


def main() -> None:
    _load()
    # Nobody waits for what ends.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        program: Any = json.loads(line)
        pid = os.fork()
        if not pid:
            _become(*program)
            sys.exit()
        print(pid, flush=True)


if __name__ == "__main__":
    main()
