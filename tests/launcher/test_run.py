"""`make run` with a stand-in for the application: real servers, gunicorn and Celery, real signals."""

import http.client
import json
import os
import select
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg2
import pytest
import redis

from annotator.web_worker import LONGEST_SECONDS
from launcher import application
from launcher.application import LOOPBACK, USUAL_PORTS, answers, open_port
from launcher.process import Program
from launcher.run import LOCK_SECONDS
from tests.launcher.conftest import plain_environment, processes_in, processes_of
from tests.processes import A_WHILE, wait_for
from tests.servers import servers

# What `make run` does, without preparing a virtual environment.
MAKEFILE = f"run:\n\t@exec {sys.executable} -m launcher run\n"


class Launch:
    """A launcher under test, started through make as people do, in a process group of its own."""

    def __init__(self, checkout: Path, home: Path, **settings: str) -> None:
        (checkout / "Makefile").write_text(MAKEFILE, encoding="utf-8")
        self.home = home
        self.make = subprocess.Popen(
            ["make", "run"],
            cwd=checkout,
            env=plain_environment(GOLDPAN_HOME=str(home), **settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def until(self, start: str) -> str:
        """Read its output up to a line that begins so, and return that line."""
        assert self.make.stdout is not None
        seen = []
        for line in self.make.stdout:
            seen.append(line)
            if line.startswith(start):
                return line.strip()
        raise AssertionError(f"it ended without {start!r}: {''.join(seen)}")

    def end(self) -> str:
        """Wait for its end, and for that of all its programs; the rest of its output."""
        output = self.make.communicate(timeout=A_WHILE)[0]
        # What was killed in the end may take a moment to go.
        wait_for(lambda: self.processes() == [], "the end of all")
        return output

    @property
    def launcher(self) -> int:
        """The launcher's own process, make's child."""
        return int((self.home / "launcher.lock").read_text(encoding="utf-8"))

    def processes(self) -> list[int]:
        folders = [self.home / "postgres", self.home / "valkey"]
        return [pid for folder in folders for pid in processes_in(folder)] + processes_of(self.home)


LaunchFunction = Callable[..., Launch]


@pytest.fixture(scope="module")
def shared_home(module_folder: Path) -> Path:
    """One home for all, as making a database takes longer than a start; each test stops what it started."""
    return module_folder / "var"


@pytest.fixture
def launch(checkout: Path, shared_home: Path) -> Iterator[LaunchFunction]:
    started: list[Launch] = []

    def begin(home: Path = shared_home, **settings: str) -> Launch:
        started.append(Launch(checkout, home, **settings))
        return started[-1]

    yield begin
    for launched in started:
        if launched.make.poll() is None:
            os.killpg(launched.make.pid, signal.SIGTERM)
            launched.end()


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=A_WHILE) as answer:  # noqa: S310 -- the address that we just printed
        return str(answer.read().decode())


def pid_of(home: Path, *words: str) -> int:
    """The oldest process of the home whose command line holds all the words."""
    found = []
    for pid in processes_of(home):
        with suppress(OSError):  # a worker that starts runs programs which end at once
            line = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            if all(word in line for word in words):
                found.append(pid)
    return found[0]


def test_start_prints_address_and_sign_ins(launch: LaunchFunction) -> None:
    launched = launch()
    url = launched.until("Goldpan: ").split()[1]
    assert url.startswith(f"http://{LOOPBACK}:")
    assert get(url).isdigit()
    credentials = launched.home / "credentials.json"
    assert stat.S_IMODE(credentials.stat().st_mode) == 0o600
    password = json.loads(credentials.read_text(encoding="utf-8"))["admin"]["password"]
    assert launched.until("  admin").split() == ["admin", "ada", password]
    environment = launched.home / "environment.json"
    assert stat.S_IMODE(environment.stat().st_mode) == 0o600
    assert set(json.loads(environment.read_text(encoding="utf-8"))) == {
        "DATABASE_URL",
        "REDIS_URL",
        "SECRET_KEY",
        "TIME_ZONE",
    }


def is_answered(url: str) -> bool:
    """False where we were cut off, as whoever is slow at asking is."""
    try:
        return get(url).isdigit()
    except (ConnectionError, urllib.error.URLError):
        return False


POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


def let_last(module: Path, limit: str) -> None:
    """Change a limit of time, "NAME = SECONDS", in a checkout: it ends nothing that a test waits for."""
    code = module.read_text(encoding="utf-8")
    assert f"{limit}\n" in code
    name = limit.rpartition(" = ")[0]
    module.write_text(code.replace(f"{limit}\n", f"{name} = {10.0 * A_WHILE}\n"), encoding="utf-8")


def test_slow_requests_keep_nobody_else_waiting(launch: LaunchFunction, checkout: Path) -> None:
    """More connections than threads say nothing, or stop in the middle: each kind would stop the site."""
    let_last(checkout / "annotator" / "web_worker.py", f"LONGEST_SECONDS = {LONGEST_SECONDS}")
    url = launch().until("Goldpan: ").split()[1]
    address = (LOOPBACK, int(url.rpartition(":")[2]))
    for sent in (
        b"",
        POST,
        POST + b"Content-Length: 1000\r\n\r\nabc",
        POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
    ):
        with ExitStack() as slow:
            connections = [slow.enter_context(socket.create_connection(address)) for _ in range(60)]
            for connection in connections:
                connection.sendall(sent)
            for _ in range(5):
                wait_for(lambda: is_answered(url), "an answer")
            assert select.select(connections, [], [], A_WHILE)[0], "the slow ones are cut off"
    large = http.client.HTTPConnection(*address, timeout=A_WHILE)
    large.request("POST", "/", b"a" * 100_000)
    assert large.getresponse().status == 200


def test_second_start_keeps_data_and_passwords(launch: LaunchFunction, shared_home: Path) -> None:
    outputs = []
    (shared_home / "commands.txt").unlink(missing_ok=True)
    for _ in range(2):
        launched = launch()
        launched.until("Goldpan: ")
        outputs.append(launched.until("  admin"))
        os.kill(launched.make.pid, signal.SIGTERM)
        launched.end()
    assert outputs[0] == outputs[1]
    trace = (launched.home / "commands.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(line.split()[0] for line in trace) == sorted(
        2 * ["migrate", "collectstatic", "create_demo"]
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["make", "group"])
def test_signal_stops_everything(
    launch: LaunchFunction, number: signal.Signals, send: Callable[[int, int], None]
) -> None:
    launched = launch()
    launched.until("Goldpan: ")
    assert len(launched.processes()) > 10
    send(launched.make.pid, number)
    assert "Stopping." in launched.end()
    assert launched.processes() == []
    assert not (launched.home / "environment.json").exists()


def test_it_outlives_its_terminal_where_hup_is_ignored(launch: LaunchFunction) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `nohup` starts what it runs
    try:
        launched = launch()
    finally:
        signal.signal(signal.SIGHUP, before)
    url = launched.until("Goldpan: ").split()[1]
    launched.until("  admin")
    os.killpg(launched.make.pid, signal.SIGHUP)
    os.kill(pid_of(launched.home, "beat"), signal.SIGKILL)
    launched.until("beat ended")
    assert get(url)
    os.killpg(launched.make.pid, signal.SIGTERM)
    assert "Stopping." in launched.end()


def test_second_launcher_says_why_it_waits_and_can_be_interrupted(launch: LaunchFunction) -> None:
    launch().until("  admin")
    second = launch()
    assert "Waiting up to 38 seconds" in second.until("Goldpan still runs from")
    began = time.monotonic()
    os.killpg(second.make.pid, signal.SIGINT)
    assert "already runs from" in second.make.communicate(timeout=A_WHILE)[0]
    assert time.monotonic() - began < LOCK_SECONDS / 2


def test_second_interrupt_does_not_wait(launch: LaunchFunction, checkout: Path) -> None:
    let_last(checkout / "launcher" / "process.py", f"grace_seconds: float = {Program.grace_seconds}")
    launched = launch()
    launched.until("Goldpan: ")
    # A stopped process cannot react to TERM: before the end of its grace it only ends if it is killed.
    os.kill(pid_of(launched.home, "worker", "sweep"), signal.SIGSTOP)
    os.killpg(launched.make.pid, signal.SIGINT)
    launched.until("Stopping.")
    os.kill(launched.launcher, signal.SIGINT)
    launched.end()
    assert launched.processes() == []


def test_killed_launcher_leaves_nothing_running(launch: LaunchFunction) -> None:
    launched = launch()
    launched.until("Goldpan: ")
    os.kill(launched.launcher, signal.SIGKILL)
    launched.end()
    launch().until("Goldpan: ")


def test_what_is_killed_comes_back(launch: LaunchFunction, checkout: Path) -> None:
    launched = launch()
    port = int(launched.until("Goldpan: ").rpartition(":")[2])
    launched.until("  admin")
    _worker_comes_back_and_works(launched, checkout)
    _queue_comes_back_with_what_was_queued(launched)
    _web_server_comes_back_at_its_address(launched, port)
    _database_comes_back_with_what_was_written(launched)


def known_to(launched: Launch) -> dict[str, str]:
    """What its programs are told of their servers."""
    text = (launched.home / "environment.json").read_text(encoding="utf-8")
    known: dict[str, str] = json.loads(text)
    return known


def _worker_comes_back_and_works(launched: Launch, checkout: Path) -> None:
    worker = pid_of(launched.home, "worker", "live")
    told = Path(f"/proc/{worker}/environ").read_bytes().split(b"\0")
    assert b"OPENBLAS_NUM_THREADS=1" in told, "its threads wait for the cores of other workers"
    os.kill(worker, signal.SIGKILL)
    assert "SIGKILL); restarting it in 1 s" in launched.until("worker-live ended")
    send = (
        "import os, sys; sys.path.insert(0, '.');"
        "from annotator.celery import app; app.send_task('leave_trace', ['worked'])"
    )
    environment = plain_environment(**known_to(launched), GOLDPAN_HOME=str(launched.home))
    subprocess.run([sys.executable, "-c", send], check=True, cwd=checkout, env=environment)
    trace = launched.home / "trace.txt"
    wait_for(lambda: trace.exists() and trace.read_text(encoding="utf-8") != "", "the worker")
    assert trace.read_text(encoding="utf-8") == "worked"


def _queue_comes_back_with_what_was_queued(launched: Launch) -> None:
    url = known_to(launched)["REDIS_URL"]
    valkey = redis.Redis.from_url(url, single_connection_client=True)
    valkey.lpush("queue", "job")
    assert valkey.waitaof(1, 0, 0) == [1, 0]  # it is in the journal, which is written every second
    os.kill(processes_in(launched.home / "valkey")[0], signal.SIGKILL)
    launched.until("valkey ended")
    wait_for(lambda: answers_again(url), "the queue")
    assert redis.Redis.from_url(url).lrange("queue", 0, -1) == [b"job"]


def answers_again(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url).ping())
    except redis.ConnectionError:
        return False


def _web_server_comes_back_at_its_address(launched: Launch, port: int) -> None:
    os.kill(pid_of(launched.home, "gunicorn"), signal.SIGKILL)
    assert f"restarting it in 1 s; see {launched.home}/logs/web.log" in launched.until("web ended (SIGKILL)")
    wait_for(lambda: answers(port), "the web server")


def _database_comes_back_with_what_was_written(launched: Launch) -> None:
    url = known_to(launched)["DATABASE_URL"]
    assert run_sql(url, "create table kept as select 1 as one")
    os.kill(first_line(launched.home / "postgres" / "postmaster.pid"), signal.SIGKILL)
    assert "SIGKILL); restarting it in 1 s" in launched.until("postgres ended")
    wait_for(lambda: run_sql(url, "select one from kept"), "the database")


def first_line(path: Path) -> int:
    return int(path.read_text(encoding="utf-8").splitlines()[0])


def run_sql(url: str, statement: str) -> bool:
    """Whether it was done; False where there is no connection."""
    try:
        connection = psycopg2.connect(url)
    except psycopg2.OperationalError:
        return False
    with closing(connection), connection, connection.cursor() as cursor:
        cursor.execute(statement)
    return True


def test_failing_migration_ends_all_and_names_the_log(launch: LaunchFunction) -> None:
    launched = launch(STANDIN_FAILS="migrate")
    output = launched.end()
    assert f"migrate failed; see {launched.home}/logs/migrate.log" in output
    assert "the stand-in was told to fail" in output
    assert "Traceback" not in output
    assert launched.processes() == []


@pytest.mark.parametrize(
    ("settings", "missing", "set_already"),
    [
        ({}, ["SECRET_KEY:", "ALLOWED_HOSTS:"], []),
        ({"SECRET_KEY": "x" * 50}, ["ALLOWED_HOSTS:"], ["SECRET_KEY:"]),
        ({"ALLOWED_HOSTS": "gold.example"}, ["SECRET_KEY:"], ["ALLOWED_HOSTS:"]),
    ],
)
def test_production_says_what_is_missing(
    launch: LaunchFunction, folder: Path, settings: dict[str, str], missing: list[str], set_already: list[str]
) -> None:
    launched = launch(home=folder / "var", GOLDPAN_ENV="production", **settings)
    output = launched.end()
    assert all(name in output for name in missing)
    assert not any(name in output for name in set_already)
    assert "create_admin NAME" in output
    assert not launched.home.exists()
    assert launched.make.returncode != 0


def test_production_has_no_demo(launch: LaunchFunction, folder: Path) -> None:
    settings = {"SECRET_KEY": "x" * 50, "ALLOWED_HOSTS": "gold.example"}
    launched = launch(home=folder / "var", GOLDPAN_ENV="production", **settings)
    launched.until("Goldpan: ")
    assert not (launched.home / "credentials.json").exists()
    trace = (launched.home / "commands.txt").read_text(encoding="utf-8")
    assert "create_demo" not in trace
    assert "migrate" in trace


def test_given_servers_are_used(launch: LaunchFunction, folder: Path) -> None:
    with servers() as urls:
        settings = {name: urls[name] for name in ("DATABASE_URL", "REDIS_URL")}
        launched = launch(home=folder / "var", **settings)
        launched.until("Goldpan: ")
        assert f"migrate {settings['DATABASE_URL']}" in (launched.home / "commands.txt").read_text(
            encoding="utf-8"
        )
        assert not (launched.home / "postgres").exists()
        assert not (launched.home / "valkey").exists()
        os.kill(launched.make.pid, signal.SIGTERM)
        launched.end()


def test_taken_port_is_refused_when_asked_for_and_passed_over_when_not(
    launch: LaunchFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_port(None) as taken:
        port = taken.getsockname()[1]
        launched = launch(PORT=str(port))
        assert f"Port {port} of {LOOPBACK} cannot be used" in launched.end()
        # Meanwhile somebody may have left an earlier one.
        monkeypatch.setattr(application, "USUAL_PORTS", range(port, USUAL_PORTS.stop))
        with open_port(None) as other:
            assert other.getsockname()[1] > port
            assert other.getsockname()[0] == LOOPBACK


def test_command_runs_with_the_servers_of_the_running_launcher(
    launch: LaunchFunction, checkout: Path
) -> None:
    launched = launch()
    launched.until("Goldpan: ")
    command = [sys.executable, "-m", "launcher", "manage", "leaderboard", "demo"]
    environment = plain_environment(GOLDPAN_HOME=str(launched.home), STANDIN_FAILS="leaderboard")
    done = subprocess.run(command, check=False, cwd=checkout, env=environment, capture_output=True, text=True)
    assert (done.stderr, done.returncode) == ("the stand-in was told to fail\n", 1)
    trace = (launched.home / "commands.txt").read_text(encoding="utf-8").splitlines()
    assert trace[-1] == f"leaderboard {known_to(launched)['DATABASE_URL']}"
    assert launched.processes() != []


def test_command_uses_the_bucket_of_the_running_launcher(
    launch: LaunchFunction, checkout: Path, folder: Path
) -> None:
    bucket = {"FILES_BUCKET": "of-tests", "FILES_ENDPOINT": "http://127.0.0.1:9"}
    bucket |= {"FILES_REGION": "eu-south-2", "FILES_PREFIX": "goldpan/"}
    launched = launch(**bucket, AWS_SECRET_ACCESS_KEY="of-tests")
    launched.until("Goldpan: ")
    assert known_to(launched).items() >= bucket.items()
    assert "AWS_SECRET_ACCESS_KEY" not in known_to(launched)
    command = [sys.executable, "-m", "launcher", "backup", str(folder / "backup.tar")]
    environment = plain_environment(GOLDPAN_HOME=str(launched.home))
    done = subprocess.run(command, check=True, cwd=checkout, env=environment, capture_output=True, text=True)
    assert "The files in the bucket of-tests are not in it" in done.stdout


def test_commands_with_given_servers_run_side_by_side(checkout: Path, folder: Path) -> None:
    environment = plain_environment(
        GOLDPAN_HOME=str(folder / "var"), DATABASE_URL="postgresql://db/x", REDIS_URL="redis://queue"
    )
    command = [sys.executable, "-m", "launcher", "manage"]
    with subprocess.Popen(
        [*command, "wait"], cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True
    ) as long:
        assert long.stdout is not None
        assert long.stdout.readline() == "waiting\n"
        assert (
            subprocess.run([*command, "migrate"], check=False, cwd=checkout, env=environment).returncode == 0
        )
        long.terminate()


def test_backups_are_made_when_they_are_due(launch: LaunchFunction, checkout: Path, folder: Path) -> None:
    # The next one is due in half a day.
    due = f"{datetime.now(UTC) - timedelta(hours=12):%H:%M}"
    settings = {"GOLDPAN_BACKUP_AT": due, "GOLDPAN_BACKUP_FOLDER": str(folder / "backups")}
    launched = launch(**settings)
    launched.until("  admin")
    wait_for(lambda: any((folder / "backups").glob("goldpan-scheduled-*.tar")), "a backup")
    command = [sys.executable, "-m", "launcher", "backups"]
    environment = plain_environment(GOLDPAN_HOME=str(launched.home), **settings)
    listed = subprocess.run(
        command, check=True, cwd=checkout, env=environment, capture_output=True, text=True
    )
    (line,) = listed.stdout.splitlines()
    assert line.endswith("not encrypted: keep it private")
    os.kill(launched.make.pid, signal.SIGTERM)
    launched.end()
    assert launched.processes() == []


def test_where_no_backup_was_found_is_said(checkout: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "launcher", "backups"]
    environment = plain_environment(GOLDPAN_HOME=str(folder / "var"))
    listed = subprocess.check_output(command, cwd=checkout, env=environment, text=True)
    assert f"no scheduled backups in {folder / 'var' / 'backups'}" in listed


@pytest.mark.parametrize("settings", [{"GOLDPAN_BACKUP_AT": "noon"}, {"GOLDPAN_BACKUP_RECIPIENTS": "age1"}])
def test_backups_that_cannot_be_understood_stop_the_start(
    launch: LaunchFunction, folder: Path, settings: dict[str, str]
) -> None:
    output = launch(home=folder / "var", **settings).end()
    assert next(iter(settings)) in output
    assert "Traceback" not in output
