"""What an ideal annotator would do, on pages drawn as letters: a block each, in capitals where it is gold."""

from collections.abc import Sequence

import pytest

from benchmarks.planning import NEVER, Act, Pieces, Plan, Sight, by_keys, by_mouse, minus, pieces

WIDTH = 10


def sight(page: str, unseen: str = "", runs: Sequence[tuple[int, int]] = ()) -> Sight:
    """Blocks of ten characters; equal letters are of a kind, a `.` is of none."""
    blocks = [(WIDTH * n, WIDTH * n + WIDTH - 2) for n in range(len(page))]
    kinds = [n if letter == "." else page.lower().index(letter.lower()) for n, letter in enumerate(page)]
    around = [sorted((run for run in runs if run[0] <= n <= run[1]), key=_length) for n in range(len(page))]
    text = "".join(f"block {n:>2}  " for n in range(len(page)))
    return Sight(blocks, [letter not in unseen for letter in page], kinds, around, text)


def _length(run: tuple[int, int]) -> int:
    return run[1] - run[0]


def gold(page: str, shown: Sight) -> list[Pieces]:
    return [(block,) if page[n].isupper() else () for n, block in enumerate(shown.blocks)]


def mouse(page: str, start: str = "", **more: str) -> Plan:
    """From blank, or from where another page's capitals are marked."""
    shown = sight(page, **more)
    whole: list[Pieces] = [(block,) for block in shown.blocks]
    held = gold(start, shown) if start else [()] * len(whole)
    return by_mouse(shown, held, whole, gold(page, shown))


def done(plan: Plan) -> list[str]:
    return [act.what if act.what != "key" else str(act.at) for act in plan.acts]


@pytest.mark.parametrize(
    ("page", "cost", "acts"),
    [
        ("....", 0, []),
        (".A..", 1, ["click"]),
        (".ABCD.", 2, ["click", "shift-click"]),
        ("ABCxDEF", 3, ["click", "shift-click", "click"]),
        ("AxBxC", 3, ["click", "click", "click"]),
        ("AxAxAxAxA", 2, ["click", "i"]),
        ("ABCDvwxyzEFGH", 4, ["click", "shift-click", "click", "shift-click"]),
    ],
)
def test_it_takes_the_fewest_plain_actions(page: str, cost: int, acts: list[str]) -> None:
    plan = mouse(page)
    assert plan.cost == cost
    assert done(plan) == acts


def test_a_range_that_was_accepted_too_much_is_cleared_whole() -> None:
    plan = mouse("ABvwxyzCD", start="ABVWXYZCD")
    assert done(plan) == ["click", "shift-click"]


def test_a_kind_that_was_accepted_too_much_goes_off_by_one_click_and_i() -> None:
    plan = mouse("AxBxCxDxExF", start="AXBXCXDXEXF")
    assert done(plan) == ["click", "i"]
    assert plan.acts[0].at == (10, 18)


def test_a_range_from_a_block_that_is_on_takes_a_second_click() -> None:
    plan = mouse("ABCDEFGH", start="Abcdefgh")
    assert plan.cost == 2
    assert plan.acts[0].at == (10, 18)


def test_what_cannot_be_hit_cannot_be_planned_unless_a_range_takes_it() -> None:
    assert mouse("aH", unseen="H").cost >= NEVER
    assert mouse("AHB", unseen="H").cost == 2
    assert mouse("aHb", unseen="H").cost == 4


def test_a_cut_block_is_dragged_or_trimmed() -> None:
    shown = sight("...")
    whole: list[Pieces] = [(block,) for block in shown.blocks]
    blank: list[Pieces] = [()] * 3
    one = by_mouse(shown, blank, whole, [(), ((10, 14),), ()])
    assert one.acts == (Act("drag", (10, 14)),)
    many = by_mouse(shown, blank, whole, [((0, 8),), ((10, 12), (13, 15), (16, 18)), ((20, 28),)])
    assert done(many) == ["click", "shift-click", "alt-drag", "alt-drag"]


def test_keys_grow_to_the_run_and_switch_single_blocks_in_it() -> None:
    page = "..ABxCDE.."
    shown = sight(page, runs=[(2, 3), (2, 7), (0, 9)])
    whole: list[Pieces] = [(block,) for block in shown.blocks]
    plan = by_keys(shown, [()] * len(page), whole, gold(page, shown))
    # From a block that the inner run does not hold, one press is enough.
    assert done(plan) == ["walk", "]", "Space", "walk", "Space"]
    assert plan.acts[0].at == 4
    assert plan.cost == 3


def test_keys_take_words_away_by_finding_them() -> None:
    shown = sight(".")
    plan = by_keys(shown, [()], [((0, 8),)], [((0, 5),)])
    assert done(plan) == ["walk", "Space", "walk", "find", "0"]
    assert plan.cost == 1 + len("0") + 3


def test_pieces_are_what_spans_have_in_each_block() -> None:
    shown = sight("...")
    assert pieces([(5, 13), (14, 16), (20, 28)], shown) == [((5, 8),), ((10, 13), (14, 16)), ((20, 28),)]
    assert minus(((0, 10),), ((2, 4), (6, 12))) == ((0, 2), (4, 6))
