from annotator.common.templatetags.layout import FULL, LINES, WIDEST, lines_of


def test_outline_has_a_line_for_each_short_block() -> None:
    lines = lines_of([[0, 20], [21, 181]], [])
    assert [line.width for line in lines] == [4, WIDEST]
    assert [line.y for line in lines] == [1, 4]


def test_outline_of_a_long_page_has_no_more_than_its_lines() -> None:
    assert len(lines_of([[0, 100 * FULL]], [])) == LINES


def test_outline_shows_the_label_that_most_of_a_line_has() -> None:
    lines = lines_of([[0, 40], [41, 81]], [(0, 40, 1), (41, 50, 2)])
    assert [line.number for line in lines] == [1, 0]


def test_outline_of_an_empty_page_is_empty() -> None:
    assert lines_of([], []) == []
