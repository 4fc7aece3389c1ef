"""A clock with which the demo's past is written: while it runs, Django's clock shows what it shows."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from typing import Any, Self

from django.utils import timezone


class Clock:
    """Shows one moment until it is set again. Times of the process, such as time-outs, are not affected."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def forward(self, **duration: float) -> None:
        """Move by a duration, given as to `timedelta`."""
        self.moment += timedelta(**duration)

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Let `timezone.now`, also where a model has it as a default, show this clock."""
        clock = self

        class Meta(type):
            def __instancecheck__(cls, instance: Any) -> bool:
                return isinstance(instance, datetime)

        class Shown(datetime, metaclass=Meta):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Any:
                return clock.moment.astimezone(tz)

        known = timezone.datetime  # type: ignore[attr-defined]
        timezone.datetime = Shown  # type: ignore[attr-defined]
        try:
            yield self
        finally:
            timezone.datetime = known  # type: ignore[attr-defined]
