"""The article extraction benchmark has the figures of our board, of our export and what extractors said."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotator.corpora.models import Corpus
from annotator.home.pending import run_pending
from annotator.pages.imports.actions import start_import
from annotator.runs.actions import enable
from annotator.scoring.leaderboard.boards import board
from annotator.scoring.leaderboard.leaderboard import to_json
from extraction.documents.document import Document
from extraction.extractors import extract, registry
from extraction.formats import jsonl
from extraction.spans import Span
from tests.annotator.pages.imports.made import run_import
from tests.annotator.releases.exports.published_evaluation import Figures, evaluate
from tests.corpora import records_with_gold

pytestmark = pytest.mark.django_db

FEW = 12
SILENT, BROKEN = "silent", "broken"


def with_gold(corpus: Corpus, folder: Path) -> None:
    """Import pages with gold, run all extractors and score them."""
    records = sorted(records_with_gold(FEW, 0), key=lambda record: record.sha256)
    with (folder / "pages.jsonl").open("wb") as stream:
        jsonl.WRITER.write(records, stream)
    list(run_import(start_import(corpus=corpus, format="jsonl", path=folder / "pages.jsonl", with_gold=True)))
    assert run_pending(corpus) > 0, "the planted crashes"


def stumble(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one extractor take nothing of every third text, and another one crash there."""

    def silent(document: Document) -> list[Span]:
        return [] if is_third(document) else bte(document)

    def broken(document: Document) -> list[Span]:
        if is_third(document):
            raise RuntimeError("planted")
        return bte(document)

    for name, function in ((SILENT, silent), (BROKEN, broken)):
        spec = replace(registry.REGISTRY["everything"], name=name, function=function, parameters={})
        monkeypatch.setitem(registry.REGISTRY, name, spec)


def bte(document: Document) -> list[Span]:
    return extract(document, "bte")


def is_third(document: Document) -> bool:
    return int(document.sha256, 16) % 3 == 0


@pytest.fixture
def judged(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, Figures], dict[str, Any]]:
    """The figures of the benchmark on what goes out, and our board's, by extractor."""
    stumble(monkeypatch)
    for name in (SILENT, BROKEN):
        enable(corpus=corpus, name=name)
    with_gold(corpus, tmp_path)
    folder = tmp_path / "out"
    call_command("export", corpus.slug, "scrapinghub", str(folder), outputs=True)
    rows = to_json(board(corpus, labels="body", metric="shingle"))["results"]
    theirs = evaluate(folder)
    names = {f"{row['extractor']}-{row['version']}": row["extractor"] for row in rows}
    return {names[name]: found for name, found in theirs.items()}, {row["extractor"]: row for row in rows}


def test_the_published_evaluation_gives_the_figures_of_our_board(
    judged: tuple[dict[str, Figures], dict[str, Any]],
) -> None:
    """Empty outputs are left out of the mean of precisions, there and here; crashes there alone."""
    theirs, ours = judged
    pages = ours[SILENT]["n"]
    failures = ours[BROKEN]["failures"]
    assert 0 < failures < pages
    assert ours[SILENT]["failures"] == 0
    # Pages on which an extractor was tuned count in none of our figures.
    compared = {name for name, row in ours.items() if row["n"] == pages}
    assert len(compared) > 3
    for name in compared - {BROKEN}:
        found = tuple(ours[name][figure] for figure in Figures._fields)
        assert found == pytest.approx(theirs[name], abs=1e-7), name
    assert theirs[BROKEN] == theirs[SILENT], "the benchmark cannot tell them apart"
    assert ours[BROKEN]["recall"] == pytest.approx(theirs[BROKEN].recall, abs=1e-7)
    lowered = theirs[BROKEN].precision * (pages - failures) / pages
    assert ours[BROKEN]["precision"] == pytest.approx(lowered, abs=1e-7)
