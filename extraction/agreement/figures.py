"""A figure of agreement with everything that has to be reported with it."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from extraction.agreement.coefficients import Numbers
from extraction.agreement.intervals import Bounds, Scale, bounds


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `withheld` says why there is no value, or no interval; None where both are there.

    `n` counts pages, and `units` what was compared on them: each unit once, spans once for each annotator of
    a pair. `chance` is what chance gives of that which the figure corrects for it, or else of the figure
    itself. `excluded` counts the pages that were left out, by reason. `effective` is how many pages drawn
    with equal probability would say as much, where pages are weighted; None where each counts once.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    withheld: str | None
    units: int = 0
    chance: float | None = None
    excluded: dict[str, int] = field(default_factory=dict)
    effective: float | None = None

    def to_json(self) -> dict[str, Any]:
        """As an object of JSON; `effective` only where pages are weighted."""
        found = asdict(self)
        if self.effective is None:
            del found["effective"]
        return found


@dataclass(frozen=True, slots=True)
class Basis:
    """What the figures of one level and view have in common."""

    pages: int
    units: int
    excluded: dict[str, int]
    #: On how many pages the label was used; None where every page counts.
    used: int | None = None
    effective: float | None = None
    #: On how many two agree on a label; None where agreement is not on labels.
    agreed: int | None = None

    def figure(
        self,
        estimates: Numbers,
        scale: Scale,
        *,
        chance: Numbers,
        undefined: str,
        added: Numbers | None = None,
    ) -> Figure:
        """A figure from its estimates; without a value where nothing can be compared or it is undefined.

        `added` is that of `bounds`.
        """
        if not self.pages:
            return self.nothing("no page to compare")
        value, expected = _number(estimates[0]), _number(chance[0])
        if value is None:
            return self._figure(None, Bounds(None, None, undefined), expected)
        found = bounds(estimates, scale, used=self.used, agreed=self.agreed, added=added)
        return self._figure(value, found, expected)

    def nothing(self, why: str) -> Figure:
        """The figure without a value."""
        return self._figure(None, Bounds(None, None, why), None)

    def _figure(self, value: float | None, found: Bounds, chance: float | None) -> Figure:
        return Figure(
            value,
            found.low,
            found.high,
            self.pages,
            found.withheld,
            self.units,
            chance,
            self.excluded,
            self.effective,
        )


def counted(reasons: Mapping[str, int]) -> dict[str, int]:
    """The reasons for which there are pages."""
    return {reason: pages for reason, pages in reasons.items() if pages}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
