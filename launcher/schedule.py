"""Backups at set times, and which of them are kept."""

import re
import sys
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from launcher import backup, encryption
from launcher.data_folder import DataFolder, read_json, write_private
from launcher.errors import LauncherError
from launcher.stop_requests import StopRequests

# Only files with such a name are ever listed or deleted.
NAME = re.compile(r"goldpan-scheduled-(\d{8}-\d{6})\.tar(\.age)?")
MOMENT = "%Y%m%d-%H%M%S"
# How often to look whether a backup is due, and how long to wait after one that failed.
LOOK_SECONDS = 15.0
RETRY_SECONDS = 600.0


class Keep(NamedTuple):
    """How many days, weeks and months the newest backup of each is kept for."""

    daily: int = 7
    weekly: int = 4
    monthly: int = 6


@dataclass(frozen=True)
class Schedule:
    """When to make backups (times of the day, UTC; none: never), where, and what to keep."""

    times: tuple[time_of_day, ...]
    folder: Path
    keep: Keep
    recipients: tuple[str, ...]


def read(environ: Mapping[str, str], data: DataFolder) -> Schedule:
    """Return the schedule in the environment. Raises LauncherError for a value that cannot be understood."""
    return Schedule(
        times=_times(environ.get("GOLDPAN_BACKUP_AT", "")),
        folder=data.root / (environ.get("GOLDPAN_BACKUP_FOLDER") or "backups"),
        keep=_keep(environ.get("GOLDPAN_BACKUP_KEEP", "")),
        recipients=tuple(encryption.recipients(environ.get("GOLDPAN_BACKUP_RECIPIENTS", ""))),
    )


def _times(text: str) -> tuple[time_of_day, ...]:
    try:
        moments = [datetime.strptime(part.strip(), "%H:%M") for part in text.split(",") if part.strip()]  # noqa: DTZ007
    except ValueError as error:
        raise LauncherError(f"GOLDPAN_BACKUP_AT={text}: give times of the day in UTC, as 03:30.") from error
    return tuple(moment.time() for moment in moments)


def _keep(text: str) -> Keep:
    if not text.strip():
        return Keep()
    found = dict(re.findall(r"(daily|weekly|monthly)=(\d+)", text))
    if ",".join(f"{name}={count}" for name, count in found.items()) != text.replace(" ", ""):
        raise LauncherError(
            f"GOLDPAN_BACKUP_KEEP={text}: write daily=7,weekly=4,monthly=6, or some of these."
        )
    return Keep(**{name: int(found.get(name, 0)) for name in Keep._fields})


def last_due(times: Collection[time_of_day], now: datetime) -> datetime:
    """Return the latest of the times until now; there is at least one."""
    return max(moment for moment in _around(times, now) if moment <= now)


def next_due(times: Collection[time_of_day], now: datetime) -> datetime:
    """Return the first of the times after now."""
    return min(moment for moment in _around(times, now) if moment > now)


def _around(times: Collection[time_of_day], now: datetime) -> list[datetime]:
    days = [now.date() + timedelta(days=days) for days in (-1, 0, 1)]
    return [datetime.combine(day, each, UTC) for day in days for each in times]


def to_delete(made: Collection[datetime], keep: Keep) -> set[datetime]:
    """Return which backups are kept no longer, by the moments at which they were made.

    Kept are all of the last 24 hours before the newest, and the newest of each of the last days, weeks (from
    Monday) and months that have one, so never the newest of all.
    """
    newest_first = sorted(made, reverse=True)
    kept = {moment for moment in newest_first if newest_first[0] - moment < timedelta(days=1)}
    for count, form in ((keep.daily, "%Y-%m-%d"), (keep.weekly, "%G-%V"), (keep.monthly, "%Y-%m")):
        periods = groupby(newest_first, lambda moment, form=form: moment.strftime(form))  # type: ignore[misc]
        kept.update([next(moments) for _, moments in periods][:count])
    return set(made) - kept


def scheduled(folder: Path) -> dict[Path, datetime]:
    """Return the complete scheduled backups in a folder, newest first, with the moments of their making."""
    paths = folder.iterdir() if folder.is_dir() else ()
    found = {path: moment for path in paths if (moment := _moment_in(path.name))}
    return dict(sorted(found.items(), key=lambda each: each[1], reverse=True))


def _moment_in(name: str) -> datetime | None:
    """The moment that the name of a scheduled backup says; None of any other file."""
    match = NAME.fullmatch(name)
    try:
        return datetime.strptime(match[1], MOMENT).replace(tzinfo=UTC) if match else None
    except ValueError:  # such digits are no date
        return None


def run(data: DataFolder, database_url: str, schedule: Schedule) -> None:
    """Make backups when they are due, until INT or TERM; one that was missed is made at once."""
    if not schedule.times:
        raise LauncherError("GOLDPAN_BACKUP_AT is not set: give times of the day in UTC, as 03:30.")
    stops = StopRequests()
    stops.install()
    # Raised, so that what is half made is removed and pg_dump ended.
    with suppress(KeyboardInterrupt), stops.raised():
        while True:
            now = datetime.now(UTC)
            newest = max(scheduled(schedule.folder).values(), default=None)
            done = True
            if newest is None or newest < last_due(schedule.times, now):
                done = make(data, database_url, schedule, now, stops.requested)
            time.sleep(LOOK_SECONDS if done else RETRY_SECONDS)


def make(
    data: DataFolder,
    database_url: str,
    schedule: Schedule,
    now: datetime,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Make one backup, then delete those that are kept no longer; return whether it was made.

    What happened is in `data.backups_file`, for the health page, and on the terminal; but where it ended as
    `stop()` is true, that is no failure, and is raised.
    """
    suffix = ".tar.age" if schedule.recipients else ".tar"
    target = schedule.folder / f"goldpan-scheduled-{now.strftime(MOMENT)}{suffix}"
    outcome = _last_outcome(data) | {"due_at": next_due(schedule.times, now).isoformat()}
    try:
        backup.make_folder(schedule.folder)
        for left_by_killed in schedule.folder.glob(".goldpan-scheduled-*.partial"):
            left_by_killed.unlink()
        backup.back_up(data, database_url, target, schedule.recipients)
        outcome |= {"made_at": now.isoformat(), "bytes": target.stat().st_size, "error": ""}
        print(f"Backup: {target}", flush=True)
        _delete_old(schedule)
    except (LauncherError, OSError) as error:
        if stop():
            raise
        outcome |= {"failed_at": now.isoformat(), "error": str(error)}
        print(f"The backup failed: {error}", file=sys.stderr, flush=True)
    write_private(data.backups_file, outcome)
    return not outcome["error"]


def _last_outcome(data: DataFolder) -> dict[str, Any]:
    """What became of the last backup; nothing, which is said, where the file is damaged."""
    try:
        return read_json(data.backups_file)
    except LauncherError as error:
        print(f"What became of the last backup is unknown: {error}", file=sys.stderr, flush=True)
        return {}


def _delete_old(schedule: Schedule) -> None:
    made = scheduled(schedule.folder)
    old = to_delete(made.values(), schedule.keep)
    for path in [path for path, moment in made.items() if moment in old]:
        path.unlink()
        print(f"Deleted: {path}", flush=True)
