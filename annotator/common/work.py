"""Work is rows (law 8): a message is a hint, a claim on a row decides who works, each row gets one result.

A model that is a piece of work inherits `Work` and names its task. The life of a row:

    requested -> claimed (attempts + 1, a fresh token) -> finished, or failed with its error
                  |  no heartbeat for STALE: anybody may claim it again, until MAX_ATTEMPTS

Only the holder of the token can write the result, so a slow worker that was given up cannot overwrite
the one that took over.
"""

import logging
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self, TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.apps import apps
from django.db import OperationalError, models
from django.db.models import F, Q
from django.utils import timezone

logger = logging.getLogger(__name__)

# A worker's hard time limit must lie below this, or a row could be claimed while it is still worked on;
# `common.startup` checks it. Two lapses and a sweep must fit into two minutes.
STALE = timedelta(seconds=40)
# A row that nobody has claimed although its hint was sent this long ago is hinted again.
UNCLAIMED = timedelta(seconds=20)
MAX_ATTEMPTS = 3
# Celery's limits for every task that works on a row, in seconds. Hostile markup can stall a parser: the
# soft limit turns a stall into a recorded failure, the hard one kills what does not listen.
LIMITS = {"soft_time_limit": 25, "time_limit": 32}


class WorkQuerySet(models.QuerySet["Work"]):
    def open(self) -> Self:
        """Neither finished nor failed."""
        return self.filter(finished_at=None)

    def claimable(self, now: datetime) -> Self:
        """Open, and free or given up by its holder."""
        return self.open().filter(Q(heartbeat_at=None) | Q(heartbeat_at__lt=now - STALE))

    def due(self, now: datetime) -> Self:
        """Claimable, and not hinted at of late: what the sweeper takes up."""
        return self.claimable(now).filter(hinted_at__lt=now - UNCLAIMED)

    def failed(self) -> Self:
        return self.exclude(finished_at=None).exclude(error="")


class Work(models.Model):
    """One piece of work and its one result.

    `task` names the Celery task that takes the row's primary key; `queue` is where its hint goes.
    """

    task: ClassVar[str]
    queue: ClassVar[str] = "interactive"

    requested_at = models.DateTimeField(default=timezone.now, editable=False)
    hinted_at = models.DateTimeField(default=timezone.now, editable=False)
    heartbeat_at = models.DateTimeField(null=True, editable=False)
    token = models.UUIDField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)
    error = models.TextField(blank=True, default="", editable=False)

    objects = WorkQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def state(self) -> str:
        """Waiting, running, done or failed: a reading of the dated facts."""
        if self.finished_at:
            return "failed" if self.error else "done"
        return "running" if self.heartbeat_at else "waiting"


Row = TypeVar("Row", bound=Work)
Result = TypeVar("Result")


def kinds() -> Iterator[type[Work]]:
    """Every model that is work."""
    return (model for model in apps.get_app_config("annotator").get_models() if issubclass(model, Work))


def claim(model: type[Row], pk: int) -> Row | None:
    """Take the row, or None when it is finished, held by somebody else, or gone.

    A row that has used up its attempts is failed here: whoever held it died each time.
    """
    now = timezone.now()
    token = uuid.uuid4()
    won = (
        model.objects.filter(pk=pk)
        .claimable(now)
        .update(heartbeat_at=now, token=token, attempts=F("attempts") + 1)
    )
    if not won:
        return None
    row = model.objects.get(pk=pk)
    if row.attempts > MAX_ATTEMPTS:
        fail(row, error=f"given up: the worker died {MAX_ATTEMPTS} times")
        return None
    return row


def beat(row: Work, **progress: Any) -> bool:
    """Say that the row is still being worked on, and how far; False when it was given to somebody else."""
    return bool(_mine(row).update(heartbeat_at=timezone.now(), **progress))


def finish(row: Work, **result: Any) -> bool:
    """Write the one result; False, and nothing written, when the row is no longer ours."""
    won = _mine(row).update(finished_at=timezone.now(), error="", **result)
    if won:
        row.refresh_from_db()
    return bool(won)


def fail(row: Work, *, error: str, **result: Any) -> bool:
    """Record the failure as the row's result (law 9)."""
    logger.warning("%s %s failed: %s", type(row).__name__, row.pk, error)
    return bool(_mine(row).update(finished_at=timezone.now(), error=error[:2000] or "failed", **result))


def put_back(row: Work, *, until: datetime) -> bool:
    """Give the row back unfinished, as if it had never been claimed; not hinted at again before `until`."""
    free = {"heartbeat_at": None, "token": None, "attempts": 0, "hinted_at": until}
    return bool(_mine(row).update(**free))


def attempt(row: Row, act: Callable[[Row], Result]) -> Result | None:
    """Do a claimed piece of work; whatever it raises is recorded as its failure, and gives None (law 9).

    A database that is away or deadlocked is not the work's fault: that is raised, and the row is claimed
    again when it is stale.
    """
    try:
        return act(row)
    except OperationalError:
        raise
    except SoftTimeLimitExceeded:
        fail(row, error="took too long")
    except Exception as error:  # noqa: BLE001  recorded, counted, shown
        fail(row, error=f"{type(error).__name__}: {error}")
    return None


def retry(row: Work) -> bool:
    """Open a failed row again, with fresh attempts; for an admin who mended the cause."""
    reopened = type(row).objects.filter(pk=row.pk).failed()
    return bool(
        reopened.update(
            finished_at=None, error="", heartbeat_at=None, token=None, attempts=0, hinted_at=timezone.now()
        )
    )


def _mine(row: Work) -> WorkQuerySet:
    return type(row).objects.filter(pk=row.pk, token=row.token, finished_at=None)
