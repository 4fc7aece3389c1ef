"""Which way imports run: from right to left, and between the rooms in one direction only."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Capability folders in the order in which work flows; a folder imports itself and those before it.
ORDER = (
    "common", "corpora", "pages", "runs", "annotations", "agreement", "gold", "renewal", "control",
    "practice", "bias", "releases", "scoring", "reparsing", "leaderboard", "imports", "exports",
    "models", "api", "home", "demo",
)  # fmt: skip
# Modules that put the folders together, so they see them all.
ASSEMBLY = frozenset({"urls", "models", "admin", "management", "migrations"})
# Modules that never decide what happens next: that is for views, tasks and commands.
SILENT = frozenset({"actions", "queries", "models", "forms"})
ENQUEUE = frozenset({"send_task", "apply_async", "delay", "delay_on_commit", "apply_async_on_commit"})
# Captured pages are parsed in the sandbox, by the workers, and in no web request (law 11).
PARSES = frozenset({("annotator", "pages", "actions"), ("annotator", "pages", "tasks")})
PARSERS = frozenset({"parse", "tree", "lxml_tree", "decode"})
WITHOUT_DATABASE = frozenset(
    {"annotator", "launcher", "django", "celery", "kombu", "redis", "valkey", "psycopg2"}
)


def violations(root: Path) -> list[str]:
    """Every forbidden import or call below `root`, as `place: what`."""
    found: list[str] = []
    for room, check in (("extraction", _extraction), ("launcher", _launcher), ("annotator", _annotator)):
        for path in sorted((root / room).rglob("*.py")):
            module = path.relative_to(root).with_suffix("").parts
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found += [f"{path.relative_to(root)}: {message}" for message in check(module, tree)]
    return found


def _extraction(module: tuple[str, ...], tree: ast.Module) -> Iterator[str]:
    for name in _imports(module, tree):
        if name[0] in WITHOUT_DATABASE:
            yield f"extraction must not import {'.'.join(name)}"


def _launcher(module: tuple[str, ...], tree: ast.Module) -> Iterator[str]:
    for name in _imports(module, tree):
        if name[0] != "launcher" and name[0] not in sys.stdlib_module_names:
            yield f"launcher must not import {'.'.join(name)}"


def _annotator(module: tuple[str, ...], tree: ast.Module) -> Iterator[str]:
    for name in _imports(module, tree):
        if name[0] == "launcher":
            yield "annotator must not import launcher"
        if name[0] == "annotator" and len(name) > 1:
            yield from _within_annotator(module, name)
        if name[0] == "extraction" and len(name) > 1:
            yield from _parsing(module, name)
    if module != ("annotator", "journey"):
        yield from _enqueued(tree)


def _within_annotator(module: tuple[str, ...], name: tuple[str, ...]) -> Iterator[str]:
    here, there = module[1], name[1]
    if here in ASSEMBLY and not (here == "models" and len(module) > 2):
        return
    if here == "journey":
        if there in ORDER and there != "common":
            yield f"journey must not import a folder: {there}"
    elif len(module) == 2:
        if there in ORDER and there != "common":
            yield f"{here} must not import a folder: {there}"
    elif here not in ORDER:
        yield f"the folder {here} has no place in the order"
    elif there == "journey" and (module[2] in SILENT or (here == "common" and module[2] != "tasks")):
        yield f"{here}.{module[2]} must not import journey"
    elif there in ORDER and ORDER.index(there) > ORDER.index(here):
        yield f"{here} imports rightwards: {there}"


def _parsing(module: tuple[str, ...], name: tuple[str, ...]) -> Iterator[str]:
    if name[1] in PARSERS and name[-1] != "ParseError":
        yield f"only the sandbox parses, not {'.'.join(module)}"
    if name[1] == "sandbox" and module not in PARSES:
        yield f"only the workers of pages use the sandbox, not {'.'.join(module)}"


def _enqueued(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ENQUEUE:
            yield f"only journey enqueues, this is {node.attr} in line {node.lineno}"


def _imports(module: tuple[str, ...], tree: ast.Module) -> Iterator[tuple[str, ...]]:
    """The full names imported anywhere in a module; `from a import b` counts as a.b: b may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module[: len(module) - node.level] if node.level else ()
            start = base + tuple((node.module or "").split(".")) if node.module else base
            yield from ((*start, alias.name) for alias in node.names)


def test_imports_run_one_way() -> None:
    assert violations(ROOT) == []


def test_every_folder_has_a_place_in_the_order() -> None:
    folders = {path.parent.name for path in (ROOT / "annotator").glob("*/__init__.py")}
    assert folders - set(ORDER) - ASSEMBLY == set()


@pytest.mark.parametrize(
    ("place", "source", "message"),
    [
        ("extraction/metrics/x.py", "import django.db", "extraction must not import django.db"),
        (
            "extraction/x.py",
            "def f():\n    from annotator.pages import models",
            "must not import annotator.pages",
        ),
        ("launcher/x.py", "import psycopg2", "launcher must not import psycopg2"),
        ("annotator/pages/views.py", "from annotator.gold import models", "pages imports rightwards: gold"),
        ("annotator/pages/views.py", "from ..gold.models import Gold", "pages imports rightwards: gold"),
        ("annotator/pages/views.py", "from annotator import gold", "pages imports rightwards: gold"),
        ("annotator/common/http.py", "import annotator.corpora.models", "common imports rightwards: corpora"),
        ("annotator/common/http.py", "from annotator import journey", "common.http must not import journey"),
        (
            "annotator/gold/actions.py",
            "from annotator import journey",
            "gold.actions must not import journey",
        ),
        (
            "annotator/journey.py",
            "from annotator.gold import tasks",
            "journey must not import a folder: gold",
        ),
        ("annotator/celery.py", "import annotator.gold.tasks", "celery must not import a folder: gold"),
        ("annotator/wild/views.py", "import annotator.gold", "the folder wild has no place in the order"),
        ("annotator/models/x.py", "import annotator.api.views", "models imports rightwards: api"),
        ("annotator/gold/tasks.py", "settle.delay(1)", "only journey enqueues, this is delay in line 1"),
        ("annotator/gold/views.py", "import launcher.home", "annotator must not import launcher"),
        ("annotator/pages/actions.py", "from extraction import parse", "only the sandbox parses"),
        ("annotator/pages/tasks.py", "from extraction.parse import parse", "only the sandbox parses"),
        ("annotator/pages/views.py", "from extraction.sandbox import Parser", "only the workers of pages"),
    ],
)
def test_planted_violation_is_caught(tmp_path: Path, place: str, source: str, message: str) -> None:
    planted = tmp_path / place
    planted.parent.mkdir(parents=True)
    planted.write_text(source, encoding="utf-8")
    (caught,) = violations(tmp_path)
    assert caught.startswith(place)
    assert message in caught


@pytest.mark.parametrize(
    ("place", "source"),
    [
        ("annotator/gold/views.py", "from annotator import journey\nfrom annotator.gold.models import Gold"),
        ("annotator/gold/tasks.py", "from annotator.common import work\nfrom annotator.pages import queries"),
        ("annotator/common/tasks.py", "from annotator import journey"),
        ("annotator/journey.py", "from annotator.common.work import Work\ncurrent_app.send_task('x')"),
        ("annotator/urls.py", "from annotator.home import views"),
        ("annotator/pages/actions.py", "from extraction.parse import ParseError"),
        ("annotator/pages/tasks.py", "from extraction.sandbox import Parser"),
        ("annotator/gold/actions.py", "from extraction.spans import Span"),
    ],
)
def test_permitted_import_passes(tmp_path: Path, place: str, source: str) -> None:
    allowed = tmp_path / place
    allowed.parent.mkdir(parents=True)
    allowed.write_text(source, encoding="utf-8")
    assert violations(tmp_path) == []
