"""How fast a corpus is annotated, and when it is expected to be done; no database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from math import ceil
from statistics import fmean

from annotator.common.intervals import half_width
from annotator.home.columns import ColumnBar, columns

# Days before today that the pace is the mean of.
DAYS = 7
# With fewer days the expected end has no interval.
MIN_DAYS = 3
# Days; what is expected later than this is not dated.
FURTHEST = 3650


@dataclass(frozen=True)
class Day:
    """The annotations submitted on one day, and its bar."""

    day: date
    submitted: int
    column: ColumnBar


@dataclass(frozen=True)
class Pace:
    """`submitted` by day, today among them, and how many annotations are still to be made."""

    today: date
    submitted: Mapping[date, int]
    to_go: int

    @cached_property
    def days(self) -> list[Day]:
        """The last seven days and today."""
        shown = [self.today - timedelta(days=back) for back in range(DAYS, -1, -1)]
        counts = [self.submitted.get(day, 0) for day in shown]
        return [Day(*each) for each in zip(shown, counts, columns(counts), strict=True)]

    @cached_property
    def _past(self) -> list[int]:
        """What was submitted on each full day, from the first on which anything was."""
        counts = [day.submitted for day in self.days[:-1]]
        first = next((index for index, n in enumerate(counts) if n), len(counts))
        return counts[first:]

    @property
    def per_day(self) -> float | None:
        """The mean of full days; None before the first."""
        return fmean(self._past) if self._past else None

    @property
    def expected(self) -> date | None:
        """The day of the last annotation at this pace; None where nothing is left, or nobody annotates."""
        return self._end(self.per_day)

    @property
    def range(self) -> tuple[date, date] | None:
        """The days of the 95 % interval of the pace; None with fewer than three days, or without an end."""
        if self.per_day is None or len(self._past) < MIN_DAYS:
            return None
        margin = half_width(self._past)
        first, last = self._end(self.per_day + margin), self._end(self.per_day - margin)
        return (first, last) if first and last else None

    def _end(self, per_day: float | None) -> date | None:
        if not self.to_go or per_day is None or per_day <= 0:
            return None
        left = ceil(self.to_go / per_day)
        return self.today + timedelta(days=left) if left <= FURTHEST else None
