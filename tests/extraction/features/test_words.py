"""Counting words and lines, against a slow port of the original's loop over tokens."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from extraction.features.words import LINE_LENGTH, count, rows_of_words, spaced, wrap

GLUE = "\"'.,!@-:;$?()/"


def tokens(text: str) -> list[str]:
    """As the Java tokeniser: a mark at each word boundary, none beside glue, cut at marks and spaces."""
    marked = re.sub(r"\b", "\x00", text)
    marked = re.sub(f"\x00*([{re.escape(GLUE)}])\x00*", r"\1", marked)
    return [token for token in re.split("[\x00 ]+", marked) if token]


def slow(text: str) -> tuple[int, int, int]:
    words = lines = in_line = 0
    length = -1
    for token in tokens(text):
        if not any(unicodedata.category(char)[0] in "LN" for char in token):
            continue
        words, in_line = words + 1, in_line + 1
        units = len(token.encode("utf-16-le")) // 2
        length += units + 1
        if length > LINE_LENGTH:
            lines, length, in_line = lines + 1, units, 1
    full = words - in_line if lines else words
    return (words, full, lines) if lines and full else (words, words, 1)


def measure(*texts: str) -> list[tuple[int, int, int]]:
    """Words, words on full lines and these lines, of texts that are measured together."""
    return [(count(row), *wrap(row)) for row in rows_of_words(texts)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's", 1),
        ("3.5%", 1),
        ("don’t", 2),
        ("a\xa0b", 2),
        ("©2010", 1),
        ("user@example.com, (see below)", 3),
        ("well-known and/or", 2),
        ("snake_case ___", 1),
        ("—", 0),
        ("a.”-b", 1),
        ("阅读 简体", 2),
    ],
)
def test_count_follows_the_original(text: str, words: int) -> None:
    assert measure(text)[0][0] == words == slow(text)[0]


def test_wrap_drops_the_last_line() -> None:
    assert measure(" ".join(["abcdefghi"] * 8)) == [(8, 8, 1)]
    assert measure(" ".join(["abcdefghij"] * 10)) == [(10, 7, 1)]


def test_wrap_counts_astral_characters_twice() -> None:
    assert measure(" ".join(["a𝒳𝒳𝒳𝒳"] * 9)) == [(9, 8, 1)]


def test_wrap_takes_a_word_longer_than_a_line() -> None:
    long = "x" * 90
    assert measure(long) == [(1, 1, 1)]
    assert measure(f"{long} {long} a") == [slow(f"{long} {long} a")]


def test_no_texts_have_no_rows() -> None:
    assert rows_of_words([]) == []
    assert rows_of_words(["", "|"]) == [b"", b""]


def test_spaced_leaves_no_break_spaces() -> None:
    assert spaced("a\tb\u2003c\xa0d\u2007e") == "a b c\xa0d\u2007e"


# Boundaries beside combining marks are where `\b` and the letter categories could part.
_CHARACTERS = st.sampled_from([*"ab1_ .,'\"-%|&©”“’é\xa0€", " ", " ", "я", "中", "𝒳", "²", "…", "="])
_TEXTS = st.lists(st.text(_CHARACTERS, max_size=12), max_size=40).map(" ".join)


@given(st.lists(_TEXTS, max_size=4))
@example(["Schedule:\xa0With more work, comes more time and holding to a schedule is important"])
def test_rows_are_measured_as_by_the_original(texts: list[str]) -> None:
    texts = [text.strip(" ") for text in texts]
    assert measure(*texts) == [slow(text) for text in texts]
