"""Every coefficient on 300 planted pages, to six decimals of what independent programs say."""

import math
from collections import Counter
from functools import cache
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score

from extraction.agreement.pool import Pool
from extraction.agreement.units import LEVELS
from extraction.spans import LABEL_SETS
from tests.extraction.agreement import planted
from tests.extraction.agreement.planted import LABELS, PlantedPage

PAIR = ("ada", "ben")
TRIO = ("ada", "ben", "cleo")


@cache
def pages() -> list[PlantedPage]:
    return planted.pages(300)


@cache
def pool() -> Pool:
    return Pool([page.counts() for page in pages()])


@cache
def labels(level: str) -> list[list[str]]:
    return planted.columns(pages(), level, PAIR)


def six(value: float | None) -> object:
    return pytest.approx(value, abs=5e-7, rel=0)


@pytest.mark.parametrize("level", LEVELS)
def test_all_labels_together_are_what_the_oracles_say(level: str) -> None:
    found, (one, other) = pool().units(level), labels(level)
    names = ["", *LABELS]
    codes = [[names.index(label) for label in column] for column in (one, other)]
    assert found["observed"].value == six(accuracy_score(one, other))
    assert found["cohen_kappa"].value == six(cohen_kappa_score(one, other))
    assert found["krippendorff_alpha"].value == six(krippendorff.alpha(codes, level_of_measurement="nominal"))
    assert found["gwet_ac1"].value == six(ac1(one, other, len(names)))
    assert found["f1"].value == six(f1_score([x != "" for x in one], [x != "" for x in other]))
    assert found["observed"].units == len(one)
    assert found["observed"].n == 300


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "view", [("label", label) for label in LABELS] + [("set", name) for name in LABEL_SETS]
)
def test_a_label_and_a_label_set_are_what_the_oracles_say(level: str, view: tuple[str, str]) -> None:
    kind, name = view
    members = {name} if kind == "label" else LABEL_SETS[name]
    one, other = ([label in members for label in column] for column in labels(level))
    found = pool().units(level, view)
    codes = [[int(each) for each in column] for column in (one, other)]
    assert found["observed"].value == six(accuracy_score(one, other))
    assert found["cohen_kappa"].value == six(cohen_kappa_score(one, other))
    assert found["krippendorff_alpha"].value == six(krippendorff.alpha(codes, level_of_measurement="nominal"))
    assert found["positive_agreement"].value == six(f1_score(one, other))


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_pages_with_two_and_with_three_is_what_the_library_says(level: str) -> None:
    two, three = planted.pages(40), planted.pages(40, TRIO, first=500)
    found = Pool([page.counts() for page in [*two, *three]]).units(level)["krippendorff_alpha"]
    columns = [
        [label for page in two for label in page.labels(level, name)]
        if name != "cleo"
        else [None for page in two for _ in page.labels(level, "ada")]
        for name in TRIO
    ]
    columns = [a + b for a, b in zip(columns, planted.columns(three, level, TRIO), strict=True)]
    names = ["", *LABELS]
    codes = [[math.nan if x is None else float(names.index(x)) for x in column] for column in columns]
    assert found.value == six(krippendorff.alpha(codes, level_of_measurement="nominal"))


def test_pairs_of_three_annotators_are_pooled() -> None:
    three = planted.pages(30, TRIO)
    found = Pool([page.counts() for page in three]).units("character")
    pairs = list(combinations(planted.columns(three, "character", TRIO), 2))
    one, other = [x for a, _ in pairs for x in a], [x for _, b in pairs for x in b]
    assert found["cohen_kappa"].value == six(cohen_kappa_score(one, other))
    assert found["observed"].units == len(one) / 3


def test_whole_spans_are_counted_as_by_hand() -> None:
    exact = partial = both = 0
    for page in pages():
        a, b = (page.annotations[name] for name in PAIR)
        exact += 2 * len(set(a) & set(b))
        partial += sum(any(meets(x, y) for y in b) for x in a) + sum(any(meets(x, y) for x in a) for y in b)
        both += len(a) + len(b)
    found = pool().spans()
    assert found["exact_f1"].value == six(exact / both)
    assert found["partial_f1"].value == six(partial / both)
    assert found["exact_f1"].units == both


def meets(x: tuple[int, int, str], y: tuple[int, int, str]) -> bool:
    return x[2] == y[2] and x[0] < y[1] and y[0] < x[1]


def test_chance_is_what_shuffled_labels_give() -> None:
    one, other = (np.array([LABELS.index(x) if x else -1 for x in column]) for column in labels("character"))
    draw = np.random.default_rng(1)
    shuffled = np.mean([np.mean(draw.permutation(one) == other) for _ in range(50)])
    assert pool().units("character")["cohen_kappa"].chance == pytest.approx(shuffled, abs=0.002)


def test_chance_of_spans_is_what_random_positions_give() -> None:
    draw = np.random.default_rng(2)
    hits = spans = 0
    for page in pages()[:40]:
        length = sum(not char.isspace() for char in page.text)
        lengths = [
            [(sum(not c.isspace() for c in page.text[s:e]), label) for s, e, label in page.annotations[name]]
            for name in PAIR
        ]
        for _ in range(60):
            one, other = (
                [(at := int(draw.integers(0, length - size + 1)), at + size, label) for size, label in each]
                for each in lengths
            )
            hits += sum(any(meets(x, y) for y in other) for x in one)
            hits += sum(any(meets(x, y) for x in one) for y in other)
            spans += len(one) + len(other)
    found = Pool([page.counts() for page in pages()[:40]]).spans()["partial_f1"]
    assert found.chance == pytest.approx(hits / spans, abs=0.01)


def ac1(one: list[str], other: list[str], categories: int) -> float:
    """By the formula of Gwet (2008), from the labels themselves."""
    total = len(one)
    given = Counter(one) + Counter(other)
    chance = sum(n / (2 * total) * (1 - n / (2 * total)) for n in given.values()) / (categories - 1)
    seen = sum(a == b for a, b in zip(one, other, strict=True)) / total
    return (seen - chance) / (1 - chance)
