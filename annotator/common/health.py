"""Is everything there? Database, broker, workers last seen, the sweeper, the disk."""

import shutil
import time
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.utils import Error as DatabaseError

from annotator.common.work import kinds

SWEPT = "goldpan:swept"
SEEN = "goldpan:worker:"
QUEUES = ("interactive", "bulk")
# A worker writes its sign of life at every task and every few seconds.
SILENT = 60


def note_sweep() -> None:
    cache.set(SWEPT, time.time(), None)


def note_worker(name: str) -> None:
    """A worker is alive; called by Celery's heartbeat signal."""
    cache.set(SEEN + name, time.time(), 24 * 3600)
    known = set(cache.get(SEEN) or ())
    if name not in known:
        cache.set(SEEN, sorted(known | {name}), None)


def read() -> dict[str, Any]:
    """Everything the health page shows; a part that does not answer is said in its place."""
    return {"database": _database(), "queue": _queue(), "work": _work(), "disk": _disk()}


def workers() -> list[dict[str, Any]]:
    """Each worker seen within a day, with the seconds since."""
    names = cache.get(SEEN) or ()
    seen = cache.get_many([SEEN + name for name in names])
    now = time.time()
    return [
        {"name": name, "seconds": round(now - seen[SEEN + name]), "silent": now - seen[SEEN + name] > SILENT}
        for name in names
        if SEEN + name in seen
    ]


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
        with current_app.connection_for_read() as broker:
            lengths = {name: broker.default_channel._size(name) for name in QUEUES}
        swept = cache.get(SWEPT)
    except (OSError, broker_errors()) as error:
        return {"ok": False, "error": str(error)}
    return {
        "ok": True,
        "waiting": lengths,
        "swept_seconds": round(time.time() - swept) if swept else None,
        "workers": workers(),
    }


def broker_errors() -> type[Exception]:
    """What the broker's client raises when it cannot be reached."""
    from redis.exceptions import RedisError

    return RedisError


def _work() -> list[dict[str, Any]]:
    return [
        {
            "kind": kind._meta.model_name,
            "open": kind.objects.open().count(),
            "failed": kind.objects.failed().count(),
        }
        for kind in kinds()
    ]


def _disk() -> dict[str, Any]:
    usage = shutil.disk_usage(settings.GOLDPAN_HOME)
    return {"path": str(settings.GOLDPAN_HOME), "free": usage.free, "total": usage.total}
