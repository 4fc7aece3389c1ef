from annotator.common.bars import bar_of


def test_parts_follow_each_other_with_a_gap() -> None:
    assert bar_of([("a", 3), ("b", 1)]) == [("a", "0.00%", "74.85%"), ("b", "75.00%", "24.85%")]


def test_what_is_empty_has_no_part_and_what_is_small_is_seen() -> None:
    assert bar_of([("a", 1), ("b", 0), ("c", 9_999)]) == [("a", "0.00%", "0.60%"), ("c", "0.75%", "99.10%")]


def test_a_bar_of_nothing_has_no_parts() -> None:
    assert bar_of([("a", 0)]) == []
