"""The command line: what it prints, and how it refuses."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tqdm import tqdm

from extraction.__main__ import main
from extraction.documents.document import Document
from extraction.evaluation import METRICS
from extraction.extractors import REGISTRY, ExtractorError, extractor, mss_supervised, parse_with
from extraction.extractors.learned.tensors import Tensors
from extraction.formats import READERS, scrapinghub
from extraction.formats.gold import GoldRecord
from extraction.formats.records import PageRecord
from extraction.parsing.parse import parse
from extraction.spans import LABEL_SETS, Span
from tests.extraction.corpora import EXAMPLE, P1, P2, P3

Output = pytest.CaptureFixture[str]
GOLDEN = str(Path(__file__).parents[1] / "golden" / "breaks-and-lines" / "source.html")


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(EXAMPLE, encoding="utf-8")
    return str(path)


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    pages = [EXAMPLE, EXAMPLE.replace("Bridge", "Tunnel")]
    gold = GoldRecord(text=f"{P1} {P2} {P3}", labels=frozenset({"body"}))
    records = sorted((PageRecord("", text.encode(), gold=gold) for text in pages), key=lambda r: r.sha256)
    scrapinghub.WRITER.write_folder(records, tmp_path / "corpus")
    return str(tmp_path / "corpus")


def test_list_prints_versions_and_parameters(capsys: Output) -> None:
    assert main(["list"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("tree-filter"))
    assert f"version {REGISTRY['tree-filter'].version}" in line
    assert "depth=2,base=boilerpipe-article" in line


def test_extract_prints_text(page: str, capsys: Output) -> None:
    assert main(["extract", page, "--with", "boilerpipe-default"]) == 0
    # As the original prints it, a block a line.
    assert capsys.readouterr().out == f"Bridge opens\n{P1}\n{P2}\nPhoto: Ann Lee\nCopyright 2010 Daily\n"


def test_extract_prints_spans(page: str, capsys: Output) -> None:
    assert main(["extract", page, "--with", "everything", "--spans"]) == 0
    printed = json.loads(capsys.readouterr().out)
    document = parse(EXAMPLE.encode())
    assert printed["sha256"] == document.sha256
    assert [span[:2] for span in printed["spans"]] == [list(block) for block in document.blocks]


def test_extract_takes_goldpan_if_left_out(page: str, capsys: Output) -> None:
    assert main(["extract", page]) == 0
    by_default = capsys.readouterr().out
    main(["extract", page, "--with", "goldpan"])
    assert capsys.readouterr().out == by_default
    assert P1 in by_default
    assert "Home" not in by_default


def test_extract_says_why(page: str, capsys: Output) -> None:
    assert main(["extract", page, "--why"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(parse(EXAMPLE.encode()).blocks)
    assert re.match(r"- +\d+%  Home", lines[0])
    (headline,) = (line for line in lines if line.startswith("headline"))
    assert re.fullmatch(r"headline +\d+%  Bridge opens {30}stands as the headline", headline)
    assert any(re.match(rf"body +\d+%  {P1[:40]}  \w", line) for line in lines)


def test_extract_says_why_in_json(page: str, capsys: Output) -> None:
    assert main(["extract", page, "--spans", "--why"]) == 0
    printed = json.loads(capsys.readouterr().out)
    labelled = [[one["start"], one["end"], one["label"]] for one in printed["reasons"] if one["label"]]
    assert labelled == printed["spans"]
    headline = next(one for one in printed["reasons"] if one["label"] == "headline")
    assert set(headline) == {"start", "end", "label", "probability", "evidence"}
    assert headline["evidence"] == [{"code": "headline", "values": {}, "text": "stands as the headline"}]
    main(["extract", page, "--spans"])
    assert "reasons" not in json.loads(capsys.readouterr().out)


def test_extract_says_when_nothing_is_found(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "page.html"
    path.write_text("<p>x", encoding="utf-8")
    assert main(["extract", str(path), "--with", "boilerpy3-article"]) == 0
    assert capsys.readouterr().err == "extraction: boilerpy3-article finds no content in this page\n"


@pytest.fixture
def model() -> str:
    """The file of a trained model."""
    return str(mss_supervised.MODEL)


def test_the_file_of_a_model_stands_where_a_name_does(
    page: str, corpus: str, model: str, capsys: Output
) -> None:
    assert main(["extract", page, "--with", model, "--spans"]) == 0
    spans = json.loads(capsys.readouterr().out)["spans"]
    assert main(["extract", page, "--with", "mss-supervised", "--spans"]) == 0
    assert spans == json.loads(capsys.readouterr().out)["spans"] != []
    both = [model, "mss-supervised"]
    assert main(["evaluate", "scrapinghub", corpus, "--with", *both, "--jobs", "2", "--json"]) == 0
    of_file, of_name = json.loads(capsys.readouterr().out)["results"]
    assert of_file["extractor"] == model
    for row in (of_file, of_name):
        del row["extractor"], row["seconds"]
    assert of_file == of_name
    assert main(["evaluate", "scrapinghub", corpus, "--with", model, "--against", "mss-supervised"]) == 0
    assert model in capsys.readouterr().out


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({}, "no model that Goldpan has trained"),
        ({"architecture": "oracle"}, "no model that Goldpan has trained"),
        (
            {"architecture": "mss-supervised", "architecture_version": "0"},
            "a model of mss-supervised 0; this is",
        ),
    ],
)
def test_a_file_that_cannot_be_run_is_refused(
    page: str, model: str, about: dict[str, str], message: str, tmp_path: Path, capsys: Output
) -> None:
    trained = Tensors.load(Path(model))
    kept = {"learned_from": trained.about["learned_from"]}
    other = tmp_path / "other.safetensors"
    other.write_bytes(Tensors(trained.arrays, kept | about).to_bytes())
    assert main(["extract", page, "--with", str(other)]) == 2
    assert f"{other}: {message}" in capsys.readouterr().err


def test_no_name_from_the_network_reads_a_file_of_ours(model: str) -> None:
    with pytest.raises(ExtractorError, match="no extractor is called"):
        parse_with(model)


def test_extract_takes_an_encoding(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("<p>Žluťoučký kůň</p>".encode("iso-8859-2"))
    main(["extract", str(path), "--with", "everything", "--encoding", "iso-8859-2"])
    assert capsys.readouterr().out == "Žluťoučký kůň\n"


def test_evaluate_prints_the_promised_json(corpus: str, capsys: Output) -> None:
    assert (
        main(["evaluate", "scrapinghub", corpus, "--with", "everything", "tree-filter:depth=3", "--json"])
        == 0
    )
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["metric", "labels", "pages", "results"]
    assert (printed["metric"], printed["labels"], printed["pages"]) == ("character", "body", 2)
    everything, tree_filter = printed["results"]
    assert list(everything) == [
        "extractor",
        "version",
        "parameters",
        "n",
        "failures",
        "precision",
        "recall",
        "f1",
        "f1_page_mean",
        "f1_low",
        "f1_high",
        "micro",
        "seconds",
        "errors",
        "f1_of_means",
        "precision_low",
        "precision_high",
        "recall_low",
        "recall_high",
        "recall_all",
        "unplaced",
        "extras",
    ]
    assert set(everything["micro"]) == {"precision", "recall", "f1"}
    assert everything["recall"] == 1.0
    assert tree_filter["parameters"] == {"depth": 3, "base": "boilerpipe-article"}


def test_evaluate_runs_all_extractors_and_prints_a_table(corpus: str, capsys: Output) -> None:
    assert main(["evaluate", "scrapinghub", corpus, "--metric", "shingle", "--limit", "1"]) == 0
    printed = capsys.readouterr().out
    assert "shingle, body, 1 pages" in printed
    assert all(name in printed for name in ("everything", "boilerpipe-default", "tree-filter"))


def test_evaluate_says_what_it_leaves_out(corpus: str, capsys: Output) -> None:
    html = next(Path(corpus, "html").iterdir())
    html.write_bytes(b"broken")
    assert main(["evaluate", "scrapinghub", corpus, "--with", "everything", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["pages"] == 1
    assert f"left out: {html.name.partition('.')[0]}: is not valid gzip" in captured.err


def test_evaluate_on_labels_that_the_gold_cannot_tell(corpus: str, capsys: Output) -> None:
    options = ["--with", "everything", "--labels", "main", "--json"]
    assert main(["evaluate", "scrapinghub", corpus, *options]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert "extraction: no page was evaluated: all 2 were left out, for the reasons above\n" in captured.err


def evaluated(corpus: str, capsys: Output, *options: str) -> Any:
    assert main(["evaluate", "scrapinghub", corpus, *options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_evaluate_against_one_adds_it_and_compares_all_with_it(corpus: str, capsys: Output) -> None:
    printed = evaluated(corpus, capsys, "--with", "everything", "--against", "tree-filter:depth=3")
    everything, tree_filter = printed["results"]
    assert printed["against"] == "tree-filter:depth=3"
    assert tree_filter["against"] is None
    assert everything["against"]["difference"] == pytest.approx(everything["f1"] - tree_filter["f1"])
    assert set(everything["against"]) == {"difference", "low", "high", "wilcoxon", "mann_whitney"}
    assert "against" not in evaluated(corpus, capsys, "--with", "everything")["results"][0]


def test_evaluate_against_one_prints_the_difference(corpus: str, capsys: Output) -> None:
    chosen = ["--with", "everything", "everything", "tree-filter", "--against", "tree-filter"]
    assert main(["evaluate", "scrapinghub", corpus, *chosen]) == 0
    header, *lines = capsys.readouterr().out.splitlines()[1:]
    assert header.split()[-4:] == ["diff", "95", "%", "p"]
    rows = {line.split()[0]: line.split()[-3:] for line in lines}
    assert rows["tree-filter"] == ["-", "-", "-"]
    assert re.fullmatch(r"-0\.\d{3}", rows["everything"][0])
    assert rows["everything"][1:] == ["-", "-"]
    assert lines[-1].startswith("diff: F1 minus that of tree-filter, p")
    assert len(lines) == 3


class Nowhere:
    """A library that nobody installed."""

    name = "nowhere"

    def version(self) -> None:
        """None, as it is not installed."""

    def missing(self) -> str:
        """Why."""
        return "nowhere is not installed"


@pytest.fixture
def peer() -> Iterator[str]:
    @extractor("missing-for-tests", version=1, library=Nowhere())
    def missing(document: Document) -> list[Span]:
        raise ExtractorError("nowhere is not installed")

    yield "missing-for-tests"
    del REGISTRY["missing-for-tests"]


def test_a_peer_without_its_library_is_a_row_with_the_reason(corpus: str, peer: str, capsys: Output) -> None:
    missing, everything = evaluated(corpus, capsys, "--with", peer, "everything")["results"]
    assert (missing["version"], missing["failures"], missing["precision"]) == ("1+nowhere-none", 2, 0)
    assert missing["errors"] == {"ExtractorError: nowhere is not installed": 2}
    assert everything["errors"] == {}
    assert main(["evaluate", "scrapinghub", corpus, "--with", peer]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"{peer} failed on 2 of 2 pages: ExtractorError: nowhere is not installed"


def test_a_reason_is_not_said_for_every_page(tmp_path: Path, peer: str, capsys: Output) -> None:
    gold = GoldRecord(text=P1, labels=frozenset({"body"}))
    records = [PageRecord("", f"<p>{number} {P1}".encode(), gold=gold) for number in range(9)]
    scrapinghub.WRITER.write_folder(sorted(records, key=lambda record: record.sha256), tmp_path)
    assert main(["evaluate", "scrapinghub", str(tmp_path), "--with", peer, "everything"]) == 0
    captured = capsys.readouterr()
    assert captured.err.count(f"{peer}: ExtractorError: nowhere is not installed") == 3
    assert "failed on 9 of 9 pages" in captured.out


def test_the_progress_bar_knows_how_many_pages_there_are(
    corpus: str, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    totals = []

    class Bar(tqdm):  # type: ignore[type-arg]  # generic in its stubs only
        def __init__(self, *arguments: Any, **options: Any) -> None:
            totals.append(options["total"])
            super().__init__(*arguments, **options)

    monkeypatch.setattr("extraction.__main__.tqdm", Bar)
    for options in ([], ["--limit", "1"], ["--limit", "9"]):
        evaluated(corpus, capsys, "--with", "everything", *options)
    assert totals == [2, 1, 2]


@pytest.mark.parametrize("metric", METRICS)
def test_evaluate_knows_the_metric_and_says_what_has_to_be_said(
    corpus: str, metric: str, capsys: Output
) -> None:
    printed = evaluated(corpus, capsys, "--metric", metric, "--with", "everything", "tree-filter")
    assert printed["metric"] == metric
    everything, tree_filter = printed["results"]
    assert everything["recall"] == pytest.approx(1, abs=0.05)
    assert 0.5 < tree_filter["f1"] <= 1
    assert tree_filter["precision"] > everything["precision"]
    kind = "f1_page_mean" if metric in {"words", "cleaneval", "rouge"} else "f1_of_means"
    assert tree_filter["f1"] == tree_filter[kind]
    assert ("note" in printed) == (metric == "rouge")


def test_help_names_every_metric_and_label_set(capsys: Output) -> None:
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    printed = capsys.readouterr().out
    for name, metric in METRICS.items():
        assert re.search(rf"^  {name} +{re.escape(metric.about)}", printed, re.MULTILINE)
    assert all(name in printed for name in (*READERS, *LABEL_SETS))


def test_help_names_the_architectures_that_need_more_libraries(capsys: Output) -> None:
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    need = capsys.readouterr().out.splitlines()[-1].partition(" need the extra ")[0]
    assert set(re.findall(r"[a-z0-9-]+", need)) - {"and"} == {"web2text", "boilernet", "crf"}


def test_agreement_prints_json_and_a_table(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "annotations.json"
    annotations = {"ada": [[0, 6, "body"]], "ben": [[0, 6, "body"], [8, 10, "body"]]}
    path.write_text(json.dumps({"pages": [{"page": 1, "length": 10, "annotations": annotations}]}))
    assert main(["agreement", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["character"]["observed"]["value"] == 0.8
    assert main(["agreement", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "character observed" in printed
    assert "0.800" in printed
    assert "body cohen_kappa" in printed
    assert "a: no interval below 30 pages" in printed


def test_agreement_says_which_pages_it_leaves_out(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "annotations.json"
    page = {"length": 10, "annotations": {"ada": [[0, 6, "body"]]}}
    path.write_text(json.dumps({"pages": [page]}))
    assert main(["agreement", str(path)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("0 pages\nleft out, fewer than two annotators: 1\n")
    assert "a: no page to compare" in printed


def test_ctrl_c_is_said_in_one_line_whatever_its_processes_do(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    gold = json.dumps({"html": EXAMPLE * 50, "gold": {"text": P1, "labels": ["body"]}})
    path.write_text("\n".join([json.dumps({"html": EXAMPLE}), *[gold] * 3_000]), encoding="utf-8")
    command = [sys.executable, "-m", "extraction", "evaluate", "jsonl", str(path), "--jobs", "6"]
    # Of a session of its own: as a terminal does, the signal is sent to all of its processes.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stderr is not None
        assert "has no gold" in running.stderr.readline()
        os.killpg(running.pid, signal.SIGINT)
        printed, errors = running.communicate()
    assert (running.returncode, printed, errors) == (130, "", "extraction: stopped\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extract", "missing.html"], "missing.html cannot be read: No such file"),
        (["extract", "missing.html", "--with", "nobody"], "no extractor is called 'nobody'"),
        (["extract", GOLDEN, "--with", "no.safetensors"], "no.safetensors: No such file"),
        (["extract", GOLDEN, "--with", f"{__file__}/x.safetensors"], "x.safetensors: Not a directory"),
        (["extract", GOLDEN, "--with", "bte", "--why"], "bte does not tell reasons"),
        (["evaluate", "html", "missing"], "missing is not a folder"),
        (["evaluate", "html", ".", "--with", "tree-filter:base=x"], "base cannot be 'x'"),
        (["evaluate", "html", "x" * 300], "File name too long"),
        (["evaluate", "jsonl", "."], ". cannot be read: Is a directory"),
        (["evaluate", "wcxb", GOLDEN], "has no folder ground-truth"),
        (["evaluate", "scrapinghub", "missing"], "missing has no ground-truth.json"),
        (["evaluate", "inception", "missing"], "missing has no TypeSystem.xml"),
        (["extract", "."], ". cannot be read: Is a directory"),
        (["extract", sys.executable], "not-html: This is a program, not an HTML page"),
        (["extract", GOLDEN, "--with", ""], "no extractor is called ''"),
        (["extract", GOLDEN, "--with", "bte:x"], "write parameters as key=value, not 'x'"),
        (["agreement", "missing.json"], "missing.json: No such file"),
        (["agreement", "."], ".: Is a directory"),
        (["agreement", GOLDEN], 'not a JSON object with "pages"'),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(arguments: list[str], message: str, capsys: Output) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("extraction: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["evaluate", "html", ".", "--limit", "many"],
            "'many' is not a whole number from 1 to 1,000,000,000",
        ),
        (["evaluate", "html", ".", "--limit", "9" * 5_000], "is not a whole number from 1 to 1,000,000,000"),
        (["evaluate", "html", ".", "--jobs", "0"], "'0' is not a whole number from 1 to 256"),
        (["extract", GOLDEN, "--encoding", "klingon"], "'klingon' is not an encoding of the web"),
    ],
)
def test_a_wrong_option_is_said_after_the_usage(arguments: list[str], message: str, capsys: Output) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert message in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (TimeoutError("no answer after 300 s"), "no answer after 300 s. The machine is at fault, no page"),
        (OSError(28, "No space left on device", "/tmp/x"), "/tmp/x: No space left on device"),
    ],
)
def test_a_fault_of_the_machine_is_no_score(
    corpus: str, fault: OSError, message: str, capsys: Output, request: pytest.FixtureRequest
) -> None:
    @extractor("failing", version=1)
    def failing(document: Document) -> list[Span]:
        raise fault

    request.addfinalizer(lambda: REGISTRY.pop("failing"))
    assert main(["evaluate", "scrapinghub", corpus, "--with", "failing"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[-1].startswith(f"extraction: {message}")


def test_a_page_that_cannot_be_parsed_is_refused(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "empty.html").write_bytes(b"")
    assert main(["extract", str(tmp_path / "empty.html")]) == 2
    assert "empty" in capsys.readouterr().err


def test_text_that_the_output_cannot_hold_is_refused_in_one_line(page: str) -> None:
    command = [sys.executable, "-m", "extraction", "extract", page, "--labels", "any"]
    Path(page).write_text("<h1>Mañana</h1><p>El alcalde dijo que sí, y mucho más, en la plaza.</p>", "utf-8")
    done = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    why = "'\\xed' cannot be written in ascii, the encoding of the output: set PYTHONIOENCODING=utf-8"
    assert done.stderr.splitlines() == [f"extraction: {why}"]
