"""Victor's blocks, tokens and features against the worked example of its description."""

import numpy as np
import pytest

from extraction.extractors.crf.blocks import TextBlock, blocks
from extraction.extractors.crf.features import TEMPLATES, closest, numbers, scale, symbols, tokens
from extraction.extractors.crf.model import Crf
from extraction.parsing.parse import parse
from tests.extraction.corpora import EXAMPLE

# Places in `wide`: of letters among classes of tokens, lengths of words and of runs, share of the division.
ALPHA, WORD_LENGTH, WORD_RUN, DIVISION = 1, 14, 15, 28
#: Text, containers, distance, alpha, sentences, not started, not finished, word length, run, split inline and
#: block, share of the division's words.
EXPECTED = [
    ("Home", "body div ul li a", "div ul li a", 1, 0, 0, 1, 4, 1, 1, 3, 0),
    ("News", "body div ul li a", "/a /li li a", 1, 0, 0, 1, 4, 1, 2, 2, 0),
    ("Bridge opens", "body div h1", "/a /li /ul /div div h1", 2, 0, 0, 1, 6, 2, 1, 3, 90),
    ("The council", "body div p", "/h1 p", 8, 1, 0, 0, 4, 5, 0, 2, 90),
    ("It said", "body div p", "/p p", 8, 1, 0, 0, 3, 10, 0, 2, 90),
    ("Photo: Ann Lee", "body div p", "/p p", 3, 0, 0, 1, 4, 2, 0, 2, 90),
    ("Buy cheap tickets", "body div div a", "/p div a", 3, 0, 0, 1, 5, 3, 1, 2, 0),
    ("More offers", "body div div a", "/a a", 2, 0, 0, 1, 5, 2, 2, 0, 0),
    ("People", "body div p", "/a /div p", 8, 1, 0, 0, 4, 10, 1, 2, 90),
    ("Copyright 2010 Daily", "body div", "/p /div div", 2, 0, 0, 1, 7, 2, 0, 3, 2),
]


def page_of(html: str) -> list[TextBlock]:
    return blocks(parse(html.encode()))


def test_the_numbers_of_the_example_page() -> None:
    page = page_of(EXAMPLE)
    found = numbers(page, steps=100)
    assert len(page) == len(EXPECTED)
    for block, wide, distant, expected in zip(page, found.wide, found.distant, EXPECTED, strict=True):
        beginning, containers, distance, *counts = expected
        assert block.text.startswith(str(beginning))
        assert (" ".join(block.containers), " ".join(block.distance)) == (containers, distance)
        assert [
            *wide[[ALPHA, 0]].tolist(),
            *distant[:2].tolist(),
            *wide[[WORD_LENGTH, WORD_RUN]].tolist(),
            *distant[2:4].tolist(),
            wide[DIVISION],
        ] == counts
    assert scale(2, 3, 100) == 67  # the share of letters in "Copyright 2010 Daily"
    assert scale(9, 10, 100) == 90


def test_the_tokens_of_the_worked_example() -> None:
    found = tokens("On 4 May 2009, A380 landed at 10:45. It was late")
    assert (found.alpha, found.num, found.mixed, found.other) == (7, 4, 1, 0)
    assert (found.counted, found.sentences) == (12, 1)


@pytest.mark.parametrize(("value", "expected"), [(0, 0), (1, 1), (4, 3), (5, 5), (99, 5)])
def test_a_level_is_the_largest_that_is_not_above(value: int, expected: int) -> None:
    assert closest(value, (1, 2, 3, 5)) == expected


def test_shares_end_at_the_number_of_steps_and_none_of_nothing_is_none() -> None:
    assert [scale(part, 4) for part in range(5)] == [0, 2, 5, 8, 10]
    assert scale(3, 0) == 0


def test_there_are_262_templates_with_numbers_of_their_own() -> None:
    assert TEMPLATES == 262
    rows = symbols(page_of(EXAMPLE))
    assert rows.shape == (10, 262)
    assert all(set(a) & set(b) == set() for a, b in zip(rows.T, rows.T[1:], strict=False))
    assert symbols([]).shape == (0, 262)


def test_neighbours_are_seen_and_the_ends_of_the_page_too() -> None:
    rows = symbols(page_of(EXAMPLE)) % 4096
    own = rows[:, 3 * 29 : 4 * 29]  # offset 0 of what is looked at from -3 to 3
    assert np.array_equal(rows[1:, 2 * 29 : 3 * 29], own[:-1])
    assert np.array_equal(rows[:-3, 6 * 29 : 7 * 29], own[3:])
    assert not rows[:3, :29].any()
    assert own.all()


def test_alternative_texts_and_lines_of_preformatted_text_are_blocks() -> None:
    page = page_of("<p>One<img alt='A  bridge'>two</p><pre>a b\n\n c</pre><script>x</script><img alt=''>")
    assert [(block.text, block.distance) for block in page] == [
        ("One", ("p",)),
        ("A bridge", ("img",)),
        ("two", ()),
        ("a b", ("/p", "pre")),
        ("c", ("br", "br")),
    ]
    assert [block.place[0] >= 0 for block in page] == [True, False, True, True, True]
    text = parse(b"<pre>a b\n\n c</pre>").text
    assert [text[slice(*block.place)] for block in page_of("<pre>a b\n\n c</pre>")] == ["a b", " c"]


def test_labels_follow_weights_and_what_was_never_seen_says_nothing() -> None:
    field = Crf(np.array([3, 8], np.int32), np.array([[1, 0], [0, 3]], np.float32), np.zeros(4))
    rows = np.array([[3, 4], [8, 3], [5, 9]], np.int32)
    assert field.scores(rows).tolist() == [[1, 0], [1, 3], [0, 0]]
    assert field.labels(rows) == [False, True, False]
    sticky = Crf(np.array([3, 8], np.int32), np.array([[1, 0], [0, 3]], np.float32), np.array([5.0, 0, 0, 5]))
    assert sticky.labels(rows) == [True, True, True]
    assert field.labels(rows[:0]) == []
