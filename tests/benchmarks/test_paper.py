"""The comparison with Boilerpipe's Java original, made on a corpus of our own page."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks import published_corpora
from benchmarks.research import boilerpipe_java
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
    monkeypatch.setattr(boilerpipe_java, "PUBLISHED", folder)
    return folder


def test_java_words_counts_the_pages_that_agree(corpora: Path) -> None:
    assert "on 1," in boilerpipe_java.run()


def test_java_words_tells_a_difference_and_that_its_cause_is_unknown(corpora: Path) -> None:
    output = corpora / "output" / "boilerpipe.json"
    output.write_text(json.dumps({PAGE: {"articleBody": f"{JAVA} more"}}))
    assert "| `01234567` | 86 | 85 | 85 | 1, 0 | unknown |" in boilerpipe_java.run()
