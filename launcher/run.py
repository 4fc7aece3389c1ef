"""`goldpan run` and `make run`: everything on this machine, until a signal stops it."""

import math
import shutil
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

from launcher import application, postgres, schedule, servers
from launcher.application import WORKERS, Application
from launcher.data_folder import DataFolder, read_json, write_private
from launcher.errors import LauncherError
from launcher.process import HARD_STOP_SECONDS, ManagedProcess, Program, stop_all
from launcher.servers import READY_SECONDS, Interrupted
from launcher.stop_requests import StopRequests
from launcher.supervisor import supervise

# How long to wait for programs of an earlier launcher that are still stopping: first Goldpan's, then the
# servers, of which PostgreSQL takes longest.
LOCK_SECONDS = Program.grace_seconds + postgres.GRACE_SECONDS + 2 * HARD_STOP_SECONDS
# What a command in another terminal has to have as we have it, or it works with other data.
SHARED = (
    "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "TIME_ZONE",
    "FILES_BUCKET", "FILES_ENDPOINT", "FILES_REGION", "FILES_PREFIX",
)  # fmt: skip


def say(line: str) -> None:
    """Print at once; a reader or a terminal that has gone, or a full disk, is no reason to stop."""
    with suppress(OSError):
        print(line, flush=True)


def check_production_settings(environ: Mapping[str, str]) -> None:
    """Raise LauncherError where production lacks a setting that must not be generated."""
    kind = environ.get("GOLDPAN_ENV") or "development"
    if kind not in ("development", "production"):
        raise LauncherError(f"GOLDPAN_ENV={kind} is neither development nor production.")
    needed = {
        "SECRET_KEY": "a long random text, kept secret and kept the same",
        "ALLOWED_HOSTS": "the names under which people reach Goldpan, with commas",
    }
    missing = [
        f"  {name}: {meaning}" for name, meaning in needed.items() if not environ.get(name, "").strip()
    ]
    if kind == "production" and missing:
        raise LauncherError(
            "GOLDPAN_ENV=production, but this is not set:\n" + "\n".join(missing) + "\n"
            "Then make the first admin: goldpan manage create_admin NAME "
            "(in a checkout: .venv/bin/python -m launcher manage create_admin NAME)"
        )


def run(data: DataFolder, environ: Mapping[str, str]) -> None:
    """Start everything, print the address, supervise, stop everything.

    Raises LauncherError when it cannot start or cannot go on.
    """
    check_production_settings(environ)
    schedule.read(environ, data)
    stops = StopRequests()
    stops.install()
    data.prepare()
    if data.is_running():
        say(f"Goldpan still runs from {data.root}. Waiting up to {LOCK_SECONDS:.0f} seconds for its end.")
    with (
        data.locked(LOCK_SECONDS, stops.requested),
        suppress(Interrupted),
        application.open_port(environ.get("PORT")) as listening,
        servers.running(data, environ, stops) as (urls, server_processes),
    ):
        values = application.environment(data, urls, environ)
        with _environment_file(data, values), _started(data, values, listening, stops) as processes:
            _print_address(data, values, listening)
            supervise([*server_processes, *processes], stops.requested, say)
            say("Stopping.")


@contextmanager
def _environment_file(data: DataFolder, values: Mapping[str, str]) -> Iterator[None]:
    """Let `manage.py` in another terminal find the servers and the files while they run.

    Who we are at a bucket is Amazon's own tools' business: a key of theirs is not written down here.
    """
    write_private(data.environment_file, {name: values[name] for name in SHARED if values.get(name)})
    try:
        yield
    finally:
        data.environment_file.unlink(missing_ok=True)


@contextmanager
def _started(
    data: DataFolder, values: Mapping[str, str], listening: socket.socket, stops: StopRequests
) -> Iterator[list[ManagedProcess]]:
    goldpan = Application(data, values)
    processes: list[ManagedProcess] = []
    with ExitStack() as cleanup:
        cleanup.callback(stop_all, processes, stops.impatient)
        _finish(
            [goldpan.command("migrate", "--noinput"), goldpan.command("collectstatic", "--noinput")], stops
        )
        # What the processes of an earlier web server counted; this one begins at zero.
        shutil.rmtree(data.metrics, ignore_errors=True)
        data.metrics.mkdir(mode=0o700)
        web = ManagedProcess(goldpan.web(listening))
        processes.append(web)
        if not _is_production(values):
            _finish([goldpan.command("create_demo", "--credentials", str(data.credentials_file))], stops)
        port = listening.getsockname()[1]
        servers.wait_until(lambda: application.answers(port), web, stops, READY_SECONDS)
        # Last, as people can sign in without them: work waits in the queue until they are up.
        processes += [ManagedProcess(goldpan.worker(name)) for name in WORKERS]
        processes.append(ManagedProcess(goldpan.beat()))
        if schedule.read(values, data).times:
            processes.append(ManagedProcess(goldpan.scheduled_backups()))
        yield processes


def _finish(commands: list[Program], stops: StopRequests) -> None:
    """Run commands side by side until all are done; raise LauncherError when one fails."""
    processes = [ManagedProcess(command) for command in commands]
    try:
        for process in processes:
            servers.wait_until(lambda process=process: process.exit_code == 0, process, stops, math.inf)  # type: ignore[misc]
    finally:
        stop_all(processes, stops.impatient)


def _is_production(values: Mapping[str, str]) -> bool:
    return values.get("GOLDPAN_ENV") == "production"


def _print_address(data: DataFolder, values: Mapping[str, str], listening: socket.socket) -> None:
    host, port = listening.getsockname()
    say(f"Goldpan: http://{host}:{port}")
    if not _is_production(values):
        for role, person in read_json(data.credentials_file).items():
            say(f"  {role:<12} {person['name']:<12} {person['password']}")
