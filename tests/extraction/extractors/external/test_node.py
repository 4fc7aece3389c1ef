"""Packages of Node: what they find, and what their rows say where there is no Node."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from extraction.evaluation import Candidate, Task, evaluate
from extraction.extractors import REGISTRY, extract, get
from extraction.extractors.external import host, node
from extraction.formats import GoldRecord, PageRecord
from extraction.metrics import shingle, summarise
from extraction.parsing.decode import decode
from extraction.parsing.parse import parse
from extraction.spans import LABEL_SETS, check, text_of
from tests.extraction.corpora import EXAMPLE, P1, P2, P3, gold_texts
from tests.extraction.extractors.external.test_libraries import BAD, LONG, refused

DOCUMENT = parse(LONG.encode())
#: The child of Node that `extract` asks, too.
HOST = node.node_host(os.getpid())
PACKAGES = {"readability-js": "readability", "defuddle": "defuddle", "postlight-parser": "postlight-parser"}


@pytest.fixture
def fresh() -> Iterator[host.Host]:
    """A child of Node that gives a page two seconds of CPU time."""
    made = node.node_host(0, cpu_seconds=2)
    yield made
    made.close()


def test_every_package_is_tested_here() -> None:
    known = {name for name, spec in REGISTRY.items() if isinstance(spec.library, node.NodePackage)}
    assert known == set(PACKAGES)


@pytest.mark.parametrize("name", PACKAGES)
def test_it_finds_the_article(name: str) -> None:
    extraction = get(name).run(DOCUMENT)
    check(extraction.spans, DOCUMENT)
    assert "open again in the spring" in text_of(DOCUMENT, extraction.spans)
    assert "News" not in str(extraction.text)
    assert {span.label for span in extraction.spans} == {"content"}
    assert extraction.seconds > 0


# F1 by shingles on the first ten pages of the Scrapinghub benchmark, and on our own example, as measured.
FIGURES = {
    "readability-js": (0.9813, 0.9091),
    "defuddle": (0.9691, 0.9396),
    "postlight-parser": (0.9803, 0.9091),
}


@pytest.mark.parametrize("name", PACKAGES)
def test_its_quality_on_real_pages_is_as_measured(name: str) -> None:
    corpora = gold_texts()
    is_published = "scrapinghub" in corpora
    pages = corpora["scrapinghub" if is_published else "own"][:10]
    texts = [(HOST.ask(name, decode(raw).text).text, gold) for raw, gold in pages]
    f1 = summarise([shingle.compare(gold, text) for text, gold in texts]).f1
    assert f1 == pytest.approx(FIGURES[name][0 if is_published else 1], abs=0.001)


def test_a_short_article_is_the_longest_of_four_attempts() -> None:
    # With less than 500 characters it tries again with fewer rules, until even the advertisement stays.
    printed = HOST.ask("readability-js", EXAMPLE).text
    lines = [line for line in printed.splitlines() if line]
    assert lines == [P1, P2, "Photo: Ann Lee", "Buy cheap tickets More offers", P3]


@pytest.mark.parametrize("name", PACKAGES)
def test_blocks_do_not_run_into_each_other(name: str) -> None:
    page = "<article>" + "".join(f"<p>{'Word, and word. ' * 20}end{number}</p>" for number in range(3))
    printed = HOST.ask(name, page)
    assert [line[-4:] for line in printed.text.splitlines() if line.strip()] == ["end0", "end1", "end2"]


def test_the_version_names_both_packages() -> None:
    for name, library in PACKAGES.items():
        assert re.fullmatch(rf"1\+{library}-\d+\.\d+\.\d+-jsdom-\d+\.\d+\.\d+", get(name).version)


@pytest.mark.parametrize("page", BAD)
@pytest.mark.parametrize("name", PACKAGES)
def test_bad_input_gives_spans_or_a_typed_error(name: str, page: str) -> None:
    document = parse(BAD[page])
    assert refused(lambda: check(extract(document, name), document)) in {None, "crash"}


NEXT = LONG.replace(
    "</article>", "</article><a rel=next class=next-page href='/article?page=2'>Next page</a>"
)


@pytest.mark.parametrize("page", ["", NEXT], ids=["empty", "continued"])
@pytest.mark.parametrize("name", PACKAGES)
def test_no_page_reaches_the_network(name: str, page: str) -> None:
    HOST.attempts = ["of another page"]
    assert bool(HOST.ask(name, page).text) is bool(page)
    assert HOST.attempts == []


@pytest.mark.parametrize("name", PACKAGES)
def test_no_script_of_a_page_runs(name: str) -> None:
    script = "document.querySelector('article').innerHTML = '<p>' + 'Written by a script. '.repeat(90)"
    page = LONG.replace("</article>", f'</article><script>{script}</script><img src=x onerror="{script}">')
    assert "Written by a script" not in HOST.ask(name, page).text


STAND_IN = """
const DEEDS = {
  connect: () => require("net").connect(80, "192.0.2.1"),
  "look-up": () => require("dns").lookup("page.invalid", () => {}),
  "look-up-again": () => require("dns/promises").lookup("page.invalid"),
  resolve: () => new (require("dns").Resolver)().resolve4("page.invalid", () => {}),
  send: () => require("dgram").createSocket("udp4").send("hush", 53, "192.0.2.1"),
  fetch: () => fetch("http://192.0.2.1/").catch((error) => { throw error.cause ?? error }),
  log: () => console.log("noise"),
}
exports.parse = async (url, { html }) => {
  const [deed, and] = html.split(" ")
  try {
    await DEEDS[deed]?.()
  } catch (error) {
    if (!and) throw error
    return { content: error.message }
  }
  return { content: `<p>${html}</p>` }
}
"""


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[host.Host]:
    """A child whose Postlight Parser is a made-up one, which does what the page says."""
    folder = tmp_path_factory.mktemp("packages")
    packages = folder / "node_modules"
    (packages / "@postlight" / "parser").mkdir(parents=True)
    (packages / "@postlight" / "parser" / "index.js").write_text(STAND_IN, encoding="utf-8")
    (packages / "jsdom").symlink_to(node._packages() / "jsdom")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOLDPAN_NODE", str(folder))
        made = node.node_host(-1)
    yield made
    made.close()


@pytest.mark.parametrize("deed", ["connect", "look-up", "look-up-again", "resolve", "send", "fetch"])
def test_no_package_reaches_the_network(stand_in: host.Host, deed: str) -> None:
    assert stand_in.ask("postlight-parser", f"{deed} and-tell").text == "extractors have no network"
    assert len(stand_in.attempts) == 1
    assert refused(lambda: stand_in.ask("postlight-parser", deed)) == "crash"
    assert stand_in.ask("postlight-parser", "next").text == "next"
    assert stand_in.attempts == []


def test_what_a_package_logs_does_not_disturb_the_answer(stand_in: host.Host) -> None:
    assert stand_in.ask("postlight-parser", "log it").text == "log it"
    assert stand_in.ask("postlight-parser", "next").text == "next"


def test_a_page_that_takes_too_long_leaves_the_next_alone(fresh: host.Host) -> None:
    before = fresh.ask("readability-js", LONG).text
    slow = "<div>" + "<font size=1><p>" * 6000
    assert refused(lambda: fresh.ask("readability-js", slow)) == "time"
    assert fresh.ask("readability-js", LONG).text == before


def test_without_node_the_row_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert get("defuddle").missing == "not installed: there is no node on the path"
    gold = GoldRecord(text="anything at all, five words", labels=frozenset({"body"}))
    task = Task([Candidate("defuddle", {})], ["shingle"], LABEL_SETS["body"])
    (row,) = evaluate([PageRecord("own", EXAMPLE.encode(), gold=gold)], task)["shingle"]
    assert row.results[0].error == "LibraryError: defuddle is not installed: there is no node on the path"


def test_without_its_packages_the_row_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDPAN_NODE", str(tmp_path / "nowhere"))
    assert "sh launcher/node.sh" in str(get("defuddle").missing)
    assert get("defuddle").version == "1+defuddle-none"
    assert refused(lambda: extract(DOCUMENT, "defuddle")) == "missing"
