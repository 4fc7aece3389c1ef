"""Where one text lies in another: exact matches, chained in order, close together rather than scattered.

As genome aligners do it: find the common substrings of at least some length, choose the chain of them that
covers most for the least jumping about, then look into the gaps of the chain for shorter ones.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from extraction.alignment.chaining import CommonRun, best_chain

#: Lengths of common substrings, in characters: those of a first chain, those that are looked for anywhere,
#: and those that are looked for in the gaps that are left, next to what was found.
ANCHOR, SEED, SHORT = 24, 12, 6
#: A substring that occurs more often says nothing about where its text is.
MAX_OCCURRENCES = 16
#: More positions than this altogether take too much memory: then only what occurs once is looked at.
MAX_PLACES = 2_000_000
#: Of more candidates than this the longest are chained, and the others looked at again in the gaps that are
#: left: the chain takes quadratic time.
MAX_CANDIDATES = 300
#: How far from what was found short substrings are looked for: a jump further costs more than they are worth.
NEXT_TO = 1000
#: What lies in a gap of at most this length on either side belongs together if it is alike at all: if so much
#: of the shorter side is found in the other.
SMALL_GAP = 200
ALIKE = 0.6
# Of the polynomial by which substrings are hashed; a collision costs time, not truth.
_BASE = np.uint64(0x9E3779B97F4A7C15)

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Searchable:
    """A string as its characters and as an array of their code points."""

    chars: str
    codes: NDArray[np.uint32]

    @classmethod
    def of(cls, chars: str) -> Self:
        return cls(chars, np.frombuffer(chars.encode("utf-32-le", "surrogatepass"), dtype=np.uint32))

    def __len__(self) -> int:
        return len(self.chars)

    def cut(self, start: int, end: int) -> "Searchable":
        """The characters from `start` to `end`."""
        return Searchable(self.chars[start:end], self.codes[start:end])

    @cached_property
    def seeds(self) -> tuple[Hashes, Positions]:
        """The hashes of its substrings of `SEED` characters, sorted, and their positions in that order."""
        return _sorted(_hashes(self.codes, SEED))


class _Gap(NamedTuple):
    """What lies between two runs of a chain; without a neighbour on a side, that side is open."""

    before: CommonRun | None
    after: CommonRun | None
    a: tuple[int, int]
    b: tuple[int, int]


_Find = Callable[[Searchable, Searchable, _Gap], list[CommonRun]]


def match(wanted: Searchable, page: Searchable) -> list[CommonRun]:
    """The runs by which `wanted` lies in `page`, in order in both, none overlapping."""
    whole = _whole(wanted.chars, page.chars)
    if whole or len(wanted) < SEED:
        return whole
    candidates = _common(wanted, page, SEED, page.seeds)
    anchors = [run for run in candidates if run.length >= min(ANCHOR, len(wanted))]
    runs = _chain_in(_Gap(None, None, (0, len(wanted)), (0, len(page))), anchors)
    finders: tuple[_Find, ...] = (_known(candidates), _short, _alike)
    for find in finders:
        gaps = list(_gaps(runs, len(wanted), len(page)))
        found = [run for gap in gaps for run in find(wanted, page, gap)]
        runs = _joined(sorted([*runs, *found]))
    return runs


def _whole(text: str, page: str) -> list[CommonRun]:
    """The text in one piece; too short to have common substrings, it is wanted so or not at all."""
    position = page.find(text)
    return [CommonRun(0, position, len(text))] if text and position >= 0 else []


def _gaps(runs: Sequence[CommonRun], a_length: int, b_length: int) -> Iterator[_Gap]:
    for before, after in pairwise([None, *runs, None]):
        a = (before.a + before.length if before else 0, after.a if after else a_length)
        b = (before.b + before.length if before else 0, after.b if after else b_length)
        if a[0] < a[1] and b[0] < b[1]:
            yield _Gap(before, after, a, b)


def _joined(runs: Sequence[CommonRun]) -> list[CommonRun]:
    """Runs that go on where the one before ends, as one."""
    result: list[CommonRun] = []
    for run in runs:
        last = result[-1] if result else None
        if last and (last.a + last.length, last.b + last.length) == (run.a, run.b):
            result[-1] = CommonRun(last.a, last.b, last.length + run.length)
        else:
            result.append(run)
    return result


def _known(candidates: Sequence[CommonRun]) -> _Find:
    """Finds those of the candidates that fit a gap."""
    table = np.array(candidates, dtype=np.int64).reshape(-1, 3)

    def find(wanted: Searchable, page: Searchable, gap: _Gap) -> list[CommonRun]:
        a, b, length = table.T
        cut = np.maximum(0, np.maximum(gap.a[0] - a, gap.b[0] - b))
        ends = np.minimum(length, np.minimum(gap.a[1] - a, gap.b[1] - b))
        fits = ends - cut >= SEED
        pieces = np.stack([a + cut, b + cut, ends - cut], axis=1)[fits]
        return _chain_in(gap, [CommonRun(*piece) for piece in pieces.tolist()])

    return find


def _short(wanted: Searchable, page: Searchable, gap: _Gap) -> list[CommonRun]:
    """Finds short common substrings next to either end of a gap."""
    a = wanted.cut(*gap.a)
    found: list[CommonRun] = []
    for low, high in _next_to(gap) if len(a) >= SHORT else ():
        b = page.cut(low, high)
        common = _common(a, b, SHORT, _sorted(_hashes(b.codes, SHORT)))
        found += [CommonRun(run.a + gap.a[0], run.b + low, run.length) for run in common]
    return _chain_in(gap, found)


def _next_to(gap: _Gap) -> Iterator[tuple[int, int]]:
    """The parts of a gap in the page that are near its neighbours."""
    low, high = gap.b
    reach = NEXT_TO + gap.a[1] - gap.a[0]
    if gap.before and gap.after and high - low <= 2 * reach:
        yield low, high
        return
    if gap.before:
        yield low, min(high, low + reach)
    if gap.after:
        yield max(low, high - reach), high


def _alike(wanted: Searchable, page: Searchable, gap: _Gap) -> list[CommonRun]:
    """Finds whatever is the same in two small stretches that are mostly the same."""
    a, b = wanted.chars[slice(*gap.a)], page.chars[slice(*gap.b)]
    if not (gap.before and gap.after) or max(len(a), len(b)) > SMALL_GAP:
        return []
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    if sum(block.size for block in blocks) < ALIKE * min(len(a), len(b)):
        return []
    return [
        CommonRun(block.a + gap.a[0], block.b + gap.b[0], block.size) for block in blocks if block.size > 1
    ]


def _chain_in(gap: _Gap, runs: Sequence[CommonRun]) -> list[CommonRun]:
    """The best chain of runs that lie in a gap."""
    longest = nlargest(MAX_CANDIDATES, runs, key=lambda run: run.length)
    local = sorted(CommonRun(run.a - gap.a[0], run.b - gap.b[0], run.length) for run in longest)
    ends = (gap.a[1] - gap.a[0], gap.b[1] - gap.b[0]) if gap.after else None
    chain = best_chain(local, ends, bounded=gap.before is not None)
    return [CommonRun(run.a + gap.a[0], run.b + gap.b[0], run.length) for run in chain]


def _common(a: Searchable, b: Searchable, seed: int, positions: tuple[Hashes, Positions]) -> list[CommonRun]:
    """Common substrings of at least `seed` characters, as far to the right as they go."""
    result: list[CommonRun] = []
    ends: dict[int, int] = {}  # by diagonal: how far a run on it has come in a
    for start, position, length in _seeded(_hashes(a.codes, seed), positions):
        size = length + seed - 1
        if (
            ends.get(position - start, 0) > start
            or a.chars[start : start + size] != b.chars[position : position + size]
        ):
            continue
        size += _common_prefix(a.chars, start + size, b.chars, position + size)
        ends[position - start] = start + size
        result.append(CommonRun(start, position, size))
    return result


def _seeded(wanted: Hashes, positions: tuple[Hashes, Positions]) -> list[list[int]]:
    """Where hashes of one string lie in the other: start in either, and how many in a row."""
    known, where = positions
    first = np.searchsorted(known, wanted)
    counts = np.searchsorted(known, wanted, side="right") - first
    counts[counts > MAX_OCCURRENCES] = 0
    if counts.sum() > MAX_PLACES:
        counts[counts > 1] = 0
    total = int(counts.sum())
    starts = np.repeat(np.arange(len(wanted)), counts)
    nth = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    diagonals = where[np.repeat(first, counts) + nth] - starts
    order = np.lexsort((starts, diagonals))
    starts, diagonals = starts[order], diagonals[order]
    heads = np.ones(total, dtype=bool)
    heads[1:] = (np.diff(diagonals) != 0) | (np.diff(starts) != 1)
    at = np.flatnonzero(heads)
    lengths = np.diff(at, append=total)
    rows: list[list[int]] = np.stack([starts[at], starts[at] + diagonals[at], lengths], axis=1).tolist()
    return rows


def _hashes(codes: NDArray[np.uint32], length: int) -> Hashes:
    """A hash of each substring of this length."""
    count = max(0, len(codes) - length + 1)
    result = np.zeros(count, dtype=np.uint64)
    for offset in range(length):
        result = result * _BASE + codes[offset : offset + count]
    return result


def _sorted(hashes: Hashes) -> tuple[Hashes, Positions]:
    order = np.argsort(hashes)
    return hashes[order], order


def _common_prefix(a: str, i: int, b: str, j: int) -> int:
    """How many characters from `a[i]` and `b[j]` on are the same; slices compare faster than characters."""
    length, step = 0, 32 if a[i : i + 1] == b[j : j + 1] else 0
    while step:
        left, right = a[i + length : i + length + step], b[j + length : j + length + step]
        if left and left == right:
            length += len(left)
            step *= 2
        else:
            step //= 2
    return length
