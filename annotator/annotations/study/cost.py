"""What study settings cost: how many blind pages it takes until an interval is narrow enough."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, sqrt

from annotator.common.intervals import NORMAL_95

# The standard deviation of a page's F1 among news pages: extractors of the published comparisons lie between
# 0.2 and 0.3.
SPREAD = 0.25


@dataclass(frozen=True)
class Cost:
    """The blind pages that a share gives a corpus, and half the width of an interval over them."""

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
    """A lower bound of the share of pages on which no slot shows any extractor of the family.

    `shown` maps extractors to the share of the other pages on which they are shown.
    """
    exposed = min(1.0, sum(share for key, share in shown.items() if key in family))
    return blind_share + (1 - blind_share) * (1 - exposed)
