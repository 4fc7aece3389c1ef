"""95 % intervals of means, where the normal distribution is close enough."""

from collections.abc import Sequence
from math import sqrt
from statistics import stdev

# Half an interval's width, in standard errors.
NORMAL_95 = 1.96


def half_width(values: Sequence[float]) -> float:
    """Half the width of the interval of the mean of two values or more."""
    return NORMAL_95 * stdev(values) / sqrt(len(values))
