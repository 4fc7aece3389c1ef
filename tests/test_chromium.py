"""Finding Chromium and Firefox, installing them as root, and saying what to install otherwise."""

import os
from pathlib import Path
from types import ModuleType

import pytest

from tests import chromium, firefox


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the whole PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GOLDPAN_CHROMIUM", raising=False)
    monkeypatch.delenv("GOLDPAN_FIREFOX", raising=False)
    return tmp_path


def write_program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_installed_browser_is_found(programs: Path, name: str) -> None:
    write_program(programs / name, "exit 0")
    assert chromium.ensure() == str(programs / name)


def test_headless_shell_is_preferred_to_chromium(
    programs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    write_program(programs / "chromium", "exit 0")
    assert chromium.ensure_shell() == chromium.find()
    assert "take longer without chromium-headless-shell" in capsys.readouterr().out
    write_program(programs / chromium.SHELL, "exit 0")
    assert chromium.ensure_shell() == str(programs / chromium.SHELL)
    assert chromium.find() == str(programs / "chromium")
    monkeypatch.setenv("GOLDPAN_CHROMIUM", "/opt/another")
    assert chromium.ensure_shell() == chromium.find() == "/opt/another"


@pytest.mark.parametrize("name", firefox.NAMES)
def test_installed_firefox_is_found(programs: Path, name: str) -> None:
    write_program(programs / name, "exit 0")
    assert firefox.ensure() == str(programs / name)


def test_ordinary_user_is_told_what_to_install(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(programs / "apt-get", "exit 0")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit, match="apt-get install chromium"):
        chromium.ensure()
    with pytest.raises(SystemExit, match="apt-get install firefox-esr"):
        firefox.ensure()


@pytest.mark.parametrize(("browser", "package"), [(chromium, "chromium"), (firefox, "firefox-esr")])
def test_root_gets_the_package(
    programs: Path, monkeypatch: pytest.MonkeyPatch, browser: ModuleType, package: str
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    write_program(
        programs / "apt-get",
        f'echo "$1" >> {programs}/calls; [ "$1" = update ] || {{ : > {programs}/{package}; }};'
        f" /bin/chmod +x {programs}/{package} 2>/dev/null; exit 0",
    )
    assert browser.ensure() == str(programs / package)
    assert (programs / "calls").read_text(encoding="utf-8").split() == ["update", "install"]


def test_failed_installation_is_said(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    write_program(programs / "apt-get", "exit 100")
    with pytest.raises(SystemExit, match="apt-get update failed"):
        chromium.ensure()
