"""Which account the servers run as.

PostgreSQL refuses to run as root. Started by root, the servers run as an existing unprivileged account;
started by anybody else, they run as that person and there is nothing to change.
"""

import os
import pwd
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from launcher.errors import LauncherError

# An account of its own if the machine's owner made one, otherwise the one that every system has.
CANDIDATES = ("goldpan", "nobody")


class Account(NamedTuple):
    name: str
    uid: int
    gid: int


def server_account() -> Account | None:
    """The account that the servers drop to, or None when they run as whoever started us."""
    if os.geteuid() != 0:
        return None
    for name in CANDIDATES:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(found.pw_name, found.pw_uid, found.pw_gid)
    raise LauncherError(
        "Started as root, PostgreSQL needs an unprivileged account, and this machine has none of "
        f"{', '.join(CANDIDATES)}. Make one (useradd --system goldpan) or start Goldpan as an ordinary user."
    )


def owner_of(path: Path) -> Account | None:
    """The account that owns `path`; None for ourselves, or for a number without a name."""
    number = path.stat().st_uid
    try:
        found = pwd.getpwuid(number)
    except KeyError:
        return None
    return None if number == os.geteuid() else Account(found.pw_name, found.pw_uid, found.pw_gid)


def popen_options(account: Account | None) -> dict[str, Any]:
    """Arguments for subprocess that make a child run as the account, in no other group."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def can_run(program: Path, account: Account | None) -> bool:
    """Whether the account can read and execute `program`."""
    return _test('test -r "$1" && test -x "$1"', program, account)


def can_enter(folder: Path, account: Account | None) -> bool:
    """Whether the account can pass through `folder` (and all its parents) to a folder of its own."""
    return _test('test -d "$1/." && test -x "$1"', folder, account)


def _test(script: str, path: Path, account: Account | None) -> bool:
    # Tried for real: permission bits alone would miss access lists and mount options.
    command = ["/bin/sh", "-c", script, "sh", str(path)]
    try:
        return subprocess.run(command, check=False, cwd="/", **popen_options(account)).returncode == 0
    except OSError as error:
        who = account.name if account else "the present account"
        raise LauncherError(
            f"Nothing can be run as {who} here ({error.strerror}). In a container without other accounts, "
            "start Goldpan as an ordinary user, or give it DATABASE_URL and REDIS_URL."
        ) from error


def open_folder(path: Path) -> Path:
    """Make `path` and its missing parents so that everybody may enter them, whatever our umask."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
    return path


def own(path: Path, account: Account | None) -> None:
    """Give `path` to the account."""
    if account is not None:
        os.chown(path, account.uid, account.gid)


def private_folder(path: Path, account: Account | None) -> Path:
    """Make `path` if it is missing, mode 0700, owned by the account; missing parents get the usual mode."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.chmod(0o700)
    own(path, account)
    return path
