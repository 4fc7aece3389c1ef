"""Goldpan's own programs: web, workers, the periodic process, and the commands that prepare the database."""

import http.client
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from launcher import leftovers, logs
from launcher.child import Program
from launcher.errors import LauncherError
from launcher.home import Home

CODE = Path(__file__).resolve().parent.parent
LOOPBACK = "127.0.0.1"
USUAL_PORT = 8000
PORTS_TO_TRY = 100
# Seconds for which a connection waits for the next request: longer than a person looks at a page.
KEEP_ALIVE = 75
# A thread may hold a connection of the database, which has a hundred for everybody.
THREADS, MOST_PROCESSES = 8, 8
# Two queues, so that an export or a training run never makes an annotator wait.
QUEUES = ("interactive", "bulk")


def environment(home: Home, urls: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """What every program of Goldpan gets: the caller's own environment, and where its servers are."""
    return {
        **given,
        **urls,
        "SECRET_KEY": given.get("SECRET_KEY") or home.secret("secret_key"),
        "GOLDPAN_HOME": str(home.root),
        "PYTHONUNBUFFERED": "1",
    }


def open_port(asked: str | None) -> socket.socket:
    """Listen on loopback: on the port asked for, or else on the first free one from USUAL_PORT on.

    The web server inherits the socket, so nobody can take the port between our look and its start.
    """
    if asked:
        return _listen(_number(asked)) or _refuse(asked)
    for port in range(USUAL_PORT, USUAL_PORT + PORTS_TO_TRY):
        listening = _listen(port)
        if listening is not None:
            return listening
    raise LauncherError(f"No port from {USUAL_PORT} to {port} is free. Choose one with PORT=.")


def _number(asked: str) -> int:
    if not asked.isascii() or not asked.isdigit() or int(asked) > 65535:
        raise LauncherError(f"PORT={asked} is not a port: give a number up to 65535.")
    return int(asked)


def _refuse(asked: str) -> socket.socket:
    raise LauncherError(f"Port {asked} of {LOOPBACK} cannot be used: it is taken, or needs rights you lack.")


def _listen(port: int) -> socket.socket | None:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
    except OSError:
        listening.close()
        return None
    listening.listen(128)
    return listening


def answers(port: int) -> bool:
    """Whether the web server answers a request; an error page of its own is not an answer."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Application:
    """Makes the programs for one home and one environment."""

    def __init__(self, home: Home, values: Mapping[str, str]) -> None:
        self._home = home
        self._values = {**values, leftovers.MARK: str(home.root)}

    def command(self, *arguments: str) -> Program:
        """A management command, by its name and arguments."""
        return self._program(arguments[0], ["manage.py", *arguments], restart=False)

    def web(self, listening: socket.socket) -> Program:
        """gunicorn on a socket that already listens.

        Of a process one thread runs at a time, and browsers stay with the process that took their connection:
        one more than there are processors keeps these busy where one process has most of the browsers. They
        share what is loaded before they part.
        """
        descriptor = listening.fileno()
        processes = min((os.cpu_count() or 1) + 1, MOST_PROCESSES)
        command = [
            "-m", "gunicorn", "annotator.wsgi", "--bind", f"fd://{descriptor}",
            "--workers", str(processes), "--threads", str(THREADS), "--preload", "--graceful-timeout", "5",
            "--no-control-socket", "--keep-alive", str(KEEP_ALIVE),
        ]  # fmt: skip
        return self._program("web", command, restart=False, pass_fds=(descriptor,))

    def worker(self, queue: str) -> Program:
        """One Celery worker for one queue."""
        processes = max(2, min(4, (os.cpu_count() or 2) // 2))
        command = ["worker", "-Q", queue, "-n", f"{queue}@%h", "-c", str(processes), "--without-gossip"]
        return self._celery(f"worker-{queue}", *command, "--without-mingle", "--loglevel", "WARNING")

    def beat(self) -> Program:
        """The periodic process. Without a pid file: one launcher a home is the lock."""
        schedule = str(self._home.root / "beat-schedule")
        return self._celery("beat", "beat", "--pidfile=", "-s", schedule, "--loglevel", "WARNING")

    def _celery(self, name: str, *arguments: str) -> Program:
        return self._program(name, ["-m", "celery", "-A", "annotator", *arguments])

    def _program(self, name: str, arguments: list[str], **options: object) -> Program:
        return Program(
            name=name,
            command=[sys.executable, *arguments],
            environment=self._values,
            log=logs.fresh(self._home.logs / f"{name}.log"),
            folder=CODE,
            **options,  # type: ignore[arg-type]
        )
