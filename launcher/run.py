"""`make run`: everything on this machine, until somebody stops it."""

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

from launcher import application, leftovers, logs, servers, supervisor
from launcher.application import QUEUES, Application
from launcher.child import POLL_SECONDS, Child, Program, stop_all
from launcher.errors import LauncherError
from launcher.home import Home, read_json, write_private
from launcher.servers import Interrupted
from launcher.stops import Stops

# How long a launcher that is just stopping may keep the folder before we give up.
PATIENCE_SECONDS = 5.0


def say(line: str) -> None:
    """Print at once; a reader who has gone (`make run | head`) is no reason to stop."""
    with suppress(BrokenPipeError):
        print(line, flush=True)


def refuse_unsafe_production(given: Mapping[str, str]) -> None:
    """In production nothing is made up that the outside must know: say what is missing."""
    kind = given.get("GOLDPAN_ENV") or "development"
    if kind not in ("development", "production"):
        raise LauncherError(f"GOLDPAN_ENV={kind} is neither development nor production.")
    if kind == "development":
        return
    needed = {
        "SECRET_KEY": "a long random text, kept secret and kept the same",
        "ALLOWED_HOSTS": "the names under which people reach Goldpan, with commas",
    }
    missing = [f"  {name}: {meaning}" for name, meaning in needed.items() if not given.get(name, "").strip()]
    if missing:
        raise LauncherError(
            "GOLDPAN_ENV=production, but this is not set:\n" + "\n".join(missing) + "\n"
            "Then make the first admin: .venv/bin/python -m launcher exec -- "
            ".venv/bin/python manage.py create_admin NAME"
        )


def run(home: Home, given: Mapping[str, str]) -> None:
    """Start all, say where, look after it, stop all. LauncherError when it cannot start or cannot go on."""
    refuse_unsafe_production(given)
    stops = Stops()
    stops.install()
    home.prepare()
    with home.locked(PATIENCE_SECONDS), suppress(Interrupted):
        leftovers.stop_programs_of(home.root)
        with (
            application.open_port(given.get("PORT")) as listening,
            servers.running(home, given, stops) as (urls, server_children),
        ):
            values = application.environment(home, urls, given)
            with _kept_environment(home, values), _started(home, values, listening, stops) as children:
                _welcome(home, values, listening)
                supervisor.watch([*server_children, *children], stops.asked, say)
                say("Stopping.")


@contextmanager
def _kept_environment(home: Home, values: Mapping[str, str]) -> Iterator[None]:
    """While we run, `manage.py` in another terminal finds the servers in this file."""
    names = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
    write_private(home.environment_file, {name: values[name] for name in names})
    try:
        yield
    finally:
        home.environment_file.unlink(missing_ok=True)


@contextmanager
def _started(
    home: Home, values: Mapping[str, str], listening: socket.socket, stops: Stops
) -> Iterator[list[Child]]:
    goldpan = Application(home, values)
    children: list[Child] = []
    with ExitStack() as cleanup:
        cleanup.callback(stop_all, children, stops.impatient)
        _finish(
            [goldpan.command("migrate", "--noinput"), goldpan.command("collectstatic", "--noinput")], stops
        )
        web = Child(goldpan.web(listening))
        children.append(web)
        if not _is_production(values):
            _finish([goldpan.command("create_demo", "--credentials", str(home.credentials_file))], stops)
        port = listening.getsockname()[1]
        servers.wait_until(lambda: application.answers(port), web, stops)
        # Last, as people can sign in without them: what is to be done waits in the queue until they are up.
        children += [Child(goldpan.worker(queue)) for queue in QUEUES]
        children.append(Child(goldpan.beat()))
        yield children


def _finish(commands: list[Program], stops: Stops) -> None:
    """Run commands side by side until all are done; LauncherError when one fails."""
    children = [Child(command) for command in commands]
    try:
        for child in children:
            _finish_one(child, stops)
    finally:
        stop_all(children, stops.impatient)


def _finish_one(child: Child, stops: Stops) -> None:
    while (code := child.exit_code) is None:
        if stops.asked():
            raise Interrupted
        time.sleep(POLL_SECONDS)
    if code != 0:
        log = child.program.log
        raise LauncherError(f"`manage.py {child.program.name}` failed; see {log}:\n{logs.last_lines(log)}")


def _is_production(values: Mapping[str, str]) -> bool:
    return values.get("GOLDPAN_ENV") == "production"


def _welcome(home: Home, values: Mapping[str, str], listening: socket.socket) -> None:
    host, port = listening.getsockname()
    say(f"Goldpan: http://{host}:{port}")
    if _is_production(values):
        return
    for role, person in read_json(home.credentials_file).items():
        say(f"  {role:<12} {person['name']:<12} {person['password']}")
