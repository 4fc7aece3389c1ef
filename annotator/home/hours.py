"""An annotator's day: what she handed in, hour by hour, and how long she was at it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import NamedTuple

from django.utils import timezone

from annotator.annotations import queries as annotating
from annotator.corpora.models import Corpus, User

WEEK = timedelta(days=7)

# The chart, in the units of its view box.
WIDTH = 320
BASE = 52
TALLEST = 36
# So many hours at least: a bar keeps its width from the first page of a day to the last.
LEAST_HOURS = 8
# With more, every third hour has its name.
MOST_NAMES = 12


class Bar(NamedTuple):
    """One hour: what was handed in, and where its bar stands."""

    hour: int
    pages: int
    seconds: int
    x: float
    y: float
    width: float
    height: float
    is_named: bool

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)

    @property
    def above(self) -> float:
        """The line on which its figure stands."""
        return self.y - 6

    @property
    def end(self) -> int:
        return (self.hour + 1) % 24


@dataclass(frozen=True)
class Today:
    """Her day so far, and her active time of seven days, today among them."""

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

    @property
    def worked(self) -> list[Bar]:
        """The hours in which something was handed in."""
        return [bar for bar in self.hours if bar.pages]


def today_of(user: User, corpus: Corpus, now: datetime) -> Today:
    """What she handed in of a corpus, by the hour at which she did; practice apart."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    since = midnight - WEEK + timedelta(days=1)
    week = annotating.submitted(corpus, user).filter(submitted_at__gte=since, annotations__annotator=user)
    rows = list(week.values_list("submitted_at", "annotations__active_seconds"))
    today = [(at, seconds) for at, seconds in rows if at >= midnight]
    return Today(
        tuple(seconds for _at, seconds in today),
        sum(seconds for _at, seconds in rows),
        tuple(bars_of(today)),
    )


def bars_of(handed_in: Iterable[tuple[datetime, int]]) -> Iterator[Bar]:
    """The hours of a day, of what was handed in then and the active seconds of each; none of an empty day."""
    pages, seconds = [0] * 24, [0] * 24
    for at, active in handed_in:
        hour = timezone.localtime(at).hour
        pages[hour] += 1
        seconds[hour] += active
    worked = [hour for hour in range(24) if pages[hour]]
    if not worked:
        return
    first = min(worked[0], 24 - LEAST_HOURS)
    shown = range(first, max(worked[-1] + 1, first + LEAST_HOURS))
    pitch = WIDTH / len(shown)
    apart = 3 if len(shown) > MOST_NAMES else 1
    for place, hour in enumerate(shown):
        height = round(TALLEST * pages[hour] / max(pages), 1) or 1
        yield Bar(
            hour=hour,
            pages=pages[hour],
            seconds=seconds[hour],
            x=round(place * pitch, 1),
            y=BASE - height,
            width=round(pitch * 0.85, 1),
            height=height,
            is_named=place % apart == 0,
        )
