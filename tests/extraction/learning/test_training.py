"""The trainer: what is kept, what is gone on from, and what is refused. No network is needed for that."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from extraction.extractors.learned.tensors import Array
from extraction.learning.training import Control, LearningError, Progress, Settings, Stopped, learn

SCORES = [0.2, 0.5, 0.9, 0.4, 0.9, 0.1, 0.3]


class Counter:
    """Learns to count: its state is a product of what each round, by its number, adds."""

    name, rounds = "counter", len(SCORES)

    def __init__(self) -> None:
        self.value = 1
        self.done: list[int] = []

    def learn(self, number: int) -> float:
        self.done.append(number)
        self.value = self.value * 31 % 1009 + number
        return 1 / (number + 1)

    def score(self) -> float:
        return SCORES[self.done[-1]]

    def weights(self) -> dict[str, Array]:
        return {"value": np.array([self.value], np.float32)}

    def state(self) -> dict[str, Array]:
        return self.weights()

    def restore(self, state: Mapping[str, Array]) -> None:
        self.value = int(state["value"][0])


def course(
    folder: Path,
    *,
    stop_after: int | None = None,
    fingerprint: str = "pages",
    settings: Settings | None = None,
) -> tuple[Counter, float, list[Progress]]:
    heard: list[Progress] = []
    learner = Counter()
    control = Control(heard.append, lambda: stop_after is not None and len(heard) >= stop_after)
    best = learn(
        learner, folder=folder, fingerprint=fingerprint, settings=settings or Settings(), control=control
    )
    return learner, float(best["value"][0]), heard


def test_the_first_of_the_best_rounds_is_kept(tmp_path: Path) -> None:
    learner, best, heard = course(tmp_path)
    wanted = Counter()
    for number in range(3):
        wanted.learn(number)
    assert best == wanted.value
    assert learner.done == list(range(7))
    assert [(one.round, one.rounds, one.score) for one in heard] == [
        (number + 1, 7, score) for number, score in enumerate(SCORES)
    ]


@pytest.mark.parametrize("after", range(7))
def test_what_was_stopped_goes_on_where_it_was(tmp_path: Path, after: int) -> None:
    with pytest.raises(Stopped, match=f"after {after} of 7 rounds"):
        course(tmp_path, stop_after=after)
    learner, best, _heard = course(tmp_path)
    assert learner.done == list(range(after, 7))
    whole = tmp_path / "whole"
    whole.mkdir()
    assert best == course(whole)[1]


def test_a_finished_course_does_nothing_more(tmp_path: Path) -> None:
    _learner, best, _heard = course(tmp_path)
    again, same, heard = course(tmp_path)
    assert (again.done, same, heard) == ([], best, [])


def test_learning_ends_when_nothing_gets_better(tmp_path: Path) -> None:
    learner, _best, _heard = course(tmp_path, settings=Settings(patience=2))
    assert learner.done == [0, 1, 2, 3, 4]


def test_fewer_rounds_can_be_asked_for(tmp_path: Path) -> None:
    assert course(tmp_path, settings=Settings(rounds=2))[0].done == [0, 1]


def test_a_checkpoint_of_other_pages_is_refused(tmp_path: Path) -> None:
    course(tmp_path)
    with pytest.raises(LearningError, match="other pages or settings"):
        course(tmp_path, fingerprint="others")


def test_what_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / "counter.checkpoint").write_bytes(b"something else")
    with pytest.raises(LearningError, match="no checkpoint"):
        course(tmp_path)


def test_a_checkpoint_is_whole_whatever_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if killed while the second one is written: the first is still there."""
    with pytest.raises(Stopped):
        course(tmp_path, stop_after=1)
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        course(tmp_path)
    monkeypatch.undo()
    assert course(tmp_path)[0].done == list(range(1, 7))
