"""`launcher/node.sh`: the pinned packages for Node are installed beside Python's, by the wheel's own Node."""

import subprocess
from pathlib import Path

import pytest

from tests.launcher.conftest import CODE

# The folder of each lock file, and where its packages go in the virtual environment.
TARGETS = {CODE / "extraction" / "extractors" / "external": "node", CODE: "tools"}


def run(venv: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(CODE / "launcher" / "node.sh"), str(venv)], capture_output=True, text=True
    )


def write_program(path: Path, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel's folder; its Node writes down its arguments."""
    folder = tmp_path / "wheel"
    write_program(folder / "bin" / "node", f'echo "$@" >> {tmp_path}/arguments')
    return folder


@pytest.fixture
def venv(tmp_path: Path, wheel: Path) -> Path:
    write_program(tmp_path / "venv" / "bin" / "python", f"echo {wheel}")
    return tmp_path / "venv"


def test_the_pinned_packages_are_installed_beside_pythons(tmp_path: Path, venv: Path, wheel: Path) -> None:
    assert run(venv).returncode == 0
    calls = (tmp_path / "arguments").read_text().splitlines()
    for call, (folder, target) in zip(calls, TARGETS.items(), strict=True):
        for name in ("package.json", "package-lock.json"):
            assert (venv / target / name).read_bytes() == (folder / name).read_bytes()
        assert call.startswith(f"{wheel}/lib/node_modules/npm/bin/npm-cli.js ci --prefix {venv}/{target} ")
        assert "--ignore-scripts" in call
    assert (venv / "bin" / "node").resolve() == (wheel / "bin" / "node").resolve()


def test_a_failed_installation_ends_it(venv: Path, wheel: Path) -> None:
    write_program(wheel / "bin" / "node", "exit 3")
    done = run(venv)
    assert done.returncode == 3
    assert done.stdout.count("Installing") == 1


def test_a_missing_wheel_ends_it(venv: Path) -> None:
    write_program(venv / "bin" / "python", "exit 1")
    assert run(venv).returncode == 1
    assert not (venv / "node").exists()


def test_no_package_registry_is_named() -> None:
    for folder in TARGETS:
        assert '"resolved"' not in (folder / "package-lock.json").read_text()
