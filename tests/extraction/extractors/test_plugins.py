"""Extractors of third parties: the example of the documentation runs, and a broken one stops nobody."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.extraction.corpora import EXAMPLE, P1, P2

CODE = Path(__file__).parents[3]
GUIDE = (CODE / "docs" / "extractors.md").read_text(encoding="utf-8")
EXAMPLE_CODE = next(iter(re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)))
EXAMPLE_POINTS = next(iter(re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)))

Installed = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def install(tmp_path: Path) -> Installed:
    """install(name, code, points) -> a folder in which a distribution lies as pip would install it."""

    def add(name: str, code: str, points: dict[str, str]) -> Path:
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = "".join(f"{point} = {target}\n" for point, target in points.items())
        (info / "entry_points.txt").write_text(f"[goldpan.extractors]\n{lines}")
        return tmp_path

    return add


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`python -m extraction ...` with the installed distributions in sight."""

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "extraction", *arguments],
            cwd=CODE,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
        )

    return command


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(EXAMPLE, encoding="utf-8")
    return str(path)


def rows(run: Run) -> dict[str, dict[str, object]]:
    done = run("list", "--json")
    assert done.returncode == 0, done.stderr
    return {row["name"]: row for row in json.loads(done.stdout)}


def test_the_example_of_the_documentation_runs(install: Installed, run: Run, page: str) -> None:
    points = tomllib.loads(EXAMPLE_POINTS)["project"]["entry-points"]["goldpan.extractors"]
    install("mine", EXAMPLE_CODE, points)
    row = rows(run)["longest-block"]
    assert (row["version"], row["parameters"], row["missing"]) == ("1", {"at_least": 1}, None)
    assert run("extract", page, "--with", "longest-block").stdout == f"{max(P1, P2, key=len)}\n"
    assert run("extract", page, "--with", "longest-block:at_least=1000").stdout.strip() == ""


def test_the_example_is_as_short_as_it_is_said_to_be() -> None:
    assert len([line for line in EXAMPLE_CODE.splitlines() if line.strip()]) <= 10


def test_text_that_a_plugin_prints_is_placed(install: Installed, run: Run, page: str) -> None:
    code = """
from extraction.extractors import ExtractorSpec, Printed

def title(document):
    return Printed(document.raw.decode().partition("<h1>")[2].partition("</h1>")[0])

spec = ExtractorSpec("raw-heading", "3", "mine", title, needs_raw=True)
"""
    install("printing", code, {"raw-heading": "printing:spec"})
    assert rows(run)["raw-heading"]["version"] == "3"
    assert run("extract", page, "--with", "raw-heading").stdout == "Bridge opens\n"


TAKEN = """
from extraction.extractors import extractor

@extractor("tree-filter", version=9)
def mine(document):
    return []
"""
TAKEN_SPEC = """
from extraction.extractors import ExtractorSpec

spec = ExtractorSpec("everything", "9", "mine", lambda document: [])
"""


@pytest.mark.parametrize(
    ("code", "point", "reason"),
    [
        ("import nothing_of_that_name", "broken:mine", "ModuleNotFoundError"),
        ("raise SystemExit(1)", "broken:mine", "SystemExit"),
        ("other = 1", "broken:mine", "AttributeError"),
        ("def mine(document): return []", "broken:mine", "a function that is not decorated with `extractor`"),
        (TAKEN, "broken:mine", "there is already an extractor called 'tree-filter'"),
        (TAKEN_SPEC, "broken:spec", "there is already an extractor called 'everything'"),
    ],
    ids=["import", "exit", "attribute", "undecorated", "taken", "taken by a spec"],
)
def test_a_broken_plugin_is_a_row_and_no_stop(
    install: Installed, run: Run, page: str, code: str, point: str, reason: str
) -> None:
    install("broken", code, {"faulty": point})
    listed = rows(run)
    assert reason in str(listed["faulty"]["missing"])
    assert listed["tree-filter"]["version"] != "9"
    assert f"faulty  cannot be loaded: {listed['faulty']['missing']}" in run("list").stdout
    done = run("extract", page, "--with", "faulty")
    assert done.returncode == 2
    assert "the plugin faulty could not be loaded" in done.stderr
    assert reason in done.stderr
    assert run("extract", page, "--with", "everything").returncode == 0


def test_an_unknown_name_lists_those_of_plugins_too(install: Installed, run: Run, page: str) -> None:
    install("mine", EXAMPLE_CODE, {"longest-block": "mine:longest_block"})
    assert "longest-block" in run("extract", page, "--with", "nobody").stderr
