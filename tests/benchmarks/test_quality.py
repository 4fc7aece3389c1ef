"""Tables of quality, made on a corpus of our own."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import halves, placing, published, quality
from benchmarks.published import KNOWN
from extraction.evaluation import Contender
from extraction.extractors import get, own_names
from extraction.formats import Record
from extraction.learned.goldpan import identity_of, is_even

OWN = [Contender(name, get(name).settle({})) for name in ("goldpan", "boilerpipe-article")]


@pytest.fixture(autouse=True)
def own_contenders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of our own: the libraries of others start slowly."""
    monkeypatch.setattr(quality, "contenders", lambda _corpus: OWN)


def test_quality_says_when_there_is_nothing_to_measure(no_corpora: None) -> None:
    assert quality.run().endswith("Not measured: there is no published gold beside the project.")


def test_quality_shows_the_pages_that_nobody_tuned_on_first(corpora: Path) -> None:
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


def test_quality_measures_no_more_pages_than_it_may(corpora: Path) -> None:
    rows = quality.measure(KNOWN[0], 2)
    assert {len(row.results) for by_metric in rows.values() for row in by_metric} == {2}


def test_quality_names_the_extractors_that_it_left_out(corpora: Path) -> None:
    assert "Not run on these pages, for they are slow or not here: goose3, newspaper4k" in quality.run()


def test_every_own_extractor_is_a_contender_on_every_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for corpus in KNOWN:
        found = quality.contenders(corpus)
        assert {contender.name for contender in found} >= set(own_names())
        assert Contender("goldpan", {"setting": "precision"}) in found
        assert corpus.title in quality.METRICS


def test_halves_count_the_pages_that_were_learned_from(
    corpora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = next(r for r in published.records(KNOWN[0]) if isinstance(r, Record))
    assert halves.learned_from(KNOWN[0]) == frozenset()
    monkeypatch.setattr(halves, "get", lambda _name: SimpleNamespace(tuned_on={first.sha256}))
    assert halves.learned_from(KNOWN[0], 1) == {first.place}


def test_a_page_is_in_the_half_that_learning_puts_it_in(corpora: Path) -> None:
    records = [r for r in published.records(KNOWN[0]) if isinstance(r, Record)]
    assert records
    for record in records:
        assert halves.HALVES["even"](record.place) == is_even(identity_of(record))
        assert halves.HALVES["odd"](record.place) != is_even(identity_of(record))


def test_placing_lists_the_page_whose_gold_is_elsewhere(corpora: Path) -> None:
    lines = placing.report(KNOWN[0])
    assert "100.00% of its characters on the median page" in lines[0]
    assert "1 of 5 pages below 90%" in lines[0]
    assert lines[2].startswith("- the page as saved does not say it: `e123456789ab` (")
