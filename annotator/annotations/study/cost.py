"""What a design costs, in pages: how many must be blind until an interval is narrow enough. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, sqrt

# The standard deviation of a page's F1 among news pages: extractors of the published comparisons lie between
# 0.2 and 0.3.
SPREAD = 0.25
NORMAL_95 = 1.96


@dataclass(frozen=True)
class Cost:
    """What a blind share gives a corpus: its blind pages, and half an interval's width there."""

    share: float
    blind: int
    half_width: float | None


def half_width(pages: int) -> float | None:
    """Half the width of the 95 % interval of a mean F1 over so many pages; None below 30."""
    return NORMAL_95 * SPREAD / sqrt(pages) if pages >= 30 else None


def pages_until(wanted: float) -> int:
    """Pages until half the interval's width is at most this."""
    return ceil((NORMAL_95 * SPREAD / wanted) ** 2)


def of_share(share: float, pages: int) -> Cost:
    blind = int(share * pages + 1e-9)
    return Cost(share, blind, half_width(blind))


def unseen_share(shown: Mapping[int, float], family: frozenset[int], blind_share: float) -> float:
    """At least so large a share of pages is blind to a family of extractors: no slot shows any of it.

    `shown` says on which share of the other pages each extractor is shown.
    """
    seen = min(1.0, sum(share for key, share in shown.items() if key in family))
    return blind_share + (1 - blind_share) * (1 - seen)
