"""Whether all that Goldpan needs is there: what /ready/ answers, in bounded time even where a part hangs."""

import logging
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import itemgetter

from django.conf import settings
from django.core.cache import caches
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

from annotator.common import health
from annotator.common.progress import oldest_waiting
from annotator.common.queues import QUEUES, SWEEP
from annotator.common.storage import name_of
from annotator.pages.models import Page

logger = logging.getLogger(__name__)

# Seconds. Whoever asks again within FRESH gets the same answer.
PATIENCE, FRESH = 5, 1


@dataclass(frozen=True)
class Check:
    """The result of a check; the reason is for anybody, so it names no host and quotes no error."""

    name: str
    ok: bool
    reason: str


@dataclass(frozen=True)
class Report:
    checks: list[Check]
    checked_at: datetime

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


class NotReady(Exception):
    """Something is there but not well; the message is the reason."""


def read() -> Report:
    """The result of every check."""
    report: Report | None = caches["near"].get("goldpan:ready")
    if report is None:
        report = _run()
        caches["near"].set("goldpan:ready", report, FRESH)
    return report


def _run() -> Report:
    now = timezone.now()
    futures = {name: _thread(name).submit(_alone, check) for name, check in CHECKS.items()}
    wait(futures.values(), timeout=PATIENCE)
    return Report([_result(name, future) for name, future in futures.items()], checked_at=now)


@cache
def _thread(name: str) -> ThreadPoolExecutor:
    """The one thread of a check: while it hangs, later ones wait behind it, and are given up."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"ready-{name}")


def _alone(check: Callable[[], str]) -> str:
    """Run a check with a database connection of its own, as an older one might hang."""
    try:
        return check()
    finally:
        connection.close()


def _result(name: str, future: Future[str]) -> Check:
    if not future.done():
        future.cancel()
        return Check(name, False, f"no answer within {PATIENCE} s")
    error = future.exception()
    if error is None:
        return Check(name, True, future.result())
    if isinstance(error, NotReady):
        return Check(name, False, str(error))
    logger.warning("%s is not ready: %s: %s", name, type(error).__name__, error)
    return Check(name, False, f"not usable ({type(error).__name__})")


# ---- the checks: each returns its reason to be content, or raises ----


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("select 1")
    return "answers"


def _broker() -> str:
    """The queues and the cache are in the same server."""
    health.seconds_since_sweep()
    return "answers"


def _workers() -> str:
    alive = health.workers_alive()
    without = [queue for queue in QUEUES if not alive[queue]]
    if without:
        raise NotReady(f"none for {', '.join(without)}")
    return ", ".join(f"{queue} {alive[queue]}" for queue in QUEUES)


def _sweeper() -> str:
    seconds = health.seconds_since_sweep()
    reason = "never ran" if seconds is None else f"ran {seconds:.0f} s ago"
    if health.is_sweep_late(seconds):
        raise NotReady(reason)
    return reason


def _waiting() -> str:
    ages = dict.fromkeys((queue for queue in QUEUES if queue != SWEEP), 0.0)
    now = timezone.now()
    for model, since in oldest_waiting().items():
        age = (now - since).total_seconds()
        ages[model.kind.queue] = max(age, ages[model.kind.queue])
    late = {queue for queue, age in ages.items() if age > settings.READY_MAX_WAIT[queue]}
    if late:
        allowed = settings.READY_MAX_WAIT
        raise NotReady(
            ", ".join(f"{queue} {ages[queue]:.0f} s of {allowed[queue]}" for queue in sorted(late))
        )
    return ", ".join(f"{queue} {age:.0f} s" for queue, age in ages.items())


def _storage() -> str:
    """Files that the database knows are there, and new ones can be written."""
    try:
        digest = Page.objects.filter(takedown=None).order_by("-pk").values_list("sha256", flat=True).first()
    except DatabaseError:
        digest = None  # the database has a check of its own
    if digest and not default_storage.exists(name_of(digest)):
        raise NotReady("the newest page is not there")
    name = default_storage.save(f".ready-{uuid.uuid4().hex}", ContentFile(b"ready"))
    default_storage.delete(name)
    return "can be written"


def _disk() -> str:
    folders = [settings.GOLDPAN_HOME, *([settings.FILES] if settings.FILES.is_dir() else [])]
    disk = min(map(health.disk_of, folders), key=itemgetter("free"))
    free = f"{disk['free'] // 10**6} MB free"
    if disk["low"]:
        raise NotReady(f"{free}, less than {settings.READY_MIN_FREE_MB}")
    return free


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "broker": _broker,
    "workers": _workers,
    "sweeper": _sweeper,
    "waiting": _waiting,
    "storage": _storage,
    "disk": _disk,
}
