"""Learning BoilerNet: 50 times through the pages, 16 at a time, blocks of both classes weighing the same.

As in the paper, but for four things that its program does by accident: the vocabulary is of the pages to
learn from alone, pages are shuffled each time, a padded place is none, and counts of unknown words are
added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from extraction.extractors.boilernet.features import LeafCounts, Rows, Vocabulary, leaves
from extraction.extractors.boilernet.network import LAYERS, BoilerNet
from extraction.extractors.learned.tensors import Array, Tensors, as_whole_numbers
from extraction.learning.evaluation import block_figures
from extraction.learning.nets import NetLearner, balanced_weights
from extraction.learning.samples import Sample, content_of
from extraction.learning.training import LearningError, Settings

MOST_WORDS, MOST_TAGS = 1000, 50
SIZE, DROPOUT = 256, 0.5
EPOCHS, BATCH = 50, 16


class BoilerNetExample(NamedTuple):
    """A page, and which of its leaves are content."""

    page: LeafCounts
    labels: list[bool]


class RecurrentNet(torch.nn.Module):
    """Counts, a layer of 256, two layers of long short-term memory in both directions, one output."""

    def __init__(self, width: int) -> None:
        super().__init__()
        # A count times a row of weights is what a bag of embeddings sums; most counts are 0.
        self.embedding = torch.nn.EmbeddingBag(width, SIZE, mode="sum")
        self.bias = torch.nn.Parameter(torch.zeros(SIZE))
        self.lstm = torch.nn.LSTM(SIZE, SIZE, num_layers=LAYERS, bidirectional=True, batch_first=True)
        self.dropout = torch.nn.Dropout(DROPOUT)
        self.output = torch.nn.Linear(2 * SIZE, 1)
        self._as_keras_begins()

    def _as_keras_begins(self) -> None:
        """The first weights as the library of the paper draws them."""
        torch.nn.init.xavier_uniform_(self.embedding.weight)
        torch.nn.init.xavier_uniform_(self.output.weight)
        torch.nn.init.zeros_(self.output.bias)
        for name, parameter in self.lstm.named_parameters():
            if name.startswith("weight_ih"):
                torch.nn.init.xavier_uniform_(parameter)
            elif name.startswith("weight_hh"):
                torch.nn.init.orthogonal_(parameter)
            else:
                torch.nn.init.zeros_(parameter)
                if name.startswith("bias_ih"):
                    parameter.data[SIZE : 2 * SIZE] = 1  # of the forget gate
                else:
                    parameter.requires_grad_(False)  # one bias is enough

    def forward(self, page: Rows) -> Any:
        """The log-odds of the leaves of a page.

        Pages are read one by one: padding a batch to its longest page costs more, and packing it much more.
        """
        device = self.bias.device
        starts = np.searchsorted(page.rows, np.arange(page.size))
        embedded = self.embedding(
            torch.tensor(page.columns, device=device),
            torch.tensor(starts, device=device),
            per_sample_weights=torch.tensor(page.values, device=device),
        )
        outputs, _ = self.lstm(torch.relu(embedded + self.bias)[None])
        return self.output(self.dropout(outputs[0]))[:, 0]


class Texts(NetLearner):
    """The network that labels texts."""

    name, rounds = "texts", EPOCHS

    def __init__(
        self, train: Sequence[BoilerNetExample], validate: Sequence[BoilerNetExample], settings: Settings
    ) -> None:
        if not any(example.labels for example in train):
            raise LearningError("no page to learn from has a text")
        self.vocabulary = Vocabulary.learned([example.page for example in train], MOST_WORDS, MOST_TAGS)
        super().__init__(settings)
        self.train = [self._ready(example) for example in train if example.labels]
        self.validate = [self._ready(example) for example in validate if example.labels]
        labels = np.concatenate([labels for _, labels in self.train])
        weights = balanced_weights(labels) if settings.class_weights is not False else (1.0, 1.0)
        self.class_weights = torch.tensor(weights, dtype=torch.float32, device=self.device)

    def _ready(self, example: BoilerNetExample) -> tuple[Rows, Array]:
        return self.vocabulary.rows(example.page), np.array(example.labels, np.float32)

    def make_net(self) -> RecurrentNet:
        """The network with its first weights."""
        return RecurrentNet(self.vocabulary.width)

    def adam(self) -> dict[str, Any]:
        """As the library of the paper has it."""
        return {"lr": 1e-3, "eps": 1e-7}

    def losses(self, chance: np.random.Generator) -> Iterator[Any]:
        """The losses of one time through the pages."""
        order = chance.permutation(len(self.train))
        for start in range(0, order.size, BATCH):
            batch = [self.train[page] for page in order[start : start + BATCH]]
            labels = torch.tensor(np.concatenate([labels for _, labels in batch]), device=self.device)
            yield torch.nn.functional.binary_cross_entropy_with_logits(
                torch.cat([self.net(rows) for rows, _ in batch]),
                labels,
                weight=self.class_weights[labels.long()],
            )

    def score(self) -> float:
        """The mean of both classes' F1."""
        labelled = []
        for rows, labels in self.validate:
            with torch.no_grad():
                found = self.net(rows) > 0
            labelled.append((labels.astype(bool).tolist(), found.cpu().tolist()))
        figures = block_figures(labelled)
        return (figures.positive.f1 + figures.negative.f1) / 2

    def weights(self) -> dict[str, Array]:
        """The parameters, and the words and tags of the columns."""
        return super().weights() | {
            name: np.frombuffer("\n".join(names).encode(), np.uint8)
            for name, names in (("words", self.vocabulary.words), ("tags", self.vocabulary.tags))
        }


class BoilerNetArchitecture:
    """BoilerNet."""

    name = "boilernet"

    def example(self, sample: Sample) -> BoilerNetExample:
        """The texts of a page and their labels."""
        page = leaves(sample.document)
        pieces = [sample.document.nodes[node] for node in page.nodes]
        return BoilerNetExample(page, content_of(sample, pieces, page.lengths))

    def learners(
        self, train: list[BoilerNetExample], validate: list[BoilerNetExample], settings: Settings
    ) -> list[NetLearner]:
        """The one network."""
        return [Texts(train, validate, settings)]

    def tensors(self, learned: dict[str, dict[str, Array]]) -> Tensors:
        """The network with its matrices as whole numbers, a quarter of their size."""
        arrays: dict[str, Array] = {}
        for name, array in learned["texts"].items():
            name = "embedding.bias" if name == "bias" else name
            arrays |= as_whole_numbers(name, array) if array.ndim == 2 and len(array) > 1 else {name: array}
        return Tensors(arrays)

    def predictor(self, tensors: Tensors) -> Callable[[BoilerNetExample], list[bool]]:
        """What labels the texts of a page."""
        model = BoilerNet.of(tensors)
        return lambda example: [chance > 0.5 for chance in model.probabilities(example.page).tolist()]
