"""A folder of corpora with one of five pages, in place of the real ones."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks import published_corpora, quality, speed
from tests.extraction.corpora import EXAMPLE, P1, P2, P3

PAGES = [f"{letter}123456789abcdef" for letter in "abcde"]


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scrapinghub's only; of its last page, most of the gold is not in the page."""
    folder = tmp_path / "scrapinghub"
    (folder / "html").mkdir(parents=True)
    for page in PAGES:
        (folder / "html" / f"{page}.html.gz").write_bytes(gzip.compress(EXAMPLE.encode()))
    gold = {page: {"url": "http://a/", "articleBody": f"{P1}\n{P2}\n{P3}"} for page in PAGES}
    gold[PAGES[-1]]["articleBody"] = f"{P1}\n{'Nobody ever wrote such a sentence anywhere. ' * 9}"
    (folder / "ground-truth.json").write_text(json.dumps(gold))
    monkeypatch.setattr(published_corpora, "CORPORA", tmp_path)
    monkeypatch.setattr(quality, "JOBS", 1)
    monkeypatch.setattr(speed, "ROUNDS", 1)
    return tmp_path


@pytest.fixture
def no_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of corpora in which there is none."""
    monkeypatch.setattr(published_corpora, "CORPORA", tmp_path / "none")
    monkeypatch.setattr(speed, "ROUNDS", 1)
