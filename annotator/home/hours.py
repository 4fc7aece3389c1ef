"""An annotator's day: submitted pages and active time by the hour."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import NamedTuple

from django.utils import timezone

from annotator.annotations import queries as annotating
from annotator.common.dates import WEEK, midnight
from annotator.corpora.models import Corpus, User
from annotator.home.columns import ColumnBar, columns

# At least so many hours are shown: a bar keeps its width from the first page of a day to the last.
MIN_HOURS = 8
# With more hours than this, only every third is labelled.
MAX_LABELLED = 12


class Bar(NamedTuple):
    """One hour: what was submitted, and its bar in the chart."""

    hour: int
    pages: int
    seconds: int
    column: ColumnBar
    is_labelled: bool

    @property
    def end(self) -> int:
        return (self.hour + 1) % 24


class Hourly:
    """A day by its hours, as `home/hours.html` shows it."""

    hours: tuple[Bar, ...]

    @property
    def worked(self) -> list[Bar]:
        """The hours in which something was submitted."""
        return [bar for bar in self.hours if bar.pages]


@dataclass(frozen=True)
class Today(Hourly):
    """The day so far, and the active time of seven days, today among them."""

    seconds: tuple[int, ...]
    week_seconds: int
    hours: tuple[Bar, ...]

    @property
    def pages(self) -> int:
        return len(self.seconds)

    @property
    def active_seconds(self) -> int:
        return sum(self.seconds)

    @property
    def median_seconds(self) -> float | None:
        return median(self.seconds) if self.seconds else None


def today_of(user: User, corpus: Corpus, now: datetime) -> Today:
    """What the user submitted in a corpus today, by the hour; practice excluded."""
    began = midnight(now)
    since = began - WEEK + timedelta(days=1)
    week = annotating.submitted(corpus, user).filter(submitted_at__gte=since, annotations__annotator=user)
    rows = list(week.values_list("submitted_at", "annotations__active_seconds"))
    today = [(at, seconds) for at, seconds in rows if at and at >= began]
    return Today(
        tuple(seconds for _at, seconds in today),
        sum(seconds for _at, seconds in rows),
        tuple(bars_of(today)),
    )


def bars_of(submitted: Iterable[tuple[datetime, int]]) -> Iterator[Bar]:
    """The bars of a day, from (time of submission, active seconds); none when nothing was submitted."""
    pages, seconds = [0] * 24, [0] * 24
    for at, active in submitted:
        hour = timezone.localtime(at).hour
        pages[hour] += 1
        seconds[hour] += active
    worked = [hour for hour in range(24) if pages[hour]]
    if not worked:
        return
    first = min(worked[0], 24 - MIN_HOURS)
    shown = range(first, max(worked[-1] + 1, first + MIN_HOURS))
    apart = 3 if len(shown) > MAX_LABELLED else 1
    drawn = columns([pages[hour] for hour in shown])
    for index, (hour, column) in enumerate(zip(shown, drawn, strict=True)):
        yield Bar(hour, pages[hour], seconds[hour], column, is_labelled=index % apart == 0)
