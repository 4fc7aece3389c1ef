"""The data folder: secrets, lock, owner."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from launcher import home as module
from launcher.errors import LauncherError
from launcher.home import Home, read_json, write_private
from tests.launcher.conftest import CODE


def test_secret_is_long_kept_and_private(home: Home) -> None:
    secret = home.secret("secret_key")
    assert len(secret) == 43
    assert secret.isalnum()
    assert Home(home.root).secret("secret_key") == secret
    assert home.secret("postgres_password") != secret
    assert stat.S_IMODE(home.secrets_file.stat().st_mode) == 0o600


def test_private_file_is_private_whatever_the_umask(folder: Path) -> None:
    before = os.umask(0)
    try:
        write_private(folder / "kept.json", {"a": 1})
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "kept.json").stat().st_mode) == 0o600
    assert read_json(folder / "kept.json") == {"a": 1}


def test_damaged_file_is_named(folder: Path) -> None:
    (folder / "kept.json").write_text("{", encoding="utf-8")
    with pytest.raises(LauncherError, match=r"kept\.json is damaged"):
        read_json(folder / "kept.json")


def test_second_launcher_is_refused(home: Home) -> None:
    assert not home.is_running()
    with home.locked():
        assert home.is_running()
        with (
            pytest.raises(LauncherError, match=f"already runs from .* \\(process {os.getpid()}\\)"),
            Home(home.root).locked(),
        ):
            pass
    assert not home.is_running()


def test_launcher_that_stops_is_waited_for(home: Home) -> None:
    hold = (
        "import sys, time; from pathlib import Path; from launcher.home import Home\n"
        "with Home(Path(sys.argv[1])).locked(): print('held', flush=True); time.sleep(0.5)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(home.root)], cwd=CODE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with home.locked(wait_seconds=10):
            assert holder.wait(timeout=5) == 0


def test_folder_of_somebody_else_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.os, "geteuid", lambda: 12345)
    with pytest.raises(LauncherError, match="belongs to account number"):
        home.prepare()


def test_existing_folder_keeps_its_mode(folder: Path) -> None:
    (folder / "var").mkdir()
    (folder / "var").chmod(0o750)
    Home(folder / "var").prepare()
    assert stat.S_IMODE((folder / "var").stat().st_mode) == 0o750
