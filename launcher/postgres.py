"""The private PostgreSQL: made once, started on a Unix socket with a password, never on a port."""

import shutil
import signal
import subprocess
from pathlib import Path
from urllib.parse import quote

from launcher import accounts, leftovers, programs
from launcher.child import Program
from launcher.errors import LauncherError
from launcher.place import Place

ROLE = DATABASE = "goldpan"
# No host lines: there is no TCP listener. Every local user needs the password; the superuser has none, so
# nobody can sign in as it.
ACCESS = "local all all scram-sha-256\n"
# The built-in C.UTF-8 needs no locale of the operating system, and sorts alike on every machine.
INITDB = (
    "--username=postgres", "--auth=reject", "--encoding=UTF8", "--locale=C",
    "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
)  # fmt: skip
# Throwaway databases need not survive a power failure.
THROWAWAY = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")
CLEAN = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def url(place: Place, password: str, database: str = DATABASE) -> str:
    """The DATABASE_URL of the private server."""
    return f"postgresql://{ROLE}:{password}@/{database}?host={quote(str(place.sockets), safe='')}"


def create(place: Place, password: str, log: Path, *, throwaway: bool = False) -> None:
    """Make the database cluster, unless it is there. Interrupted, it leaves nothing that looks finished."""
    if (place.postgres / "PG_VERSION").exists():
        return
    draft = place.data / "postgres.new"
    shutil.rmtree(draft, ignore_errors=True)
    accounts.private_folder(draft, place.account)
    folder = programs.postgres_for(place.account, place.data)
    options = (*INITDB, *(("--no-sync",) if throwaway else ()))
    _run([folder / "bin" / "initdb", "-D", draft, *options], draft, place, log)
    (draft / "pg_hba.conf").write_text(ACCESS, encoding="utf-8")
    role = f"CREATE ROLE {ROLE} LOGIN CREATEDB PASSWORD '{password}';"
    database = f"CREATE DATABASE {DATABASE} OWNER {ROLE};"
    # Single-user mode needs no password and no socket, so there is no moment at which anybody could sign in.
    program = folder / "bin" / "postgres"
    single = [program, "--single", *(THROWAWAY if throwaway else ()), "-D", draft, "postgres"]
    _run(single, draft, place, log, f"{role}\n{database}\n")
    draft.rename(place.postgres)


def program(place: Place, log: Path, *, throwaway: bool = False) -> Program:
    """How to run the server. SIGINT is its fast shutdown: sessions are ended, data is written."""
    folder = programs.postgres_for(place.account, place.data)
    return Program(
        name="postgres",
        command=[
            str(folder / "bin" / "postgres"), "-D", str(place.postgres),
            "-c", "listen_addresses=", "-c", f"unix_socket_directories={place.sockets}",
            "-c", "unix_socket_permissions=0700", "-c", "timezone=UTC", "-c", "log_timezone=UTC",
            *(THROWAWAY if throwaway else ()),
        ],
        environment=CLEAN,
        log=log,
        folder=place.postgres,
        account=place.account,
        stop_signal=signal.SIGINT,
        hard_signal=signal.SIGQUIT,
        grace_seconds=20.0,
        restart=False,
    )  # fmt: skip


def is_ready(place: Place) -> bool:
    """Whether it accepts connections: the last line of its own status file says so."""
    try:
        lines = (place.postgres / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return False
    return len(lines) >= 8 and lines[7].strip() == "ready"


def clear_leftovers(place: Place) -> int:
    """Stop what an earlier launcher left running, remove its stale lock; returns how many processes.

    Call it under the home's lock only: then whoever works in the data folder is a leftover.
    """
    stopped = leftovers.stop_all(lambda: leftovers.servers_in(place.postgres), signal.SIGINT)
    # Its number may belong to another process by now, which would make PostgreSQL refuse to start.
    (place.postgres / "postmaster.pid").unlink(missing_ok=True)
    return stopped


def _run(command: list[object], folder: Path, place: Place, log: Path, text: str = "") -> None:
    done = subprocess.run(
        [str(part) for part in command],
        check=False, input=text, capture_output=True, text=True, cwd=folder, env=CLEAN, umask=0o077,
        **accounts.popen_options(place.account),
    )  # fmt: skip
    output = done.stdout + done.stderr
    # Single-user mode reports a failed statement and goes on, so its exit status says nothing.
    if done.returncode != 0 or "ERROR:" in output or "FATAL:" in output:
        log.write_text(output, encoding="utf-8")
        raise LauncherError(f"PostgreSQL could not be set up; see {log}.")
