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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
        log_odds = np.full(rows.shape[1], self.bias, dtype=np.float32)
        # No index is out of range, and clipping is the check that costs least.
        log_odds += self._flat_scores.take(self._answers(rows) + self._offsets, mode="clip").sum(axis=0)
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
    def _offsets(self) -> NDArray[np.intp]:
        starts = np.arange(0, self.scores.size, self.scores.shape[1])
        return np.asarray(starts[:, None], dtype=np.intp)

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
    random = np.random.default_rng(training.seed)
    edges = [_edges(row, training.bins) for row in rows]
    binned = np.stack([np.searchsorted(cuts, row, "left") for cuts, row in zip(edges, rows, strict=True)])
    binned = binned.astype(np.uint8)
    usable = np.flatnonzero([cuts.size for cuts in edges])
    weights = weights / weights.mean()
    share = float((weights * target).sum() / weights.sum())
    bias = float(np.log(share / (1 - share)))
    log_odds = np.full(target.size, bias)
    grown: list[_Tree] = []
    for _ in progress(range(training.trees)):
        probability = 1 / (1 + np.exp(-log_odds))
        gradient = weights * (target - probability)
        hessian = np.maximum(weights * probability * (1 - probability), 1e-9)
        features = random.choice(usable, max(1, int(usable.size * training.features_share)), replace=False)
        sample = np.flatnonzero(random.random(target.size) < training.rows_share)
        tree = _Sample(binned[:, sample], gradient[sample], hessian[sample], training).grow(
            np.sort(features), edges
        )
        log_odds += tree.scores[_leaves(binned, tree.cuts)]
        grown.append(tree)
    return Trees(
        names=tuple(names),
        features=np.array([[feature for feature, _ in tree.cuts] for tree in grown], dtype=np.intp),
        thresholds=np.array(
            [[edges[feature][cut] for feature, cut in tree.cuts] for tree in grown], np.float32
        ),
        scores=np.array([tree.scores for tree in grown], dtype=np.float32),
        bias=bias,
    )


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
