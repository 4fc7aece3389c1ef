"""Which stretches of a page a text is."""

from extraction.alignment.chaining import CommonRun
from extraction.alignment.matching import Searchable
from extraction.alignment.placement import placed_runs, unplaced

ONE = "thecouncilsaidthatthebridgewouldopen"
NOISE = "0123456789" * 5


def test_two_stretches_do_not_take_one_position() -> None:
    runs, echoes = placed_runs(Searchable.of(ONE + NOISE + ONE), Searchable.of("x" * 50 + ONE))
    assert len(runs) == 1
    assert len(echoes) == 1


def test_unplaced_is_what_lies_between_runs() -> None:
    runs = [CommonRun(10, 0, 5), CommonRun(0, 90, 4)]
    assert list(unplaced(runs, (0, 20))) == [(4, 10), (15, 20)]
    assert list(unplaced([], (3, 3))) == []
