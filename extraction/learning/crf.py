"""Learning Victor's conditional random field with CRFsuite: L-BFGS on likelihood less squared weights.

There is no chance in it: every seed gives the same weights. It is done in one round.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pycrfsuite

from extraction.extractors.crf.blocks import TextBlock, blocks
from extraction.extractors.crf.features import Ints, symbols
from extraction.extractors.crf.model import Crf
from extraction.extractors.learned.tensors import Array, Tensors
from extraction.learning.one_round import OneRoundLearner
from extraction.learning.samples import Sample, content_of
from extraction.learning.training import LearningError, Settings

RIDGE = 1.0
OTHER, CONTENT = "0", "1"


class CrfExample(NamedTuple):
    """A page: what each of its texts is told from, which are content, which stand in the canonical text."""

    symbols: Ints
    labels: list[bool]
    has_place: list[bool]


class Field(OneRoundLearner):
    """The weights as they are learned."""

    name = "field"

    def __init__(
        self, train: Sequence[CrfExample], validate: Sequence[CrfExample], settings: Settings
    ) -> None:
        super().__init__(validate, CrfArchitecture().predictor)
        if settings.class_weights:
            raise LearningError("a conditional random field has no weights of classes")
        self.train = [example for example in train if example.labels]
        if len({label for example in self.train for label in example.labels}) < 2:
            raise LearningError("the pages to learn from have no content, or nothing else")

    def learn(self, number: int) -> float:
        """Learn all."""
        trainer = pycrfsuite.Trainer(
            algorithm="lbfgs",
            params={"c1": 0, "c2": RIDGE, "feature.possible_transitions": True},
            verbose=False,
        )
        for example in self.train:
            rows = [list(map(str, row)) for row in example.symbols.tolist()]
            trainer.append(rows, [CONTENT if label else OTHER for label in example.labels])
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "model")
            trainer.train(path)
            tagger = pycrfsuite.Tagger()
            tagger.open(path)
            self._weights = _weights(tagger.info())
            tagger.close()
        return float(trainer.logparser.last_iteration["loss"])


def _weights(info: Any) -> dict[str, Array]:
    """What CRFsuite says of a model, as arrays."""
    known = sorted({int(symbol) for symbol, _label in info.state_features})
    weights = [
        [info.state_features.get((str(symbol), label), 0.0) for label in (OTHER, CONTENT)] for symbol in known
    ]
    pairs = [(OTHER, OTHER), (OTHER, CONTENT), (CONTENT, OTHER), (CONTENT, CONTENT)]
    return {
        "symbols": np.array(known, np.int32),
        "weights": np.array(weights, np.float32),
        "transitions": np.array([info.transitions.get(pair, 0.0) for pair in pairs], np.float32),
    }


class CrfArchitecture:
    """A conditional random field."""

    name = "crf"

    def example(self, sample: Sample) -> CrfExample:
        """The symbols of a page and the labels of its texts."""
        page: list[TextBlock] = blocks(sample.document)
        places = [block.place for block in page]
        labels = content_of(sample, places, [len(block.text) for block in page])
        return CrfExample(symbols(page), labels, [start >= 0 for start, _ in places])

    def learners(
        self, train: list[CrfExample], validate: list[CrfExample], settings: Settings
    ) -> list[Field]:
        """The one field."""
        return [Field(train, validate, settings)]

    def tensors(self, learned: dict[str, dict[str, Array]]) -> Tensors:
        """Its weights."""
        return Tensors(learned["field"])

    def predictor(self, tensors: Tensors) -> Callable[[CrfExample], list[bool]]:
        """What labels the texts of a page. Alternative texts of images are not in it, so never content."""
        model = Crf.of(tensors)
        return lambda example: [
            label and has_place
            for label, has_place in zip(model.labels(example.symbols), example.has_place, strict=True)
        ]
