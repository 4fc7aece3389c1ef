"""Readability through Node: what it finds, and what its row says where there is no Node."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from extraction.evaluation import Candidate, Task, evaluate
from extraction.extractors import extract, get
from extraction.extractors.external import host, node
from extraction.extractors.external.host import LibraryError
from extraction.formats import GoldRecord, PageRecord
from extraction.parsing.parse import parse
from extraction.spans import LABEL_SETS, check, text_of
from tests.extraction.corpora import EXAMPLE, P1, P2, P3
from tests.extraction.extractors.external.test_libraries import BAD, LONG, refused

DOCUMENT = parse(LONG.encode())


@pytest.fixture
def fresh() -> Iterator[host.Host]:
    """A child of Node that gives a page two seconds of CPU time."""
    node.node_host.cache_clear()
    made = node.node_host(0, cpu_seconds=2)
    yield made
    made.close()
    node.node_host.cache_clear()


def refusal() -> LibraryError:
    with pytest.raises(LibraryError) as caught:
        extract(DOCUMENT, "readability-js")
    return caught.value


def test_it_finds_the_article() -> None:
    extraction = get("readability-js").run(DOCUMENT)
    check(extraction.spans, DOCUMENT)
    assert "open again in the spring" in text_of(DOCUMENT, extraction.spans)
    assert "News" not in str(extraction.text)
    assert extraction.seconds > 0


def test_a_short_article_is_the_longest_of_four_attempts() -> None:
    # With less than 500 characters it tries again with fewer rules, until even the advertisement stays.
    printed = node.node_host(0).ask("readability-js", EXAMPLE).text
    lines = [line for line in printed.splitlines() if line]
    assert lines == [P1, P2, "Photo: Ann Lee", "Buy cheap tickets More offers", P3]


NAMED = EXAMPLE.replace("<div><h1>", "<div class=story><h1>").replace("<div><a>Buy", "<div class=ads><a>Buy")
#: Lets the original log the scores of its candidates.
SCORES = """
import { createRequire } from "node:module"
const require = createRequire(process.argv[1] + "/index.js")
const { Readability } = require("@mozilla/readability"), { JSDOM } = require("jsdom")
const { window } = new JSDOM(require("node:fs").readFileSync(0, "utf8"))
new Readability(window.document, { debug: true, charThreshold: 100 }).parse()
"""


def test_an_article_of_a_hundred_characters_is_enough_where_that_is_asked() -> None:
    printed = node.node_host(0).ask("readability-js", NAMED, {"charThreshold": 100}).text
    assert [line for line in printed.splitlines() if line] == [P1, P2, "Photo: Ann Lee", P3]
    command = [str(node._node()), "--input-type=module", "-e", SCORES, str(node._packages())]
    logged = subprocess.run(command, input=NAMED, capture_output=True, text=True, check=True).stdout
    # 5 by itself, 25 for its name, 5, 4 and 4 of its paragraphs, half of 2 of the advertisement; all of that
    # less the share of links.
    story = "".join([P1, P2, "Photo: Ann Lee", "Buy cheap tickets More offers", P3])
    best = re.findall(r'Candidate: <div class="story"> with score ([\d.]+)', logged)
    assert [float(score) for score in best] == [pytest.approx(44 * (1 - 28 / len(story)))]


def test_blocks_do_not_run_into_each_other() -> None:
    page = "<article>" + "".join(f"<p>{'Word, and word. ' * 20}end{number}</p>" for number in range(3))
    printed = node.node_host(0).ask("readability-js", page)
    assert [line[-4:] for line in printed.text.splitlines() if line.strip()] == ["end0", "end1", "end2"]


def test_the_version_names_both_packages() -> None:
    version = get("readability-js").version
    assert "jsdom-" in version


@pytest.mark.parametrize("page", BAD)
def test_bad_input_gives_spans_or_a_typed_error(page: str) -> None:
    document = parse(BAD[page])
    assert refused(lambda: check(extract(document, "readability-js"), document)) in {None, "crash"}


def test_no_page_reaches_the_network() -> None:
    node_process = node.node_host(0)
    node_process.ask("readability-js", LONG)
    assert node_process.attempts == []


def test_a_child_that_ends_or_hangs_is_replaced(fresh: host.Host, tmp_path: Path) -> None:
    before = fresh.ask("readability-js", LONG).text
    slow = "<div>" + "<font size=1><p>" * 6000
    assert refused(lambda: fresh.ask("readability-js", slow)) == "time"
    assert fresh.ask("readability-js", LONG).text == before


def test_without_node_the_row_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert get("readability-js").missing == "not installed: there is no node on the path"
    assert refusal().reason == "missing"
    gold = GoldRecord(text="anything at all, five words", labels=frozenset({"body"}))
    task = Task([Candidate("readability-js", {})], ["shingle"], LABEL_SETS["body"])
    (row,) = evaluate([PageRecord("own", EXAMPLE.encode(), gold=gold)], task)["shingle"]
    assert "no node on the path" in str(row.results[0].error)


def test_without_its_packages_the_row_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDPAN_NODE", str(tmp_path / "nowhere"))
    assert get("readability-js").missing is not None
    assert "sh launcher/node.sh" in str(get("readability-js").missing)
    assert get("readability-js").version == "1+readability-none"
