"""What of a text is compared, and where it stood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.alignment.visible_characters import is_visible, visible_characters_of


@pytest.mark.parametrize(
    ("text", "chars"),
    [
        ("A b\tC\n", "abc"),
        ("“x” — ‘y’", "\"x\"-'y'"),
        ("ﬁn…", "fin..."),
        ("e\u0301é", "ee"),
        ("so\xadft\u200b\ufeff", "soft"),
        ("| a | • b_", "ab"),
        ("𝒳😀한", "𝒳😀한"),
        ("", ""),
    ],
)
def test_visible_characters_are_in_one_shape(text: str, chars: str) -> None:
    assert visible_characters_of(text).chars == chars


def test_visible_characters_know_where_each_came_from() -> None:
    visible = visible_characters_of(" ﬁ x")
    assert visible.positions.tolist() == [1, 1, 3]
    assert visible.positions_of(0, 2) == (1, 2)
    assert visible.positions_of(1, 3) == (1, 4)


@given(st.text(max_size=200))
def test_every_visible_character_has_a_position(text: str) -> None:
    visible = visible_characters_of(text)
    positions = visible.positions.tolist()
    assert len(visible) == len(visible.codes) == len(positions)
    assert positions == sorted(positions)
    assert set(positions) == {position for position, char in enumerate(text) if is_visible(char)}
    assert not any(char.isspace() for char in visible.chars)


@given(st.text(max_size=40), st.text(max_size=40))
def test_visible_characters_of_two_texts_are_those_of_each(first: str, second: str) -> None:
    assert (
        visible_characters_of(first + second).chars
        == visible_characters_of(first).chars + visible_characters_of(second).chars
    )
