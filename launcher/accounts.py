"""The account that the private servers run as.

PostgreSQL refuses to run as root. Started by root, the servers run as an existing unprivileged account;
started by anyone else, they run as that user.
"""

import os
import pwd
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from launcher.errors import LauncherError

# An account for Goldpan if the machine has one, otherwise the one that every system has.
CANDIDATES = ("goldpan", "nobody")


class ServerAccount(NamedTuple):
    name: str
    uid: int
    gid: int


def server_account() -> ServerAccount | None:
    """Return the account that the servers switch to, or None when they run as the current user."""
    if os.geteuid() != 0:
        return None
    for name in CANDIDATES:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return ServerAccount(found.pw_name, found.pw_uid, found.pw_gid)
    raise LauncherError(
        "Started as root, PostgreSQL needs an unprivileged account, and this machine has none of "
        f"{', '.join(CANDIDATES)}. Make one (useradd --system goldpan) or start Goldpan as an ordinary user."
    )


def popen_options(account: ServerAccount | None) -> dict[str, Any]:
    """Return the arguments for subprocess that run a child as the account, in no other group."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def check_access(path: Path, account: ServerAccount | None) -> None:
    """Raise LauncherError unless the account can enter the folder, or run the program, at `path`."""
    if account is None:
        return
    # Tried for real: permission bits alone would miss access lists and mount options.
    command = ["/bin/sh", "-c", 'test -x "$1"', "sh", str(path)]
    try:
        done = subprocess.run(command, check=False, cwd="/", **popen_options(account))
        reason = f"which cannot reach {path}" if done.returncode else ""
    except OSError as error:  # a container in which root cannot change to another account
        reason = f"which cannot run anything here ({error.strerror})"
    if reason:
        raise LauncherError(
            f"Started as root, the servers run as {account.name}, {reason}. "
            "Start Goldpan as an ordinary user, or install it, and put GOLDPAN_HOME, where every account can "
            "enter, such as /opt and /var/lib."
        )


def check_owner(path: Path, account: ServerAccount | None) -> None:
    """Raise LauncherError if the servers do not own the folder at `path`, as after a copy by root."""
    uid, name = (account.uid, account.name) if account else (os.geteuid(), str(os.geteuid()))
    if path.exists() and path.stat().st_uid != uid:
        raise LauncherError(
            f"{path} belongs to account number {path.stat().st_uid}, but its server runs as {name}. "
            f"Give it back: chown -R {name} {path}"
        )


def private_folder(path: Path, account: ServerAccount | None) -> Path:
    """Make the folder `path` if it is missing; give it mode 0700 and the account as its owner."""
    path.mkdir(mode=0o700, exist_ok=True)
    path.chmod(0o700)
    if account is not None:
        os.chown(path, account.uid, account.gid)
    return path
