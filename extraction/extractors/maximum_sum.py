"""The contiguous stretch of a sequence of scores that has the largest sum, in linear time."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class MaximumSegment(NamedTuple):
    """The scores `[start, end)` and their sum."""

    start: int
    end: int
    total: float


def maximum_sum(scores: NDArray[Any]) -> MaximumSegment | None:
    """The best segment; of equals the one that starts first, then the one that ends first.

    None where no score is positive. Sums are exact for integers and for multiples of a power of two.
    """
    if not scores.size:
        return None
    sums = np.concatenate(([0], np.cumsum(scores)))
    gains = sums[1:] - np.minimum.accumulate(sums[:-1])
    last = int(np.argmax(gains))
    if gains[last] <= 0:
        return None
    # The lowest sum before the end is where the segment starts; argmin gives the first of equals.
    return MaximumSegment(int(np.argmin(sums[: last + 1])), last + 1, float(gains[last]))
