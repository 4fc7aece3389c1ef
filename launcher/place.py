"""Where the private servers keep their data and their sockets.

Normally that is GOLDPAN_HOME. Started by root below a folder that only root may enter, the servers' account
could not get there, and we do not open other people's folders: then the data lies in /var/lib/goldpan/NAME,
and GOLDPAN_HOME/servers.json says which.
"""

import re
import secrets
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from launcher import accounts
from launcher.accounts import Account
from launcher.errors import LauncherError
from launcher.home import Home, read_json, write_private

ELSEWHERE = Path("/var/lib/goldpan")
HERE = "."
# A socket's whole path has at most 107 bytes (sun_path); PostgreSQL's file name and its lock take 23 of them.
LONGEST_FOLDER = 107 - len("/.s.PGSQL.5432.lock") - 4
# PostgreSQL splits its list of socket folders at commas, and URLs and configuration files quote the rest.
PLAIN = re.compile(r"[A-Za-z0-9_./-]+")


@dataclass(frozen=True)
class Place:
    """Folders of the servers. `sockets` may lie in the temporary folder: see `discard_sockets`."""

    data: Path
    sockets: Path
    account: Account | None

    @property
    def postgres(self) -> Path:
        return self.data / "postgres"

    @property
    def valkey(self) -> Path:
        return self.data / "valkey"

    def discard_sockets(self) -> None:
        """Remove a socket folder that was made for one run."""
        if self.sockets.parent != self.data:
            shutil.rmtree(self.sockets, ignore_errors=True)


def place_for(home: Home, account: Account | None) -> Place:
    """Decide the folders, and make what is missing."""
    data = _data_folder(home, account)
    if account is not None and (data / "postgres").exists():
        # Whom the data belongs to goes on running it, also where a better account was made since.
        account = accounts.owner_of(data / "postgres") or account
    _discard_old_sockets(home)
    place = Place(data, _sockets_folder(data, account), account)
    kept = read_json(home.servers_file)
    write_private(home.servers_file, {**kept, "sockets": str(place.sockets)})
    return place


def _data_folder(home: Home, account: Account | None) -> Path:
    """The folder chosen at the first start; later starts never choose anew, or data would seem lost."""
    known = read_json(home.servers_file).get("data")
    if known is None:
        return _choose_data_folder(home, account)
    if known != HERE:
        return _moved_with_home(Path(known), home)
    if accounts.can_enter(home.root, account):
        return home.root
    raise LauncherError(f"The servers' account can no longer enter {home.root}: a folder's mode has changed.")


def _choose_data_folder(home: Home, account: Account | None) -> Path:
    if accounts.can_enter(home.root, account):
        write_private(home.servers_file, {"data": HERE})
        return home.root
    return _make_elsewhere(home, account)


def _make_elsewhere(home: Home, account: Account | None) -> Path:
    data = ELSEWHERE / secrets.token_hex(6)
    accounts.open_folder(data).chmod(0o711)
    if not accounts.can_enter(data, account):
        raise LauncherError(
            f"The servers' account can reach neither {home.root} nor {data}. "
            "Choose a folder that it can enter with GOLDPAN_HOME."
        )
    (data / "home.txt").write_text(str(home.root), encoding="utf-8")
    write_private(home.servers_file, {"data": str(data)})
    return data


def _moved_with_home(data: Path, home: Home) -> Path:
    """Accept data elsewhere only for the one folder that it belongs to, wherever that has moved."""
    note = data / "home.txt"
    if not note.exists():
        raise LauncherError(
            f"{home.servers_file} says that the databases lie in {data}, but they are not there."
        )
    other = Path(note.read_text(encoding="utf-8"))
    if other != home.root and other.exists():
        raise LauncherError(
            f"{home.root} looks like a copy of {other}: the databases in {data} belong to the latter. "
            f"Use that folder, or remove {home.servers_file} to begin with empty databases."
        )
    note.write_text(str(home.root), encoding="utf-8")
    return data


def _sockets_folder(data: Path, account: Account | None) -> Path:
    usual = data / "sockets"
    if len(str(usual).encode()) <= LONGEST_FOLDER and PLAIN.fullmatch(str(usual)):
        return accounts.private_folder(usual, account)
    for parent in (Path(tempfile.gettempdir()), Path("/tmp")):  # noqa: S108 -- mkdtemp makes a private folder
        if accounts.can_enter(parent, account) and PLAIN.fullmatch(str(parent)):
            return accounts.private_folder(Path(tempfile.mkdtemp(prefix="goldpan-", dir=parent)), account)
    raise LauncherError(f"{usual} is too long for a socket, and no temporary folder will do. Set TMPDIR.")


def _discard_old_sockets(home: Home) -> None:
    """Remove the socket folder of a run that was killed, if it lay in the temporary folder."""
    old = read_json(home.servers_file).get("sockets")
    if old is not None and Path(old).name.startswith("goldpan-"):
        shutil.rmtree(old, ignore_errors=True)
