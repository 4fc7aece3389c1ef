"""Evert's measure: its worked figures, its habits, and what marks are worth."""

import re
from pathlib import Path

import pytest

from extraction.metrics import cleaneval
from tests.extraction.corpora import PUBLISHED

GOLD = "<h>Bridge opens.\n<p>The bridge will open in spring.\n<p>It was very late."
FOUND = "<p>Home\n<p>The bridge will open in spring. More"


def test_the_marked_toy_texts_score_as_worked_out() -> None:
    score = cleaneval.compare(GOLD, FOUND)
    assert (score.true, score.predicted - score.true, score.gold - score.true) == (8, 3, 8)
    assert (score.precision, score.recall, score.f1) == pytest.approx((0.7273, 0.5, 0.5926), abs=5e-5)


def test_marks_are_scored_apart_too() -> None:
    extras = cleaneval.compare(GOLD, FOUND).extras
    assert extras["marks_precision"] == 1 / 2
    assert extras["marks_recall"] == 1 / 3
    assert extras["marks_f1"] == pytest.approx(0.4)


def test_marks_of_one_side_only_count_against_it() -> None:
    plain = cleaneval.compare(GOLD, cleaneval.without_marks(GOLD)).extras
    assert (plain["marks_precision"], plain["marks_recall"], plain["marks_f1"]) == (1, 0, 0)
    assert set(cleaneval.compare("a", "a").extras) == {"f1_lcs"}


def test_tokens_are_words_marks_and_empty_edges() -> None:
    assert cleaneval.tokens("<h>One  two\x07<L>three ") == ["", "<h>", "One", "two", "<L>", "three", ""]
    assert cleaneval.tokens("<h>One", one_mark=True) == ["", "<p>", "One"]
    assert cleaneval.tokens("") == [""]


def test_lines_with_the_address_are_left_out() -> None:
    assert cleaneval.tokens(" URL: http://a.example/\nOne\nAn URL two") == ["", "One", "An", "URL", "two"]


def test_frequent_words_are_no_anchors_in_long_texts() -> None:
    """`difflib` drops what fills more than a hundredth of a text of 200 or more: the figures rest on that."""
    gold = " ".join(f"w{number} the" for number in range(150))
    found = " ".join(f"the x{number}" for number in range(150))
    score = cleaneval.compare(gold, found)
    assert score.true == 0
    assert score.extras["f1_lcs"] == 0.5


def test_frequent_words_are_those_of_the_gold() -> None:
    long = " ".join(f"w{number} the" for number in range(150))
    assert cleaneval.compare(long, "the w").true == 0
    assert cleaneval.compare("the w", long).true == 1


def test_plain_lines_become_paragraphs() -> None:
    assert cleaneval.with_marks("One\n\nTwo  three\n") == "<p>One\n<p>Two  three"


def plain(gold: str) -> str:
    """A gold text as a program would print it: no address, marks or bullets."""
    text = re.sub(r"(?m)^\s*URL.*$", "", gold)
    text = re.sub(r"(?i)<[phl]>", "", text)
    return re.sub(r"(?m)^[ \t]*(?:[*\-•]|\d+\.)[ \t]+", "", text).strip()


FINAL = PUBLISHED.parent / "cleaneval" / "final" / "GoldStandard"


# Gold texts of CleanEval where they lie, every fifth, with the mean F1 that the original gives their plain
# text on all 681 (ours there: .9747); and our own text always, which loses eight tokens of twenty.
GOLDS = {"own": ([Path(__file__).parent / "cleaneval_gold.txt"], 2 * 12 / (20 + 12), 1e-9)}
if FINAL.is_dir():
    GOLDS["final"] = (sorted(FINAL.glob("*.txt"))[::5], 0.9748, 0.005)


@pytest.mark.parametrize("corpus", GOLDS)
def test_a_perfect_text_without_marks_loses_what_the_original_takes_for_it(corpus: str) -> None:
    paths, expected, tolerance = GOLDS[corpus]
    texts = [path.read_bytes().decode("utf-8", "replace") for path in paths]
    scores = [cleaneval.compare(text, plain(text)).f1 for text in texts]
    assert sum(scores) / len(scores) == pytest.approx(expected, abs=tolerance)
