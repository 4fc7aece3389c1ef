"""Scheduled backups: when they are made, which are kept, and what is said about one that failed."""

import json
import signal
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest

from launcher import backup, schedule
from launcher.data_folder import DataFolder
from launcher.errors import LauncherError
from launcher.schedule import Keep
from tests.launcher.conftest import Start
from tests.launcher.test_backup import fill

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)  # a Monday


def at(days: float) -> datetime:
    """So many days before noon."""
    return NOON - timedelta(days=days)


@pytest.mark.parametrize(
    ("made", "keep", "deleted"),
    [
        ([], Keep(), []),
        ([0], Keep(0, 0, 0), []),
        ([0, 0.25, 0.75, 1], Keep(1, 0, 0), [1]),
        ([0, 1, 1.25, 2, 3], Keep(3, 0, 0), [1.25, 3]),
        # Days without a backup do not count.
        ([0, 30, 31, 60], Keep(3, 0, 0), [60]),
        # The newest of each week is that of Sunday; the first is the Monday of this week.
        ([0, 1, 2, 7, 8, 9], Keep(0, 3, 0), [2, 7, 9]),
        ([0, 22, 23, 24, 54, 400], Keep(0, 0, 3), [22, 24, 400]),
    ],
)
def test_what_is_kept(made: list[float], keep: Keep, deleted: list[float]) -> None:
    assert schedule.to_delete([at(days) for days in made], keep) == {at(days) for days in deleted}


def test_of_a_year_at_midnight_and_noon_fifteen_are_kept() -> None:
    made = {at(days / 2): days / 2 for days in range(730)}
    kept = made.keys() - schedule.to_delete(made, Keep(daily=7, weekly=4, monthly=6))
    last_day, days, sundays = [0, 0.5], [1, 2, 3, 4, 5, 6], [8, 15]
    ends_of_months = [23, 54, 84, 115, 146]  # October to June
    assert sorted(made[moment] for moment in kept) == [*last_day, *days, *sundays, *ends_of_months]


def test_newest_is_kept_whatever_the_clock_says() -> None:
    made = [at(days) for days in (-3, -2, 0, 5)]
    assert schedule.to_delete(made, Keep(0, 0, 0)) == set(made[1:])


@pytest.mark.parametrize(
    ("now", "last", "following"),
    [
        ("2026-11-23 03:29", "2026-11-22 15:30", "2026-11-23 03:30"),
        ("2026-11-23 03:30", "2026-11-23 03:30", "2026-11-23 15:30"),
        ("2026-12-31 23:59", "2026-12-31 15:30", "2027-01-01 03:30"),
    ],
)
def test_when_backups_are_due(now: str, last: str, following: str) -> None:
    moment, before, after = (datetime.fromisoformat(text + "+00:00") for text in (now, last, following))
    times = (time(15, 30), time(3, 30))
    assert (schedule.last_due(times, moment), schedule.next_due(times, moment)) == (before, after)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GOLDPAN_BACKUP_AT", "25:00"),
        ("GOLDPAN_BACKUP_AT", "daily"),
        ("GOLDPAN_BACKUP_KEEP", "daily=7,yearly=1"),
        ("GOLDPAN_BACKUP_KEEP", "daily=-1"),
        ("GOLDPAN_BACKUP_RECIPIENTS", "age1nobody"),
        ("GOLDPAN_BACKUP_RECIPIENTS", "AGE-SECRET-KEY-1"),
    ],
)
def test_settings_that_cannot_be_understood_are_refused(data: DataFolder, name: str, value: str) -> None:
    with pytest.raises(LauncherError, match=name):
        schedule.read({name: value}, data)


def test_backup_is_tried_though_what_is_known_of_the_last_one_is_damaged(
    data: DataFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = schedule.read({"GOLDPAN_BACKUP_AT": "03:30"}, data)
    data.backups_file.write_bytes(b"\0\0\0")
    assert not schedule.make(data, "postgresql://nowhere.invalid/x", rule, NOON)
    written = json.loads(data.backups_file.read_text(encoding="utf-8"))
    assert "pg_dump failed" in written["error"]
    assert f"{data.backups_file} is damaged" in capsys.readouterr().err


@pytest.mark.usefixtures("signals")
def test_stopped_backup_is_no_failed_one(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def encrypting(*_arguments: object) -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        except BaseException as error:  # as the library for age does
            raise LauncherError("The backup cannot be encrypted") from error

    monkeypatch.setattr(backup, "back_up", encrypting)
    monkeypatch.setattr(schedule, "RETRY_SECONDS", -1)  # which ends a run that goes on
    schedule.run(data, "", schedule.read({"GOLDPAN_BACKUP_AT": "03:30"}, data))
    assert not data.backups_file.exists()


def test_old_backups_go_after_a_good_one_and_never_after_a_failure(
    data: DataFolder, folder: Path, start: Start
) -> None:
    settings = {"GOLDPAN_BACKUP_AT": "03:30", "GOLDPAN_BACKUP_KEEP": "daily=2"}
    rule = schedule.read(settings, data)
    rule.folder.mkdir()
    names = [f"goldpan-scheduled-202611{day}-033000.tar" for day in (20, 21, 22)]
    others = [
        "goldpan-20200101-000000.tar",
        "goldpan-scheduled-20200101-000000.tar.old",
        "goldpan-scheduled-20261399-000000.tar",
        "notes.txt",
    ]
    left = ".goldpan-scheduled-20261122-033000.tar.partial"
    for name in (*names, *others, left):
        (rule.folder / name).touch()

    assert not schedule.make(data, "postgresql://nowhere.invalid/x", rule, NOON)
    assert {path.name for path in rule.folder.iterdir()} == {*names, *others}
    failed = json.loads(data.backups_file.read_text(encoding="utf-8"))
    assert failed["due_at"] == "2026-11-24T03:30:00+00:00"
    assert "pg_dump failed" in failed["error"]

    with start(data) as urls:
        fill(urls["DATABASE_URL"], data)
        data.credentials_file.rename(data.root / "aside")
        data.credentials_file.mkdir()  # so that writing stops in the middle
        assert not schedule.make(data, urls["DATABASE_URL"], rule, NOON)
        assert {path.name for path in rule.folder.iterdir()} == {*names, *others}
        data.credentials_file.rmdir()
        assert schedule.make(data, urls["DATABASE_URL"], rule, NOON)
    made = "goldpan-scheduled-20261123-120000.tar"
    assert {path.name for path in rule.folder.iterdir()} == {made, names[2], *others}
    assert [path.name for path in schedule.scheduled(rule.folder)] == [made, names[2]]
    done = json.loads(data.backups_file.read_text(encoding="utf-8"))
    assert (done["made_at"], done["error"]) == (NOON.isoformat(), "")
    assert done["bytes"] == (rule.folder / made).stat().st_size
