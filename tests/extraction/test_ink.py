"""What of a text is compared, and where it stood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.ink import ink_of, is_inked


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
def test_ink_is_in_one_shape(text: str, chars: str) -> None:
    assert ink_of(text).chars == chars


def test_ink_knows_where_each_character_came_from() -> None:
    ink = ink_of(" ﬁ x")
    assert ink.places.tolist() == [1, 1, 3]
    assert ink.places_of(0, 2) == (1, 2)
    assert ink.places_of(1, 3) == (1, 4)


@given(st.text(max_size=200))
def test_ink_has_a_place_for_every_character(text: str) -> None:
    ink = ink_of(text)
    places = ink.places.tolist()
    assert len(ink) == len(ink.codes) == len(places)
    assert places == sorted(places)
    assert set(places) == {place for place, char in enumerate(text) if is_inked(char)}
    assert not any(char.isspace() for char in ink.chars)


@given(st.text(max_size=40), st.text(max_size=40))
def test_ink_of_two_texts_is_that_of_each(first: str, second: str) -> None:
    assert ink_of(first + second).chars == ink_of(first).chars + ink_of(second).chars
