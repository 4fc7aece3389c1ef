"""A figure of agreement with all that must be said beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from extraction.agreement.coefficients import Numbers
from extraction.agreement.intervals import Scale, bounds


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `withheld` says why there is no value, or no interval; None where both are there.

    `n` counts pages, and `units` what was compared on them: each unit once, spans once for each annotator of
    a pair. `chance` is what chance gives of that which the figure corrects for it, or else of the figure
    itself. `excluded` counts the pages that were left out, by reason.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    withheld: str | None
    units: int = 0
    chance: float | None = None
    excluded: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As an object of JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Basis:
    """What the figures of one level and view have in common."""

    pages: int
    units: int
    excluded: dict[str, int]
    #: On how many pages somebody used the label; None where every page counts.
    used: int | None = None

    def figure(self, estimates: Numbers, scale: Scale, *, chance: Numbers, undefined: str) -> Figure:
        """A figure from its estimates; without a value where nothing can be compared or it is undefined."""
        if not self.pages:
            return self.nothing("no page to compare")
        value, expected = _number(estimates[0]), _number(chance[0])
        if value is None:
            return Figure(None, None, None, self.pages, undefined, self.units, expected, self.excluded)
        low, high, withheld = bounds(estimates, scale, used=self.used)
        return Figure(value, low, high, self.pages, withheld, self.units, expected, self.excluded)

    def nothing(self, why: str) -> Figure:
        """The figure without a value."""
        return Figure(None, None, None, self.pages, why, self.units, None, self.excluded)


def counted(reasons: Mapping[str, int]) -> dict[str, int]:
    """The reasons for which there are pages."""
    return {reason: pages for reason, pages in reasons.items() if pages}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
