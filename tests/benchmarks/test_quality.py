"""Tables of quality, made on a corpus of our own."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import gold_alignment, held_out, published_corpora, quality
from benchmarks.published_corpora import KNOWN
from extraction.evaluation import Candidate
from extraction.extractors import get, own_names
from extraction.extractors.learned.goldpan_training import is_even
from extraction.formats.records import PageRecord

OWN = [Candidate(name, get(name).with_defaults({})) for name in ("goldpan", "boilerpipe-article")]


@pytest.fixture(autouse=True)
def own_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of our own: the libraries of others start slowly."""
    monkeypatch.setattr(quality, "candidates", lambda _corpus: OWN)


def test_quality_shows_the_pages_that_nobody_tuned_on_first_and_says_who_did_not_run(corpora: Path) -> None:
    text = quality.run()
    odd, whole, even = (text.index(f"| shingle | {half} | ") for half in ("odd", "all", "even"))
    assert (
        text.index("### Scrapinghub, label set `body`")
        < odd
        < whole
        < even
        < text.index("All pages, shingle")
    )
    assert "| shingle | all | 5 | 0 | goldpan, balanced |" in text
    assert "### WCXB" not in text
    assert (
        "Not run, because they are slow or not installed: defuddle, goose3, newspaper4k, readabilipy" in text
    )


def test_quality_measures_no_more_pages_than_it_may(corpora: Path) -> None:
    rows = quality.measure(KNOWN[0], 2)
    assert {len(row.results) for by_metric in rows.values() for row in by_metric} == {2}


def test_every_own_extractor_is_a_candidate_on_every_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for corpus in KNOWN:
        found = quality.candidates(corpus)
        assert {candidate.name for candidate in found} >= set(own_names())
        assert Candidate("goldpan", {"setting": "precision"}) in found
        assert corpus.title in quality.METRICS


def test_halves_count_the_pages_that_were_learned_from(
    corpora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = next(r for r in published_corpora.records(KNOWN[0]) if isinstance(r, PageRecord))
    assert held_out.learned_from(KNOWN[0]) == frozenset()
    monkeypatch.setattr(held_out, "get", lambda _name: SimpleNamespace(tuned_on={first.sha256}))
    assert held_out.learned_from(KNOWN[0], 1) == {first.location}


def test_no_p_is_shown_as_nothing() -> None:
    shown = [held_out.probability(p) for p in (None, 0.00003, 0.0001, 0.25)]
    assert shown == ["", "< 0.0001", "0.0001", "0.2500"]


def test_a_page_is_in_the_half_that_learning_puts_it_in(corpora: Path) -> None:
    records = [r for r in published_corpora.records(KNOWN[0]) if isinstance(r, PageRecord)]
    assert records
    for record in records:
        assert held_out.HALVES["even"](record.location) == is_even(record.location)
        assert held_out.HALVES["odd"](record.location) != is_even(record.location)


def test_placing_lists_the_page_whose_gold_is_elsewhere(corpora: Path) -> None:
    lines = gold_alignment.report(KNOWN[0])
    assert "100.00% of its characters on the median page" in lines[0]
    assert "1 of 5 pages below 90%" in lines[0]
    assert lines[2].startswith("- the page as saved does not say it: `e123456789ab` (")
