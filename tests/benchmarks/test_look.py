"""How lines of text are compared, and what is said of pages that cannot be."""

from benchmarks import look
from benchmarks.look import Compared, Looked


def test_lines_are_found_or_not_and_in_place_or_not() -> None:
    theirs = [("One", [(0.0, 0.0)]), ("Two", [(0.0, 20.0), (0.0, 40.0)]), ("Lost", [(0.0, 60.0)])]
    ours = [("One", [(3.0, 4.0)]), ("Two", [(0.0, 20.0), (0.0, 90.0)]), ("New", [(0.0, 99.0)])]
    assert look.compared(theirs, ours) == Compared(lines=4, matched=3, near=2)


def test_pages_without_a_common_line_are_left_out_and_listed() -> None:
    half, nothing = Compared(8, 4, 4), Compared(8, 0, 0)
    pages = [Looked("a", half, half, "page", 1, 1), Looked("b", nothing, nothing, "page", 1, 1)]
    text = look._report(pages, [])
    assert "| lines found, median page | 50.0% | 50.0% |" in text
    assert "| in place, pages with 95 % or more | 1 of 1 | 1 of 1 |" in text
    assert "Without a line that both have:\n\n- b" in text
