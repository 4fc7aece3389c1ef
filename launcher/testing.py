"""Throwaway servers for tests: real PostgreSQL and Valkey in a temporary folder, gone afterwards."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from launcher import accounts
from launcher.home import Home
from launcher.place import Place
from launcher.servers import running
from launcher.stops import Stops


@contextmanager
def servers(home: Path | None = None) -> Iterator[dict[str, str]]:
    """Start both servers; yields GOLDPAN_HOME, DATABASE_URL, REDIS_URL and SECRET_KEY.

    `home` is used and kept when given; otherwise it is temporary too. The servers' data is always temporary
    and does without fsync. The role may create databases. Takes about a second.
    """
    account = accounts.server_account()
    with _temporary_folder() as folder:
        data = folder / "servers"
        data.mkdir()
        data.chmod(0o711)
        place = Place(data, accounts.private_folder(data / "sockets", account), account)
        used = Home(home or folder / "home")
        used.prepare()
        with used.locked(), running(used, {}, Stops(), where=place, throwaway=True) as (urls, _children):
            yield {"GOLDPAN_HOME": str(used.root), "SECRET_KEY": used.secret("secret_key"), **urls}


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="goldpan-test-"))
    if os.geteuid() == 0:
        folder.chmod(0o711)  # the servers' account passes through
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
