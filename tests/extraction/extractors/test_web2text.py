"""Web2Text's features against the worked example of its description, and its networks and decoding."""

from functools import partial
from itertools import pairwise, product

import numpy as np
import pytest

from extraction.alignment import align
from extraction.extractors.learned.sequences import likeliest_labels
from extraction.extractors.web2text.collapsed_dom import CollapsedDom, collapsed_dom
from extraction.extractors.web2text.features import BlockFeatures, page_features
from extraction.extractors.web2text.network import Convolutions
from extraction.extractors.web2text.stop_words import STOP_WORDS
from extraction.learning.samples import Sample, content_of
from extraction.parsing.parse import parse
from extraction.spans import relevant

PAGE = (
    '<html><body><h1>Bridge opens</h1><p>The bridge, shut for <a href="/y">a year</a>, is open. '
    'Visit in 2010!</p><div><ul><li><a href="/h">Home</a></li></ul></div></body></html>'
)
GOLD = "Bridge opens\nThe bridge, shut for a year, is open. Visit in 2010!\n"
#: Text, tags, start, end, and characters, words, stop words, punctuation, digits, capitals.
LEAVES = [
    ("Bridge opens", "h1/#text", 16, 28, 12, 2, 0, 0, 0, 1),
    ("The bridge, shut for", "#text", 36, 57, 20, 4, 1, 1, 0, 1),
    ("a year", "a/#text", 70, 76, 6, 2, 1, 0, 0, 0),
    (", is open. Visit in 2010!", "#text", 80, 105, 25, 5, 2, 3, 4, 1),
    ("Home", "div/ul/li/a/#text", 135, 139, 4, 1, 0, 0, 0, 1),
]
#: The first nine numbers of each leaf's own text, and all the others of the fourth.
OWN = [
    [0.309, -0.677, 0.047, -1, -2.446, -0.838, -1, -0.170, 0],
    [0.309, -0.101, -0.478, 1, -0.811, -0.372, 1, 2.279, 0.566],
    [0.309, -0.677, -1.002, 1, 0.824, -0.838, -1, -0.170, 0],
    [0.309, 0.084, -1.002, 1, 0.170, -0.163, 1, 7.176, 1.384],
    [0.309, -1.252, -0.478, -1, -2.446, -0.838, -1, -0.170, 0],
]
REST = [1.970, -0.346, -0.617, 1, 0.341, 0.085, 1, -1, -1, -1, -1, 1, -0.600, -0.763, -0.756]
PARAGRAPH = [0, -0.765, -1.002, 1, -0.068, -0.966, 1.309, 1.970, -0.613, -0.617]
PARAGRAPH += [1, -1, -1, -1, -1, 1, -0.644, -0.779, -0.760, -1]
ROOT = [1, -0.701, -1.002, 1, -0.577, -0.839, 0.858, 1.970, -0.674, -0.703]
ROOT += [-1, -1, -1, -1, -1, 1, -0.392, -0.667, -0.721, -1]


def dom_of(html: str) -> CollapsedDom:
    dom = collapsed_dom(parse(html.encode()))
    assert dom is not None
    return dom


def features_of(html: str) -> BlockFeatures:
    return page_features(parse(html.encode()))


def test_the_leaves_of_the_worked_example() -> None:
    leaves = dom_of(PAGE).leaves
    shift = 16 - leaves[0].counts.start  # the tree has a head that the source leaves out
    found = [
        (
            leaf.text,
            "/".join(leaf.tags),
            leaf.counts.start + shift,
            leaf.counts.end + shift,
            leaf.counts.characters,
            leaf.counts.words,
            leaf.counts.stop_words,
            leaf.counts.punctuation,
            leaf.counts.digits,
            leaf.counts.capitals,
        )
        for leaf in leaves
    ]
    assert found == LEAVES


def test_the_vectors_of_the_worked_example() -> None:
    blocks = features_of(PAGE).blocks
    assert blocks.shape == (5, 128)
    assert np.allclose(blocks[:, 3:12], OWN, atol=6e-4)
    assert np.allclose(blocks[3, 12:27], REST, atol=6e-4)
    assert np.allclose(blocks[1:4, 28:48], PARAGRAPH, atol=6e-4)
    assert np.allclose(blocks[0, 28:48], ROOT, atol=6e-4)
    assert np.allclose(blocks[:, 89:109], ROOT, atol=6e-4)
    parents = "td div p tr table body ul span li blockquote".split()  # noqa: SIM905
    assert [tag for tag, has in zip(parents, blocks[1, 48:58], strict=True) if has == 1] == ["p"]
    assert blocks[:, 27].tolist() == [1] * 5
    assert blocks[:, 68].tolist() == [0, 1, 1, 1, 0]  # only the texts of the paragraph have a grandparent
    assert blocks[4, 109] == 1 and blocks[0, 109] == -1  # noqa: PT018 - is it in a link


def test_the_pairs_of_the_worked_example() -> None:
    edges = features_of(PAGE).edges
    assert edges.shape == (4, 25)
    assert edges[:, :5].tolist() == [
        [-1, 1, -1, -1, 1],
        [1, -1, -1, -1, 0],
        [1, -1, -1, -1, 0],
        [-1, 1, -1, -1, 1],
    ]
    assert np.allclose(edges[[0, 3], 5:], ROOT, atol=6e-4)
    assert np.allclose(edges[[1, 2], 5:], PARAGRAPH, atol=6e-4)


def test_leaves_are_content_where_two_thirds_of_their_characters_are() -> None:
    document = parse(PAGE.encode())
    page = page_features(document)
    sample = Sample(document, relevant(align(GOLD, document).spans, frozenset()), "", "")
    pieces = [document.nodes[node] for node in page.nodes]
    assert content_of(sample, pieces, page.lengths) == [True, True, True, True, False]


@pytest.mark.parametrize(
    ("weight", "expected"), [(0, [0, 1, 0]), (1, [1, 1, 0]), (3, [1, 1, 1])], ids=["alone", "both", "pairs"]
)
def test_the_likeliest_labels_of_the_worked_example(weight: float, expected: list[int]) -> None:
    single = np.log([[0.6, 0.4], [0.45, 0.55], [0.7, 0.3]])
    pairs = np.log([[0.4, 0.1, 0.1, 0.4], [0.2, 0.1, 0.3, 0.4]])
    assert likeliest_labels(single, weight * pairs) == [bool(label) for label in expected]


def total(single: np.ndarray, pairs: np.ndarray, labels: tuple[int, ...]) -> float:
    alone = sum(single[place, label] for place, label in enumerate(labels))
    return float(alone + sum(pairs[place, 2 * a + b] for place, (a, b) in enumerate(pairwise(labels))))


def test_the_likeliest_labels_are_those_of_a_full_search() -> None:
    draw = np.random.default_rng(3)
    for places in range(1, 8):
        single, pairs = draw.normal(size=(places, 2)), draw.normal(size=(places - 1, 4))
        best = max(product((0, 1), repeat=places), key=partial(total, single, pairs))
        assert likeliest_labels(single, pairs) == [bool(label) for label in best]


def test_there_are_124_stop_words() -> None:
    assert len(STOP_WORDS) == 124


def test_repetition_counts_and_all_alike_leaves_share_one_selector() -> None:
    items = features_of("<ul>" + "<li class='b a'>More" * 11 + "</ul>").blocks
    assert items[:, :3].tolist() == [[1, 1, 1]] * 11
    assert features_of("<p>One<p class=x>One<p>Two").blocks[:, :3].tolist() == [
        [1, -1, 0],
        [1, -1, 0],
        [-1, -1, 0],
    ]


def test_what_is_dropped_still_breaks_lines() -> None:
    page = "<p>One<br>two<span>three</span><select><option>four</select></p>"
    dom = dom_of(page)
    assert [leaf.text for leaf in dom.leaves] == ["One", "two", "three"]
    assert features_of(page).edges[:, 4].tolist() == [1, 0]


def test_all_of_a_link_with_several_texts_is_in_it() -> None:
    blocks = features_of("<p><a href=/>One <b>two</b></a> more words</p>").blocks
    # The second number of the parent: twice the share of characters in links, less one.
    assert blocks[:, 29].tolist() == [1, 1, -0.25]


def test_a_page_of_one_text_has_itself_as_root_and_no_pairs() -> None:
    page = features_of("<p>Some words.")
    assert page.blocks.shape == (1, 128)
    assert page.edges.shape == (0, 25)
    assert page.blocks[0, 27] == 0
    assert np.isfinite(page.blocks).all()


def test_a_convolution_sees_neighbours_and_nothing_beyond_the_ends() -> None:
    weight = np.array([[[1.0, 10.0, 100.0]]])
    net = Convolutions([(weight, np.zeros(1))])
    assert net(np.array([[1.0], [2.0], [3.0]])).ravel().tolist() == [210, 321, 32]
