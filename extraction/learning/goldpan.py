"""Learning the trees by which `goldpan` tells the body, from pages of one's own. NumPy alone.

Ten trees a round. What a block is known by is what the extractor knows of it, readers' comments too, which
the trees that come with it find: few corpora have enough comments to learn them from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from extraction.extractors.goldpan import known_page
from extraction.extractors.goldpan.features import PageFeatures
from extraction.extractors.goldpan.measures import Flags
from extraction.extractors.learned.goldpan_training import length_weights, mostly_inside
from extraction.extractors.learned.tensors import Array, Tensors
from extraction.extractors.learned.trees import Floats, Grower, Training, Trees
from extraction.learning.evaluation import block_figures
from extraction.learning.samples import Sample
from extraction.learning.training import LearningError, Settings

ROUNDS, TREES = 20, 10


class GoldpanExample(NamedTuple):
    """A page: what is known of its blocks, which are body, and how much each counts."""

    rows: Floats
    is_body: Flags
    weights: Floats

    @property
    def labels(self) -> list[bool]:
        """Which blocks are body."""
        labels: list[bool] = self.is_body.tolist()
        return labels


class Body:
    """The trees as they are grown."""

    name, rounds = "body", ROUNDS

    def __init__(
        self, train: Sequence[GoldpanExample], validate: Sequence[GoldpanExample], settings: Settings
    ) -> None:
        rows = np.concatenate([example.rows for example in train], axis=1)
        target = np.concatenate([example.is_body for example in train])
        weights = np.concatenate([example.weights for example in train])
        used = weights > 0
        if settings.class_weights and target[used].any():
            sums = [weights[target == side].sum() for side in (False, True)]
            weights = weights / np.where(target, sums[1], sums[0]).astype(np.float32)
        if not target[used].any() or target[used].all():
            raise LearningError("the pages to learn from have to have both body and other text")
        names = PageFeatures.body_feature_names()
        training = Training(seed=settings.seed)
        self._grower = Grower(
            np.ascontiguousarray(rows[:, used]), target[used], weights[used], names, training
        )
        self._validate = [example for example in validate if example.labels]

    def learn(self, number: int) -> float:
        """Grow the next trees."""
        for _ in range(TREES):
            self._grower.grow_tree()
        return self._grower.loss()

    def score(self) -> float:
        """F1 of body."""
        model = self.grown()
        pairs = ((example.labels, _found(model, example)) for example in self._validate)
        return block_figures(pairs).positive.f1

    def grown(self) -> Trees:
        """The trees so far."""
        return self._grower.trees()

    def weights(self) -> dict[str, Array]:
        """The same as arrays."""
        return self.grown().to_tensors().arrays

    def state(self) -> dict[str, Array]:
        """The questions of the trees and their scores, which are of double precision."""
        cuts, scores = self._grower.state()
        return {"cuts": cuts, "scores": scores.view(np.uint64)}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go on after these trees."""
        self._grower.restore(state["cuts"], state["scores"].view(np.float64))


def _found(model: Trees, example: GoldpanExample) -> list[bool]:
    """Which blocks the trees take for body."""
    found: list[bool] = (model.predict(example.rows) > 0.5).tolist()
    return found


class GoldpanArchitecture:
    """`goldpan` with trees of its own."""

    name = "goldpan"

    def example(self, sample: Sample) -> GoldpanExample:
        """What is known of the blocks of a page, and which are body; headings do not count."""
        if not sample.document.blocks:
            nothing = np.zeros(0, np.float32)
            rows = np.zeros((len(PageFeatures.body_feature_names()), 0), np.float32)
            return GoldpanExample(rows, nothing.astype(np.bool_), nothing)
        page = known_page(sample.document)
        weights = length_weights(page)
        weights[page.headings] = 0
        return GoldpanExample(page.body_features, mostly_inside(sample.document, sample.content), weights)

    def learners(
        self, train: list[GoldpanExample], validate: list[GoldpanExample], settings: Settings
    ) -> list[Body]:
        """The trees of the body."""
        return [Body(train, validate, settings)]

    def tensors(self, learned: dict[str, dict[str, Array]]) -> Tensors:
        """The trees."""
        return Tensors(learned["body"])

    def predictor(self, tensors: Tensors) -> Callable[[GoldpanExample], list[bool]]:
        """What tells body by the trees alone."""
        model = Trees.of(tensors)
        return lambda example: _found(model, example)
