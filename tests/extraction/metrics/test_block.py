"""Blocks weighed by their words."""

import pytest

from extraction.documents.document import Block
from extraction.metrics import PageScore, block
from extraction.spans import LABEL_SETS, Span

TEXT = "Home | News\n\nBridge opens\n\nThe bridge opens in spring.\n\n* * *\n\n© 2010"
BLOCKS = [Block(0, 11), Block(13, 25), Block(27, 54), Block(56, 61), Block(63, 69)]
WORDS = [2, 2, 5, 0, 1]
GOLD = [Span(13, 25, "headline"), Span(27, 54, "body")]


def compare(predicted: list[Span], **more: object) -> PageScore:
    return block.compare(GOLD, predicted, BLOCKS, TEXT, LABEL_SETS["main"], **more)  # type: ignore[arg-type]


def test_the_text_is_cut_as_drawn() -> None:
    assert [TEXT[start:end].strip() for start, end in BLOCKS] == TEXT.split("\n\n")
    whole = [Span(0, len(TEXT), "content")]
    assert list(block.words_within(whole, BLOCKS, TEXT, {"body"})) == WORDS


def test_a_block_weighs_as_much_as_it_has_words() -> None:
    score = compare([Span(0, 11, "content"), Span(27, 54, "content")])
    assert (score.true, score.predicted, score.gold) == (5, 7, 7)
    assert score.extras["accuracy"] == pytest.approx(6 / 10)


@pytest.mark.parametrize(("end", "predicted"), [(43, 5), (37, 0)])
def test_a_block_is_of_the_class_of_most_of_its_words(end: int, predicted: int) -> None:
    assert compare([Span(27, end, "body")]).predicted == predicted
    gold = block.compare([Span(27, end, "body")], [], BLOCKS, TEXT, LABEL_SETS["main"])
    assert gold.gold == predicted


def test_half_of_the_words_are_not_most() -> None:
    assert compare([Span(13, 19, "headline")]).predicted == 0


def test_words_under_two_labels_of_the_set_go_together() -> None:
    assert compare([Span(27, 37, "body"), Span(38, 43, "headline")]).predicted == 5
    assert compare([Span(27, 37, "body"), Span(38, 43, "comments")]).predicted == 0


def test_gold_that_is_not_in_the_document_counts_in_recall_all() -> None:
    score = compare(GOLD, unplaced=7)
    assert (score.recall, score.recall_all) == (1, 0.5)


def test_empty_sides_and_failures() -> None:
    assert (compare([]).precision, compare([]).recall) == (0, 0)
    nothing = block.compare([], [], [], "", LABEL_SETS["main"])
    assert (nothing.precision, nothing.recall, nothing.extras["accuracy"]) == (1, 1, 1)
    failed = compare([], failed=True)
    assert (failed.precision, failed.recall, failed.gold, failed.extras["accuracy"]) == (0, 0, 7, 0)
