"""The wheel in an environment of its own: nothing of the checkout is needed."""

import re
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from contextlib import suppress
from pathlib import Path

import pytest

from launcher.__main__ import EXTRACTION
from tests.launcher.conftest import CODE, plain_environment, processes_of
from tests.processes import A_WHILE, wait_for


@pytest.fixture(scope="module")
def environment(module_folder: Path) -> Path:
    """A virtual environment with the wheel, whose dependencies are those of the tests."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps"]
    wheels = module_folder / "wheels"
    subprocess.run([*pip, "wheel", *offline, "--no-build-isolation", "-w", wheels, CODE], check=True)
    made = module_folder / "venv"
    venv.create(made)
    subprocess.run([*pip, "--python", made, "install", *offline, *wheels.glob("*.whl")], check=True)
    (packages,) = made.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return made


def run(environment: Path, *command: str | Path, cwd: Path, **settings: str) -> str:
    program, *arguments = command
    return subprocess.run(
        [environment / "bin" / program, *arguments],
        check=True,
        cwd=cwd,
        env=plain_environment(**settings),
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def test_packages_are_the_installed_ones(environment: Path, folder: Path) -> None:
    names = ("annotator", "extraction", "launcher")
    script = f"import {', '.join(names)}\nfor one in {', '.join(names)}: print(one.__file__)"
    files = run(environment, "python", "-c", script, cwd=folder).splitlines()
    assert len(files) == 3
    assert all(Path(file).is_relative_to(environment) for file in files)


def test_wheel_holds_every_file_of_the_packages(environment: Path) -> None:
    (packages,) = environment.glob("lib/python*/site-packages")
    for name in ("annotator", "extraction", "launcher"):
        files = {path.relative_to(CODE) for path in (CODE / name).rglob("*") if path.is_file()}
        source = {path for path in files if "__pycache__" not in path.parts}
        assert {path for path in source if not (packages / path).is_file()} == set()


def test_extras_bring_the_peers_and_what_learning_needs(environment: Path, folder: Path) -> None:
    script = "from importlib.metadata import requires\nprint(*requires('goldpan'), sep='\\n')"
    needed = run(environment, "python", "-c", script, cwd=folder)
    assert re.search(r"^trafilatura==.*extra == 'peers'$", needed, re.MULTILINE)
    assert re.search(r"^torch==.*extra == 'learned'$", needed, re.MULTILINE)


def test_extract_prints_the_text(environment: Path, folder: Path) -> None:
    words = (
        "The council said on Monday that the old bridge will close for repairs until the end of March. " * 5
    )
    page = f"<title>Bridge</title><nav>Home News</nav><article><h1>Bridge closes</h1><p>{words}</p></article>"
    (folder / "page.html").write_text(page, encoding="utf-8")
    assert words.strip() in run(environment, "goldpan", "extract", "page.html", cwd=folder)


def test_help_names_the_command_that_was_called() -> None:
    printed = subprocess.check_output(
        [sys.executable, "-m", "launcher", "extract", "--help"], cwd=CODE, text=True
    )
    assert printed.startswith("usage: goldpan extract ")


def test_help_says_what_each_command_does() -> None:
    printed = subprocess.check_output([sys.executable, "-m", "launcher", "--help"], cwd=CODE, text=True)
    listed = dict(re.findall(r"^ {4}([a-z-]+)\s+(\S.*)$", printed, re.MULTILINE))
    assert listed["extract"] == "print the text that an extractor takes from a saved page"
    assert {"run", "manage", "restore", *EXTRACTION} <= listed.keys()
    assert "goldpan-DATE-TIME.tar" in subprocess.check_output(
        [sys.executable, "-m", "launcher", "backup", "--help"], cwd=CODE, text=True
    )


def test_run_serves_and_manage_uses_its_servers(environment: Path, folder: Path) -> None:
    home = folder / "var"
    with subprocess.Popen(
        [environment / "bin" / "goldpan", "run"],
        cwd=folder,
        env=plain_environment(GOLDPAN_HOME=str(home)),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().removeprefix("Goldpan: ").strip()
            with urllib.request.urlopen(address, timeout=A_WHILE) as answer:  # noqa: S310 -- the address just printed
                assert answer.status == 200
                assert "/static/" in answer.read().decode()
            manage = ["manage", "leaderboard", "demo", "--json"]
            listed = run(environment, "goldpan", *manage, cwd=folder, GOLDPAN_HOME=str(home))
            assert '"results"' in listed
            working = set()
            for pid in processes_of(home):
                with suppress(OSError):  # a worker that starts runs programs which end at once
                    working.add(Path(f"/proc/{pid}/cwd").readlink())
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=A_WHILE)
    assert process.returncode == 0
    assert working
    assert not any(cwd.is_relative_to(CODE) for cwd in working)
    # What was killed in the end may take a moment to go.
    wait_for(lambda: processes_of(home) == [], "the end of all")
