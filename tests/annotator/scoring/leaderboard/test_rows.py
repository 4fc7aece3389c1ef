"""Rows, rank groups and intervals, without a database."""

from dataclasses import replace
from typing import Any

import pytest

from annotator.scoring.leaderboard.leaderboard import (
    ALL,
    BLIND,
    MACRO,
    MICRO,
    Leaderboard,
    LeaderboardRow,
    ScoredPage,
    behind_best,
    comparable,
    figures_of,
    grouped,
    on_common_pages,
    ranked,
    row_of,
    to_json,
)
from extraction.metrics.pages import PageScore, score


def scored(true: int, predicted: int, gold: int, **more: Any) -> ScoredPage:
    fields = {"blind": True, "tuned_on": False, "seconds": 0.01, **more}
    return ScoredPage(score(true, predicted, gold), **fields)


def row(
    pages: list[ScoredPage],
    *,
    name: str = "bte",
    number: int = 1,
    gold: str = ALL,
    mean: str = MACRO,
    is_ranked: bool = True,
) -> LeaderboardRow:
    extractor = {
        "extractor_id": number,
        "name": name,
        "version": "1",
        "parameters": {},
        "title": name,
        "is_available": True,
    }
    return row_of(extractor, pages, gold=gold, mean=mean, is_ranked=is_ranked)


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
    failed = ScoredPage(score(0, 0, 10, failed=True), blind=True, tuned_on=False, seconds=None)
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


def test_extractor_without_blind_gold_has_no_blind_value() -> None:
    found = row([scored(10, 10, 10, blind=False)], gold=BLIND)
    assert (found.shown.n, found.shown.value) == (0, None)


def test_rows_are_ranked_by_value_and_rows_without_one_come_last() -> None:
    good, bad = row([scored(9, 10, 10)], name="b"), row([scored(1, 10, 10)], name="a")
    none = row([scored(9, 10, 10, blind=False)], name="c", gold=BLIND)
    assert [each.name for each in ranked([none, bad, good])] == ["b", "a", "c"]


def varied(share: float) -> list[ScoredPage]:
    """Forty pages whose scores vary around a value."""
    return [scored(round(100 * share) + (n % 5 - 2) * 8, 100, 100) for n in range(40)]


def board_of(*scored: list[ScoredPage]) -> list[LeaderboardRow]:
    """The rows of extractors with these scores, on pages 0, 1 ..., with their differences to the best."""
    pages = {
        number: [replace(page, page=at) for at, page in enumerate(each)] for number, each in enumerate(scored)
    }
    with_rank = comparable(pages, ALL)
    rows = ranked([row(each, number=number, is_ranked=number in with_rank) for number, each in pages.items()])
    return behind_best(rows, pages, gold=ALL, mean=MACRO, by_page=False)


def test_rows_that_may_be_as_good_as_the_best_are_tied() -> None:
    noisy = [scored(71 + (n % 7 - 3) * 8, 100, 100) for n in range(40)]
    groups = grouped(board_of(varied(0.7), noisy, varied(0.4)))
    assert [(group.first, group.last, group.tied) for group in groups] == [(1, 2, True), (3, 3, False)]


def test_a_small_difference_on_every_page_is_no_tie_though_intervals_overlap() -> None:
    best, other = varied(0.7), varied(0.69)
    rows = board_of(best, other)
    assert rows[0].shown.low < rows[1].shown.high
    assert rows[1].behind.value == pytest.approx(-0.01, abs=1e-3)
    assert [group.tied for group in grouped(rows)] == [False, False]


def test_extractors_on_other_pages_have_no_rank() -> None:
    tuned = [replace(page, tuned_on=number < 5) for number, page in enumerate(varied(0.9))]
    rows = board_of(varied(0.7), varied(0.5), tuned, varied(0.95)[:30])
    assert [each.extractor_id for each in rows] == [0, 1, 3, 2]
    assert [each.is_ranked for each in rows] == [True, True, False, False]
    assert [(group.first, len(group.rows)) for group in grouped(rows)] == [(1, 1), (2, 1), (0, 2)]


def test_on_common_pages_all_that_ran_everywhere_have_a_rank() -> None:
    tuned = [replace(page, tuned_on=number < 5) for number, page in enumerate(varied(0.9))]
    pages = {
        number: [replace(page, page=at) for at, page in enumerate(each)]
        for number, each in enumerate([varied(0.7), tuned, varied(0.5)[:10]])
    }
    common = on_common_pages(pages, ALL)
    assert [len(common[number]) for number in range(3)] == [35, 35, 5]
    assert comparable(common, ALL) == {0, 1}


def test_nothing_is_tied_where_intervals_are_withheld() -> None:
    rows = ranked([row([scored(9, 10, 10)]), row([scored(9, 10, 10)], name="x")])
    assert [group.tied for group in grouped(rows)] == [False, False]


def test_leaderboard_without_rows_has_no_best_and_no_groups() -> None:
    board = Leaderboard("character", "main", ALL, MACRO, 0, [], None, 0.0)
    assert (board.best, board.groups) == (None, [])
    assert board.axis.ticks


def test_json_has_the_shape_of_evaluate() -> None:
    board = Leaderboard("character", "main", ALL, MACRO, 2, [row([scored(8, 10, 10)] * 2)], None, 0.0)
    found = to_json(board)
    (result,) = found.pop("results")
    assert found == {"metric": "character", "labels": "main", "pages": 2}
    assert result.pop("seconds") == pytest.approx(0.02)
    assert result.pop("micro") == {"precision": 0.8, "recall": 0.8, "f1": pytest.approx(0.8)}
    assert result == {
        "extractor": "bte",
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


def test_figures_of_no_pages_are_none() -> None:
    nothing: list[PageScore] = []
    assert figures_of(nothing, MACRO).value is None
