"""The data folder: secrets, lock, owner, and where it is by default."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from launcher import data_folder as module
from launcher.data_folder import DataFolder, default_root, read_json, write_private
from launcher.errors import LauncherError
from tests.launcher.conftest import CODE
from tests.processes import A_WHILE


def test_secret_is_long_kept_and_private(data: DataFolder) -> None:
    secret = data.secret("secret_key")
    assert re.fullmatch(r"[A-Za-z0-9_-]{67}", secret)
    assert DataFolder(data.root).secret("secret_key") == secret
    assert data.secret("postgres_password") != secret
    assert stat.S_IMODE(data.secrets_file.stat().st_mode) == 0o600


def test_private_file_is_private_whatever_the_umask(folder: Path) -> None:
    before = os.umask(0)
    try:
        write_private(folder / "file.json", {"a": 1})
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "file.json").stat().st_mode) == 0o600
    assert read_json(folder / "file.json") == {"a": 1}


@pytest.mark.parametrize("content", [b"{", b"[1]", b"[]", b"null", b"\xff"])
def test_damaged_file_is_named(folder: Path, content: bytes) -> None:
    (folder / "file.json").write_bytes(content)
    with pytest.raises(LauncherError, match=r"file\.json is damaged"):
        read_json(folder / "file.json")


def test_second_launcher_is_refused(data: DataFolder) -> None:
    assert not data.is_running()
    with data.locked():
        assert data.is_running()
        with (
            pytest.raises(LauncherError, match=f"already runs from .* \\(process {os.getpid()}\\)"),
            DataFolder(data.root).locked(),
        ):
            pass
    assert not data.is_running()


def test_program_of_an_earlier_launcher_is_waited_for(data: DataFolder) -> None:
    with data.locked():
        left = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdin.read()"],
            stdin=subprocess.PIPE,
            pass_fds=data.lock_descriptors,
        )
    with (
        pytest.raises(LauncherError, match="have not stopped yet"),
        DataFolder(data.root).locked(wait_seconds=0.2),
    ):
        pass
    left.communicate()
    with data.locked(wait_seconds=A_WHILE):
        pass


def test_folder_of_another_account_is_refused(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(LauncherError, match="belongs to account number"):
        data.prepare()


def test_existing_folder_keeps_its_mode(folder: Path) -> None:
    (folder / "var").mkdir()
    (folder / "var").chmod(0o750)
    DataFolder(folder / "var").prepare()
    assert stat.S_IMODE((folder / "var").stat().st_mode) == 0o750


@pytest.mark.parametrize(
    ("is_checkout", "user", "expected"),
    [
        (True, 0, CODE / "var"),
        (False, 0, Path("/var/lib/goldpan")),
        (False, 1000, Path("/home/ada/.local/share/goldpan")),
    ],
)
def test_default_folder(
    monkeypatch: pytest.MonkeyPatch, is_checkout: bool, user: int, expected: Path
) -> None:
    monkeypatch.setattr(module, "IS_CHECKOUT", is_checkout)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/ada")
    assert default_root() == expected
