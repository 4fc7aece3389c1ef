"""BoilerNet's words and vectors against the worked examples of its description."""

from collections import Counter

import numpy as np
import pytest

from extraction.extractors.boilernet.features import LeafCounts, Vocabulary, leaves
from extraction.extractors.boilernet.words import words
from extraction.parsing.parse import parse
from tests.extraction.corpora import EXAMPLE

#: Of the example page: the count of unknown words, then those of the ten words; the same of the five tags.
WORDS = {
    "Home": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    "Bridge opens": [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
    "The council": [1, 2, 1, 1, 1, 1, 0, 1, 1, 1, 4],
    "It said": [1, 1, 1, 1, 0, 2, 5, 1, 1, 1, 3],
    "Buy cheap tickets": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    "People": [1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 2],
    "Copyright 2010 Daily": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
}
TAGS = {
    "Home": [1, 1, 1, 1, 1, 0],
    "Bridge opens": [1, 0, 1, 1, 1, 0],
    "The council": [0, 0, 1, 1, 1, 1],
    "It said": [0, 0, 1, 1, 1, 1],
    "Buy cheap tickets": [0, 1, 1, 2, 1, 0],
    "People": [0, 0, 1, 1, 1, 1],
    "Copyright 2010 Daily": [0, 0, 1, 1, 1, 0],
}


def as_matrix(vocabulary: Vocabulary, page: LeafCounts) -> list[list[float]]:
    entries = vocabulary.rows(page)
    matrix = np.zeros((entries.size, vocabulary.width))
    matrix[entries.rows, entries.columns] = entries.values
    rows: list[list[float]] = matrix.tolist()
    return rows


def page_of(*texts: tuple[dict[str, int], str]) -> LeafCounts:
    words_ = [Counter(count) for count, _ in texts]
    tags = [Counter(path.split()) for _, path in texts]
    return LeafCounts(list(range(len(texts))), [1] * len(texts), words_, tags)


def test_the_vectors_of_the_toy_example() -> None:
    first = page_of(({"a": 2, "the": 1}, "html body p"))
    second = page_of(({"x": 1}, "html body div div p"))
    vocabulary = Vocabulary.learned([first, second], 2, 3)
    assert vocabulary.words == {"a": 1, "the": 2}
    assert vocabulary.tags == {"body": 1, "html": 2, "p": 3}
    assert as_matrix(vocabulary, first) == [[0, 2, 1, 0, 1, 1, 1]]
    assert as_matrix(vocabulary, second) == [[1, 0, 0, 2, 1, 1, 1]]


def test_the_vectors_of_the_example_page_as_the_program_makes_them() -> None:
    document = parse(EXAMPLE.encode())
    page = leaves(document)
    vocabulary = Vocabulary.learned([page], 10, 5)
    assert " ".join(vocabulary.words) == ", . been bridge had it on said that the"
    assert " ".join(vocabulary.tags) == "a body div html p"
    last = Vocabulary.of(vocabulary.words, vocabulary.tags, adds_unknown=False)
    texts = [document.structure.node_texts[node] for node in page.nodes]
    found = dict(zip(texts, as_matrix(last, page), strict=True))
    for beginning, counts in WORDS.items():
        (row,) = [row for text, row in found.items() if text.startswith(beginning)]
        assert row == counts + TAGS[beginning], beginning


def test_unknown_words_are_added_up_by_default() -> None:
    page = page_of(({"a": 2, "b": 3}, "html x y"))
    assert as_matrix(Vocabulary.of([], ["html"]), page) == [[5, 2, 1]]
    assert as_matrix(Vocabulary.of([], ["html"], adds_unknown=False), page) == [[3, 1, 1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'open. Don\'t ... 10:30 p.m. (U.S. site)! "Quote"',
            "open . do n't ... 10:30 p.m. ( u.s. site ) ! `` quote ''",
        ),
        ("It's 3,000, he said.", "it 's 3,000 , he said ."),
        ("J. Smith left. Then rain.", "j. smith left . then rain ."),
        ("They'll say we're done", "they 'll say we 're done"),
        ("a b\u00a0c", "a b c"),
        ("", ""),
        (".", "."),
    ],
)
def test_words_are_cut_as_the_treebank_s(text: str, expected: str) -> None:
    assert words(text) == expected.split()


def test_leaves_are_the_texts_between_tags_outside_of_what_is_dropped() -> None:
    dropped = "<button>d<i>d</i></button><script>s</script>"
    html = f"<title>t</title>[A]<strong>[B]</strong>[C]{dropped} <p> \u00a0 </p>"
    document = parse(html.encode())
    page = leaves(document)
    assert [document.structure.node_texts[node].strip() for node in page.nodes] == ["[A]", "[B]", "[C]"]
    assert page.tags[1] == Counter(("html", "body", "strong"))
