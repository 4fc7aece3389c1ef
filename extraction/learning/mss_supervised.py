"""Learning the scores of supervised maximum subsequence segmentation: counting, one round, no chance.

Of each page the tokens from the first word of its content to the last are inside, also boilerplate among
them.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from extraction.extractors.learned.tensors import Array, Tensors
from extraction.extractors.mss_supervised.bayes import NaiveBayes
from extraction.extractors.mss_supervised.tokens import NO_NODE, TokenSequence, page_tokens
from extraction.learning.one_round import OneRoundLearner
from extraction.learning.samples import Sample, content_of
from extraction.learning.training import LearningError, Settings


class SupervisedMssExample(NamedTuple):
    """A page: its tokens, its text nodes that have words, and which of these are content."""

    tokens: TokenSequence
    nodes: list[int]
    labels: list[bool]


class Counts(OneRoundLearner):
    """The counts as they are learned."""

    name = "counts"

    def __init__(
        self,
        train: Sequence[SupervisedMssExample],
        validate: Sequence[SupervisedMssExample],
        settings: Settings,
    ) -> None:
        super().__init__(validate, SupervisedMssArchitecture().predictor)
        if settings.class_weights:
            raise LearningError("counts have no weights of classes")
        if not any(any(example.labels) for example in train):
            raise LearningError("the pages to learn from have no content")
        self.train = train

    def learn(self, number: int) -> float:
        """Count all."""
        inside = np.concatenate([inside_of(example) for example in self.train])
        keys, counts = [], []
        for kind in ("trigrams", "tags"):
            seen = np.concatenate([getattr(example.tokens, kind) for example in self.train])
            found, places = np.unique(seen, return_inverse=True)
            keys.append(found)
            counts.append(
                np.stack([np.bincount(places, side, found.size) for side in (~inside, inside)], axis=1)
            )
        order = np.argsort(np.concatenate(keys))
        self._weights = {
            "keys": np.concatenate(keys)[order],
            "counts": np.concatenate(counts)[order].astype(np.int32),
            "totals": np.array([(~inside).sum(), inside.sum()], np.int32),
        }
        return 0.0


def inside_of(example: SupervisedMssExample) -> Array:
    """Which tokens are inside the article."""
    content = [node for node, label in zip(example.nodes, example.labels, strict=True) if label]
    inside = np.zeros(len(example.tokens.nodes), bool)
    if content:
        places = np.flatnonzero(np.isin(example.tokens.nodes, content))
        inside[places[0] : places[-1] + 1] = True
    return inside


class SupervisedMssArchitecture:
    """Supervised maximum subsequence segmentation."""

    name = "mss-supervised"

    def example(self, sample: Sample) -> SupervisedMssExample:
        """The tokens of a page, and which of its texts are content."""
        tokens = page_tokens(sample.document)
        nodes = sorted(set(tokens.nodes.tolist()) - {NO_NODE})
        texts = sample.document.structure.node_texts
        pieces = [sample.document.nodes[node] for node in nodes]
        labels = content_of(sample, pieces, [len(" ".join(texts[node].split())) for node in nodes])
        return SupervisedMssExample(tokens, nodes, labels)

    def learners(
        self, train: list[SupervisedMssExample], validate: list[SupervisedMssExample], settings: Settings
    ) -> list[Counts]:
        """The one table of counts."""
        return [Counts(train, validate, settings)]

    def tensors(self, learned: dict[str, dict[str, Array]]) -> Tensors:
        """The counts."""
        return Tensors(learned["counts"])

    def predictor(self, tensors: Tensors) -> Callable[[SupervisedMssExample], list[bool]]:
        """What labels the texts of a page."""
        model = NaiveBayes.of(tensors)

        def predict(example: SupervisedMssExample) -> list[bool]:
            found = set(model.nodes(example.tokens))
            return [node in found for node in example.nodes]

        return predict
