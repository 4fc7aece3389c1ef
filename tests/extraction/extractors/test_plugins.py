"""Extractors of third parties: the example of the documentation runs, and a broken one stops nobody."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from extraction.__main__ import main
from extraction.extractors import REGISTRY, broken_plugins
from extraction.extractors.mss_supervised import MODEL
from tests.extraction.corpora import EXAMPLE, P1, P2

GUIDE = (Path(__file__).parents[3] / "docs" / "extractors.md").read_text(encoding="utf-8")
EXAMPLE_CODE, EXAMPLE_OF_A_MODEL = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
EXAMPLE_POINTS = next(iter(re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)))

Install = Callable[..., None]
Output = pytest.CaptureFixture[str]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """install(points, module=code, ...): a distribution as pip would put it, where this process looks."""
    registered = dict(REGISTRY)
    imported = set(sys.modules)

    def add(points: dict[str, str], **modules: str) -> None:
        for name, code in modules.items():
            (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        info = tmp_path / "plugins-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugins\nVersion: 1.0\n")
        lines = "".join(f"{point} = {target}\n" for point, target in points.items())
        (info / "entry_points.txt").write_text(f"[goldpan.extractors]\n{lines}")
        monkeypatch.syspath_prepend(str(tmp_path))
        broken_plugins.cache_clear()

    yield add
    broken_plugins.cache_clear()
    REGISTRY.clear()
    REGISTRY.update(registered)
    for name in {path.stem for path in tmp_path.glob("*.py")} - imported:
        sys.modules.pop(name, None)


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(EXAMPLE, encoding="utf-8")
    return str(path)


def printed(capsys: Output, *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def rows(capsys: Output) -> dict[str, dict[str, object]]:
    return {row["name"]: row for row in json.loads(printed(capsys, "list", "--json"))}


def test_the_example_of_the_documentation_runs(install: Install, page: str, capsys: Output) -> None:
    points = tomllib.loads(EXAMPLE_POINTS)["project"]["entry-points"]["goldpan.extractors"]
    install(points, mine=EXAMPLE_CODE)
    row = rows(capsys)["longest-block"]
    assert (row["version"], row["parameters"], row["missing"]) == ("1", {"at_least": 1}, None)
    assert printed(capsys, "extract", page, "--with", "longest-block") == f"{max(P1, P2, key=len)}\n"
    assert printed(capsys, "extract", page, "--with", "longest-block:at_least=1000").strip() == ""
    assert main(["extract", page, "--with", "nobody"]) == 2
    assert "longest-block" in capsys.readouterr().err


def test_the_example_of_the_documentation_takes_a_block_with_a_blank_edge(
    install: Install, tmp_path: Path, capsys: Output
) -> None:
    install({"longest-block": "mine:longest_block"}, mine=EXAMPLE_CODE)
    page = tmp_path / "blank.html"
    page.write_text("<p>One.<p>Bridge opens on Monday.&nbsp;", encoding="utf-8")
    assert printed(capsys, "extract", str(page), "--with", "longest-block") == "Bridge opens on Monday.\n"


def test_a_model_of_ones_own_is_a_plugin(install: Install, page: str, capsys: Output) -> None:
    code = EXAMPLE_OF_A_MODEL.replace("/data/models/model.safetensors", str(MODEL))
    install({"ours": "ours:spec"}, ours=code)
    assert rows(capsys)["ours"]["missing"] is None
    taken = printed(capsys, "extract", page, "--with", "ours")
    assert taken == printed(capsys, "extract", page, "--with", "mss-supervised") != ""


def test_the_example_is_as_short_as_it_is_said_to_be() -> None:
    assert len([line for line in EXAMPLE_CODE.splitlines() if line.strip()]) <= 10


def test_text_that_a_plugin_prints_is_placed(install: Install, page: str, capsys: Output) -> None:
    code = """
from extraction.extractors import ExtractorSpec, Printed

def title(document):
    return Printed(document.raw.decode().partition("<h1>")[2].partition("</h1>")[0])

spec = ExtractorSpec("raw-heading", "3", "mine", title, needs_raw=True)
"""
    install({"raw-heading": "printing:spec"}, printing=code)
    assert rows(capsys)["raw-heading"]["version"] == "3"
    assert printed(capsys, "extract", page, "--with", "raw-heading") == "Bridge opens\n"


TAKEN = """
from extraction.extractors import extractor

@extractor("tree-filter", version=9)
def mine(document):
    return []
"""
TAKEN_SPEC = """
from extraction.extractors import ExtractorSpec

mine = ExtractorSpec("everything", "9", "mine", lambda document: [])
"""
#: By the name of its module: the code of a plugin, and what is said of it.
BROKEN = {
    "no_import": ("import nothing_of_that_name", "ModuleNotFoundError"),
    "exit": ("raise SystemExit(1)", "SystemExit"),
    "panic": ("class Panic(BaseException): ...\nraise Panic('at lib.rs')", "Panic: at lib.rs"),
    "no_attribute": ("other = 1", "AttributeError"),
    "undecorated": ("def mine(document): return []", "a function that is not decorated with `extractor`"),
    "taken": (TAKEN, "there is already an extractor called 'tree-filter'"),
    "taken_by_spec": (TAKEN_SPEC, "there is already an extractor called 'everything'"),
}


def test_a_broken_plugin_is_a_row_and_no_stop(install: Install, page: str, capsys: Output) -> None:
    install({name: f"{name}:mine" for name in BROKEN}, **{name: code for name, (code, _) in BROKEN.items()})
    listed, lines = rows(capsys), printed(capsys, "list")
    assert listed["tree-filter"]["version"] != "9"
    for name, (_, reason) in BROKEN.items():
        assert reason in str(listed[name]["missing"])
        assert re.search(
            rf"^{name} +cannot be loaded: {re.escape(str(listed[name]['missing']))}$", lines, re.M
        )
        assert main(["extract", page, "--with", name]) == 2
        error = capsys.readouterr().err
        assert f"the plugin {name} could not be loaded" in error
        assert reason in error
    assert printed(capsys, "extract", page, "--with", "everything")


def test_each_plugin_of_a_broken_module_tells_what_broke_it(install: Install, capsys: Output) -> None:
    code = """
from extraction.extractors import extractor

@extractor("sound", version=1)
def sound(document):
    return []

raise KeyError("the model is away")
"""
    install({"sound": "two:sound", "other": "two:other"}, two=code)
    listed = rows(capsys)
    assert [listed[name]["missing"] for name in ("sound", "other")] == ["KeyError: 'the model is away'"] * 2


@pytest.mark.parametrize("declared", ["language=None", "words=('a', 'b')", "depth", "**others"])
def test_a_default_that_cannot_be_written_down_is_a_reason(
    declared: str, install: Install, capsys: Output
) -> None:
    code = f"""
from extraction.extractors import extractor

@extractor("unwritten", version=1)
def mine(document, {declared}):
    return []
"""
    install({"unwritten": "unwritten:mine"}, unwritten=code)
    assert "needs a default: a text, a number, True or False" in str(rows(capsys)["unwritten"]["missing"])


def test_parameters_that_are_true_or_false_are_read_as_such(
    install: Install, page: str, capsys: Output
) -> None:
    code = """
from extraction.extractors import Printed, extractor

@extractor("truthful", version=1)
def mine(document, *, strict=False, share=0.5):
    return Printed(f"{strict}")
"""
    install({"truthful": "truthful:mine"}, truthful=code)
    for written, read in {"False": "False", "false": "False", "True": "True"}.items():
        assert printed(capsys, "extract", page, "--with", f"truthful:strict={written}") == f"{read}\n"
    for wrong in ("strict=perhaps", "share=nan", "share=inf"):
        assert main(["extract", page, "--with", f"truthful:{wrong}"]) == 2
        assert "truthful: s" in capsys.readouterr().err


#: What follows `def mine(document):`, and what its failures are called.
WRONG = {
    "nothing": ("return None", "TypeError"),
    "backwards": ("return [Span(*block, 'body') for block in reversed(document.blocks)]", "SpanError"),
    "beyond": ("return [Span(0, len(document.text) + 1, 'body')]", "SpanError"),
    "leaving": ("raise SystemExit(3)", "ExtractorError"),
    # As libraries in Rust raise.
    "panicking": ("raise type('Panic', (BaseException,), {})('at lib.rs')", "ExtractorError"),
}


def test_what_is_no_span_of_the_document_counts_as_a_failure(
    install: Install, tmp_path: Path, page: str, capsys: Output
) -> None:
    code = """
from extraction.extractors import extractor
from extraction.spans import Span

@extractor("{name}", version=1)
def mine(document):
    {body}
"""
    install(
        {name: f"{name}:mine" for name in WRONG},
        **{name: code.format(name=name, body=body) for name, (body, _) in WRONG.items()},
    )
    corpus = tmp_path / "pages.jsonl"
    corpus.write_text(json.dumps({"html": EXAMPLE, "gold": {"text": P1, "labels": ["body"]}}) + "\n")
    found = json.loads(printed(capsys, "evaluate", "jsonl", str(corpus), "--with", *WRONG, "--json"))
    failed = {row["extractor"]: next(iter(row["errors"])).partition(":")[0] for row in found["results"]}
    assert failed == {name: reason for name, (_, reason) in WRONG.items()}
    assert {row["failures"] for row in found["results"]} == {1}
    assert main(["extract", page, "--with", "backwards"]) == 2
    assert "not in normal form" in capsys.readouterr().err


@pytest.mark.parametrize("end", ["return []", "raise OSError"])
def test_what_an_extractor_forks_does_not_go_on_with_our_work(end: str) -> None:
    code = f"""
import os
from extraction import parse
from extraction.extractors import ExtractorSpec

def forking(document):
    if child := os.fork():
        os.waitpid(child, 0)
        return []
    {end}

document = parse(b"<p>Bridge opens")
try:
    ExtractorSpec("forking", "1", "mine", forking).run(document)
finally:
    os.write(1, b"went on")
"""
    ended = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert ended.stdout == b"went on"


def test_spans_may_come_one_by_one(install: Install, page: str, capsys: Output) -> None:
    code = """
from extraction.extractors import extractor

@extractor("streamed", version=1)
def mine(document):
    for start, end in document.blocks:
        yield start, end, "content"
"""
    install({"streamed": "streamed:mine"}, streamed=code)
    spans = json.loads(printed(capsys, "extract", page, "--with", "streamed", "--spans"))["spans"]
    assert spans == json.loads(printed(capsys, "extract", page, "--with", "everything", "--spans"))["spans"]


def test_numbers_of_spans_may_be_those_of_numpy(install: Install, page: str, capsys: Output) -> None:
    code = """
import numpy as np
from extraction.extractors import extractor

@extractor("vectorised", version=1)
def mine(document):
    return [(start, end, "content") for start, end in np.array(document.blocks)]
"""
    install({"vectorised": "vectorised:mine"}, vectorised=code)
    spans = json.loads(printed(capsys, "extract", page, "--with", "vectorised", "--spans"))["spans"]
    assert spans == json.loads(printed(capsys, "extract", page, "--with", "everything", "--spans"))["spans"]


def test_each_process_of_an_evaluation_multiplies_with_one_thread(
    install: Install, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = """
import os

from extraction.extractors import extractor

@extractor("threads", version=1)
def threads(document):
    raise RuntimeError(f"{os.environ.get('OPENBLAS_NUM_THREADS')} in {os.getpid()}")
"""
    install({"threads": "threads_of:threads"}, threads_of=code)
    # Set first, so that it is put back whatever the evaluation makes of it.
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "4")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    corpus = tmp_path / "pages.jsonl"
    corpus.write_text(json.dumps({"html": EXAMPLE, "gold": {"text": P1, "labels": ["body"]}}) + "\n")
    found = printed(
        capsys,
        "evaluate",
        "jsonl",
        str(corpus),
        "--with",
        "threads",
        "--jobs",
        "2",
        "--labels",
        "body",
        "--json",
    )
    ((error, pages),) = json.loads(found)["results"][0]["errors"].items()
    assert (error.split(" in ")[0], pages) == ("RuntimeError: 1", 1)
    assert error.split(" in ")[1] != str(os.getpid())
