"""Networks as learners: PyTorch, the same weights after the same rounds on one thread of a CPU."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from extraction.extractors.learned.tensors import Array
from extraction.learning.training import Settings

# Of the moments of an optimiser.
_MOMENTS = ("exp_avg", "exp_avg_sq")


class NetLearner(ABC):
    """A network, its optimiser and its rounds; what a round is and how good a state is, subclasses say."""

    name: str
    rounds: int

    def __init__(self, settings: Settings) -> None:
        torch.use_deterministic_algorithms(True)
        torch.set_num_threads(1)  # the order of additions, and so the last digits, depend on it
        self.settings = settings
        self.device = torch.device(settings.device)
        torch.manual_seed(settings.seed)
        self.net = self.make_net().to(self.device)
        self.optimiser = torch.optim.Adam(self.net.parameters(), **self.adam())

    @abstractmethod
    def make_net(self) -> Any:
        """The network with its first weights."""

    def adam(self) -> dict[str, Any]:
        """How its optimiser is set."""
        return {"lr": 1e-3}

    @abstractmethod
    def losses(self, chance: np.random.Generator) -> Iterator[Any]:
        """The loss of each step of a round."""

    @abstractmethod
    def score(self) -> float:
        """How good the present state is."""

    def learn(self, number: int) -> float:
        """Do a round."""
        torch.manual_seed(random.Random(f"{self.settings.seed} {number}").getrandbits(63))
        chance = np.random.default_rng([self.settings.seed, number])
        self.net.train()
        total, steps = 0.0, 0
        for loss in self.losses(chance):
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            total, steps = total + loss.item(), steps + 1
        self.net.eval()
        return total / max(steps, 1)

    def weights(self) -> dict[str, Array]:
        """The parameters by name."""
        return {name: _array(value) for name, value in self.net.named_parameters()}

    def state(self) -> dict[str, Array]:
        """Parameters, and the moments of the optimiser."""
        state = self.weights()
        for name, parameter in self._learned():
            known = self.optimiser.state[parameter]
            state |= {f"{name}/{key}": _array(known[key]) for key in _MOMENTS}
            state[f"{name}/step"] = np.array([known["step"]], np.float32)
        return state

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go back to a state; raises KeyError for one of another network."""
        with torch.no_grad():
            for name, parameter in self.net.named_parameters():
                parameter.copy_(torch.tensor(state[name]))
            for name, parameter in self._learned():
                known = {key: torch.tensor(state[f"{name}/{key}"]).to(self.device) for key in _MOMENTS}
                known["step"] = torch.tensor(float(state[f"{name}/step"][0]))
                self.optimiser.state[parameter] = known
        self.net.eval()

    def _learned(self) -> list[tuple[str, Any]]:
        """The parameters that change."""
        return [(name, one) for name, one in self.net.named_parameters() if one.requires_grad]


def _array(value: Any) -> Array:
    array: Array = value.detach().cpu().numpy().astype(np.float32, copy=True)
    return array


def balanced_weights(labels: Array) -> tuple[float, float]:
    """How much a block of each class counts, so that both classes count the same."""
    content = max(int(labels.sum()), 1)
    other = max(labels.size - content, 1)
    return labels.size / (2 * other), labels.size / (2 * content)
