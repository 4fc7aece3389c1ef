"""Which of many common substrings belong together: the chain that covers most for the least jumping about."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: What a jump costs, in characters: each one, and more the further it goes in one string than in the other.
JUMP = 4.0
JUMP_SCALE = 20.0
JUMP_MAX = 16.0


class CommonRun(NamedTuple):
    """`length` characters from `a` on in the first string are those from `b` on in the second."""

    a: int
    b: int
    length: int


def best_chain(runs: Sequence[CommonRun], ends: tuple[int, int] | None, *, bounded: bool) -> list[CommonRun]:
    """The chain, in order in both strings, with the most characters after the cost of its jumps.

    `runs` are sorted. Bounds are what the chain starts from (the origin) and leads to (`ends`): jumps there
    cost too, and a chain that is not worth its jumps is none. Quadratic in the number of runs.
    """
    if not runs:
        return []
    table = np.array(runs, dtype=np.int64)
    starts, lengths = table[:, :2], table[:, 2]
    finishes = starts + lengths[:, None]
    first = _jump(starts) if bounded else np.zeros(len(runs))
    scores = lengths - first
    previous = np.full(len(runs), -1)
    for i in range(1, len(runs)):
        ahead = starts[i] - finishes[:i]
        overlaps = np.maximum(0, -ahead.min(axis=1))
        gains = scores[:i] + lengths[i] - overlaps - _jump(np.maximum(0, ahead + overlaps[:, None]))
        gains[(starts[:i] >= starts[i]).any(axis=1) | (overlaps >= lengths[i])] = -np.inf
        best = int(gains.argmax())
        if gains[best] > scores[i]:
            scores[i], previous[i] = gains[best], best
    last = _jump(np.maximum(0, np.array(ends) - finishes)) if ends else 0.0
    totals = scores - last + _jump_of(ends, bounded=bounded)
    best = int(totals.argmax())
    return _traced(runs, previous, best) if totals[best] > 0 else []


def _jump(distances: NDArray[np.int64]) -> NDArray[np.float64]:
    """The cost of each jump, given how far it goes in either string; no distance costs nothing."""
    uneven = np.abs(distances[..., 0] - distances[..., 1])
    costs = JUMP + np.minimum(JUMP_MAX, uneven / JUMP_SCALE)
    return np.where(distances.any(axis=-1), costs, 0.0)


def _jump_of(ends: tuple[int, int] | None, *, bounded: bool) -> float:
    """What an empty chain would cost: between two bounds there is one jump anyway."""
    return float(_jump(np.array(ends))) if ends and bounded else 0.0


def _traced(runs: Sequence[CommonRun], previous: NDArray[np.int64], last: int) -> list[CommonRun]:
    """The chain that ends at `last`, each run cut where the one before overlaps it."""
    chain: list[CommonRun] = []
    while last >= 0:
        chain.append(runs[last])
        last = int(previous[last])
    result: list[CommonRun] = []
    for run in reversed(chain):
        before = result[-1] if result else CommonRun(0, 0, 0)
        cut = max(0, before.a + before.length - run.a, before.b + before.length - run.b)
        result.append(CommonRun(run.a + cut, run.b + cut, run.length - cut))
    return result
