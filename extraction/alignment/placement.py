"""Which stretches of a page a text is, in order or not, without what is alike by chance."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from extraction.alignment.chaining import CommonRun
from extraction.alignment.matching import Searchable, match
from extraction.spans import Interval

# In characters: within this distance in the page runs hang together as one island. An island with fewer
# placed, or with a smaller share of its stretch placed, is noise. What stands out of order has to be longer.
NEAR = 60
MIN_PLACED = 12
MIN_MOVED = 30
MIN_DENSITY = 0.3
#: How often the rest is looked for out of order: blocks that changed positions among themselves take several.
ROUNDS = 4

Mask = NDArray[np.bool_]


def placed_runs(
    wanted: Searchable, page: Searchable, edges: Collection[int] = ()
) -> tuple[list[CommonRun], list[CommonRun]]:
    """The runs by which a text lies in a page, none overlapping in either; and the echoes: runs of what the
    text says again, though the page says it once. `edges` are where the blocks of the page start."""
    runs = _slid(list(_islands(match(wanted, page), min(MIN_PLACED, len(wanted)))), page.chars, edges)
    for _ in range(ROUNDS):
        moved = _moved(wanted, page, runs)
        if not moved:
            break
        runs = _slid([*runs, *moved], page.chars, edges)
    return runs, _echoes(wanted, page, runs)


def unplaced(runs: Sequence[CommonRun], inside: Interval) -> Iterator[Interval]:
    """The stretches of the text between its runs."""
    start = inside[0]
    for run in sorted(runs):
        if start < run.a:
            yield start, run.a
        start = max(start, run.a + run.length)
    if start < inside[1]:
        yield start, inside[1]


def _slid(runs: Sequence[CommonRun], page: str, edges: Collection[int]) -> list[CommonRun]:
    """The runs, where one goes on in the text where another ends, parted at the edge of a block of the page.

    If what follows a run in the page begins as the text goes on elsewhere, its end is not known: the "The" of
    an advertisement after a paragraph could be that of the next paragraph.
    """
    ends = sorted(run.b + run.length for run in runs)
    result: list[CommonRun] = []
    for run in sorted(runs):
        before = result[-1] if result else None
        if before and before.a + before.length == run.a:
            nearest = bisect_right(ends, run.b)
            limit = min(before.length - 1, run.b - (ends[nearest - 1] if nearest else 0))
            back = _way_back(before.b + before.length, run.b, limit, page, edges)
            result[-1] = before._replace(length=before.length - back)
            run = CommonRun(run.a - back, run.b - back, run.length + back)
        result.append(run)
    return result


def _way_back(end: int, start: int, limit: int, page: str, edges: Collection[int]) -> int:
    """How many characters before one position are those before the other, up to the edge of a block."""
    for back in range(limit + 1):
        if back and page[end - back] != page[start - back]:
            break
        if end - back in edges or start - back in edges:
            return back
    return 0


def _islands(runs: Sequence[CommonRun], least: int) -> Iterator[CommonRun]:
    """The runs of the islands that are more than chance."""
    island: list[CommonRun] = []
    for run in [*runs, None]:
        if island and (run is None or run.b - (island[-1].b + island[-1].length) > NEAR):
            if _counts(island, least):
                yield from island
            island = []
        if run:
            island.append(run)


def _counts(island: Sequence[CommonRun], least: int) -> bool:
    placed = sum(run.length for run in island)
    stretch = island[-1].b + island[-1].length - island[0].b
    return placed >= least and placed >= MIN_DENSITY * stretch


def _moved(wanted: Searchable, page: Searchable, runs: Sequence[CommonRun]) -> list[CommonRun]:
    """The long rest of the text where it stands in the rest of the page."""
    rest = _rest(wanted, runs)
    if not rest:
        return []
    taken = _taken(page, runs)
    free = _without(page, taken)
    result: list[CommonRun] = []
    for stretch in rest:
        for run in _found(wanted, free, stretch):
            position = slice(run.b, run.b + run.length)
            if not taken[position].any():
                taken[position] = True
                result.append(run)
    return result


def _echoes(wanted: Searchable, page: Searchable, runs: Sequence[CommonRun]) -> list[CommonRun]:
    rest = _rest(wanted, runs)
    if not rest:
        return []
    remaining = _without(page, ~_taken(page, runs))
    return [run for stretch in rest for run in _found(wanted, remaining, stretch)]


def _rest(wanted: Searchable, runs: Sequence[CommonRun]) -> list[Interval]:
    return [gap for gap in unplaced(runs, (0, len(wanted))) if gap[1] - gap[0] >= MIN_MOVED]


def _found(wanted: Searchable, page: Searchable, stretch: Interval) -> Iterator[CommonRun]:
    start, end = stretch
    for run in _islands(match(wanted.cut(start, end), page), MIN_MOVED):
        yield CommonRun(run.a + start, run.b, run.length)


def _taken(page: Searchable, runs: Sequence[CommonRun]) -> Mask:
    taken = np.zeros(len(page), dtype=bool)
    for run in runs:
        taken[run.b : run.b + run.length] = True
    return taken


def _without(page: Searchable, gone: Mask) -> Searchable:
    """The page with nothing in these positions: a character that is no visible character."""
    codes = np.where(gone, 0, page.codes).astype(np.uint32)
    return Searchable(codes.tobytes().decode("utf-32-le", "surrogatepass"), codes)
