"""GOLDPAN_HOME, the data folder: paths, secrets, and a lock, as one launcher at a time uses it."""

import fcntl
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from launcher.errors import LauncherError

# The folder that holds the three packages: a checkout, or the site-packages of an installed Goldpan.
PACKAGES = Path(__file__).resolve().parent.parent
IS_CHECKOUT = (PACKAGES / "pyproject.toml").is_file()


def default_root() -> Path:
    """Return the data folder used when GOLDPAN_HOME is not set."""
    if IS_CHECKOUT:
        return PACKAGES / "var"
    if os.geteuid() == 0:
        return Path("/var/lib/goldpan")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "goldpan"


class DataFolder:
    """The paths in the data folder. `prepare` makes the folder itself."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.logs = self.root / "logs"
        self.files = self.root / "files"
        self.postgres = self.root / "postgres"
        self.valkey = self.root / "valkey"
        self.sockets = self.root / "sockets"
        self.metrics = self.root / "metrics"
        self.secrets_file = self.root / "secrets.json"
        self.environment_file = self.root / "environment.json"
        self.credentials_file = self.root / "credentials.json"
        self.backups_file = self.root / "backups.json"
        self.lock_file = self.root / "launcher.lock"
        # Children inherit the lock: the folder stays locked until the last of them has ended.
        self.lock_descriptors: tuple[int, ...] = ()

    def prepare(self) -> None:
        """Make the folder and its logs. If root made it, the servers' account can enter it, not list it."""
        if not self.root.exists():
            self.root.mkdir(parents=True)
            self.root.chmod(0o711 if os.geteuid() == 0 else 0o700)
        if not self.root.is_dir():
            raise LauncherError(f"{self.root} is not a folder. Choose another one with GOLDPAN_HOME.")
        owner = self.root.stat().st_uid
        if owner != os.geteuid():
            raise LauncherError(
                f"{self.root} belongs to account number {owner}. Start Goldpan as its owner, "
                "or choose another folder with GOLDPAN_HOME."
            )
        self.logs.mkdir(mode=0o700, exist_ok=True)

    def secret(self, name: str) -> str:
        """Return a generated secret of 400 bits, safe in URLs and in SQL, the same at each call."""
        known = read_json(self.secrets_file)
        if name not in known:
            known[name] = secrets.token_urlsafe(50)
            write_private(self.secrets_file, known)
        return str(known[name])

    @contextmanager
    def locked(self, wait_seconds: float = 0.0, stop: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Hold the folder for one launcher and its children. The kernel frees the lock when all have ended.

        Raises LauncherError when it is still held after `wait_seconds`, or when `stop()` is true before.
        """
        end = time.monotonic() + wait_seconds
        with self.lock_file.open("a+", encoding="utf-8") as lock:
            while not try_to_lock(lock):
                if time.monotonic() > end or stop():
                    raise LauncherError(
                        f"Goldpan already runs from {self.root} (process {self.lock_file.read_text()}), or "
                        "programs that it started have not stopped yet. Stop it first, or choose another "
                        "folder with GOLDPAN_HOME."
                    )
                time.sleep(0.1)
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            self.lock_descriptors = (lock.fileno(),)
            try:
                yield
            finally:
                self.lock_descriptors = ()

    def is_running(self) -> bool:
        """Return whether a launcher holds this folder now."""
        try:
            with self.locked():
                return False
        except LauncherError:
            return True


def try_to_lock(file: IO[str]) -> bool:
    """Lock an open file for as long as it is open; return whether nobody else had locked it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file, an empty one if there is no file. Raises LauncherError if damaged."""
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LauncherError(f"{path} is damaged ({error}). Restore it from a backup.") from error
    if not isinstance(found, dict):
        raise LauncherError(f"{path} is damaged (no JSON object). Restore it from a backup.")
    return found


def write_private(path: Path, value: Mapping[str, object]) -> None:
    """Replace a JSON file in one step, readable by its owner only from the first byte on."""
    draft = path.with_name(path.name + ".new")
    with private_file(draft) as stream:
        stream.write(json.dumps(value, indent=1).encode())
    draft.replace(path)


@contextmanager
def private_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file that only its owner can read; it is on the disk afterwards."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())
