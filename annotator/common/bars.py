"""Counts as the parts of one bar; no database."""

from collections.abc import Sequence
from typing import NamedTuple

# Per cent of the bar: the gap before the next part, and the least that a part with something in it takes.
GAP, LEAST = 0.15, 0.75


class BarPart(NamedTuple):
    """One part: its CSS class, where it begins and how wide it is, in per cent."""

    name: str
    x: str
    width: str


def bar_of(counts: Sequence[tuple[str, int]]) -> list[BarPart]:
    """Return the parts of a bar in the order of the counts, without those that are empty.

    A part too small to be seen is widened, and the widest gives way.
    """
    filled = [(name, n) for name, n in counts if n]
    whole = sum(n for _name, n in filled)
    shares = [max(100 * n / whole, LEAST) for _name, n in filled]
    if shares:
        shares[shares.index(max(shares))] -= sum(shares) - 100
    begins = [sum(shares[:index]) for index in range(len(shares))]
    return [
        BarPart(name, f"{x:.2f}%", f"{share - GAP:.2f}%")
        for (name, _n), x, share in zip(filled, begins, shares, strict=True)
    ]
