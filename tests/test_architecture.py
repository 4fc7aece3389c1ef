"""The directions of imports that pyproject.toml declares, proved by planted faults, and more rules."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from grimp import build_graph

ROOT = Path(__file__).resolve().parent.parent

ENQUEUE = frozenset({"send_task", "apply_async", "delay", "delay_on_commit", "apply_async_on_commit"})

# A module, an import to plant in it, and how import-linter reports that.
PLANTED = (
    ("extraction/metrics/planted.py", "import django.db", "extraction.metrics.planted -> django"),
    (
        "extraction/planted.py",
        "def f():\n    from annotator.pages import models",
        "extraction.planted -> annotator.pages.models",
    ),
    ("launcher/planted.py", "import annotator.pipeline", "launcher.planted -> annotator.pipeline"),
    (
        "annotator/gold/planted.py",
        "import launcher.data_folder",
        "annotator.gold.planted -> launcher.data_folder",
    ),
    (
        "annotator/pages/planted.py",
        "from ..gold.models import Gold",
        "annotator.pages.planted -> annotator.gold.models",
    ),
    (
        "annotator/common/planted.py",
        "import annotator.corpora.models",
        "annotator.common.planted -> annotator.corpora.models",
    ),
    (
        "annotator/common/calling.py",
        "from annotator import pipeline",
        "annotator.common.calling -> annotator.pipeline",
    ),
    (
        "annotator/gold/planted/actions.py",
        "from annotator import pipeline",
        "annotator.gold.planted.actions -> annotator.pipeline",
    ),
    ("annotator/wild/__init__.py", "", "annotator.wild"),
    ("annotator/gold/parsing.py", "from extraction import parse", "annotator.gold.parsing -> extraction"),
    (
        "annotator/pages/parsed.py",
        "from extraction.parsing.parse import parse",
        "annotator.pages.parsed -> extraction.parsing.parse",
    ),
    (
        "annotator/pages/parsing.py",
        "from extraction.sandbox import Parser",
        "annotator.pages.parsing -> extraction.sandbox",
    ),
)


def lint_imports(folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache", "--no-logo"]
    return subprocess.run(
        command, cwd=folder, env={"COLUMNS": "500"}, capture_output=True, text=True, check=False
    )


def test_imports_run_one_way() -> None:
    linted = lint_imports(ROOT)
    assert linted.returncode == 0, linted.stdout


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What import-linter says about a copy of the code with all faults in it."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for package in ("annotator", "extraction", "launcher"):
        for path in (ROOT / package).rglob("*.py"):
            target = copy / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    for name, source, _report in PLANTED:
        planted = copy / name
        planted.parent.mkdir(parents=True, exist_ok=True)
        (planted.parent / "__init__.py").touch()
        planted.write_text(source, encoding="utf-8")
    return lint_imports(copy).stdout


@pytest.mark.parametrize("fault", [reported for _name, _source, reported in PLANTED])
def test_planted_import_is_reported(report: str, fault: str) -> None:
    assert fault in report


# ---- what import-linter cannot say ----


def calls_that_enqueue(source: str) -> list[int]:
    """The lines in which a message is sent."""
    nodes = ast.walk(ast.parse(source))
    return [node.lineno for node in nodes if isinstance(node, ast.Attribute) and node.attr in ENQUEUE]


def modules_imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""


def test_no_imports_run_in_a_circle() -> None:
    """Within a folder too, where layers say nothing, and inside functions."""
    graph = build_graph("annotator", "extraction", "launcher", cache_dir=None)
    TopologicalSorter(
        {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    ).prepare()


def test_only_the_pipeline_enqueues() -> None:
    assert calls_that_enqueue("compare.delay(1)") == [1]
    enqueuing = [
        path.name
        for path in (ROOT / "annotator").rglob("*.py")
        if calls_that_enqueue(path.read_text(encoding="utf-8"))
    ]
    assert enqueuing == ["pipeline.py"]


def test_a_class_name_stands_once() -> None:
    """But for the names that Django asks for."""
    names = Counter(
        node.name
        for folder in ("extraction", "annotator", "launcher")
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, times in names.items() if times > 1} <= {"Command", "Meta"}


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Until Python 3.11.5 such groups match wrongly: "(?>(...)*)" does the same. "()" is no group."""
    possessive = re.compile(r"[^(]\)[*+?]\+")
    found = {
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("extraction", "annotator", "launcher")
        for path in (ROOT / folder).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if possessive.search(line)
    }
    assert not found


def test_the_launcher_needs_no_installed_package_but_to_encrypt() -> None:
    assert list(modules_imported("def f():\n    import psycopg2")) == ["psycopg2"]
    for path in (ROOT / "launcher").rglob("*.py"):
        for name in modules_imported(path.read_text(encoding="utf-8")):
            allowed = {"launcher", "pyrage"} if path.name == "encryption.py" else {"launcher"}
            assert name.split(".")[0] in sys.stdlib_module_names | allowed, f"{path}: {name}"


def test_the_map_lists_the_folders_as_the_layers_have_them() -> None:
    """CONTRIBUTING.md names them left to right, import-linter from the top down."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.search(r"\n\n((?: {4}\w[\w ]+\n)+)", text.partition("## The map")[2])
    assert listed
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(each for each in contract["tool"]["importlinter"]["contracts"] if each["id"] == "folders")
    below = layers["layers"].index("tasks")
    assert listed[1].split() == layers["layers"][1:below][::-1]
    named = re.findall(r"\| `([\w/.]+)` \|", text.partition("## Invariants")[0])
    assert [path for path in named if not (ROOT / path).exists()] == []
