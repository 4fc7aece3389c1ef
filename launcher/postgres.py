"""The private PostgreSQL: made once, started on a Unix socket with a password, never on a port."""

import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

from launcher import accounts, logs, programs
from launcher.accounts import ServerAccount
from launcher.data_folder import DataFolder
from launcher.errors import LauncherError
from launcher.process import Program, die_with_parent

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
# Autovacuum would count the rows of a test that was just rolled back, and have the next one planned for none.
THROWAWAY = (
    *("-c", "autovacuum=off"),
    *("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"),
)
# How long its fast shutdown may write data before it is cut off.
GRACE_SECONDS = 20.0
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


@dataclass(frozen=True)
class PrivatePostgres:
    """A PostgreSQL server with its data in the data folder. `throwaway` trades durability for speed."""

    variable: ClassVar[str] = "DATABASE_URL"

    data: DataFolder
    sockets: Path
    account: ServerAccount | None
    throwaway: bool = False

    @property
    def url(self) -> str:
        """Return the DATABASE_URL."""
        password = self.data.secret("postgres_password")
        return f"postgresql://{ROLE}:{password}@/{DATABASE}?host={quote(str(self.sockets), safe='')}"

    def prepare(self) -> None:
        """Make the database cluster, unless it is there; a partial one never gets its name."""
        # We hold the data folder's lock, so whatever this file says, no server runs in the folder.
        (self.data.postgres / "postmaster.pid").unlink(missing_ok=True)
        if not (self.data.postgres / "PG_VERSION").exists():
            draft = self.data.root / "postgres.new"
            shutil.rmtree(draft, ignore_errors=True)
            self._create(accounts.private_folder(draft, self.account))
            draft.rename(self.data.postgres)

    def program(self) -> Program:
        """Return how to run the server. SIGINT is its fast shutdown: sessions are ended, data is written."""
        return Program(
            name="postgres",
            command=[
                str(programs.postgres_program("postgres")), "-D", str(self.data.postgres),
                "-c", "listen_addresses=", "-c", f"unix_socket_directories={self.sockets}",
                "-c", "unix_socket_permissions=0700", "-c", "timezone=UTC", "-c", "log_timezone=UTC",
                *self._options,
            ],
            environment=ENVIRONMENT,
            log=self._log,
            folder=self.data.postgres,
            account=self.account,
            stop_signal=signal.SIGINT,
            hard_signal=signal.SIGQUIT,
            grace_seconds=GRACE_SECONDS,
            pass_fds=self.data.lock_descriptors,
        )  # fmt: skip

    def is_ready(self) -> bool:
        """Return whether it accepts connections, according to the last line of its status file."""
        try:
            lines = (self.data.postgres / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[7].strip() == "ready"

    @property
    def _options(self) -> tuple[str, ...]:
        return THROWAWAY if self.throwaway else ()

    @property
    def _log(self) -> Path:
        return logs.rotated(self.data.logs / "postgres.log")

    def _create(self, cluster: Path) -> None:
        sync = ["--no-sync"] if self.throwaway else []
        self._run("initdb", "-D", str(cluster), *INITDB, *sync, cwd=cluster)
        (cluster / "pg_hba.conf").write_text(ACCESS, encoding="utf-8")
        password = self.data.secret("postgres_password")
        role = f"CREATE ROLE {ROLE} LOGIN CREATEDB PASSWORD '{password}';"
        database = f"CREATE DATABASE {DATABASE} OWNER {ROLE};"
        # Single-user mode needs no password and no socket: there is no moment at which anybody could sign in.
        command = ["--single", *self._options, "-D", str(cluster), "postgres"]
        self._run("postgres", *command, cwd=cluster, text=f"{role}\n{database}\n")

    def _run(self, name: str, *arguments: str, cwd: Path, text: str = "") -> None:
        done = subprocess.run(
            [str(programs.postgres_program(name)), *arguments],
            check=False, input=text, capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT, umask=0o077,
            preexec_fn=die_with_parent(signal.SIGTERM),
            **accounts.popen_options(self.account),
        )  # fmt: skip
        output = done.stdout + done.stderr
        # Single-user mode reports a failed statement and goes on, so its exit status says nothing.
        if done.returncode != 0 or "ERROR:" in output or "FATAL:" in output:
            self._log.write_text(output, encoding="utf-8")
            raise LauncherError(
                f"PostgreSQL could not be set up; see {self._log}:\n{logs.last_lines(self._log)}"
            )
