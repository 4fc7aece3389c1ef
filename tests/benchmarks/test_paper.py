"""The paper's tables, made on a corpus of our own page."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks import published_corpora
from benchmarks.published_corpora import KNOWN
from benchmarks.research import boilerpipe_java, tree_filter_paper
from benchmarks.research.tree_filter_paper import PaperRow
from tests.extraction.corpora import EXAMPLE, P1, P2, P3

PAGE = "0123456789abcdef"
JAVA = f"News\nBridge opens\n{P1}\n{P2}\nPhoto: Ann Lee\n{P3}\nCopyright 2010 Daily"


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of corpora with Scrapinghub's only, of one page, beside which its Java output lies."""
    folder = tmp_path / "scrapinghub"
    (folder / "html").mkdir(parents=True)
    (folder / "output").mkdir()
    (folder / "html" / f"{PAGE}.html.gz").write_bytes(gzip.compress(EXAMPLE.encode()))
    gold = {PAGE: {"url": "http://a/", "articleBody": f"{P1}\n{P2}\n{P3}"}}
    (folder / "ground-truth.json").write_text(json.dumps(gold))
    (folder / "output" / "boilerpipe.json").write_text(json.dumps({PAGE: {"articleBody": JAVA}}))
    monkeypatch.setattr(published_corpora, "CORPORA", tmp_path)
    monkeypatch.setattr(tree_filter_paper, "JOBS", 1)
    monkeypatch.setattr(boilerpipe_java, "PUBLISHED", folder)
    return folder


def test_paper_measures_both_bases_at_all_depths(corpora: Path) -> None:
    lines = tree_filter_paper.measure(KNOWN[0])
    assert [(line.base, line.depth) for line in lines] == [
        (base, depth) for base in ("boilerpipe-default", "boilerpipe-article") for depth in range(6)
    ]
    assert {line.pages for line in lines} == {1}
    assert lines[2].found == pytest.approx((195 / 217, 195 / 283, 0.78))
    assert lines[2].before == (0.94, 0.84, 0.89)
    assert lines[2].difference == pytest.approx(0.84 - 195 / 283)


def test_paper_prints_the_corpora_that_are_there(corpora: Path) -> None:
    text = tree_filter_paper.run()
    assert "### Scrapinghub: 1 pages, label set `body`" in text
    assert "| boilerpipe-default | 2 | .899 .689 .780 | .94 .84 .89 | 0.151 (more than allowed) |" in text
    assert "CleanEval, final:" not in text


def test_paper_says_when_there_is_nothing_to_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published_corpora, "CORPORA", tmp_path)
    assert tree_filter_paper.run().endswith("Not measured: there is no published gold beside the project.")


def test_a_line_without_an_earlier_figure_has_no_difference() -> None:
    assert PaperRow("boilerpipe-article", 0, 1, (0.9, 0.8, 0.85), (0.9, 0.8, 0.85), None).difference == 0


def test_java_words_counts_the_pages_that_agree(corpora: Path) -> None:
    assert "on 1," in boilerpipe_java.run()


def test_java_words_tells_a_difference_and_that_its_cause_is_unknown(corpora: Path) -> None:
    output = corpora / "output" / "boilerpipe.json"
    output.write_text(json.dumps({PAGE: {"articleBody": f"{JAVA} more"}}))
    assert "| `01234567` | 86 | 85 | 85 | 1, 0 | unknown |" in boilerpipe_java.run()
