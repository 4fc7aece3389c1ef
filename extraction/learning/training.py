"""The trainer: rounds of learning, the best of which is kept, with a checkpoint after each.

All chance of a round comes from the seed and the number of the round, so that learning that was killed goes
on from its checkpoint as if nothing had happened. A checkpoint is written beside the old one and then takes
its place, so there is always a whole one.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from extraction.extractors.learned.tensors import Array, Tensors, TensorsError


class Stopped(Exception):
    """Learning was asked to stop; the checkpoint has all rounds that were done."""


class LearningError(ValueError):
    """Pages or a checkpoint that cannot be learned from; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person may choose; None is what the architecture's authors chose.

    `patience` is after how many rounds without a better one learning ends; `class_weights` whether content
    and boilerplate count the same whatever their number.
    """

    seed: int = 1
    rounds: int | None = None
    patience: int | None = None
    class_weights: bool | None = None
    device: str = "cpu"


class Progress(NamedTuple):
    """What a round brought: `score` is what the best round is chosen by, larger is better."""

    part: str
    round: int
    rounds: int
    loss: float
    score: float


@dataclass(frozen=True, slots=True)
class Control:
    """How a caller looks on: `on_progress` hears of each round, `should_stop` is asked before each.

    A round that is done again, as its checkpoint was not written, is told again, with the same figures.
    """

    on_progress: Callable[[Progress], None] = lambda _: None
    should_stop: Callable[[], bool] = lambda: False


class Learner(Protocol):
    """Something that learns in rounds: one network, or one model."""

    @property
    def name(self) -> str:
        """Which part of the model it is."""

    @property
    def rounds(self) -> int:
        """How many rounds there are at most."""

    def learn(self, number: int) -> float:
        """Do a round, whose chance depends on its number alone; returns its mean loss."""

    def score(self) -> float:
        """How good the present state is on pages that are not learned from."""

    def weights(self) -> dict[str, Array]:
        """What is learned so far."""

    def state(self) -> dict[str, Array]:
        """All that the next round needs."""

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go back to such a state."""


@dataclass
class _Course:
    """How far a learner is, and the weights of its best round."""

    done: int = 0
    best_round: int = -1
    best_score: float = float("-inf")
    best: dict[str, Array] = field(default_factory=dict)

    def is_over(self, rounds: int, patience: int | None) -> bool:
        waited = self.done - 1 - self.best_round
        return self.done >= rounds or (patience is not None and self.done > 0 and waited >= patience)


def learn(
    learner: Learner, *, folder: Path, fingerprint: str, settings: Settings, control: Control
) -> dict[str, Array]:
    """Do the rounds that are left, and return the weights of the best one.

    `fingerprint` says what is learned from and how; a checkpoint in the folder that has another is refused.
    Raises `Stopped` when `control` says so, and `LearningError` for such a checkpoint.
    """
    path = folder / f"{learner.name}.checkpoint"
    course = _resumed(learner, path, fingerprint)
    rounds = settings.rounds or learner.rounds
    while not course.is_over(rounds, settings.patience):
        if control.should_stop():
            raise Stopped(f"stopped after {course.done} of {rounds} rounds of {learner.name}")
        loss = learner.learn(course.done)
        score = learner.score()
        if score > course.best_score:
            course.best, course.best_score, course.best_round = learner.weights(), score, course.done
        course.done += 1
        # Told before it is kept: a round after which the process was killed is told twice rather than never.
        control.on_progress(Progress(learner.name, course.done, rounds, loss, score))
        write(path, _packed(learner, course, fingerprint).to_bytes())
    return course.best


def _packed(learner: Learner, course: _Course, fingerprint: str) -> Tensors:
    arrays = {f"state.{name}": array for name, array in learner.state().items()}
    arrays |= {f"best.{name}": array for name, array in course.best.items()}
    about = {
        "fingerprint": fingerprint,
        "done": str(course.done),
        "best_round": str(course.best_round),
        "best_score": repr(course.best_score),
    }
    return Tensors(arrays, about)


def _resumed(learner: Learner, path: Path, fingerprint: str) -> _Course:
    """Where the checkpoint says that learning is, or its beginning."""
    if not path.exists():
        return _Course()
    try:
        found = Tensors.load(path)
        about = found.about
        if about["fingerprint"] != fingerprint:
            raise LearningError(
                f"{path} is of other pages or settings: choose another folder, or remove it to begin again"
            )
        learner.restore(_part(found, "state."))
        return _Course(
            int(about["done"]),
            int(about["best_round"]),
            float(about["best_score"]),
            _part(found, "best."),
        )
    except (TensorsError, KeyError) as error:
        raise LearningError(f"{path} is no checkpoint ({error}): remove it to begin again") from error


def _part(tensors: Tensors, prefix: str) -> dict[str, Array]:
    return {
        name.removeprefix(prefix): array for name, array in tensors.arrays.items() if name.startswith(prefix)
    }


def write(path: Path, data: bytes) -> None:
    """Write a file that is whole at any time, whatever ends the process."""
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)


class Architecture(Protocol):
    """A kind of model. `example` gives what it learns from a page."""

    @property
    def name(self) -> str:
        """That of its extractor."""

    def example(self, sample: Any) -> Any:
        """What can be learned from a page: features and labels of its blocks."""

    def learners(self, train: list[Any], validate: list[Any], settings: Settings) -> Sequence[Learner]:
        """What learns, one after the other."""

    def tensors(self, learned: dict[str, dict[str, Array]]) -> Tensors:
        """The model, of the weights of each learner by its name."""

    def predictor(self, tensors: Tensors) -> Callable[[Any], list[bool]]:
        """What labels the blocks of a example by a model, as its extractor does."""
