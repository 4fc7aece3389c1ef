"""Boosted oblivious trees: all nodes of one level ask the same question, so a tree is a table.

A row of features answers the questions of a tree with one bit each; the bits are the index of its score in
the table. That makes prediction a few array operations, and a prediction can be told apart into what each
question added to it (after Saabas: the mean score moves with every answer).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from extraction.extractors.learned.tensors import Tensors

Floats = NDArray[np.float32]


class ModelError(ValueError):
    """A model that does not fit the features that it is asked about."""


class _Questions(NamedTuple):
    """Each question once, for half are asked by several trees; `levels[d][t]` is the one of a tree."""

    features: NDArray[np.intp]
    thresholds: Floats
    levels: list[NDArray[np.intp]]


@dataclass(frozen=True)
class Trees:
    """Level `d` of tree `t` asks whether the feature `features[t, d]` is greater than `thresholds[t, d]`.

    `scores[t]` holds one score for each combination of answers, the first answer as the highest bit. Scores
    of all trees are added to `bias`, which gives the log-odds.
    """

    names: tuple[str, ...]
    features: NDArray[np.intp]
    thresholds: Floats
    scores: Floats
    bias: float

    @property
    def depth(self) -> int:
        """Questions a tree."""
        return int(self.features.shape[1])

    def predict(self, rows: Floats) -> Floats:
        """The probability of each column of `rows`, which has a row for each name.

        Raises ModelError when the number of rows is another.
        """
        if rows.shape[0] != len(self.names):
            raise ModelError(f"the model knows {len(self.names)} features, not {rows.shape[0]}")
        # Short numbers are added fastest, and `take` wants long ones.
        indices = (self._answers(rows) + self._offsets).astype(np.intp)
        log_odds = np.full(rows.shape[1], self.bias, dtype=np.float32)
        # No index is out of range, and clipping is the check that costs least.
        log_odds += self._flat_scores.take(indices, mode="clip").sum(axis=0)
        return np.asarray(1 / (1 + np.exp(-log_odds)), dtype=np.float32)

    def contributions(self, rows: Floats) -> Floats:
        """What each feature added to the log-odds of each column: an array of the shape of `rows`."""
        answers = self._answers(rows)
        result = np.zeros(rows.shape, dtype=np.float32)
        trees = np.arange(len(self.features))[:, None]
        for level in range(self.depth):
            before, after = self._means[level], self._means[level + 1]
            here = answers >> (self.depth - level)
            added = after[trees, answers >> (self.depth - level - 1)] - before[trees, here]
            np.add.at(result, self.features[:, level], added)
        return result

    def _answers(self, rows: Floats) -> NDArray[np.uint8]:
        """For each tree and column, the index of the score: at most eight questions a tree."""
        questions = self._questions
        answers = (rows.take(questions.features, axis=0) > questions.thresholds).view(np.uint8)
        leaves = np.zeros((len(self.features), rows.shape[1]), dtype=np.uint8)
        for level in questions.levels:
            leaves += leaves
            leaves += answers.take(level, axis=0)
        return leaves

    @cached_property
    def _questions(self) -> _Questions:
        pairs = list(zip(self.features.ravel().tolist(), self.thresholds.ravel().tolist(), strict=True))
        numbers = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
        which = np.array([numbers[pair] for pair in pairs], dtype=np.intp).reshape(self.features.shape)
        return _Questions(
            features=np.array([feature for feature, _ in numbers], dtype=np.intp),
            thresholds=np.array([[threshold] for _, threshold in numbers], dtype=np.float32),
            levels=[np.ascontiguousarray(level) for level in which.T],
        )

    @cached_property
    def _flat_scores(self) -> Floats:
        return self.scores.ravel()

    @cached_property
    def _offsets(self) -> NDArray[np.unsignedinteger[Any]]:
        starts = np.arange(0, self.scores.size, self.scores.shape[1])
        return starts[:, None].astype(np.min_scalar_type(self.scores.size))

    @cached_property
    def _means(self) -> list[Floats]:
        """The mean score below each node, level by level, from the root on."""
        shape = (len(self.scores), -1)
        levels = [self.scores.reshape(*shape, 2**below).mean(axis=2) for below in range(self.depth + 1)]
        return levels[::-1]

    def to_json(self) -> str:
        """As text that `from_json` reads; the same model gives the same text."""
        lists = {
            "names": list(self.names),
            "bias": round(self.bias, 6),
            "features": self.features.tolist(),
            "thresholds": _rounded(self.thresholds),
            "scores": _rounded(self.scores),
        }
        return "{" + ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in lists.items()) + "}\n"

    @classmethod
    def from_json(cls, text: str) -> Trees:
        """The model that `to_json` wrote."""
        fields = json.loads(text)
        return cls(
            names=tuple(fields["names"]),
            features=np.array(fields["features"], dtype=np.intp),
            thresholds=np.array(fields["thresholds"], dtype=np.float32),
            scores=np.array(fields["scores"], dtype=np.float32),
            bias=fields["bias"],
        )

    def to_tensors(self) -> Tensors:
        """As a file of weights, which `of` reads."""
        return Tensors(
            {
                "names": np.frombuffer("\n".join(self.names).encode(), np.uint8),
                "bias": np.array([self.bias], np.float32),
                "features": self.features.astype(np.int32),
                "thresholds": self.thresholds,
                "scores": self.scores,
            }
        )

    @classmethod
    def of(cls, tensors: Tensors) -> Trees:
        """The model that `to_tensors` wrote."""
        return cls(
            names=tuple(tensors["names"].tobytes().decode().split("\n")),
            features=tensors["features"].astype(np.intp),
            thresholds=tensors["thresholds"],
            scores=tensors["scores"],
            bias=float(tensors["bias"][0]),
        )

    @classmethod
    def mean(cls, models: Sequence[Trees]) -> Trees:
        """One model that gives the mean of the log-odds of several, which know the same features."""
        return cls(
            names=models[0].names,
            features=np.concatenate([model.features for model in models]),
            thresholds=np.concatenate([model.thresholds for model in models]),
            scores=(np.concatenate([model.scores for model in models]) / len(models)).astype(np.float32),
            bias=float(np.mean([model.bias for model in models])),
        )

    @classmethod
    def load(cls, path: Path) -> Trees:
        """The model of a file."""
        return cls.from_json(path.read_text(encoding="utf-8"))


def _rounded(values: Floats) -> list[list[float]]:
    return [[float(f"{value:.4g}") for value in row] for row in values.tolist()]


@dataclass(frozen=True, slots=True)
class Training:
    """How trees are grown: gradient boosting with Newton steps on the logistic loss."""

    trees: int = 200
    depth: int = 5
    rate: float = 0.1
    ridge: float = 3.0  # L2 penalty of a score, in units of the mean weight
    bins: int = 64  # thresholds tried for each feature, at most
    features_share: float = 0.5  # of the features, asked about in one tree
    rows_share: float = 0.8  # of the rows, seen by one tree
    seed: int = 1


def grow(
    rows: Floats,
    target: NDArray[np.bool_],
    weights: Floats,
    names: Sequence[str],
    training: Training,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Trees:
    """Learn trees that tell the true columns of `rows` from the others.

    Deterministic for the same input. `weights` say how much each column counts; `progress` sees the number of
    each tree go by.
    """
    grower = Grower(rows, target, weights, names, training)
    for _ in progress(range(training.trees)):
        grower.grow_tree()
    return grower.trees()


class Grower:
    """Trees as they are grown, one after the other, each on what the ones before it leave to be told.

    Takes what `grow` does. Some of the columns have to be true and some not.
    """

    def __init__(
        self,
        rows: Floats,
        target: NDArray[np.bool_],
        weights: Floats,
        names: Sequence[str],
        training: Training,
    ) -> None:
        self._names, self._training = tuple(names), training
        self._random = np.random.default_rng(training.seed)
        self._edges = [_edges(row, training.bins) for row in rows]
        pairs = zip(self._edges, rows, strict=True)
        binned = np.stack([np.searchsorted(cuts, row, "left") for cuts, row in pairs])
        self._binned = binned.astype(np.uint8)
        self._usable = np.flatnonzero([cuts.size for cuts in self._edges])
        self._target, self._weights = target, weights / weights.mean()
        share = float((self._weights * target).sum() / self._weights.sum())
        self._bias = float(np.log(share / (1 - share)))
        self._log_odds = np.full(target.size, self._bias)
        self._grown: list[_Tree] = []

    def grow_tree(self) -> None:
        """Grow the next tree."""
        probability = self._probability()
        gradient = self._weights * (self._target - probability)
        hessian = np.maximum(self._weights * probability * (1 - probability), 1e-9)
        features, sample = self._draw()
        tree = _Sample(self._binned[:, sample], gradient[sample], hessian[sample], self._training).grow(
            np.sort(features), self._edges
        )
        self._add(tree)

    def loss(self) -> float:
        """The mean logistic loss of the columns by their weights."""
        found = np.where(self._target, self._probability(), 1 - self._probability())
        losses = -np.log(np.maximum(found, 1e-12))
        return float((self._weights * losses).sum() / self._weights.sum())

    def trees(self) -> Trees:
        """The model so far, of at least one tree."""
        return Trees(
            names=self._names,
            features=np.array([[feature for feature, _ in tree.cuts] for tree in self._grown], dtype=np.intp),
            thresholds=np.array(
                [[self._edges[feature][cut] for feature, cut in tree.cuts] for tree in self._grown],
                np.float32,
            ),
            scores=np.array([tree.scores for tree in self._grown], dtype=np.float32),
            bias=self._bias,
        )

    def state(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The questions and scores of the trees so far, as `restore` takes them."""
        cuts = np.array([tree.cuts for tree in self._grown], np.int32)
        return cuts, np.array([tree.scores for tree in self._grown], np.float64)

    def restore(self, cuts: NDArray[np.int32], scores: NDArray[np.float64]) -> None:
        """Go on after these trees, as if they had just been grown."""
        for questions, tree_scores in zip(cuts.tolist(), scores, strict=True):
            self._draw()
            self._add(_Tree([(feature, cut) for feature, cut in questions], tree_scores))

    def _draw(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The features and columns of the next tree."""
        size = max(1, int(self._usable.size * self._training.features_share))
        features = self._random.choice(self._usable, size, replace=False)
        return features, np.flatnonzero(self._random.random(self._target.size) < self._training.rows_share)

    def _probability(self) -> NDArray[np.float64]:
        return np.asarray(1 / (1 + np.exp(-self._log_odds)))

    def _add(self, tree: _Tree) -> None:
        self._log_odds += tree.scores[_leaves(self._binned, tree.cuts)]
        self._grown.append(tree)


class _Tree(NamedTuple):
    cuts: list[tuple[int, int]]  # feature, and the number of its threshold
    scores: NDArray[np.float64]


def _edges(row: Floats, bins: int) -> Floats:
    """Thresholds that cut the values of a feature into parts of like size; none for a constant."""
    values = np.unique(row)
    if values.size <= bins:
        return ((values[1:] + values[:-1]) / 2).astype(np.float32)
    return np.unique(np.quantile(row, np.linspace(0, 1, bins + 1)[1:-1]).astype(np.float32))


def _leaves(binned: NDArray[np.uint8], cuts: Iterable[tuple[int, int]]) -> NDArray[np.intp]:
    """Each column's index in the table of a tree, or in its first levels."""
    leaves = np.zeros(binned.shape[1], dtype=np.intp)
    for feature, cut in cuts:
        leaves = 2 * leaves + (binned[feature] > cut)
    return leaves


@dataclass(frozen=True, slots=True)
class _Sample:
    """What one tree is grown on."""

    binned: NDArray[np.uint8]
    gradient: NDArray[np.float64]
    hessian: NDArray[np.float64]
    training: Training

    def grow(self, features: NDArray[np.intp], edges: Sequence[Floats]) -> _Tree:
        """Ask the question that gains most, given those asked before, level by level."""
        cuts: list[tuple[int, int]] = []
        for _ in range(self.training.depth):
            leaves = _leaves(self.binned, cuts)
            found = (
                self._best_cut(feature, edges[feature].size + 1, leaves, len(cuts))
                for feature in features.tolist()
            )
            _, feature, cut = max(found)
            cuts.append((feature, cut))
        leaves = _leaves(self.binned, cuts)
        size = 2**self.training.depth
        gradient = np.bincount(leaves, self.gradient, size)
        hessian = np.bincount(leaves, self.hessian, size)
        return _Tree(cuts, self.training.rate * gradient / (hessian + self.training.ridge))

    def _best_cut(
        self, feature: int, bins: int, leaves: NDArray[np.intp], level: int
    ) -> tuple[float, int, int]:
        """The gain of a feature's best threshold over all nodes of the level, the feature, the threshold."""
        nodes = 2**level
        cells = leaves * bins + self.binned[feature]
        gradient = np.bincount(cells, self.gradient, nodes * bins).reshape(nodes, bins)
        hessian = np.bincount(cells, self.hessian, nodes * bins).reshape(nodes, bins)
        left_gradient, left_hessian = np.cumsum(gradient, axis=1)[:, :-1], np.cumsum(hessian, axis=1)[:, :-1]
        right_gradient = gradient.sum(axis=1, keepdims=True) - left_gradient
        right_hessian = hessian.sum(axis=1, keepdims=True) - left_hessian
        ridge = self.training.ridge
        gains = left_gradient**2 / (left_hessian + ridge) + right_gradient**2 / (right_hessian + ridge)
        totals = gains.sum(axis=0)
        cut = int(np.argmax(totals))
        return float(totals[cut]), feature, cut
