"""Rows, groups and intervals, without a database."""

import pytest

from annotator.leaderboard.board import (
    ALL,
    BLIND,
    MACRO,
    MICRO,
    Board,
    Cell,
    Row,
    figures_of,
    grouped,
    in_order,
    row_of,
    to_json,
)
from extraction.metrics.pages import PageScore, score


def cell(true: int, predicted: int, gold: int, **more: object) -> Cell:
    fields = {"blind": True, "tuned_on": False, "seconds": 0.01, **more}
    return Cell(score(true, predicted, gold), **fields)


def row(cells: list[Cell], *, name: str = "bte", gold: str = ALL, mean: str = MACRO) -> Row:
    extractor = {"extractor_id": 1, "name": name, "version": "1", "parameters": {}, "title": name}
    return row_of(extractor, cells, gold=gold, mean=mean)


def test_f1_is_the_harmonic_mean_of_the_means() -> None:
    found = row([cell(10, 10, 20), cell(10, 20, 10)]).shown
    assert (found.precision, found.recall) == (0.75, 0.75)
    assert found.value == pytest.approx(0.75)


def test_micro_counts_long_pages_more() -> None:
    cells = [cell(1, 1, 1), cell(0, 99, 99)]
    assert row(cells, mean=MICRO).shown.value == pytest.approx(0.01)
    assert row(cells, mean=MACRO).shown.value == pytest.approx(0.5)


def test_interval_is_withheld_below_thirty_pages() -> None:
    few, enough = row([cell(8, 10, 10)] * 29).shown, row([cell(8, 10, 10)] * 30).shown
    assert (few.low, few.high, few.n) == (None, None, 29)
    assert (few.value, enough.value) == (pytest.approx(0.8), pytest.approx(0.8))
    assert (enough.low, enough.high) == (pytest.approx(0.8), pytest.approx(0.8))


def test_micro_has_an_interval_of_its_own() -> None:
    found = row([cell(5, 10, 10), cell(10, 10, 10)] * 20, mean=MICRO).shown
    assert found.low < found.value < found.high


def test_failure_scores_as_nothing_and_is_counted() -> None:
    failed = Cell(score(0, 0, 10, failed=True), blind=True, tuned_on=False, seconds=None)
    found = row([cell(10, 10, 10), failed]).shown
    assert (found.failures, found.precision, found.recall) == (1, 0.5, 0.5)


def test_pages_it_was_tuned_on_are_left_out_and_counted() -> None:
    found = row([cell(10, 10, 10, tuned_on=True), cell(0, 10, 10)])
    assert (found.shown.n, found.shown.value, found.tuned_on) == (1, 0.0, 1)


def test_blind_gold_is_a_figure_of_its_own() -> None:
    cells = [cell(10, 10, 10, blind=False), cell(5, 10, 10)]
    everywhere, blind = row(cells), row(cells, gold=BLIND)
    assert (everywhere.shown.n, everywhere.shown.value) == (2, 0.75)
    assert (blind.shown.n, blind.shown.value) == (1, 0.5)
    assert everywhere.blind == blind.shown
    assert blind.everywhere == everywhere.shown
    assert everywhere.head_start == pytest.approx(0.25)


def test_extractor_without_blind_gold_shows_nothing_there() -> None:
    found = row([cell(10, 10, 10, blind=False)], gold=BLIND)
    assert (found.shown.n, found.shown.value, found.head_start) == (0, None, None)


def test_order_is_by_figure_and_what_has_none_comes_last() -> None:
    good, bad = row([cell(9, 10, 10)], name="b"), row([cell(1, 10, 10)], name="a")
    none = row([cell(9, 10, 10, blind=False)], name="c", gold=BLIND)
    assert [each.name for each in in_order([none, bad, good])] == ["b", "a", "c"]


def varied(share: float) -> list[Cell]:
    """Forty pages around a figure, so that it has an interval."""
    return [cell(round(100 * share) + (n % 5 - 2) * 8, 100, 100) for n in range(40)]


def test_rows_whose_interval_reaches_the_best_are_bracketed() -> None:
    rows = in_order([row(varied(0.7)), row(varied(0.69)), row(varied(0.4))])
    groups = grouped(rows)
    assert [(group.first, group.last, group.tied) for group in groups] == [(1, 2, True), (3, 3, False)]


def test_nothing_is_bracketed_where_intervals_are_withheld() -> None:
    rows = in_order([row([cell(9, 10, 10)]), row([cell(9, 10, 10)], name="x")])
    assert [group.tied for group in grouped(rows)] == [False, False]


def test_board_without_rows_has_no_best_and_no_groups() -> None:
    board = Board("character", "main", ALL, MACRO, 0, [], None, 0.0)
    assert (board.best, board.groups) == (None, [])
    assert board.axis.ticks


def test_json_has_the_shape_of_evaluate() -> None:
    board = Board("character", "main", ALL, MACRO, 2, [row([cell(8, 10, 10)] * 2)], None, 0.0)
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
