"""The state of the installation: database, broker, workers, sweeper, disk, backups."""

import json
import shutil
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.utils import Error as DatabaseError
from django.utils.timezone import now

from annotator.common.progress import work_counts
from annotator.common.queues import BROKER_ERRORS, QUEUES, SWEEP, waiting_in
from annotator.common.work import work_models

SWEPT = "goldpan:swept"
SEEN = "goldpan:workers:"
# A backup that was due this long ago and has neither been made nor failed: nothing makes backups.
BACKUP_LATE = timedelta(hours=6)


def note_sweep() -> None:
    cache.set(SWEPT, time.time(), None)


def seconds_since_sweep() -> float | None:
    """How long ago the sweeper ran; None if it never did."""
    swept = cache.get(SWEPT)
    return time.time() - swept if swept else None


def is_sweep_late(seconds: float | None) -> bool:
    """Whether a sweep so long ago is longer ago than READY_MAX_WAIT allows; None: there was none."""
    return seconds is None or seconds > settings.READY_MAX_WAIT[SWEEP]


def note_worker(name: str, queues: Iterable[str]) -> None:
    """Record that the worker of these queues is alive; called by Celery's heartbeat signal."""
    cache.set(SEEN + name, (time.time(), sorted(queues)), 24 * 3600)
    known = set(cache.get(SEEN) or ())
    if name not in known:
        cache.set(SEEN, sorted(known | {name}), None)


def read() -> dict[str, Any]:
    """Everything that the health page shows; a part that is unreachable has `ok` False and its error."""
    return {
        "database": _database(),
        "queue": _queue(),
        "work": _work(),
        "disk": disk_of(settings.GOLDPAN_HOME),
        "backups": _backups(),
    }


def workers() -> list[dict[str, Any]]:
    """Each worker seen in the last 24 hours, with its queues and the seconds since."""
    names = cache.get(SEEN) or ()
    seen = cache.get_many([SEEN + name for name in names])
    found = []
    for name in names:
        if SEEN + name in seen:
            at, queues = seen[SEEN + name]
            seconds = time.time() - at
            silent = seconds > settings.READY_MAX_SILENCE
            found.append({"name": name, "queues": queues, "seconds": round(seconds), "silent": silent})
    return found


def workers_alive() -> dict[str, int]:
    """The number of workers of each queue that were seen of late."""
    alive = [worker for worker in workers() if not worker["silent"]]
    return {queue: sum(queue in worker["queues"] for worker in alive) for queue in QUEUES}


def _database() -> dict[str, Any]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("select current_setting('server_version'), pg_database_size(current_database())")
            version, size = cursor.fetchone()
    except DatabaseError as error:
        return {"ok": False, "error": str(error)}
    return {"ok": True, "version": version, "bytes": size}


def _queue() -> dict[str, Any]:
    try:
        waiting = waiting_in()
        swept = seconds_since_sweep()
    except BROKER_ERRORS as error:
        return {"ok": False, "error": str(error)}
    return {
        "ok": True,
        "waiting": waiting,
        "swept_seconds": None if swept is None else round(swept),
        "swept_late": is_sweep_late(swept),
        "workers": workers(),
    }


def _work() -> list[dict[str, Any]]:
    """The rows of each kind by state."""
    found = {(count.model, count.state): count.rows for count in work_counts()}
    return [
        {
            "title": model.kind.title,
            "open": sum(found.get((model, state), 0) for state in ("waiting", "running", "overloaded")),
            "overloaded": found.get((model, "overloaded"), 0),
            "failed": found.get((model, "failed"), 0),
        }
        for model in work_models()
    ]


def disk_of(folder: Path) -> dict[str, Any]:
    """The disk of a folder, in bytes: free, in total, and `kept` free; it is `low` with fewer than these."""
    usage, kept = shutil.disk_usage(folder), settings.READY_MIN_FREE_MB * 10**6
    sizes = {"free": usage.free, "total": usage.total, "kept": kept}
    return {"path": str(folder), **sizes, "low": usage.free < kept}


def _backups() -> dict[str, Any]:
    """What the launcher wrote about the scheduled backups."""
    path = settings.GOLDPAN_HOME / "backups.json"
    if not settings.BACKUPS_SCHEDULED or not path.exists():
        return {"scheduled": settings.BACKUPS_SCHEDULED}
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        made_at = known.get("made_at")
        return {
            "scheduled": True,
            "made_at": made_at and datetime.fromisoformat(made_at),
            "bytes": known.get("bytes"),
            "error": known["error"],
            "late": now() > datetime.fromisoformat(known["due_at"]) + BACKUP_LATE,
        }
    except (ValueError, LookupError, TypeError, AttributeError):
        return {"scheduled": True, "damaged": path.name}
