"""Which stretches of a page a text is."""

from extraction.alignment.chaining import CommonRun
from extraction.alignment.matching import Searchable
from extraction.alignment.placement import placed_runs, unplaced

ONE = "thecouncilsaidthatthebridgewouldopen"
TWO = "peoplewholivenearithavebeenaskedtowait"
NOISE = "0123456789" * 12


def find(text: str, page: str) -> tuple[list[CommonRun], list[CommonRun]]:
    return placed_runs(Searchable.of(text), Searchable.of(page))


def test_runs_out_of_order_are_found_where_they_stand() -> None:
    runs, echoes = find(ONE + TWO, TWO + NOISE + ONE)
    assert runs == [
        CommonRun(0, len(TWO + NOISE), len(ONE)),
        CommonRun(len(ONE), 0, len(TWO)),
    ]
    assert echoes == []


def test_short_text_out_of_order_is_left_alone() -> None:
    runs, _ = find(ONE + TWO + "thenewsoftoday", "thenewsoftoday" + NOISE + ONE + TWO)
    assert runs == [CommonRun(0, len("thenewsoftoday" + NOISE), len(ONE + TWO))]


def test_an_echo_is_placed_where_the_first_one_is() -> None:
    runs, echoes = find(ONE + TWO + ONE, ONE + TWO)
    assert runs == [CommonRun(0, 0, len(ONE + TWO))]
    assert echoes == [CommonRun(len(ONE + TWO), 0, len(ONE))]


def test_two_stretches_do_not_take_one_position() -> None:
    runs, echoes = find(ONE + NOISE[:50] + ONE, "x" * 50 + ONE)
    assert len(runs) == 1
    assert len(echoes) == 1


def test_unplaced_is_what_lies_between_runs() -> None:
    runs = [CommonRun(10, 0, 5), CommonRun(0, 90, 4)]
    assert list(unplaced(runs, (0, 20))) == [(4, 10), (15, 20)]
    assert list(unplaced([], (3, 3))) == []
