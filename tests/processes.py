"""Real processes for tests: Celery workers, the periodic process, the web server, on the test database."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from django.conf import settings
from django.db import connection
from redis import Redis

from annotator.common.queues import QUEUES
from tests.forked import Forked, Loaded

Process = Forked | subprocess.Popen[bytes]

ROOT = Path(__file__).parent.parent
# While tests are collected none has set a variable of its own.
_AT_FIRST = dict(os.environ)
# Seconds. Workers stand behind whoever waits for a page, and so behind other tests that run at the same time.
A_WHILE = 480


def environment(**settings: str) -> dict[str, str]:
    """This process's, but pointing at the test database that Django made."""
    return {**_on_test_database(os.environ), **settings}


def _on_test_database(variables: Mapping[str, str]) -> dict[str, str]:
    url = variables["DATABASE_URL"]
    test_name = connection.settings_dict["NAME"]
    head, _, query = url.partition("?")
    head = head.rpartition("/")[0] + "/" + test_name
    return {**variables, "DATABASE_URL": f"{head}?{query}", "PYTHONUNBUFFERED": "1"}


@contextmanager
def process(*command: str, log: Path, **settings: str) -> Iterator[Process]:
    """Run a command in a session of its own; at the end its whole group is stopped."""
    started = _start(command, log, environment(**settings))
    try:
        yield started
    finally:
        stop(started)


def _start(command: tuple[str, ...], log: Path, values: dict[str, str]) -> Process:
    if _loaded().fits(values):
        return _loaded().start(command, log, values)
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            env=values,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


@cache
def _loaded() -> Loaded:
    return Loaded(_on_test_database(_AT_FIRST))


def stop(started: Process, patience: float = 10) -> None:
    """End the group, and kill what does not go."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(started.pid, sign)
        except ProcessLookupError:
            break
        try:
            started.wait(patience)
        except subprocess.TimeoutExpired:
            continue
    started.wait()


@contextmanager
def worker(
    folder: Path,
    *,
    name: str = "one",
    concurrency: int = 2,
    app: str = "annotator",
    queues: Iterable[str] = QUEUES,
    settings: Mapping[str, str] | None = None,
) -> Iterator[Process]:
    """A Celery worker, at the niceness of `live`: other tests keep the processors busy."""
    options = ["-Q", ",".join(queues), "-c", str(concurrency), "-n", f"live@{name}", "--without-mingle"]
    command = ("celery", "--skip-checks", "-A", app, "worker", *options)
    with process(*command, log=folder / f"{name}.log", **(settings or {})) as started:
        yield started


@contextmanager
def periodic(folder: Path) -> Iterator[Process]:
    """The periodic process, which sends the sweeper on its way."""
    command = ("celery", "--skip-checks", "-A", "annotator", "beat", "-s", str(folder / "schedule"))
    with process(*command, log=folder / "beat.log") as started:
        yield started


@contextmanager
def web(folder: Path) -> Iterator[str]:
    """gunicorn on a free port of the loopback; its address."""
    server = WebServer(folder)
    try:
        server.start()
        yield server.address
    finally:
        server.stop()


class WebServer:
    """gunicorn on one port of the loopback, which can go and come back, or stand still."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._running = ExitStack()
        self._process: Process | None = None

    def start(self) -> None:
        """Start it, or go on."""
        if self._process:
            os.killpg(self._process.pid, signal.SIGCONT)
            return
        # Without a time limit: one who stood still would be taken for hanging.
        options = ["--bind", f"127.0.0.1:{self.port}", "--threads", "4", "--timeout", "0"]
        command = ["gunicorn", "annotator.wsgi", *options]
        self._process = self._running.enter_context(process(*command, log=self._folder / "web.log"))
        wait_for(lambda: _answers(self.address), "the web server")

    def pause(self) -> None:
        """Stand still: whatever is asked for waits."""
        if self._process:
            os.killpg(self._process.pid, signal.SIGSTOP)

    def stop(self) -> None:
        if self._process:
            os.killpg(self._process.pid, signal.SIGCONT)
        self._running.close()
        self._process = None


def free_port() -> int:
    """A port of the loopback at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answers(address: str) -> bool:
    try:
        return bool(urlopen(address + "/alive/", timeout=2).status == 200)  # noqa: S310  our own loopback
    except HTTPError as error:
        raise AssertionError(f"/alive/ answers {error.code}") from error
    except (URLError, OSError):
        return False


def wait_for(happened: Callable[[], object], what: str) -> None:
    """Look ten times a second; AssertionError when it has not happened after a while."""
    deadline = time.monotonic() + A_WHILE
    while not happened():
        assert time.monotonic() < deadline, f"{what}: not within {A_WHILE} seconds"
        time.sleep(0.1)


def connections() -> set[int]:
    """The processes of PostgreSQL that serve this test's database."""
    with connection.cursor() as cursor:
        cursor.execute("select pid from pg_stat_activity where datname = current_database()")
        return {pid for (pid,) in cursor.fetchall()}


def wait_until_gone(*, besides: set[int]) -> None:
    """Until there are only those of before: what a killed worker asked for is done or undone."""
    wait_for(lambda: connections() <= besides, "the end of the connections of a killed worker")


def purge_queues() -> None:
    """Forget messages of an earlier test: its rows are gone."""
    Redis.from_url(settings.REDIS_URL).flushdb()
