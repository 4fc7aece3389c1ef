"""Models that are learned in one round and without chance: counts, or a convex optimum."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from extraction.extractors.learned.tensors import Array


class OneRoundLearner(ABC):
    """A learner whose weights are all of its state. Subclasses set `_weights` when they learn."""

    name: str
    rounds = 1

    def __init__(self) -> None:
        self._weights: dict[str, Array] = {}

    @abstractmethod
    def learn(self, number: int) -> float:
        """Learn all; returns the loss."""

    @abstractmethod
    def score(self) -> float:
        """F1 of content on pages that are not learned from."""

    def weights(self) -> dict[str, Array]:
        """What is learned."""
        return self._weights

    def state(self) -> dict[str, Array]:
        """The same."""
        return self._weights

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go back to a state."""
        self._weights = dict(state)
