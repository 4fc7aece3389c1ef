"""Learning the two networks of Web2Text, as its program does.

128 patches of nine leaves a step, from pages with more than ten; 5,000 steps; after every hundred the state
is looked at, and the best is kept: by F1 of content for the network of leaves, by accuracy for that of pairs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from extraction.extractors.learned.tensors import Array, Tensors
from extraction.extractors.web2text.features import (
    BLOCK_FEATURES,
    EDGE_FEATURES,
    BlockFeatures,
    page_features,
)
from extraction.extractors.web2text.network import Web2Text
from extraction.learning.evaluation import block_figures
from extraction.learning.nets import NetLearner
from extraction.learning.samples import Sample, content_of
from extraction.learning.training import LearningError, Settings

PATCH, BATCH, STEPS, ROUNDS = 9, 128, 100, 50
# A page is learned from if it has more leaves than this.
FEWEST = 10
DROPOUT = 0.2
# Of each layer: outputs and width; the last one's outputs are the classes.
LAYERS = ((50, 1), (50, 1), (50, 3), (10, 3), (0, 3))

Labels = NDArray[np.int64]


class Web2TextExample(NamedTuple):
    """A page, and which of its leaves are content."""

    page: BlockFeatures
    labels: list[bool]


class ConvolutionalNet(torch.nn.Module):
    """Convolutions over the leaves of a page; some of their weights, not of their values, drop out."""

    def __init__(self, inputs: int, classes: int) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList()
        for outputs, width in LAYERS:
            layer = torch.nn.Conv1d(inputs, outputs or classes, width, padding=width // 2)
            torch.nn.init.trunc_normal_(layer.weight, std=0.1, a=-0.2, b=0.2)
            torch.nn.init.zeros_(layer.bias)
            self.layers.append(layer)
            inputs = outputs

    def forward(self, rows: Any) -> Any:
        """The scores of the classes (pages, classes, leaves) of rows (pages, features, leaves)."""
        values = rows
        for number, layer in enumerate(self.layers):
            if number:
                values = functional.relu(values)
            weight = functional.dropout(layer.weight, DROPOUT, self.training)
            values = functional.conv1d(values, weight, layer.bias, padding=layer.padding[0])
        return values


class _PatchLearner(NetLearner):
    """What both networks have in common: they learn from patches: rows in a row, with a class each."""

    rounds = ROUNDS
    patch: int
    inputs: int
    classes: int

    def __init__(
        self, train: Sequence[Web2TextExample], validate: Sequence[Web2TextExample], settings: Settings
    ) -> None:
        super().__init__(settings)
        long_enough = [example for example in train if len(example.labels) > FEWEST]
        if not long_enough:
            raise LearningError(f"no page to learn from has more than {FEWEST} texts")
        self.train = [(self.rows(example.page), self.targets(example)) for example in long_enough]
        self.validate = [
            (self.rows(example.page), self.targets(example))
            for example in validate
            if len(example.labels) > 1
        ]
        weights = None
        if settings.class_weights:
            weights = torch.tensor(self.class_weights(), dtype=torch.float32, device=self.device)
        self.loss = torch.nn.CrossEntropyLoss(weights)

    def make_net(self) -> ConvolutionalNet:
        """The network with its first weights."""
        return ConvolutionalNet(self.inputs, self.classes)

    @abstractmethod
    def rows(self, page: BlockFeatures) -> Array:
        """The features of a page."""

    @abstractmethod
    def targets(self, example: Web2TextExample) -> Labels:
        """The class of each row."""

    def class_weights(self) -> list[float]:
        """How much a row of each class counts where classes are to count the same."""
        targets = np.concatenate([targets for _, targets in self.train])
        counts = np.maximum(np.bincount(targets, minlength=self.classes), 1)
        return [float(weight) for weight in targets.size / (self.classes * counts)]

    def losses(self, chance: np.random.Generator) -> Iterator[Any]:
        """The losses of a hundred steps."""
        for _ in range(STEPS):
            rows, targets = [], []
            for page in chance.integers(len(self.train), size=BATCH):
                features, classes = self.train[page]
                # The first leaf and the last are in no patch, as in the original.
                start = int(chance.integers(1, len(features) + PATCH - self.patch - FEWEST + 1))
                rows.append(features[start : start + self.patch].T)
                targets.append(classes[start : start + self.patch])
            scores = self.net(torch.tensor(np.stack(rows), device=self.device))
            yield self.loss(scores, torch.tensor(np.stack(targets), device=self.device))

    def found(self, rows: Array) -> Labels:
        """The likeliest class of each row."""
        with torch.no_grad():
            scores = self.net(torch.tensor(rows.T[None], device=self.device))
        classes: Labels = scores[0].argmax(dim=0).cpu().numpy()
        return classes


class Leaves(_PatchLearner):
    """The network that labels leaves."""

    name, patch, inputs, classes = "leaves", PATCH, BLOCK_FEATURES, 2

    def rows(self, page: BlockFeatures) -> Array:
        """Of the leaves."""
        return page.blocks

    def targets(self, example: Web2TextExample) -> Labels:
        """Content or not."""
        return np.array(example.labels, np.int64)

    def score(self) -> float:
        """F1 of content."""
        pairs = (
            (targets.astype(bool).tolist(), self.found(rows).astype(bool).tolist())
            for rows, targets in self.validate
        )
        return block_figures(pairs).positive.f1


class Pairs(_PatchLearner):
    """The network that labels pairs of neighbours."""

    name, patch, inputs, classes = "pairs", PATCH - 1, EDGE_FEATURES, 4

    def rows(self, page: BlockFeatures) -> Array:
        """Of the pairs."""
        return page.edges

    def targets(self, example: Web2TextExample) -> Labels:
        """00, 01, 10 or 11."""
        labels = np.array(example.labels, np.int64)
        return 2 * labels[:-1] + labels[1:]

    def score(self) -> float:
        """The share of pairs with the right class."""
        right = sum(int((self.found(rows) == targets).sum()) for rows, targets in self.validate)
        return right / max(sum(targets.size for _, targets in self.validate), 1)


class Web2TextArchitecture:
    """Web2Text."""

    name = "web2text"

    def example(self, sample: Sample) -> Web2TextExample:
        """The features of a page and the labels of its leaves."""
        page = page_features(sample.document)
        pieces = [sample.document.nodes[node] for node in page.nodes]
        return Web2TextExample(page, content_of(sample, pieces, page.lengths))

    def learners(
        self, train: list[Web2TextExample], validate: list[Web2TextExample], settings: Settings
    ) -> list[NetLearner]:
        """The network of leaves, then that of pairs."""
        return [Leaves(train, validate, settings), Pairs(train, validate, settings)]

    def tensors(self, learned: dict[str, dict[str, Array]]) -> Tensors:
        """Both networks."""
        return Tensors(
            {
                name.replace("layers", part): array
                for part, weights in learned.items()
                for name, array in weights.items()
            }
        )

    def predictor(self, tensors: Tensors) -> Callable[[Web2TextExample], list[bool]]:
        """What labels leaves by both."""
        model = Web2Text.of(tensors)
        return lambda example: model.labels(example.page)
