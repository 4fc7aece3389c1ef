"""Which stretches of a page a text is, in order or not, without what is alike by chance."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from extraction.chaining import Run
from extraction.matching import Searchable, match
from extraction.spans import Interval

# In characters: within this distance in the page runs hang together as one island. An island with fewer
# placed, or with a smaller share of its stretch placed, is noise. What stands out of order has to be longer.
NEAR = 60
MIN_PLACED = 12
MIN_MOVED = 30
MIN_DENSITY = 0.3
#: How often the rest is looked for out of order: blocks that changed places among themselves take several.
ROUNDS = 4

Mask = NDArray[np.bool_]


def placed_runs(wanted: Searchable, page: Searchable) -> tuple[list[Run], list[Run]]:
    """The runs by which a text lies in a page, none overlapping in either; and the echoes: runs of what the
    text says again, though the page says it once."""
    runs = list(_islands(match(wanted, page), min(MIN_PLACED, len(wanted))))
    for _ in range(ROUNDS):
        moved = _moved(wanted, page, runs)
        if not moved:
            break
        runs = sorted([*runs, *moved])
    return runs, _echoes(wanted, page, runs)


def unplaced(runs: Sequence[Run], inside: Interval) -> Iterator[Interval]:
    """The stretches of the text between its runs."""
    start = inside[0]
    for run in sorted(runs):
        if start < run.a:
            yield start, run.a
        start = max(start, run.a + run.length)
    if start < inside[1]:
        yield start, inside[1]


def _islands(runs: Sequence[Run], least: int) -> Iterator[Run]:
    """The runs of the islands that are more than chance."""
    island: list[Run] = []
    for run in [*runs, None]:
        if island and (run is None or run.b - (island[-1].b + island[-1].length) > NEAR):
            if _counts(island, least):
                yield from island
            island = []
        if run:
            island.append(run)


def _counts(island: Sequence[Run], least: int) -> bool:
    placed = sum(run.length for run in island)
    stretch = island[-1].b + island[-1].length - island[0].b
    return placed >= least and placed >= MIN_DENSITY * stretch


def _moved(wanted: Searchable, page: Searchable, runs: Sequence[Run]) -> list[Run]:
    """The long rest of the text where it stands in the rest of the page."""
    rest = _rest(wanted, runs)
    if not rest:
        return []
    taken = _taken(page, runs)
    free = _without(page, taken)
    result: list[Run] = []
    for stretch in rest:
        for run in _found(wanted, free, stretch):
            place = slice(run.b, run.b + run.length)
            if not taken[place].any():
                taken[place] = True
                result.append(run)
    return result


def _echoes(wanted: Searchable, page: Searchable, runs: Sequence[Run]) -> list[Run]:
    rest = _rest(wanted, runs)
    if not rest:
        return []
    said = _without(page, ~_taken(page, runs))
    return [run for stretch in rest for run in _found(wanted, said, stretch)]


def _rest(wanted: Searchable, runs: Sequence[Run]) -> list[Interval]:
    return [gap for gap in unplaced(runs, (0, len(wanted))) if gap[1] - gap[0] >= MIN_MOVED]


def _found(wanted: Searchable, page: Searchable, stretch: Interval) -> Iterator[Run]:
    start, end = stretch
    for run in _islands(match(wanted.cut(start, end), page), MIN_MOVED):
        yield Run(run.a + start, run.b, run.length)


def _taken(page: Searchable, runs: Sequence[Run]) -> Mask:
    taken = np.zeros(len(page), dtype=bool)
    for run in runs:
        taken[run.b : run.b + run.length] = True
    return taken


def _without(page: Searchable, gone: Mask) -> Searchable:
    """The page with nothing in these places: a character that no ink is."""
    codes = np.where(gone, 0, page.codes).astype(np.uint32)
    return Searchable(codes.tobytes().decode("utf-32-le", "surrogatepass"), codes)
