"""Where days begin, and how long a week is."""

from datetime import UTC, date, datetime, time, timedelta

from django.utils import timezone

WEEK = timedelta(days=7)


def utc_day(at: datetime) -> date:
    """The day of a figure that is kept by day: the same wherever it is computed and read."""
    return at.astimezone(UTC).date()


def utc_bounds(day: date) -> tuple[datetime, datetime]:
    """The first and the last moment of a day in UTC; those of Django's lookup `__date` are days of people."""
    return datetime.combine(day, time.min, UTC), datetime.combine(day, time.max, UTC)


def midnight(now: datetime | None = None) -> datetime:
    """The beginning of the day, today's by default, in the time zone of the installation."""
    # Where clocks are set back at one in the morning, midnight comes twice: the day begins with the first.
    return timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
