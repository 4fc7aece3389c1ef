"""Boosted oblivious trees, beside plain Python and planted rules."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from extraction.extractors.goldpan.model import model
from extraction.extractors.learned.trees import Floats, ModelError, Training, Trees, grow

NAMES = ("length", "links", "noise")


def random_trees(seed: int = 3, trees: int = 7, depth: int = 3) -> Trees:
    random = np.random.default_rng(seed)
    return Trees(
        names=NAMES,
        features=random.integers(0, len(NAMES), (trees, depth)),
        thresholds=random.normal(size=(trees, depth)).astype(np.float32),
        scores=random.normal(size=(trees, 2**depth)).astype(np.float32),
        bias=-0.25,
    )


def random_rows(columns: int = 40, seed: int = 5) -> Floats:
    return np.random.default_rng(seed).normal(size=(len(NAMES), columns)).astype(np.float32)


def log_odds_of(trees: Trees, features: list[float]) -> float:
    """One column at a time, one question at a time."""
    log_odds = trees.bias
    for questions, thresholds, scores in zip(
        trees.features.tolist(), trees.thresholds.tolist(), trees.scores.tolist(), strict=True
    ):
        index = 0
        for feature, threshold in zip(questions, thresholds, strict=True):
            index = 2 * index + (features[feature] > threshold)
        log_odds += scores[index]
    return log_odds


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_predictions_are_those_of_the_plain_way(depth: int) -> None:
    trees, rows = random_trees(depth=depth), random_rows()
    expected = [1 / (1 + math.exp(-log_odds_of(trees, column))) for column in rows.T.tolist()]
    assert trees.depth == depth
    assert trees.predict(rows).tolist() == pytest.approx(expected, abs=1e-5)


def test_the_mean_of_models_is_that_of_their_log_odds() -> None:
    models = [random_trees(seed=seed, trees=trees) for seed, trees in ((1, 4), (2, 7), (3, 2))]
    models[0] = replace(models[0], bias=1.5)
    expected = [
        sum(log_odds_of(model, column) for model in models) / 3 for column in random_rows().T.tolist()
    ]
    mean = Trees.mean(models).predict(random_rows())
    assert np.log(mean / (1 - mean)).tolist() == pytest.approx(expected, abs=1e-4)


def test_the_model_of_goldpan_predicts_as_the_plain_way() -> None:
    trees = model()
    rows = np.random.default_rng(1).normal(20, 40, (len(trees.names), 5)).astype(np.float32)
    expected = [1 / (1 + math.exp(-log_odds_of(trees, column))) for column in rows.T.tolist()]
    assert trees.predict(rows).tolist() == pytest.approx(expected, abs=1e-4)


def test_contributions_add_up_to_the_log_odds() -> None:
    trees, rows = random_trees(), random_rows()
    log_odds = np.array([log_odds_of(trees, column) for column in rows.T.tolist()])
    start = trees.bias + trees.scores.mean(axis=1).sum()
    assert trees.contributions(rows).sum(axis=0) == pytest.approx(log_odds - start, abs=1e-4)


def test_a_feature_that_is_never_asked_about_contributes_nothing() -> None:
    trees = random_trees()
    trees.features[trees.features == 2] = 0
    found = trees.contributions(random_rows())
    assert not found[2].any()
    assert found[0].any()


def test_equal_is_not_greater() -> None:
    trees = Trees(
        ("one",),
        np.array([[0]]),
        np.array([[2]], dtype=np.float32),
        np.array([[-1, 1]], dtype=np.float32),
        0.0,
    )
    low, high = trees.predict(np.array([[2, 2.001]], dtype=np.float32))
    assert low < 0.5 < high


def test_a_model_refuses_other_features() -> None:
    with pytest.raises(ModelError, match="knows 3 features, not 4"):
        random_trees().predict(np.zeros((4, 2), dtype=np.float32))


def test_no_columns_have_no_probabilities() -> None:
    assert random_trees().predict(np.zeros((3, 0), dtype=np.float32)).size == 0


def test_json_holds_the_model(tmp_path: Path) -> None:
    trees, rows = random_trees(), random_rows()
    (tmp_path / "model.json").write_text(trees.to_json(), encoding="utf-8")
    again = Trees.load(tmp_path / "model.json")
    assert again.names == NAMES
    assert again.predict(rows).tolist() == pytest.approx(trees.predict(rows).tolist(), abs=0.01)
    assert again.to_json() == trees.to_json()
    assert set(json.loads(trees.to_json())) == {"names", "bias", "features", "thresholds", "scores"}


SMALL = Training(trees=40, depth=2, rate=0.3, features_share=1.0)


def planted(seed: int = 7, columns: int = 600) -> tuple[Floats, np.ndarray, Floats]:
    """Rows, and a rule over two of them: long, and with few links."""
    rows = np.random.default_rng(seed).uniform(0, 1, (len(NAMES), columns)).astype(np.float32)
    return rows, (rows[0] > 0.4) & (rows[1] < 0.7), np.ones(columns, dtype=np.float32)


def test_a_planted_rule_is_learned() -> None:
    trees = grow(*planted(), NAMES, SMALL)
    rows, target, _ = planted(seed=8)
    assert ((trees.predict(rows) > 0.5) == target).mean() > 0.97
    weight = np.abs(trees.contributions(rows)).mean(axis=1)
    assert weight[2] < 0.2 * min(weight[0], weight[1])


def test_growing_again_gives_the_same_and_another_seed_does_not() -> None:
    first, again = grow(*planted(), NAMES, SMALL), grow(*planted(), NAMES, SMALL)
    other = grow(*planted(), NAMES, Training(trees=40, depth=2, rate=0.3, features_share=1.0, seed=2))
    assert first.to_json() == again.to_json() != other.to_json()


def test_columns_without_weight_teach_nothing() -> None:
    rows, target, weights = planted()
    wrong = np.arange(target.size) % 3 == 0
    weights[wrong] = 0
    trees = grow(rows, target ^ wrong, weights, NAMES, SMALL)
    fresh, right, _ = planted(seed=8)
    assert ((trees.predict(fresh) > 0.5) == right).mean() > 0.95


def test_a_constant_feature_is_never_asked_about() -> None:
    rows, target, weights = planted()
    rows[2] = 1
    assert 2 not in grow(rows, target, weights, NAMES, SMALL).features


def test_values_of_any_size_fit_into_bins() -> None:
    rows, target, weights = planted()
    rows[0] = np.exp(20 * rows[0])
    trees = grow(
        rows, target, weights, NAMES, Training(trees=40, depth=2, rate=0.3, features_share=1.0, bins=16)
    )
    assert ((trees.predict(rows) > 0.5) == target).mean() > 0.9


def test_progress_sees_every_tree() -> None:
    seen: list[int] = []
    grow(*planted(), NAMES, SMALL, lambda numbers: (seen.append(number) or number for number in numbers))
    assert seen == list(range(SMALL.trees))
