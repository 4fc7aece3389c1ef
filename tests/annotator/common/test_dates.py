"""Where days begin: for people in the time zone of the installation, for figures in UTC."""

from datetime import UTC, datetime

from django.utils import timezone

from annotator.common.dates import midnight, utc_day

LATE_IN_MEXICO = datetime(2026, 11, 28, 3, 30, tzinfo=UTC)


def test_a_persons_day_begins_where_they_are_and_a_figures_day_does_not() -> None:
    with timezone.override("America/Mexico_City"):
        assert midnight(LATE_IN_MEXICO) == datetime(2026, 11, 27, 6, tzinfo=UTC)
        assert utc_day(LATE_IN_MEXICO).isoformat() == "2026-11-28"
        assert utc_day(timezone.localtime(LATE_IN_MEXICO)).isoformat() == "2026-11-28"
