"""The worked figures of the metrics on two short texts, and their rules for empty ones."""

from collections import Counter
from collections.abc import Callable

import pytest

from extraction.metrics import PageScore, char_lcs, cleaneval, lcs, rouge, shingle, words

GOLD = "Bridge opens. The bridge will open in spring. It was very late."
FOUND = "Home The bridge will open in spring. More"

Compare = Callable[..., PageScore]
METRICS: dict[str, Compare] = {
    "char-lcs": char_lcs.compare,
    "shingle": shingle.compare,
    "words": words.compare,
    "cleaneval": cleaneval.compare,
    "rouge": rouge.compare,
}


def figures(score: PageScore) -> tuple[float | None, float | None]:
    return score.precision, score.recall


@pytest.mark.parametrize(
    ("metric", "amounts", "expected"),
    [
        ("char-lcs", (25, 33, 49), (0.7576, 0.5102, 0.6098)),
        ("shingle", (3 / 11, 5 / 11, 9 / 11), (0.6, 0.3333, 0.4286)),
        ("words", (6, 8, 12), (0.75, 0.5, 0.6)),
        ("cleaneval", (6, 8, 12), (0.75, 0.5, 0.6)),
        ("rouge", (6, 8, 12), (0.75, 0.5, 0.6)),
    ],
)
def test_the_toy_texts_score_as_worked_out(
    metric: str, amounts: tuple[float, float, float], expected: tuple[float, float, float]
) -> None:
    score = METRICS[metric](GOLD, FOUND)
    assert (score.true, score.predicted, score.gold) == pytest.approx(amounts)
    assert (*figures(score), score.f1) == pytest.approx(expected, abs=5e-5)


def test_levenshtein_ratio_of_the_toy_texts() -> None:
    assert lcs.ratio(GOLD.split(), FOUND.split()) == 0.6
    assert rouge.compare(GOLD, FOUND).extras == {"levenshtein": 0.6}


EMPTY = {
    # metric: both empty, only the prediction, only the gold, nothing in common
    "char-lcs": ((1, 1), (0, 0), (0, 1), (0, 0)),
    "shingle": ((None, None), (None, 0), (0, None), (0, 0)),
    "words": ((1, 1), (0, 0), (0, 0), (0, 0)),
    "cleaneval": ((1, 1), (0, 0), (0, 0), (0, 0)),
    "rouge": ((1, 1), (0, 0), (0, 1), (0, 0)),
}


@pytest.mark.parametrize("metric", METRICS)
def test_empty_texts_score_by_the_rule_of_the_metric(metric: str) -> None:
    pairs = [("", ""), ("word", ""), ("", "word"), ("word", "other")]
    assert tuple(figures(METRICS[metric](*pair)) for pair in pairs) == EMPTY[metric]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("gold", [GOLD, ""])
def test_a_failure_has_found_nothing_and_counts(metric: str, gold: str) -> None:
    score = METRICS[metric](gold, "", failed=True)
    assert (score.precision, score.recall, score.f1, score.failed) == (0, 0, 0, True)
    assert (score.gold > 0) == bool(gold) or metric == "cleaneval"


@pytest.mark.parametrize("metric", METRICS)
def test_a_text_is_equal_to_itself(metric: str) -> None:
    score = METRICS[metric](GOLD, GOLD)
    assert (score.precision, score.recall, score.f1) == (1, 1, 1)


@pytest.mark.parametrize(
    ("metric", "f1"), [("char-lcs", 1), ("words", 1), ("shingle", 0), ("cleaneval", 0), ("rouge", 0)]
)
def test_some_ignore_case_and_punctuation_and_some_do_not(metric: str, f1: float) -> None:
    assert METRICS[metric]("The Bridge!", "the bridge").f1 == f1


def test_shingle_of_a_short_text_is_one_run() -> None:
    assert shingle.shingles("two words") == Counter({("two", "words"): 1})
    assert shingle.shingles(" . ") == Counter()


def test_shingle_counts_repeated_runs() -> None:
    score = shingle.compare("a b c d a b c d", "a b c d")
    assert (score.precision, score.recall) == (1, 0.2)


def test_shingle_says_whether_all_words_are_the_same() -> None:
    assert shingle.compare("The bridge.", "The  bridge").extras == {"accuracy": 1.0}
    assert shingle.compare("The bridge.", "A bridge").extras == {"accuracy": 0.0}


def test_words_have_no_order() -> None:
    assert words.compare("one two two", "two one two").f1 == 1
    assert words.compare("one two two", "two one one").true == 2
