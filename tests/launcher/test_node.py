"""`launcher/node.sh`: without Node, or without packages to be had, everything goes on."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.launcher.conftest import CODE


def run(environment: Path, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(CODE / "launcher" / "node.sh"), str(environment)],
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A path with nothing on it but what the script itself needs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("dirname", "mkdir", "cp", "rm"):
        source = next(Path(place, name) for place in ("/bin", "/usr/bin") if Path(place, name).exists())
        (folder / name).symlink_to(source)
    return folder


def add(folder: Path, name: str, body: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{body}\n")
    (folder / name).chmod(0o755)


def test_without_node_it_says_so_and_goes_on(tmp_path: Path, programs: Path) -> None:
    done = run(tmp_path / "venv", str(programs))
    assert done.returncode == 0
    assert "readability-js stays off" in done.stdout
    assert not (tmp_path / "venv").exists()


def test_packages_that_cannot_be_had_are_said_and_it_goes_on(tmp_path: Path, programs: Path) -> None:
    add(programs, "node", "true")
    add(programs, "npm", "exit 1")
    done = run(tmp_path / "venv", str(programs))
    assert done.returncode == 0
    assert "cannot be had" in done.stdout
    assert not (tmp_path / "venv" / "node").exists()


def test_the_pinned_packages_go_beside_pythons(tmp_path: Path, programs: Path) -> None:
    add(programs, "node", "true")
    add(programs, "npm", f'echo "$@" > {tmp_path}/asked')
    assert run(tmp_path / "venv", str(programs)).returncode == 0
    pins = CODE / "extraction" / "extractors" / "external"
    for name in ("package.json", "package-lock.json"):
        assert (tmp_path / "venv" / "node" / name).read_bytes() == (pins / name).read_bytes()
    asked = (tmp_path / "asked").read_text()
    assert f"ci --prefix {tmp_path}/venv/node --ignore-scripts" in asked


def test_no_package_registry_is_named() -> None:
    text = (CODE / "extraction" / "extractors" / "external" / "package-lock.json").read_text()
    assert '"resolved"' not in text
