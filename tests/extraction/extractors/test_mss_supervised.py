"""Supervised maximum subsequence segmentation against the worked example of its description."""

import numpy as np

from extraction.extractors.maximum_sum import maximum_sum
from extraction.extractors.mss_supervised.bayes import NaiveBayes
from extraction.extractors.mss_supervised.tokens import TokenSequence, page_tokens, stem, tokens_of
from extraction.learning.mss_supervised import Counts, SupervisedMssExample, inside_of
from extraction.learning.training import Settings
from extraction.parsing.parse import parse

TRAIN = "<div> home </div> <p> the bridge opens </p> <div> more </div>"
TEST = "<div> home </div> <p> the bridge closes </p> <p> it rains </p>"
SCORES = [-0.403, -0.300, -0.403, -0.403, 0.423, 0.423, 0.250, -0.403, -0.403, 0.250, 0.250, -0.403]


def row(text: str) -> TokenSequence:
    """Tokens as they are written; each word is a text node of its own."""
    return tokens_of((token, -1 if token[0] == "<" else at) for at, token in enumerate(text.split()))


def learned() -> NaiveBayes:
    tokens = row(TRAIN)
    example = SupervisedMssExample(tokens, [1, 4, 5, 6, 9], [False, True, True, True, False])
    counts = Counts([example], [], Settings())
    counts.learn(0)
    weights = counts.weights()
    assert weights["totals"].tolist() == [8, 3]
    return NaiveBayes(weights["keys"], weights["counts"], weights["totals"])


def test_the_scores_of_the_worked_example() -> None:
    scores = learned().scores(row(TEST))
    assert np.allclose(scores, SCORES, atol=6e-4)
    segment = maximum_sum(scores)
    assert segment is not None
    assert " ".join(TEST.split()[segment.start : segment.end]) == "the bridge closes"
    assert round(segment.total, 3) == 1.096
    assert learned().nodes(row(TEST)) == [4, 5, 6]


def test_the_tag_around_is_the_innermost_open_one() -> None:
    around = row(TRAIN).tags
    names = ["", "div", "", "", "p", "p", "p", "", "", "div", ""]
    known = dict(zip(names, around.tolist(), strict=True))
    assert len(known) == 3
    assert [known[name] for name in names] == around.tolist()
    # Void elements are not open, and an end without a start closes nothing.
    assert row("<p> <br> a </i> b </p>").tags.tolist() == [
        known[name] for name in ("", "p", "p", "p", "p", "")
    ]


def test_content_is_one_stretch_from_its_first_word_to_its_last() -> None:
    example = SupervisedMssExample(row(TRAIN), [1, 4, 5, 6, 9], [True, False, False, False, True])
    assert inside_of(example).tolist() == [False] + [True] * 9 + [False]


def test_words_are_stemmed_and_numbers_are_one() -> None:
    assert [stem(word) for word in ("Bridges", "opening", "2010", "7", "A380")] == [
        "bridg",
        "open",
        "1",
        "1",
        "a380",
    ]


def test_a_page_is_a_row_of_tags_and_words_without_scripts() -> None:
    tokens = page_tokens(parse(b"<title>t</title><p>Cat, dog<br>3</p><script>x</script>"))
    words = row("<html> <body> <p> cat dog <br> 1 </p> </body> </html>")
    assert tokens.trigrams.tolist() == words.trigrams.tolist()
    assert tokens.tags.tolist() == words.tags.tolist()


def test_nothing_likely_is_nothing() -> None:
    assert learned().nodes(row("<div> home </div>")) == []
    assert learned().nodes(row("")) == []
