"""Real servers: private, with a password, durable, and back after the worst."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest
import redis

from launcher import accounts, leftovers, place, postgres
from launcher.accounts import server_account
from launcher.child import Child
from launcher.errors import LauncherError
from launcher.home import Home, read_json
from launcher.place import place_for
from launcher.servers import running
from launcher.stops import Stops
from tests.launcher.conftest import CODE, Start, plain_environment


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
def started() -> Iterator[tuple[Home, dict[str, str]]]:
    """One home with its servers up, for the tests that only look."""
    folder = Path(tempfile.mkdtemp(prefix="goldpan-test-"))
    folder.chmod(0o711)
    home = Home(folder / "var")
    home.prepare()
    with home.locked(), running(home, {}, Stops(), throwaway=True) as (urls, _children):
        yield home, urls
    shutil.rmtree(folder)


Started = tuple[Home, dict[str, str]]


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
    home, urls = started
    known = part.format(secret=home.secret("postgres_password"))
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
    home, _urls = started
    assert {mode(home.root / name) for name in ("postgres", "valkey", "sockets", "logs")} == {0o700}
    assert mode(home.root / "sockets" / "valkey.sock") == 0o600
    assert mode(home.root / "sockets" / ".s.PGSQL.5432") == 0o700
    assert mode(home.secrets_file) == 0o600


def test_servers_never_run_as_root(started: Started) -> None:
    home, _urls = started
    account = server_account()
    expected = os.geteuid() if account is None else account.uid
    assert expected != 0
    for name in ("postgres", "valkey"):
        pids = leftovers.servers_in(home.root / name)
        assert {Path(f"/proc/{pid}").stat().st_uid for pid in pids} == {expected}


def test_second_home_has_servers_of_its_own(started: Started, home: Home, start: Start) -> None:
    with start(home) as urls:
        ask(urls["DATABASE_URL"], "CREATE TABLE mine (n int)")
        assert ask(started[1]["DATABASE_URL"], "SELECT to_regclass('mine')") == [(None,)]


def test_parents_keep_their_modes(folder: Path, start: Start) -> None:
    parent = folder / "kept"
    parent.mkdir()
    parent.chmod(0o751)
    before = parent.stat()
    home = Home(parent / "var")
    home.prepare()
    with start(home):
        pass
    after = parent.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_restart_keeps_rows_and_queue(home: Home, start: Start) -> None:
    with start(home, durable=True) as urls:
        ask(urls["DATABASE_URL"], "CREATE TABLE kept AS SELECT 'déjà 🙂' AS word")
        redis.Redis.from_url(urls["REDIS_URL"]).lpush("queue", "job")
    began = time.monotonic()
    with start(home, durable=True) as urls:
        assert time.monotonic() - began < 5
        assert ask(urls["DATABASE_URL"], "SELECT word FROM kept") == [("déjà 🙂",)]
        assert redis.Redis.from_url(urls["REDIS_URL"]).rpop("queue") == b"job"


def test_stop_leaves_no_process(home: Home, start: Start) -> None:
    with start(home):
        assert leftovers.servers_in(home.root / "postgres") != []
    assert leftovers.servers_in(home.root / "postgres") == []
    assert leftovers.servers_in(home.root / "valkey") == []


def test_long_path_puts_sockets_in_a_temporary_folder(folder: Path, start: Start) -> None:
    home = Home(folder / "a-rather-long-name" / ("long" * 20) / "var")
    home.prepare()
    home.root.parent.chmod(0o711)
    with start(home) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT 1") == [(1,)]
        assert redis.Redis.from_url(urls["REDIS_URL"]).ping()
        sockets = Path(read_json(home.servers_file)["sockets"])
        assert sockets.parent != home.root
        assert mode(sockets) == 0o700
    assert not sockets.exists()


def test_killed_launcher_takes_its_servers_along(home: Home, start: Start) -> None:
    command = [sys.executable, "-m", "launcher", "exec", "--", "sh", "-c", "echo up; exec sleep 60"]
    environment = plain_environment(GOLDPAN_HOME=str(home.root))
    with subprocess.Popen(command, cwd=CODE, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        assert leftovers.servers_in(home.root / "postgres") != []
        process.kill()
    end = time.monotonic() + 10
    while leftovers.servers_in(home.root / "postgres") and time.monotonic() < end:
        time.sleep(0.1)
    assert leftovers.servers_in(home.root / "postgres") == []
    with start(home) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT 1") == [(1,)]


def test_servers_left_running_are_stopped_first(home: Home, start: Start) -> None:
    with start(home) as urls:
        ask(urls["DATABASE_URL"], "CREATE TABLE kept AS SELECT 1 AS one")
    left = Child(postgres.program(place_for(home, server_account()), home.logs / "left.log"))
    while not postgres.is_ready(place_for(home, server_account())):
        assert left.exit_code is None
        time.sleep(0.05)
    with start(home) as urls:
        assert left.exit_code == 0
        assert ask(urls["DATABASE_URL"], "SELECT one FROM kept") == [(1,)]


def test_stale_lock_that_names_a_living_process_is_no_obstacle(home: Home, start: Start) -> None:
    with start(home):
        pass
    lock = home.root / "postgres" / "postmaster.pid"
    lock.write_text(f"{os.getpid()}\n{home.root}/postgres\n1\n5432\n\n\n\nready\n", encoding="utf-8")
    with start(home) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT 1") == [(1,)]


def test_killed_database_recovers_what_was_committed(home: Home, start: Start) -> None:
    with start(home, durable=True) as urls:
        ask(urls["DATABASE_URL"], "CREATE TABLE kept AS SELECT generate_series(1, 500) AS n")
        for pid in leftovers.servers_in(home.root / "postgres"):
            os.kill(pid, signal.SIGKILL)
    with start(home, durable=True) as urls:
        assert ask(urls["DATABASE_URL"], "SELECT count(*) FROM kept") == [(500,)]


def test_given_servers_replace_the_private_ones(home: Home) -> None:
    given = {"DATABASE_URL": "postgresql://db.example/goldpan", "REDIS_URL": "redis://queue.example"}
    with running(home, given, Stops()) as (urls, children):
        assert urls == given
        assert children == []
    assert not (home.root / "postgres").exists()


def test_home_out_of_reach_keeps_data_elsewhere(
    home: Home, folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    reach = place.accounts.can_enter
    monkeypatch.setattr(place, "ELSEWHERE", folder / "elsewhere")
    monkeypatch.setattr(place.accounts, "can_enter", lambda path, who: path != home.root and reach(path, who))
    for _ in range(2):
        with start(home) as urls:
            assert ask(urls["DATABASE_URL"], "SELECT 1") == [(1,)]
    (data,) = (folder / "elsewhere").iterdir()
    assert read_json(home.servers_file)["data"] == str(data)
    assert not (home.root / "postgres").exists()


def test_copied_home_does_not_share_databases_kept_elsewhere(folder: Path, home: Home) -> None:
    data = folder / "elsewhere"
    data.mkdir()
    (data / "home.txt").write_text(str(folder / "original"), encoding="utf-8")
    (folder / "original").mkdir()
    home.servers_file.write_text(f'{{"data": "{data}"}}', encoding="utf-8")
    with pytest.raises(LauncherError, match="looks like a copy"):
        place_for(home, None)
    (folder / "original").rmdir()
    assert place_for(home, None).data == data


def test_data_stays_with_the_account_that_owns_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = accounts.Account("first", 4711, 4711)
    monkeypatch.setattr(accounts, "own", lambda path, account: None)
    monkeypatch.setattr(accounts, "can_enter", lambda path, account: True)
    monkeypatch.setattr(accounts, "owner_of", lambda path: owner)
    later = accounts.Account("later", 4712, 4712)
    assert place_for(home, later).account == later
    (home.root / "postgres").mkdir()
    assert place_for(home, later).account == owner
    assert place_for(home, None).account is None
