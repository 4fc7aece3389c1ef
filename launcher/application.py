"""Goldpan's own programs: web, workers, the periodic process, and management commands."""

import http.client
import os
import socket
import sys
from collections.abc import Mapping

from launcher import logs
from launcher.data_folder import IS_CHECKOUT, PACKAGES, DataFolder
from launcher.errors import LauncherError
from launcher.process import Program

LOOPBACK = "127.0.0.1"
USUAL_PORTS = range(8000, 8100)
# Seconds for which a connection waits for the next request: longer than a person looks at a page.
KEEP_ALIVE = 75
# A thread may hold a connection of the database, which has a hundred for everybody.
THREADS, MOST_PROCESSES = 8, 8
# Worker -> its queues. What a person has just set off waits for nothing else.
WORKERS = {"live": "live", "background": "import,score,bulk", "sweep": "sweep"}
# A checkout's packages are found in the working directory, those of an installed Goldpan never.
PYTHON = [sys.executable] if IS_CHECKOUT else [sys.executable, "-P"]
MANAGE = [*PYTHON, "-m", "annotator"]
SETTINGS = {"DJANGO_SETTINGS_MODULE": "annotator.settings"}


def environment(data: DataFolder, urls: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of every program of Goldpan: the caller's own, and where its servers are."""
    return {
        # There is a worker for each core, and threads that wait for each other would use up the others'.
        "OPENBLAS_NUM_THREADS": "1",
        **environ,
        **urls,
        "SECRET_KEY": environ.get("SECRET_KEY") or data.secret("secret_key"),
        "GOLDPAN_HOME": str(data.root),
        "PYTHONUNBUFFERED": "1",
    }


def open_port(requested: str | None) -> socket.socket:
    """Listen on loopback: on the requested port, or else on the first free one of USUAL_PORTS.

    The web server inherits the socket, so no other program can take the port before it starts.
    """
    if requested and not (requested.isascii() and requested.isdigit() and int(requested) <= 65535):
        raise LauncherError(f"PORT={requested} is not a port: give a number up to 65535.")
    for port in [int(requested)] if requested else USUAL_PORTS:
        try:
            return socket.create_server((LOOPBACK, port), backlog=128)
        except OSError:
            continue
    tried = requested or f"{USUAL_PORTS[0]} to {USUAL_PORTS[-1]}"
    raise LauncherError(
        f"Port {tried} of {LOOPBACK} cannot be used: it is taken, or needs rights you lack. "
        "Choose another with PORT=."
    )


def answers(port: int) -> bool:
    """Return whether the web server answers a request; an error page of its own is not an answer."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Application:
    """The programs for one data folder and one environment."""

    def __init__(self, data: DataFolder, values: Mapping[str, str]) -> None:
        self._data = data
        self._values = values

    def command(self, *arguments: str) -> Program:
        """Return a management command, by its name and arguments."""
        values = {**self._values, **SETTINGS}
        return self._program(arguments[0], [*MANAGE, *arguments], values)

    def web(self, listening: socket.socket) -> Program:
        """Return gunicorn on a socket that already listens.

        Of a process one thread runs at a time, and browsers stay with the process that took their connection:
        one more than there are processors keeps these busy where one process has most of the browsers. They
        share what is loaded before they part.
        """
        descriptor = listening.fileno()
        processes = min((os.cpu_count() or 1) + 1, MOST_PROCESSES)
        command = [
            *PYTHON, "-m", "gunicorn", "annotator.wsgi", "--bind", f"fd://{descriptor}",
            "--worker-class", "annotator.web_worker.PromptWorker",
            "--workers", str(processes), "--threads", str(THREADS), "--preload", "--graceful-timeout", "5",
            "--no-control-socket", "--keep-alive", str(KEEP_ALIVE),
        ]  # fmt: skip
        # In which its processes put their counts together.
        values = {**self._values, "PROMETHEUS_MULTIPROC_DIR": str(self._data.metrics)}
        return self._program("web", command, values, pass_fds=(descriptor,))

    def worker(self, name: str) -> Program:
        """Return a Celery worker, by its name in WORKERS."""
        processes = 1 if name == "sweep" else max(2, min(4, (os.cpu_count() or 2) // 2))
        return self._celery(
            f"worker-{name}", "worker", "-Q", WORKERS[name], "-n", f"{name}@%h", "-c", str(processes),
            "--without-gossip", "--without-mingle",
        )  # fmt: skip

    def beat(self) -> Program:
        """Return the periodic process. It needs no pid file, as one launcher at a time uses the folder."""
        return self._celery("beat", "beat", "--pidfile=", "-s", str(self._data.root / "beat-schedule"))

    def scheduled_backups(self) -> Program:
        """Return the program that makes backups at set times."""
        command = [*PYTHON, "-m", "launcher", "backup", "--scheduled"]
        return self._program("backups", command, self._values)

    def _celery(self, name: str, *arguments: str) -> Program:
        # Django's checks import every screen, and `migrate` has made them.
        command = [*PYTHON, "-m", "celery", "--quiet", "--skip-checks", "-A", "annotator", *arguments]
        return self._program(name, command, self._values)

    def _program(
        self,
        name: str,
        command: list[str],
        values: Mapping[str, str],
        *,
        pass_fds: tuple[int, ...] = (),
    ) -> Program:
        return Program(
            name=name,
            command=command,
            environment=values,
            log=logs.rotated(self._data.logs / f"{name}.log"),
            folder=PACKAGES if IS_CHECKOUT else self._data.root,
            pass_fds=(*self._data.lock_descriptors, *pass_fds),
        )
