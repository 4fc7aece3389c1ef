"""Background work as rows of the database (invariant 8).

A message only tells a worker that a row waits; a claim on the row decides who works, and each row gets one
result, however often its message is delivered. A model that inherits `Work` is one kind of background work
and declares itself in its `kind`. The life of a row:

    requested -> claimed (attempts + 1, a new token) -> finished, or failed with its error
                  |  no heartbeat for STALE: another worker may claim it, until MAX_ATTEMPTS
                  |  the machine was at fault: open again, with back-off, as often as it takes

Only the holder of the token can write the result, so a slow worker cannot overwrite the one that took over.
What a piece of work may cost is limited in CPU time, which is the same on a busy machine (invariant 9).
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self, TypedDict, TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.apps import apps
from django.db import DatabaseError, InterfaceError, OperationalError, connection, models
from django.db.models import F, Q
from django.db.models.expressions import Combinable
from django.utils import timezone

from annotator.common.errors import OtherVersion
from annotator.common.machine import CpuLimitExceeded, cpu_limit, machine_lock
from annotator.common.queues import LIVE
from annotator.common.triggers import TAKEN_DOWN
from annotator.common.work_kinds import (
    HAS_ERROR,
    IS_DONE,
    IS_FAILED,
    IS_OVERLOADED,
    OVERLOADED,
    STOPPED,
    WorkKind,
)
from extraction.formats.texts import storable

logger = logging.getLogger(__name__)

# Seconds between two heartbeats of a row that is worked on.
HEARTBEAT = 4.0
# Without a heartbeat for this long, the worker is dead. It may miss three: two could hold one row otherwise.
STALE = timedelta(seconds=20)
# A row that nobody has claimed although its message was sent this long ago is enqueued again.
UNCLAIMED = timedelta(seconds=20)
# Rows that somebody stopped are not enqueued for this long, unless somebody resumes them.
AT_REST = timedelta(days=3650)
# Workers that may die at a row; at the last attempt it has the machine to itself.
MAX_ATTEMPTS = 3

# What is no result of the work but was done to it: a lost database, a missing file store, a full disk, a
# child process that was killed (each an OSError), an endless wait, a worker of another version.
MACHINE_FAULTS = (OSError, OperationalError, InterfaceError, SoftTimeLimitExceeded, OtherVersion)
# The work is then tried again after 5, 10, 20 ... seconds, at most an hour.
FIRST_DELAY, LONGEST_DELAY = timedelta(seconds=5), timedelta(hours=1)


class TaskLimits(TypedDict):
    """Arguments of a task, in seconds of wall-clock time."""

    soft_time_limit: int
    time_limit: int


# Celery's limits for every task: they end a wait that nothing else ends.
LIMITS: TaskLimits = {"soft_time_limit": 900, "time_limit": 960}
# A task that does one row after the other begins none after so many seconds.
BATCH_SECONDS = 300.0


def work_indexes(name: str) -> list[models.Index]:
    """The indexes of a kind of work: open rows in the order in which they were enqueued, and failed ones."""
    return [
        models.Index(fields=["enqueued_at"], condition=Q(finished_at=None), name=f"{name}_open"),
        models.Index(fields=["finished_at"], condition=HAS_ERROR, name=f"{name}_failed"),
    ]


_Work = TypeVar("_Work", bound="Work", covariant=True)


class WorkQuerySet(models.QuerySet[_Work]):
    def open(self) -> Self:
        """Neither finished nor failed."""
        return self.filter(finished_at=None)

    def claimable(self, now: datetime) -> Self:
        """Open, and free or given up by its holder."""
        return self.open().filter(Q(heartbeat_at=None) | Q(heartbeat_at__lt=now - STALE))

    def ready(self, now: datetime) -> Self:
        """Claimable, and not put off until later."""
        return self.claimable(now).exclude(faults__gt=0, enqueued_at__gte=now - UNCLAIMED)

    def due(self, now: datetime) -> Self:
        """Claimable, and not enqueued of late: what the sweeper enqueues again."""
        return self.claimable(now).filter(enqueued_at__lt=now - UNCLAIMED)

    def waiting(self, now: datetime) -> Self:
        return self.open().filter(self.model.kind.waits(now))

    def done(self) -> Self:
        """Finished with a result."""
        return self.filter(IS_DONE)

    def failed(self) -> Self:
        return self.filter(IS_FAILED)

    def not_done(self, now: datetime) -> Self:
        """Open, or in need of attention, in no order."""
        return self.filter(Q(finished_at=None) | self.model.kind.needs_attention(now)).order_by()

    def overloaded(self) -> Self:
        return self.filter(IS_OVERLOADED)

    def retriable(self) -> Self:
        """What workers can do again: failed, or overloaded and held by none of them."""
        found = self.failed() | self.overloaded().filter(heartbeat_at=None)
        for beyond in filter(None, (self.model.kind.beyond_workers, self.model.kind.ended)):
            found = found.exclude(beyond)
        return found

    def of_corpus(self, corpus: models.Model) -> Self:
        return self.filter(**{self.model.kind.corpus: corpus})

    def end_unclaimed(self, **fields: Any) -> None:
        """End those that no worker holds; one that holds a row ends it when it sees that it is stopped."""
        self.open().filter(heartbeat_at=None).update(finished_at=timezone.now(), **fields)

    def open_again(self, **fields: Any) -> int:
        """Ask for another result of each, with all attempts left; return how many."""
        now = timezone.now()
        free = {"heartbeat_at": None, "token": None, "attempts": 0, "faults": 0, "last_fault": ""}
        return self.update(finished_at=None, error="", requested_at=now, enqueued_at=now, **free, **fields)


class Work(models.Model):
    """One piece of background work and its one result."""

    kind: ClassVar[WorkKind]

    requested_at = models.DateTimeField(default=timezone.now, editable=False)
    enqueued_at = models.DateTimeField(default=timezone.now, editable=False)
    heartbeat_at = models.DateTimeField(null=True, editable=False)
    token = models.UUIDField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    # How often the machine was at fault, and what happened the last time.
    faults = models.PositiveSmallIntegerField(default=0, editable=False)
    last_fault = models.CharField(max_length=200, blank=True, default="", editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)
    error = models.TextField(blank=True, default="", editable=False)

    objects = WorkQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def state(self) -> str:
        """Waiting, running, overloaded, done, failed, or stopped where somebody may stop it."""
        if self.finished_at and not self.error:
            return "done"
        if self.error == STOPPED or getattr(self, "stopped_at", None):
            return "stopped"
        if self.finished_at:
            return "failed"
        if self.faults >= OVERLOADED:
            return "overloaded"
        return "running" if self.heartbeat_at else "waiting"


class StoppableWork(Work):
    """Work that somebody may stop while it is done."""

    stopped_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


# What a row has as work, whatever its kind.
WORK_FIELDS = tuple(field.name for field in Work._meta.fields)

Row = TypeVar("Row", bound=Work)
Result = TypeVar("Result")


def work_models() -> Iterator[type[Work]]:
    """Every kind of background work, in the order of the pipeline."""
    return (model for model in _models() if issubclass(model, Work))


def sweep_tasks() -> Iterator[str]:
    """The names of the tasks that look for rows which should have been requested and were not.

    A model names its own as `find_missing`. They take no arguments.
    """
    for model in _models():
        yield from getattr(model, "find_missing", ())


def _models() -> Iterator[type[models.Model]]:
    # In the order in which they are defined: that of the folders, since a folder imports only earlier ones.
    return apps.get_app_config("annotator").get_models()


def claim(model: type[Row], pk: int) -> Row | None:
    """Claim the row; None when it is finished, held by another worker, or gone.

    A row that has used up its attempts fails here: the worker that held it died each time.
    """
    for row in _claim(model.objects.filter(pk=pk)):
        assert isinstance(row, model)
        return row
    return None


def claim_once_free(model: type[Row], pk: int) -> Row | None:
    """As `claim`, for a command: wait for the heartbeat of a process that was killed to lapse.

    None when the row is finished or gone, or the process that holds it is alive.
    """
    first = None
    while (claimed := claim(model, pk)) is None:
        held = model.objects.open().filter(pk=pk).first()
        if held is None or (held.heartbeat_at and first and held.heartbeat_at > first):
            return None
        first = first or held.heartbeat_at
        time.sleep(0.5)
    return claimed


def _claim(rows: WorkQuerySet[Row]) -> list[Row]:
    """Claim those of the rows that can be, with one token, and return them as the query reads them."""
    now, token = timezone.now(), uuid.uuid4()
    if not rows.claimable(now).update(heartbeat_at=now, token=token, attempts=F("attempts") + 1):
        return []
    claimed = list(rows.filter(token=token))
    for row in claimed:
        if row.attempts > MAX_ATTEMPTS:
            fail(row, error=f"given up: the worker died {MAX_ATTEMPTS} times")
    return [row for row in claimed if row.attempts <= MAX_ATTEMPTS]


def send_heartbeat(row: Work, **progress: Any) -> bool:
    """Record that the row is still being worked on, and how far; False when another worker has claimed it."""
    return bool(_held_by_us(row).update(heartbeat_at=timezone.now(), **progress))


def may_go_on(row: StoppableWork, **progress: Any) -> bool:
    """Send a heartbeat; False when another worker has claimed the row, or somebody has stopped it."""
    stopped = type(row).objects.filter(pk=row.pk, stopped_at__isnull=False)
    return send_heartbeat(row, **progress) and not stopped.exists()


def finish(row: Work, **result: Any) -> bool:
    """Write the result; False, and nothing is written, when another worker has claimed the row."""
    written = {"finished_at": timezone.now(), "error": "", **result}
    won = _held_by_us(row).update(**written)
    if any(isinstance(value, Combinable) for value in result.values()):
        row.refresh_from_db()
    elif won:
        for name, value in written.items():
            setattr(row, name, value)
    return bool(won)


def fail(row: Work, *, error: str, **result: Any) -> bool:
    """Record the failure as the row's result (invariant 9)."""
    # What follows a colon may quote the page; the row has all of it.
    logger.warning("%s %s failed: %s", type(row).__name__, row.pk, error.partition(":")[0])
    # A message may quote the bytes of a page.
    error = storable(error)[:2000] or "failed"
    return bool(_held_by_us(row).update(finished_at=timezone.now(), error=error, **result))


def requeue(row: Work, *, until: datetime | Combinable, **fields: Any) -> bool:
    """Give the row back as if it had never been claimed; the sweeper leaves it alone before `until`."""
    free = {"heartbeat_at": None, "token": None, "attempts": 0, "enqueued_at": until}
    return bool(_held_by_us(row).update(**free, **fields))


def put_off(row: Work, fault: BaseException) -> bool:
    """Give the row back because of a fault of the machine, the longer the more often it happened."""
    delay = min(LONGEST_DELAY, FIRST_DELAY * 2 ** min(row.faults, 12))
    description = f"{type(fault).__name__}: {fault}"
    logger.warning("%s %s is put off for %s: %s", type(row).__name__, row.pk, delay, description)
    return requeue(
        row,
        until=timezone.now() + delay - UNCLAIMED,
        faults=F("faults") + 1,
        last_fault=" ".join(description.split())[:200],
    )


def attempt(row: Row, act: Callable[[Row], Result]) -> Result | None:
    """Do a claimed piece of work and return its result; None when it raised, which is recorded (invariant 9).

    What the machine did to it is no failure of the work: the row is put off.
    """
    with beating(row):
        return _attempt(row, act)


def attempt_each(rows: WorkQuerySet[Row], act: Callable[[Row], Result]) -> list[tuple[Row, Result | None]]:
    """Claim those of the rows that can be, as the query reads them, and do one after the other as `attempt`.

    A worker that dies costs each of those that are left one attempt. The sweeper enqueues them one by one, so
    that the row that killed it does so alone. It gets the rest of a batch that takes long, too: each of its
    rows then has the time of a task to itself.
    """
    began = time.monotonic()
    done = []
    claimed = _claim(rows)
    with beating(*claimed):
        for row in claimed:
            if time.monotonic() - began < BATCH_SECONDS:
                done.append((row, _attempt(row, act)))
            else:
                _held_by_us(row).update(heartbeat_at=None, token=None, attempts=F("attempts") - 1)
    return done


def _attempt(row: Row, act: Callable[[Row], Result]) -> Result | None:
    try:
        with _conditions_of(row):
            return act(row)
    except MACHINE_FAULTS as fault:
        _put_off_if_possible(row, fault)
    except CpuLimitExceeded as limit:
        fail(row, error=f"took too long: {limit}")
    except KeyboardInterrupt:
        # Whoever goes on with what a command left need not wait for the heartbeat to lapse.
        requeue(row, until=timezone.now())
        raise
    except Exception as error:  # noqa: BLE001  recorded, counted, shown
        fail(row, error=f"{type(error).__name__}: {error}")
    return None


def run(model: type[Row], pk: int, act: Callable[[Row], Result]) -> Result | None:
    """Claim the row and do its work; None when it cannot be claimed, or raised."""
    row = claim(model, pk)
    return attempt(row, act) if row else None


@contextmanager
def _conditions_of(row: Work) -> Iterator[None]:
    """A limit of CPU time, and the machine to itself where the row could not be done often."""
    with ExitStack() as stack:
        if row.kind.cpu_seconds is not None:
            if row.kind.queue != LIVE:
                alone = row.faults >= OVERLOADED or row.attempts >= MAX_ATTEMPTS
                stack.enter_context(machine_lock(alone=alone))
            stack.enter_context(cpu_limit(row.kind.cpu_seconds))
        yield


@contextmanager
def beating(*rows: Work) -> Iterator[None]:
    """Send heartbeats of the rows, which have one token, from a thread, as long as the worker holds any."""
    if not rows:
        yield
        return
    keys, token = [row.pk for row in rows], rows[0].token
    held = type(rows[0]).objects.open().filter(pk__in=keys, token=token)
    done = threading.Event()

    def beat() -> None:
        try:
            while not done.wait(HEARTBEAT):
                try:
                    if not held.update(heartbeat_at=timezone.now()):
                        return
                except DatabaseError:
                    connection.close()  # the next one opens another
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name=f"heartbeat of {rows[0]}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _put_off_if_possible(row: Work, fault: BaseException) -> None:
    try:
        if _is_taken_down(row):
            fail(row, error=TAKEN_DOWN)
        else:
            put_off(row, fault)
    except (OperationalError, InterfaceError):
        # Without a database nothing can be written: another worker claims the row when it is stale.
        logger.warning("%s %s: %s", type(row).__name__, row.pk, fault)
        connection.close()


def _is_taken_down(row: Work) -> bool:
    """Whether the row's page was taken down: its files are gone for good."""
    of_page = row.kind.page
    gone = {"pk": row.pk, f"{of_page}__takedown__isnull": False}
    return bool(of_page) and type(row).objects.filter(**gone).exists()


def retry(row: Work) -> bool:
    """Open a failed or overloaded row again, with all attempts left; False when it is neither."""
    return bool(type(row).objects.filter(pk=row.pk).retriable().open_again())


def reopen(row: Work, **fields: Any) -> bool:
    """Ask for another result of a finished or failed row; False when it is open already."""
    return bool(type(row).objects.filter(pk=row.pk, finished_at__isnull=False).open_again(**fields))


def _held_by_us(row: Work) -> WorkQuerySet[Work]:
    return type(row).objects.filter(pk=row.pk, token=row.token, finished_at=None)
