"""A second look chooses how many of the blocks in doubt are body."""

from pathlib import Path

import numpy as np
import pytest

from extraction.extractors import extract
from extraction.extractors.goldpan import spans_by
from extraction.extractors.goldpan.features import PageFeatures
from extraction.extractors.goldpan.labels import alternatives, label
from extraction.extractors.goldpan.model import MODEL, second_look_model
from extraction.extractors.goldpan.second_look import NAMES, choice_features
from extraction.extractors.learned.trees import Trees
from extraction.parsing.parse import parse
from tests.extraction.corpora import P1, P2, P3

# The teasers below the article are in doubt.
TEASERS = Path(__file__).parents[4] / "annotator" / "demo" / "pages" / "04-teaser-stream.html"
PAGE = PageFeatures.of(parse(f"<body><p>{P1}</p><p>{P2}</p><p>{P3}</p>".encode()))
# The second block is body by the generous threshold only, the third by all but the strict one.
IN_DOUBT = np.array([0.95, 0.3, 0.5], dtype=np.float32)


def trees(feature: str, below: float, above: float) -> Trees:
    """One question about a fact: log-odds of what is at most 0.5, and of what is greater."""
    return Trees(
        names=NAMES,
        features=np.array([[NAMES.index(feature)]]),
        thresholds=np.array([[0.5]], dtype=np.float32),
        scores=np.array([[below, above]], dtype=np.float32),
        bias=0.0,
    )


def body(second: Trees | None, setting: str = "balanced") -> list[int]:
    labels = label(PAGE, IN_DOUBT, setting, second).labels
    return [block for block, name in enumerate(labels) if name == "body"]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (None, [0, 2]),
        (trees("added", -1, -1), [0, 2]),
        (trees("added", -1, 1), [0, 1, 2]),
        (trees("added", 1, -1), [0]),
        (trees("added", 0, 0), [0, 2]),
    ],
    ids=["without", "neither", "more", "less", "even chances"],
)
def test_the_better_choice_is_taken(second: Trees | None, expected: list[int]) -> None:
    assert body(second) == expected


def test_a_setting_that_was_asked_for_is_kept() -> None:
    assert body(trees("added", -1, 1), "precision") == [0]


def test_only_with_the_model_that_it_comes_with_does_the_extractor_look_again() -> None:
    page, same_trees = parse(TEASERS.read_bytes()), Trees.load(MODEL)
    assert extract(page, "goldpan") != spans_by(page, same_trees)
    assert extract(page, "goldpan", setting="precision") == spans_by(page, same_trees, "precision")


def test_there_is_no_choice_where_nothing_is_in_doubt() -> None:
    probability, balanced, others = alternatives(PAGE, np.array([0.95, 0.01, 0.9], dtype=np.float32))
    assert (balanced.tolist(), others) == ([True, False, True], [])
    assert probability.tolist() == pytest.approx([0.95, 0.01, 0.9])


@pytest.mark.parametrize(("words", "choices"), [(4, 0), (6, 1)])
def test_there_is_no_choice_about_less_than_a_fiftieth_of_the_body(words: int, choices: int) -> None:
    page = PageFeatures.of(parse(f"<body><p>{'word ' * 250}</p><p>{'word ' * words}</p>".encode()))
    _, _, others = alternatives(page, np.array([0.95, 0.3], dtype=np.float32))
    assert len(others) == choices


def test_of_a_note_beside_a_short_post_nothing_is_in_doubt() -> None:
    """A post takes its place whatever is chosen, so a page like it is no example to learn from."""
    note, torn = f"{P1} {P2} {P3} " * 2, f"{P3} {P3}"
    story = f"<title>The bridge is open</title><h1>The bridge is open</h1><p>{P1} {P2}</p>"
    markup = f"<aside><p>{note}</p><p>{torn}</p></aside><div>{story}</div>"
    page = PageFeatures.of(parse(markup.encode()))
    _, balanced, others = alternatives(page, np.array([0.95, 0.3, 0, 0], dtype=np.float32))
    assert balanced.tolist() == [True, False, False, False]
    assert others == []


def test_alternatives_are_what_other_settings_take() -> None:
    _, balanced, others = alternatives(PAGE, IN_DOUBT)
    assert balanced.tolist() == [True, False, True]
    assert [one.tolist() for one in others] == [[True, True, True], [True, False, False]]


def test_facts_of_a_change() -> None:
    balanced, added, taken = (np.array(flags) for flags in ([1, 0, 1], [0, 1, 0], [0, 0, 1]))
    more, fewer = (
        dict(zip(NAMES, column, strict=True))
        for column in choice_features(PAGE, IN_DOUBT, balanced > 0, [added > 0, taken > 0]).T.tolist()
    )
    lengths = [len(P1), len(P2), len(P3)]
    assert (more["added"], fewer["added"]) == (1, 0)
    assert (more["changed"], fewer["changed"]) == (lengths[1], lengths[2])
    assert more["changed to body"] == pytest.approx(lengths[1] / (lengths[0] + lengths[2]))
    assert (more["probability of changed"], fewer["probability of changed"]) == pytest.approx((0.3, 0.5))
    assert more["body"] == fewer["body"] == lengths[0] + lengths[2]
    assert (more["runs of body"], more["start of body"], more["end of body"]) == pytest.approx((1, 0, 2 / 3))
    assert (more["changed before body"], more["changed after body"], more["linked in changed"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("changed", "before", "after"), [([1, 0, 0], 1, 0), ([0, 1, 0], 0, 0), ([0, 0, 1], 0, 1)]
)
def test_a_change_is_before_in_or_after_the_body(changed: list[int], before: float, after: float) -> None:
    body, change = (np.array(flags) > 0 for flags in ([0, 1, 0], changed))
    found = dict(zip(NAMES, choice_features(PAGE, IN_DOUBT, body, [change])[:, 0].tolist(), strict=True))
    assert (found["changed before body"], found["changed after body"]) == (before, after)


def test_facts_without_a_body() -> None:
    nothing = np.zeros(3, dtype=np.bool_)
    found = choice_features(PAGE, IN_DOUBT, nothing, [~nothing])
    assert np.isfinite(found).all()


def test_the_model_knows_these_facts() -> None:
    assert second_look_model().names == NAMES
