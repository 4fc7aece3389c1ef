"""Where days begin: for people in the time zone of the installation, for figures in UTC."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.utils import timezone

from annotator.common.dates import midnight, utc_day

LATE_IN_MEXICO = datetime(2026, 11, 28, 3, 30, tzinfo=UTC)
SERVERS = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")


def test_a_persons_day_begins_where_they_are_and_a_figures_day_does_not() -> None:
    with timezone.override("America/Mexico_City"):
        assert midnight(LATE_IN_MEXICO) == datetime(2026, 11, 27, 6, tzinfo=UTC)
        assert utc_day(LATE_IN_MEXICO).isoformat() == "2026-11-28"
        assert utc_day(timezone.localtime(LATE_IN_MEXICO)).isoformat() == "2026-11-28"


def test_a_day_begins_at_the_first_of_two_midnights_and_where_there_is_none_at_one() -> None:
    with timezone.override("Atlantic/Azores"):
        half_past_twelve_again = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
        # In UTC: a time that comes twice is equal to none in another zone.
        began = midnight(half_past_twelve_again).astimezone(UTC)
        assert began == datetime(2026, 10, 25, 0, tzinfo=UTC)
    with timezone.override("Africa/Cairo"):
        began = midnight(datetime(2026, 4, 24, 9, tzinfo=UTC)).astimezone(UTC)
        assert began == datetime(2026, 4, 23, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "written", "zone"),
    [
        ({}, {}, "Europe/Madrid"),
        ({"TIME_ZONE": ""}, {}, "Europe/Madrid"),
        ({"TIME_ZONE": "Asia/Tokyo"}, {}, "Asia/Tokyo"),
        ({}, {"TIME_ZONE": "America/Lima"}, "America/Lima"),
    ],
)
def test_the_time_zone_is_the_machines_unless_one_is_given_or_runs_already(
    given: Mapping[str, str], written: Mapping[str, str], zone: str, tmp_path: Path
) -> None:
    servers = {name: os.environ[name] for name in SERVERS}
    (tmp_path / "environment.json").write_text(json.dumps({**servers, **written}), encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if name not in {*SERVERS, "TIME_ZONE"}}
    ran = subprocess.run(
        [sys.executable, "-c", "from annotator import settings; print(settings.TIME_ZONE)"],
        env={**inherited, "GOLDPAN_HOME": str(tmp_path), "TZ": "Europe/Madrid", **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.strip() == zone, ran.stderr
