"""Models that are learned in one round and without chance: counts, or a convex optimum."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from extraction.extractors.learned.tensors import Array, Tensors
from extraction.learning.evaluation import block_figures


class OneRoundLearner(ABC):
    """A learner whose weights are all of its state. Subclasses set `_weights` when they learn."""

    name: str
    rounds = 1

    def __init__(
        self, validate: Sequence[Any], predictor: Callable[[Tensors], Callable[[Any], list[bool]]]
    ) -> None:
        self._validate, self._predictor = validate, predictor
        self._weights: dict[str, Array] = {}

    @abstractmethod
    def learn(self, number: int) -> float:
        """Learn all; returns the loss."""

    def score(self) -> float:
        """F1 of content on pages that are not learned from."""
        predict = self._predictor(Tensors(self._weights))
        return block_figures((example.labels, predict(example)) for example in self._validate).positive.f1

    def weights(self) -> dict[str, Array]:
        """What is learned."""
        return self._weights

    def state(self) -> dict[str, Array]:
        """The same."""
        return self._weights

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go back to a state."""
        self._weights = dict(state)
