"""Averages over pages, and when intervals are shown."""

import pytest

from extraction.metrics import PageScore, summarise
from extraction.metrics.pages import score

GOOD = score(8, 10, 10)
POOR = score(2, 10, 4)


def test_summarise_takes_f1_from_the_means() -> None:
    summary = summarise([GOOD, POOR])
    assert (summary.precision, summary.recall) == (0.5, 0.65)
    assert summary.f1 == pytest.approx(2 * 0.5 * 0.65 / 1.15)
    assert summary.f1_page_mean == pytest.approx((0.8 + 2 * 0.2 * 0.5 / 0.7) / 2)


def test_summarise_pools_for_micro() -> None:
    micro = summarise([GOOD, POOR]).micro
    assert (micro.precision, micro.recall) == (0.5, 10 / 14)
    assert micro.f1 == pytest.approx(2 * 10 / (20 + 14))


def test_summarise_leaves_out_what_the_metric_leaves_out() -> None:
    silent = PageScore(0, 0, 1, precision=None, recall=0.0)
    summary = summarise([GOOD, silent])
    assert (summary.precision, summary.recall, summary.n) == (0.8, 0.4, 2)


def test_summarise_counts_failures_as_zero() -> None:
    summary = summarise([GOOD, score(0, 0, 10, failed=True)])
    assert (summary.n, summary.failures) == (2, 1)
    assert (summary.precision, summary.recall) == (0.4, 0.4)


def test_interval_is_withheld_below_thirty_pages() -> None:
    few, enough = summarise([GOOD, POOR] * 14 + [GOOD]), summarise([GOOD, POOR] * 15)
    assert (few.f1_low, few.f1_high) == (None, None)
    assert enough.f1_low is not None
    assert enough.f1_high is not None
    assert enough.f1_low < enough.f1 < enough.f1_high


def test_interval_is_the_same_each_time_and_narrows_with_pages() -> None:
    few, many = summarise([GOOD, POOR] * 15), summarise([GOOD, POOR] * 150)
    assert summarise([GOOD, POOR] * 15) == few
    widths = [s.f1_high - s.f1_low for s in (few, many) if s.f1_low is not None and s.f1_high is not None]
    assert widths[1] < widths[0] / 2


def test_interval_covers_about_what_theory_says() -> None:
    pages = [score(1, 1, 1), score(0, 1, 1)] * 50
    summary = summarise(pages)
    # a share of 1/2 on 100 pages has a standard error of .05
    assert summary.f1_low == pytest.approx(0.402, abs=0.02)
    assert summary.f1_high == pytest.approx(0.598, abs=0.02)


def test_summarise_without_pages_is_all_zero() -> None:
    summary = summarise([])
    assert (summary.n, summary.precision, summary.f1, summary.micro.f1) == (0, 0, 0, 0)


def test_recall_all_and_unplaced_share() -> None:
    summary = summarise([score(5, 5, 5, unplaced=5)])
    assert (summary.recall, summary.recall_all, summary.unplaced) == (1.0, 0.5, 0.5)


def test_a_metric_may_be_known_by_the_mean_of_page_f1() -> None:
    means, pages = summarise([GOOD, POOR] * 20), summarise([GOOD, POOR] * 20, by_page=True)
    assert (means.f1, pages.f1) == (means.f1_of_means, means.f1_page_mean)
    assert (pages.f1_page_mean, pages.f1_of_means) == (means.f1_page_mean, means.f1_of_means)
    assert means.f1 > pages.f1
    for summary in (means, pages):
        assert summary.f1_low is not None
        assert summary.f1_high is not None
        assert summary.f1_low < summary.f1 < summary.f1_high
    assert (means.f1_low, means.f1_high) != (pages.f1_low, pages.f1_high)


def test_precision_and_recall_have_intervals_too() -> None:
    summary = summarise([GOOD, POOR] * 20)
    assert summary.precision_low is not None
    assert summary.precision_high is not None
    assert summary.precision_low < 0.5 < summary.precision_high
    assert summary.recall_low is not None
    assert summary.recall_high is not None
    assert 0.5 < summary.recall_low < 0.65 < summary.recall_high < 0.8
    assert summarise([GOOD]).recall_low is None


def test_extras_are_means_of_the_pages_that_have_them() -> None:
    values: list[dict[str, float | None]] = [{"accuracy": 1.0}, {"accuracy": 0.5}, {"accuracy": None}, {}]
    summary = summarise([score(1, 1, 1, extras=extras) for extras in values])
    assert summary.extras == {"accuracy": 0.75}
