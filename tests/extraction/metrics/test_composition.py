"""What a text is made of, by hand."""

from extraction.metrics.composition import TextAmount, added, boilerplate_share, composition
from extraction.spans import Span

TEXT = "Home | News\n\nBridge opens\n\nIt cost 3 million – a lot."
BLOCKS = [(0, 11), (13, 25), (27, 52)]


def test_blocks_words_tokens_and_characters_of_each_label() -> None:
    spans = [Span(13, 25, "headline"), Span(27, 52, "body")]
    assert composition(TEXT, BLOCKS, spans) == {
        "": TextAmount(1, 2, 3, 9),
        "headline": TextAmount(1, 2, 2, 11),
        "body": TextAmount(1, 6, 7, 19),
    }


def test_a_block_counts_for_the_label_of_most_of_its_characters() -> None:
    found = composition(TEXT, BLOCKS, [Span(27, 34, "body")])
    assert found["body"] == TextAmount(0, 2, 2, 6)
    assert found[""].blocks == 3


def test_a_token_cut_by_a_mark_shares_its_characters_and_counts_once() -> None:
    found = composition("bridges", [(0, 7)], [Span(0, 6, "body")])
    assert found == {"body": TextAmount(1, 1, 1, 6), "": TextAmount(0, 0, 0, 1)}


def test_text_beyond_the_first_plane_counts_in_code_points() -> None:
    assert composition("😀 a", [(0, 3)], [Span(0, 1, "body")]) == {
        "body": TextAmount(1, 0, 1, 1),
        "": TextAmount(0, 1, 1, 1),
    }


def test_shares_are_of_characters_and_nothing_has_none() -> None:
    one = composition(TEXT, BLOCKS, [Span(27, 52, "body")])
    assert boilerplate_share(one) == 20 / 39
    assert boilerplate_share(added([one, one])) == 20 / 39
    assert boilerplate_share({}) is None
