"""Rows against one of them."""

import pytest

from extraction.evaluation import Candidate, EvaluationRow, PageOutcome
from extraction.evaluation.comparison import compare
from extraction.metrics.pages import score
from extraction.metrics.statistics import holm, wilcoxon

BASE = [0.30 + index / 100 for index in range(40)]


def row(name: str, f1: list[float], metric: str = "words") -> EvaluationRow:
    outcomes = [PageOutcome(str(index), score(value, 1, 1), 0.0, None) for index, value in enumerate(f1)]
    return EvaluationRow(Candidate(name, {}), metric, outcomes)


def page_f1(one: EvaluationRow) -> list[float]:
    return [page.f1 for page in one.scores]


def test_each_row_is_compared_but_the_one_itself() -> None:
    base = row("base", BASE)
    better = row("better", [value + 0.05 + index / 1000 for index, value in enumerate(BASE)])
    noisy = row("noisy", [value + 0.02 * (-1) ** index for index, value in enumerate(BASE)])
    found = compare([better, base, noisy], base)
    assert found[1] is None
    assert found[0] is not None
    assert found[2] is not None
    assert found[0].difference.value == pytest.approx(better.summary.f1 - base.summary.f1)
    assert found[0].difference.low is not None
    assert found[0].difference.low > 0.04
    assert found[2].difference.low is not None
    assert found[2].difference.high is not None
    assert found[2].difference.low < 0 < found[2].difference.high


def test_p_values_are_corrected_for_all_rows_at_once() -> None:
    base = row("base", BASE)
    others = [row(f"other {shift}", [value + shift for value in BASE]) for shift in (-0.1, 0.0, 0.1)]
    found = [one for one in compare([base, *others], base) if one is not None]
    raw = [wilcoxon(page_f1(other), page_f1(base)).p for other in others]
    assert [one.wilcoxon.p for one in found] == raw
    assert [one.p_holm for one in found] == holm(raw)
    assert found[0].p_holm == pytest.approx(3 * (raw[0] or 0))


def test_the_difference_is_of_the_f1_that_the_metric_is_known_by() -> None:
    pages = [score(1, 1, 4), score(1, 4, 1)] * 20
    uneven = [PageOutcome(str(index), page, 0.0, None) for index, page in enumerate(pages)]
    for metric, expected in (("words", 0.4 - 0.5), ("shingle", 0.625 - 0.5)):
        base = row("base", [0.5] * 40, metric)
        found, _ = compare([EvaluationRow(Candidate("uneven", {}), metric, uneven), base], base)
        assert found is not None
        assert found.difference.value == pytest.approx(expected)


def test_few_pages_have_a_difference_and_nothing_more() -> None:
    base, other = row("base", BASE[:9]), row("other", [value + 0.1 for value in BASE[:9]])
    found, _ = compare([other, base], base)
    assert found is not None
    result = found.to_json()
    assert result["difference"] > 0
    assert (
        result["low"],
        result["high"],
        result["wilcoxon"]["p"],
        result["wilcoxon"]["p_holm"],
    ) == (None,) * 4
    assert result["mann_whitney"]["u"] > 40
