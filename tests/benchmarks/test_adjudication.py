"""The keys of an adjudicator who presses nothing in vain."""

import pytest

from benchmarks.adjudication import Answer, answers_of, fewest_keys, keys_anew
from extraction.agreement.segments import compare
from extraction.parse import parse
from extraction.spans import Span

DOCUMENT = parse(b"<p>One is here.</p><p>Two is here.</p><p>Three is here.</p>")
ONE, TWO, THREE = DOCUMENT.blocks


def answer(choices: str, keys: int = 1) -> Answer:
    return Answer(frozenset(choices), keys)


@pytest.mark.parametrize(
    ("answers", "keys"),
    [
        ([], 0),
        (["0"], 1),
        (["0", "1"], 2),
        (["0", "0", "0"], 1),
        (["1", "0", "0", "0"], 2),
        (["0", "0", "1", "0", "0"], 3),  # a click and a key for the one that is different
        (["0", "1", "0", "1"], 4),
        (["0n", "1n", "0n", "1n"], 1),
    ],
)
def test_the_fewest_keys(answers: list[str], keys: int) -> None:
    assert fewest_keys([answer(choices) for choices in answers]) == keys


def test_what_is_marked_anew_is_an_exception() -> None:
    assert fewest_keys([answer("0"), answer("", 4), answer("0"), answer("0")]) == 1 + 5
    assert fewest_keys([answer("", 4), answer("0")]) == 5


def test_a_reading_that_is_right_answers() -> None:
    truth = [Span(*ONE, "body")]
    (dispute,) = compare([truth, []], DOCUMENT).disputes
    assert answers_of(dispute, truth) == {"0"}
    assert answers_of(dispute, []) == {"1", "n"}


def test_where_none_is_right_she_marks_anew() -> None:
    both = [Span(ONE[0], TWO[1], "body")]
    (dispute,) = compare([both, []], DOCUMENT).disputes
    truth = [Span(*TWO, "body")]
    assert answers_of(dispute, truth) == frozenset()
    assert keys_anew(dispute, truth, DOCUMENT) == len(["m", "j", "2", "Enter"])
