"""Where one string lies in another: exact matches, chained in order, close together rather than scattered.

As genome aligners do it: find the common substrings of at least some length, choose the chain of them that
covers most for the least jumping about, then look into the gaps of the chain for shorter ones.
"""

import heapq
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Lengths of common substrings, in characters without whitespace: first anywhere, then in gaps.
SEEDS = (24, 12, 6)
#: A substring that occurs more often says nothing about where its text is.
MAX_OCCURRENCES = 40
#: Of more candidates than this the longest are chained; the chain takes quadratic time.
MAX_CANDIDATES = 2000
#: What a jump costs, in characters: each one, and more the further it goes in one string than in the other.
JUMP = 4.0
JUMP_SCALE = 20.0
JUMP_MAX = 16.0


class Run(NamedTuple):
    """`length` characters from `a` on in the first string are those from `b` on in the second."""

    a: int
    b: int
    length: int


class _Gap(NamedTuple):
    """What lies between two runs of a chain; without a neighbour on a side, that side is open."""

    before: Run | None
    after: Run | None
    a: tuple[int, int]
    b: tuple[int, int]


def match(first: str, second: str) -> list[Run]:
    """The runs by which `first` lies in `second`, in order in both, none overlapping."""
    runs: list[Run] = []
    for seed in (min(seed, len(first)) for seed in SEEDS if first):
        found = [
            run for gap in _gaps(runs, len(first), len(second)) for run in _fill(first, second, gap, seed)
        ]
        runs = _joined(sorted([*runs, *found]))
    return runs


def _gaps(runs: Sequence[Run], a_length: int, b_length: int) -> Iterator[_Gap]:
    if not runs:
        yield _Gap(None, None, (0, a_length), (0, b_length))
        return
    for before, after in pairwise([None, *runs, None]):
        a = (before.a + before.length if before else 0, after.a if after else a_length)
        b = (before.b + before.length if before else 0, after.b if after else b_length)
        if a[0] < a[1] and b[0] < b[1]:
            yield _Gap(before, after, a, b)


def _joined(runs: Sequence[Run]) -> list[Run]:
    """Runs that go on where the one before ends, as one."""
    result: list[Run] = []
    for run in runs:
        last = result[-1] if result else None
        if last and (last.a + last.length, last.b + last.length) == (run.a, run.b):
            result[-1] = Run(last.a, last.b, last.length + run.length)
        else:
            result.append(run)
    return result


def _fill(first: str, second: str, gap: _Gap, seed: int) -> list[Run]:
    """The best chain inside a gap, in the coordinates of the whole strings."""
    a, b = first[slice(*gap.a)], second[slice(*gap.b)]
    if len(a) < seed or len(b) < seed:
        return []
    candidates = heapq.nlargest(MAX_CANDIDATES, _common_substrings(a, b, seed), key=lambda run: run.length)
    ends = (len(a), len(b)) if gap.after else None
    chain = _best_chain(sorted(candidates), ends, bounded=gap.before is not None)
    return [Run(run.a + gap.a[0], run.b + gap.b[0], run.length) for run in chain]


def _common_substrings(a: str, b: str, seed: int) -> Iterator[Run]:
    """Common substrings of at least `seed` characters, as far to the right as they go."""
    places: dict[str, list[int]] = {}
    for start in range(len(b) - seed + 1):
        places.setdefault(b[start : start + seed], []).append(start)
    ends: dict[int, int] = {}  # by diagonal: how far a run on it has come in a
    for start in range(len(a) - seed + 1):
        found = places.get(a[start : start + seed], ())
        for place in found if len(found) <= MAX_OCCURRENCES else ():
            if ends.get(place - start, 0) <= start:
                length = seed + _common_prefix(a, start + seed, b, place + seed)
                ends[place - start] = start + length
                yield Run(start, place, length)


def _common_prefix(a: str, i: int, b: str, j: int) -> int:
    """How many characters from `a[i]` and `b[j]` on are the same; slices compare faster than characters."""
    length, step = 0, 32
    while step:
        left, right = a[i + length : i + length + step], b[j + length : j + length + step]
        if left and left == right:
            length += len(left)
            step *= 2
        else:
            step //= 2
    return length


def _best_chain(runs: Sequence[Run], ends: tuple[int, int] | None, *, bounded: bool) -> list[Run]:
    """The chain, in order in both strings, with the most characters after the cost of its jumps.

    Bounds are what the chain starts from (the origin) and leads to (`ends`): jumps there cost too, and a
    chain that is not worth its jumps is none.
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


def _traced(runs: Sequence[Run], previous: NDArray[np.int64], last: int) -> list[Run]:
    """The chain that ends at `last`, each run cut where the one before overlaps it."""
    chain: list[Run] = []
    while last >= 0:
        chain.append(runs[last])
        last = int(previous[last])
    result: list[Run] = []
    for run in reversed(chain):
        before = result[-1] if result else Run(0, 0, 0)
        cut = max(0, before.a + before.length - run.a, before.b + before.length - run.b)
        result.append(Run(run.a + cut, run.b + cut, run.length - cut))
    return result
