"""The benchmarks of agreement: their pages, and the model of annotator_errors."""

import re

import numpy as np
import pytest

from benchmarks import agreement
from benchmarks.research import annotator_errors, interval_coverage
from extraction.parsing.parse import parse
from extraction.spans import Span, check
from tests.extraction.corpora import EXAMPLE


def test_the_cost_is_measured_in_a_process_of_its_own() -> None:
    text = agreement.run(3)
    assert text.startswith("## Agreement\n")
    assert re.search(r"\| peak, MB \| \d+ \|", text)


def test_coverage_without_corpora_says_so(no_corpora: None) -> None:
    assert "no published corpora" in interval_coverage.run(2)


def test_slips_are_drawn_from_the_seed_and_are_spans_of_the_page() -> None:
    document = parse(EXAMPLE.encode())
    gold = [Span(*block, "body") for block in document.blocks[2:6]]
    drawn = [
        annotator_errors.annotators(document, gold, np.random.default_rng(seed))
        for seed in [*range(30), *range(30)]
    ]
    assert drawn[:30] == drawn[30:]
    assert any(each["ada"] != each["ben"] for each in drawn)
    for each in drawn:
        for spans in each.values():
            check(spans, document)


def test_without_slips_both_mark_the_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MISSED", "SWAPPED", "EXTRA", "STRAY", "MOVED", "MISREAD"):
        monkeypatch.setattr(annotator_errors, name, 0)
    document = parse(EXAMPLE.encode())
    gold = [Span(*block, "body") for block in document.blocks[2:6]]
    drawn = annotator_errors.annotators(document, gold, np.random.default_rng(1))
    assert drawn["ada"] == drawn["ben"]
    assert [span[:2] for span in drawn["ada"]] == [span[:2] for span in gold]
    assert drawn["ada"][0].label == "headline"
