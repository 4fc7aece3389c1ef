"""`extraction/` alone: in an environment with what requirements-extraction.txt names, and nothing else."""

import importlib.metadata
import json
import re
import shutil
import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from extraction.formats import scrapinghub
from extraction.formats.gold import GoldRecord
from extraction.formats.records import PageRecord
from tests.extraction.corpora import EXAMPLE, P1, P2, P3

ROOT = Path(__file__).resolve().parents[2]
BODY = frozenset({"body"})


class Alone:
    """A Python that has the library and its requirements, and a folder with nothing else of ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=False)
        (site,) = (folder / "env").glob("lib/python*/site-packages")
        for name in sorted(needed(requirements())):
            for entry in entries(name):
                if not (site / entry.name).exists():
                    (site / entry.name).symlink_to(entry)
        shutil.copytree(
            ROOT / "extraction", folder / "extraction", ignore=shutil.ignore_patterns("__pycache__")
        )

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run it in its folder, with no variable of ours set."""
        command = [str(self.folder / "env" / "bin" / "python"), *arguments]
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)

    def extraction(self, *arguments: str) -> str:
        """What a command prints."""
        done = self.python("-m", "extraction", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout


def requirements() -> set[str]:
    lines = (ROOT / "requirements-extraction.txt").read_text(encoding="utf-8").splitlines()
    return {canonicalize_name(match[1]) for line in lines if (match := re.match(r"([\w.-]+)==", line))}


def needed(names: set[str]) -> set[str]:
    """Packages with all that they need in turn."""
    found = set(names)
    for name in names:
        for text in importlib.metadata.requires(name) or []:
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                found |= needed({canonicalize_name(wanted.name)})
    return found


def entries(name: str) -> Iterator[Path]:
    """What a package put into site-packages."""
    distribution = importlib.metadata.distribution(name)
    tops = {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}
    yield from (Path(str(distribution.locate_file(top))) for top in sorted(tops))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    made = Alone(tmp_path_factory.mktemp("alone"))
    pages = [EXAMPLE.replace("Bridge", f"Bridge {number}") for number in range(4)]
    gold = GoldRecord(text=f"{P1}\n{P2}\n{P3}", labels=BODY)
    records = [PageRecord("", page.encode(), gold=gold) for page in pages]
    scrapinghub.WRITER.write_folder(sorted(records, key=lambda record: record.sha256), made.folder / "corpus")
    (made.folder / "page.html").write_text(EXAMPLE, encoding="utf-8")
    return made


def test_the_environment_has_none_of_what_the_web_app_needs(alone: Alone) -> None:
    names = ("django", "celery", "redis", "psycopg2", "annotator", "pytest", "scipy")
    code = f"import importlib.util; print([name for name in {names} if importlib.util.find_spec(name)])"
    assert alone.python("-c", code).stdout == "['scipy']\n"


def test_list_names_peers_whose_libraries_are_missing(alone: Alone) -> None:
    rows = {row["name"]: row for row in json.loads(alone.extraction("list", "--json"))}
    assert {"boilerpipe-article", "tree-filter", "everything"} <= rows.keys()
    assert rows["trafilatura"]["version"].endswith("-none")


def test_extract_prints_the_text_of_a_page(alone: Alone) -> None:
    printed = alone.extraction("extract", "page.html", "--with", "boilerpipe-article")
    assert P1 in printed
    assert "Buy cheap tickets" not in printed


def test_the_functions_of_the_readme_work(alone: Alone) -> None:
    (code,) = re.findall(
        r"```python\n(import extraction\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL
    )
    done = alone.python("-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    assert P2 in done.stdout


def test_evaluate_scores_in_processes_and_a_missing_peer_is_a_row(alone: Alone) -> None:
    chosen = ["boilerpipe-article", "everything", "trafilatura"]
    options = ["--against", "boilerpipe-article", "--jobs", "2", "--metric", "rouge", "--json"]
    printed = alone.extraction("evaluate", "scrapinghub", "corpus", "--with", *chosen, *options)
    article, everything, peer = json.loads(printed)["results"]
    assert everything["against"]["difference"] < 0
    assert (article["n"], article["failures"], everything["recall"]) == (4, 0, 1)
    assert (peer["n"], peer["failures"], peer["f1"]) == (4, 4, 0)
    ((reason, pages),) = peer["errors"].items()
    assert (pages, "trafilatura" in reason) == (4, True)
