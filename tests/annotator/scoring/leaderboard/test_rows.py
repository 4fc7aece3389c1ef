"""Rows, rank groups and intervals, without a database."""

from dataclasses import replace

import numpy as np
import pytest

from annotator.scoring.leaderboard import ranking
from annotator.scoring.leaderboard.leaderboard import (
    Leaderboard,
    LeaderboardRow,
    difference,
    grouped,
    ranked,
    to_json,
)
from annotator.scoring.leaderboard.ranking import ALL, BLIND, COMMON, MACRO, MICRO, Ranking, figures_on
from annotator.scoring.leaderboard.scored import bounds, resampled, standard_error
from annotator.scoring.totals import figures
from extraction.metrics.averages import PageAverages
from extraction.metrics.bootstrap import interval
from extraction.metrics.pages import score
from tests.annotator.scoring.standings import Page, columns, rows, scored, standing, sums_of


def row(pages: list[Page], *, gold: str = ALL, mean: str = MACRO) -> LeaderboardRow:
    return rows(pages, gold=gold, mean=mean)[0]


def test_macro_f1_is_the_harmonic_mean_of_mean_precision_and_recall() -> None:
    found = row([scored(10, 10, 20), scored(10, 20, 10)]).shown
    assert (found.precision, found.recall) == (0.75, 0.75)
    assert found.value == pytest.approx(0.75)


def test_micro_average_gives_long_pages_more_weight() -> None:
    pages = [scored(1, 1, 1), scored(0, 99, 99)]
    assert row(pages, mean=MICRO).shown.value == pytest.approx(0.01)
    assert row(pages, mean=MACRO).shown.value == pytest.approx(0.5)


def test_interval_is_withheld_below_thirty_pages() -> None:
    few, enough = row([scored(8, 10, 10)] * 29).shown, row([scored(8, 10, 10)] * 30).shown
    assert (few.low, few.high, few.n) == (None, None, 29)
    assert (few.value, enough.value) == (pytest.approx(0.8), pytest.approx(0.8))
    assert (enough.low, enough.high) == (pytest.approx(0.8), pytest.approx(0.8))


def test_micro_average_has_its_own_interval() -> None:
    found = row([scored(5, 10, 10), scored(10, 10, 10)] * 20, mean=MICRO).shown
    assert found.low < found.value < found.high


def test_failure_counts_as_zero() -> None:
    failed = Page(score(0, 0, 10, failed=True), seconds=None)
    found = row([scored(10, 10, 10), failed]).shown
    assert (found.failures, found.precision, found.recall) == (1, 0.5, 0.5)


def test_training_pages_are_excluded_and_counted() -> None:
    found = row([scored(10, 10, 10, tuned_on=True), scored(0, 10, 10)])
    assert (found.shown.n, found.shown.value, found.tuned_on) == (1, 0.0, 1)


def test_blind_gold_is_scored_separately() -> None:
    pages = [scored(10, 10, 10, blind=False), scored(5, 10, 10)]
    every, blind = row(pages), row(pages, gold=BLIND)
    assert (every.shown.n, every.shown.value) == (2, 0.75)
    assert (blind.shown.n, blind.shown.value) == (1, 0.5)
    assert every.blind == blind.shown
    assert blind.all_gold == every.shown


def test_extractors_without_a_page_that_counts_take_no_rank_from_the_others() -> None:
    """As on pages whose gold was made by people who saw a suggestion of most extractors' family."""
    seen, unseen = [scored(10, 10, 10, blind=False)] * 2, [scored(5, 10, 10)] * 2
    found = {each.extractor_id: each.is_ranked for each in rows(seen, seen, seen, unseen, unseen, gold=BLIND)}
    assert found == {0: False, 1: False, 2: False, 3: True, 4: True}


def test_extractor_without_blind_gold_has_no_blind_value() -> None:
    found = row([scored(10, 10, 10, blind=False)], gold=BLIND)
    assert (found.shown.n, found.shown.value) == (0, None)


def test_rows_are_ranked_by_value_and_rows_without_one_come_last() -> None:
    good, bad = replace(row([scored(9, 10, 10)]), name="b"), replace(row([scored(1, 10, 10)]), name="a")
    none = replace(row([scored(9, 10, 10, blind=False)], gold=BLIND), name="c")
    assert [each.name for each in ranked([none, bad, good])] == ["b", "a", "c"]


def varied(share: float, pages: int = 40) -> list[Page]:
    """Pages 0, 1 ... whose scores vary around a value."""
    return [scored(round(100 * share) + (n % 5 - 2) * 8, 100, 100, page=n) for n in range(pages)]


def test_rows_that_may_be_as_good_as_the_best_are_tied() -> None:
    noisy = [scored(71 + (n % 7 - 3) * 8, 100, 100, page=n) for n in range(40)]
    groups = grouped(rows(varied(0.7), noisy, varied(0.4)))
    assert [(group.first, group.last, group.tied) for group in groups] == [(1, 2, True), (3, 3, False)]


def test_a_small_difference_on_every_page_is_no_tie_though_intervals_overlap() -> None:
    found = rows(varied(0.7), varied(0.69))
    assert found[0].shown.low < found[1].shown.high
    assert found[1].behind.value == pytest.approx(-0.01, abs=1e-3)
    assert [group.tied for group in grouped(found)] == [False, False]


def test_extractors_on_other_pages_have_no_rank() -> None:
    tuned = [replace(page, tuned_on=page.page < 5) for page in varied(0.9)]
    found = rows(varied(0.7), varied(0.5), tuned, varied(0.95)[:30])
    assert [each.extractor_id for each in found] == [0, 1, 3, 2]
    assert [each.is_ranked for each in found] == [True, True, False, False]
    assert [(group.first, len(group.rows)) for group in grouped(found)] == [(1, 1), (2, 1), (0, 2)]


def test_as_many_other_pages_are_no_same_pages() -> None:
    tuned = [replace(page, tuned_on=page.page < 5) for page in varied(0.9)]
    others = [replace(page, tuned_on=page.page >= 35) for page in varied(0.8)]
    found = rows(tuned, tuned, others)
    assert {each.extractor_id: each.is_ranked for each in found} == {0: True, 1: True, 2: False}


def test_on_common_pages_all_that_ran_everywhere_have_a_rank() -> None:
    def common(pages: list[Page]) -> list[Page]:
        return [replace(page, is_common=page.page >= 5) for page in pages]

    tuned = [replace(page, tuned_on=page.page < 5) for page in varied(0.9)]
    found = rows(common(varied(0.7)), common(tuned), common(varied(0.5)[:10]), page_set=COMMON)
    by_number = {each.extractor_id: each for each in found}
    assert [by_number[number].shown.n for number in range(3)] == [35, 35, 5]
    assert [by_number[number].is_ranked for number in range(3)] == [True, True, False]


def test_nothing_is_tied_where_intervals_are_withheld() -> None:
    found = rows([scored(9, 10, 10)], [scored(9, 10, 10)])
    assert [group.tied for group in grouped(found)] == [False, False]


def test_leaderboard_without_rows_has_no_best_and_no_groups() -> None:
    board = Leaderboard("character", "main", ALL, MACRO, 0, [], None, 0.0)
    assert (board.best, board.groups) == (None, [])
    assert board.axis.ticks


def test_json_has_the_shape_of_evaluate() -> None:
    board = Leaderboard("character", "main", ALL, MACRO, 2, [row([scored(8, 10, 10)] * 2)], None, 0.0)
    found = to_json(board)
    (result,) = found.pop("results")
    chosen = {"gold": "all", "page_set": "own", "of": ""}
    assert found == {"metric": "character", "labels": "main", **chosen, "pages": 2}
    assert result.pop("seconds") == pytest.approx(0.02)
    assert result.pop("micro") == {"precision": 0.8, "recall": 0.8, "f1": pytest.approx(0.8)}
    assert result == {
        "extractor": "e0",
        "version": "1",
        "parameters": {},
        "n": 2,
        "failures": 0,
        "precision": 0.8,
        "recall": 0.8,
        "f1": pytest.approx(0.8),
        "f1_page_mean": pytest.approx(0.8),
        "f1_low": None,
        "f1_high": None,
    }


# ---- intervals ----


def random_pages(seed: int, pages: int) -> list[Page]:
    """Pages of unlike length and quality; some have no gold, some nothing predicted."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(pages):
        gold, predicted = (int(n) * int(random.random() > 0.03) for n in random.integers(50, 9_000, 2))
        true = int(min(gold, predicted) * random.beta(6, 1))
        found.append(scored(true, predicted, gold, page=number))
    return found


@pytest.mark.parametrize("by_page", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_resampled_intervals_are_those_of_evaluate(by_page: bool, weighted: bool) -> None:
    pages = random_pages(1, 60)
    weights = [1.0 + number % 3 for number in range(60)] if weighted else None
    drawn = resampled(columns(pages, weights=weights), by_page=by_page)
    means = PageAverages([page.score for page in pages], by_page=by_page, weights=weights)
    expected = interval(60, lambda times: means.f1(times * means.everywhere))
    assert bounds(drawn.macro) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("by_page", [False, True])
@pytest.mark.parametrize("pooled", [False, True])
def test_interval_from_sums_is_as_wide_as_by_resampling(by_page: bool, pooled: bool) -> None:
    """Within 5 % at 5,000 pages; and the same from sums as page by page."""
    every = columns(random_pages(2, 5_000))
    error = figures.standard_error(sums_of(every), pooled=pooled, by_page=by_page)
    drawn = resampled(every, by_page=by_page).of(pooled=pooled)
    low, high = bounds(drawn)
    assert 2 * figures.BOUND * error == pytest.approx(high - low, rel=0.05)
    assert error == pytest.approx(standard_error(every, pooled=pooled, by_page=by_page), rel=1e-4)


@pytest.mark.parametrize("mean", [MACRO, MICRO])
def test_weighted_intervals_of_many_pages_are_as_wide_as_by_resampling(
    mean: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More pages than are resampled have their intervals from the linearised variance."""
    pages = random_pages(4, 3_000)
    weights = [1.0 + number % 3 for number in range(3_000)]
    plain = standing(pages)
    weighted = replace(plain, scored=columns(pages, weights=weights), is_weighted=True)
    choice = Ranking("character", mean=mean)
    whole = figures_on(weighted, choice, blind=False)
    monkeypatch.setattr(ranking, "MOST_RESAMPLED", 2_999)
    many = figures_on(weighted, choice, blind=False)
    assert many.resampled is None
    assert (many.averages, many.effective) == (whole.averages, whole.effective)
    assert many.averages != figures_on(plain, choice, blind=False).averages
    for (low, high), (least, most) in ((many.macro, whole.macro), (many.micro, whole.micro)):
        assert high - low == pytest.approx(most - least, rel=0.08)
        assert low == pytest.approx(least, abs=0.1 * (most - least))


@pytest.mark.parametrize("mean", [MACRO, MICRO])
def test_paired_interval_of_a_sample_is_as_wide_as_by_resampling(mean: str) -> None:
    first = random_pages(3, 3_000)
    second = [
        replace(
            page,
            score=score(int(page.score.true * (0.9 + n % 7 / 100)), page.score.predicted, page.score.gold),
        )
        for n, page in enumerate(first)
    ]
    choice = Ranking("character", mean=mean)
    whole = [figures_on(standing(each), choice, blind=False) for each in (first, second)]
    sampled = [figures_on(standing(each, is_whole=False), choice, blind=False) for each in (first, second)]
    value, low, high = difference(whole[0], whole[1], choice)
    by_sample = difference(sampled[0], sampled[1], choice)
    assert by_sample.value == pytest.approx(value)
    assert by_sample.high - by_sample.low == pytest.approx(high - low, rel=0.08)
