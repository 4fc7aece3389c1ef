"""Real servers: private, with a password, durable, and restarted after a kill."""

import fcntl
import os
import pty
import signal
import stat
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg2
import pytest
import redis

from launcher import accounts, programs
from launcher.accounts import server_account
from launcher.data_folder import DataFolder
from launcher.errors import LauncherError
from launcher.process import HARD_STOP_SECONDS
from launcher.run import LOCK_SECONDS
from launcher.servers import KINDS, READY_SECONDS, running
from launcher.stop_requests import StopRequests
from tests.launcher.conftest import Start, plain_environment, processes_in
from tests.processes import A_WHILE, wait_for


def ask(url: str, statement: str) -> list[tuple[object, ...]]:
    connection = psycopg2.connect(url)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall() if cursor.description else []
    finally:
        connection.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(scope="module")
def started(module_folder: Path) -> Iterator[tuple[DataFolder, dict[str, str]]]:
    """One data folder with its servers up, for the tests that only look."""
    data = DataFolder(module_folder / "var")
    data.prepare()
    with data.locked(), running(data, {}, StopRequests(), throwaway=True) as (urls, _processes):
        yield data, urls


Started = tuple[DataFolder, dict[str, str]]


def test_a_restart_waits_as_long_as_the_servers_may_take_to_stop(data: DataFolder) -> None:
    for kind in KINDS:
        program = kind(data, data.sockets, None, throwaway=True).program()
        assert program.grace_seconds + HARD_STOP_SECONDS < LOCK_SECONDS, program.name


def test_database_is_utf8_sorted_alike_everywhere(started: Started) -> None:
    (found,) = ask(
        started[1]["DATABASE_URL"],
        "SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale FROM pg_database"
        " WHERE datname = current_database()",
    )
    assert found == ("UTF8", "b", "C.UTF-8")


@pytest.mark.parametrize(
    ("part", "instead"), [(":{secret}", ":guess"), (":{secret}", ""), ("//goldpan:", "//postgres:")]
)
def test_database_asks_everybody_for_the_password(started: Started, part: str, instead: str) -> None:
    data, urls = started
    known = part.format(secret=data.secret("postgres_password"))
    assert known in urls["DATABASE_URL"]
    with pytest.raises(psycopg2.OperationalError, match="password"):
        psycopg2.connect(urls["DATABASE_URL"].replace(known, instead))


def test_role_is_no_superuser(started: Started) -> None:
    rights = ask(
        started[1]["DATABASE_URL"],
        "SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user",
    )
    assert rights == [(False, True, False)]


def test_nothing_listens_on_a_port(started: Started) -> None:
    assert ask(started[1]["DATABASE_URL"], "SHOW listen_addresses") == [("",)]
    assert redis.Redis.from_url(started[1]["REDIS_URL"]).config_get("port") == {"port": "0"}


def test_data_and_sockets_are_private(started: Started) -> None:
    data, _urls = started
    assert {mode(data.root / name) for name in ("postgres", "valkey", "sockets", "logs")} == {0o700}
    assert mode(data.sockets / "valkey.sock") == 0o600
    assert mode(data.sockets / ".s.PGSQL.5432") == 0o700
    assert mode(data.secrets_file) == 0o600


def test_servers_never_run_as_root(started: Started) -> None:
    data, _urls = started
    account = server_account()
    expected = os.geteuid() if account is None else account.uid
    assert expected != 0
    for folder in (data.postgres, data.valkey):
        assert {Path(f"/proc/{pid}").stat().st_uid for pid in processes_in(folder)} == {expected}


def test_root_is_told_what_the_account_cannot_reach(
    data: DataFolder, folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        ourselves = accounts.ServerAccount("ourselves", os.geteuid(), os.getegid())
        monkeypatch.setattr(accounts, "server_account", lambda: ourselves)
        monkeypatch.setattr(accounts, "popen_options", lambda account: {})
    program = folder / "closed" / "valkey-server"
    program.parent.mkdir(mode=0o000)
    monkeypatch.setattr(programs, "valkey_program", lambda: program)
    try:
        with pytest.raises(LauncherError, match=f"cannot reach {program}. .* ordinary user"), start(data):
            pass
    finally:
        program.parent.chmod(0o700)
    assert not data.postgres.exists()


def test_data_that_another_account_owns_is_said(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    data.postgres.mkdir()
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with (
        pytest.raises(LauncherError, match=f"belongs to account number {owner}, .*: chown -R 12345"),
        running(data, {}, StopRequests(), throwaway=True),
    ):
        pass


def test_missing_account_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(accounts, "CANDIDATES", ("no-such-account",))
    with pytest.raises(LauncherError, match="useradd --system goldpan"):
        server_account()


def test_long_path_with_blanks_serves_and_its_parents_keep_their_modes(folder: Path, start: Start) -> None:
    parent = folder / ("déjà, vu " * 12)
    parent.mkdir()
    parent.chmod(0o751)
    before = parent.stat()
    data = DataFolder(parent / "var")
    data.prepare()
    with start(data) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT 1") == [(1,)]
        assert redis.Redis.from_url(urls["REDIS_URL"]).ping()
        sockets = data.sockets.resolve()
    assert not sockets.exists()
    after = parent.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_restart_keeps_rows_and_queue(data: DataFolder, start: Start) -> None:
    with start(data, durable=True) as urls:
        ask(urls["DATABASE_URL"], "CREATE TABLE kept AS SELECT 'déjà 🙂' AS word")
        redis.Redis.from_url(urls["REDIS_URL"]).lpush("queue", "job")
        assert processes_in(data.postgres) != []
    assert processes_in(data.postgres) == processes_in(data.valkey) == []
    with start(data, durable=True) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT word FROM kept") == [("déjà 🙂",)]
        assert redis.Redis.from_url(urls["REDIS_URL"]).rpop("queue") == b"job"


def test_killed_command_takes_its_servers_along(data: DataFolder, checkout: Path, start: Start) -> None:
    command = [sys.executable, "-m", "launcher", "manage", "wait"]
    environment = plain_environment(GOLDPAN_HOME=str(data.root))
    with subprocess.Popen(command, cwd=checkout, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"waiting\n"
        sockets = data.sockets.resolve()
        assert processes_in(data.postgres) != []
        process.kill()
    with start(data) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT 1") == [(1,)]
        assert not sockets.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_command_that_is_stopped_while_its_servers_start_says_so(
    data: DataFolder, checkout: Path, number: signal.Signals
) -> None:
    command = [sys.executable, "-m", "launcher", "manage", "wait"]
    environment = plain_environment(GOLDPAN_HOME=str(data.root))
    draft = data.root / "postgres.new"
    with subprocess.Popen(command, cwd=checkout, env=environment, stderr=subprocess.PIPE) as process:
        wait_for((draft / "base" / "1").exists, "the first tables")
        # Ctrl-C and a service manager reach also the program that sets up the database.
        for pid in (process.pid, *processes_in(draft)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        _out, said = process.communicate(timeout=A_WHILE)
    assert (process.returncode, said) == (130, b"Stopped before it began.\n")
    assert processes_in(draft) == processes_in(data.postgres) == processes_in(data.valkey) == []


def test_killed_command_takes_along_what_sets_up_the_database(data: DataFolder, checkout: Path) -> None:
    command = [sys.executable, "-m", "launcher", "manage", "wait"]
    draft = data.root / "postgres.new"
    with subprocess.Popen(
        command, cwd=checkout, env=plain_environment(GOLDPAN_HOME=str(data.root))
    ) as process:
        wait_for((draft / "PG_VERSION").exists, "the first file")
        process.kill()
    wait_for(lambda: processes_in(draft) == processes_in(data.valkey) == [], "the end of both")
    assert list(draft.iterdir()) == []


@contextmanager
def waiting(checkout: Path, folder: Path, **options: Any) -> Iterator["subprocess.Popen[bytes]"]:
    """A command of its own session that waits to be stopped."""
    environment = plain_environment(
        GOLDPAN_HOME=str(folder / "var"), DATABASE_URL="postgresql://db/x", REDIS_URL="redis://queue"
    )
    command = [sys.executable, "-m", "launcher", "manage", "wait"]
    with subprocess.Popen(
        command,
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **options,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"waiting\n"
        yield process


def test_command_that_is_interrupted_ends_in_its_own_way(checkout: Path, folder: Path) -> None:
    ours, its = pty.openpty()

    def take_terminal() -> None:
        fcntl.ioctl(its, termios.TIOCSCTTY, 0)

    with waiting(checkout, folder, stdin=its, preexec_fn=take_terminal) as process:
        os.write(ours, b"\x03")
        _out, said = process.communicate(timeout=A_WHILE)
    os.close(ours)
    os.close(its)
    assert (process.returncode, said) == (1, b"stopped in peace\n")


def test_interrupt_that_reaches_the_launcher_alone_stops_its_command(checkout: Path, folder: Path) -> None:
    with waiting(checkout, folder) as process:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=A_WHILE)
    assert process.returncode == 128 + signal.SIGTERM


def test_link_in_place_of_a_stale_socket_folder_is_not_followed(
    data: DataFolder, folder: Path, start: Start
) -> None:
    kept = folder / "kept"
    kept.mkdir()
    (folder / "goldpan-stale").symlink_to(kept)
    data.sockets.symlink_to(folder / "goldpan-stale")
    with start(data):
        assert data.sockets.resolve() != kept
    assert kept.exists()


def test_stale_lock_that_names_a_living_process_is_no_obstacle(data: DataFolder, start: Start) -> None:
    with start(data):
        pass
    lock = data.postgres / "postmaster.pid"
    lock.write_text(f"{os.getpid()}\n{data.postgres}\n1\n5432\n\n\n\nready\n", encoding="utf-8")
    with start(data) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT 1") == [(1,)]


def test_killed_database_recovers_what_was_committed(data: DataFolder, start: Start) -> None:
    with start(data, durable=True) as urls:
        ask(urls["DATABASE_URL"], "CREATE TABLE kept AS SELECT generate_series(1, 500) AS n")
        for pid in processes_in(data.postgres):
            with suppress(ProcessLookupError):  # children of the first one may be gone before their turn
                os.kill(pid, signal.SIGKILL)
    with start(data, durable=True) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT count(*) FROM kept") == [(500,)]


def test_given_servers_replace_the_private_ones(data: DataFolder) -> None:
    given = {"DATABASE_URL": "postgresql://db.example/goldpan", "REDIS_URL": "redis://queue.example"}
    with running(data, given, StopRequests()) as (urls, processes):
        assert urls == given
        assert processes == []
    assert not data.postgres.exists()


def test_server_that_cannot_start_is_named_with_its_log(data: DataFolder, start: Start) -> None:
    with start(data):
        pass
    (data.postgres / "postgresql.conf").write_text("port = none\n", encoding="utf-8")
    began = time.monotonic()
    with pytest.raises(LauncherError, match=r"(?s)postgres failed; see .*postgres\.log:.*port"), start(data):
        pass
    assert time.monotonic() - began < READY_SECONDS
    assert processes_in(data.valkey) == []
