"""GOLDPAN_HOME: which file lies where, who may read it, and that one launcher at a time uses it."""

import fcntl
import json
import os
import secrets
import string
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from launcher.errors import LauncherError

LETTERS = string.ascii_letters + string.digits


class Home:
    """The data folder. Only paths are known at first; `prepare` makes the folder itself."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.logs = self.root / "logs"
        self.files = self.root / "files"
        self.secrets_file = self.root / "secrets.json"
        self.environment_file = self.root / "environment.json"
        self.credentials_file = self.root / "credentials.json"
        self.servers_file = self.root / "servers.json"
        self.lock_file = self.root / "launcher.lock"

    def prepare(self) -> None:
        """Make the folder and its logs. Root's can be entered, not listed, by the account of its servers."""
        if not self.root.exists():
            self.root.mkdir(parents=True)
            self.root.chmod(0o711 if os.geteuid() == 0 else 0o700)
        owner = self.root.stat().st_uid
        if owner != os.geteuid():
            raise LauncherError(
                f"{self.root} belongs to account number {owner}. Start Goldpan as its owner, "
                "or choose another folder with GOLDPAN_HOME."
            )
        self.logs.mkdir(mode=0o700, exist_ok=True)

    def secret(self, name: str) -> str:
        """A generated secret of 43 letters and digits (256 bits), kept beside the data."""
        kept = read_json(self.secrets_file)
        if name not in kept:
            kept[name] = "".join(secrets.choice(LETTERS) for _ in range(43))
            write_private(self.secrets_file, kept)
        return str(kept[name])

    @contextmanager
    def locked(self, wait_seconds: float = 0.0) -> Iterator[None]:
        """Hold the folder for one launcher. The kernel lets go when we die, so no lock is ever stale.

        `wait_seconds` gives one that is just stopping the time to finish.
        """
        end = time.monotonic() + wait_seconds
        with self.lock_file.open("a+", encoding="utf-8") as lock:
            while not _lock(lock):
                if time.monotonic() > end:
                    raise LauncherError(self._already_running())
                time.sleep(0.1)
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield

    def is_running(self) -> bool:
        """Whether a launcher holds this folder now."""
        try:
            with self.locked():
                return False
        except LauncherError:
            return True

    def _already_running(self) -> str:
        holder = self.lock_file.read_text(encoding="utf-8").strip()
        return (
            f"Goldpan already runs from {self.root} (process {holder or 'unknown'}). "
            "Stop it first, or choose another folder with GOLDPAN_HOME."
        )


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; an absent file is an empty one."""
    if not path.exists():
        return {}
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise LauncherError(f"{path} is damaged ({error}). Restore it from a backup.") from error


def write_private(path: Path, value: Mapping[str, object]) -> None:
    """Replace a JSON file in one step, readable by its owner only from the first byte on."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        json.dump(value, stream, indent=1)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
