"""How much background work of each kind is left, its rate, and when it may end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any, NamedTuple

from django.db import models
from django.db.models import Case, Count, Min, Q, Value, When
from django.utils import timezone

from annotator.common.work import Work, work_models
from annotator.common.work_kinds import IS_OVERLOADED

# The rate is that of the last minutes, so that it follows what the machine is doing now.
WINDOW = timedelta(minutes=5)


@dataclass(frozen=True)
class WorkProgress:
    """Rows of one kind of work in a corpus that are not done, by state, and the pace."""

    waiting: int = 0
    running: int = 0
    # Put off again and again because of the machine.
    overloaded: int = 0
    failed: int = 0
    # Lately; 0 where nothing was, or nothing is open.
    per_minute: float = 0

    @property
    def open(self) -> int:
        return self.waiting + self.running + self.overloaded

    @property
    def minutes_left(self) -> int | None:
        """Minutes until all is done at the present rate; None where nothing was finished lately."""
        return ceil(self.open / self.per_minute) if self.open and self.per_minute else None


class WorkCount(NamedTuple):
    """How many rows of one kind of work are in a state: waiting, running, overloaded or failed.

    `oldest` is when the first of those was requested that wait for a worker; None where none does.
    """

    model: type[Work]
    state: str
    rows: int
    oldest: datetime | None


def work_counts(corpus: models.Model | None = None) -> list[WorkCount]:
    """Count the work that is not done, of a corpus or of all; none where there are no rows.

    Django takes longer to put the query together than PostgreSQL to answer it, for each kind: those in which
    all is done everywhere, as in most, are left out of it.
    """
    now = timezone.now()
    kinds = _kinds_not_done(now)
    if not kinds:
        return []
    state = Case(
        When(finished_at__isnull=False, then=Value("failed")),
        When(IS_OVERLOADED, then=Value("overloaded")),
        When(heartbeat_at=None, then=Value("waiting")),
        default=Value("running"),
    )
    parts: list[models.QuerySet[Any, Any]] = []
    for number, model in enumerate(kinds):
        rows = model.objects.of_corpus(corpus) if corpus else model.objects.all()
        by_state = rows.not_done(now).values(kind_number=Value(number), state_name=state)
        oldest = Min("requested_at", filter=Q(finished_at=None) & model.kind.waits(now))
        counted = by_state.annotate(n=Count("pk"), oldest=oldest)
        parts.append(counted.values_list("kind_number", "state_name", "n", "oldest"))
    found = parts[0].union(*parts[1:], all=True)
    return [WorkCount(kinds[number], *rest) for number, *rest in found]


def _kinds_not_done(now: datetime) -> list[type[Work]]:
    """The kinds of which a row is open or has failed, in any corpus."""
    kinds = list(work_models())
    parts: list[models.QuerySet[Any, Any]] = [
        model.objects.not_done(now).values_list(Value(number)) for number, model in enumerate(kinds)
    ]
    return [kinds[number] for number in sorted(number for (number,) in parts[0].union(*parts[1:]))]


def oldest_waiting() -> dict[type[Work], datetime]:
    """Since when the row of each kind waits that was enqueued longest ago, of all corpora, in one query.

    A row that the sweeper enqueued again comes after those that it did not, so that the oldest may have been
    waiting for `pipeline.LOST` longer. Kinds in which nothing waits are left out.
    """
    now = timezone.now()
    kinds = list(work_models())
    parts: list[models.QuerySet[Any, Any]] = []
    for number, model in enumerate(kinds):
        rows = model.objects.waiting(now).order_by("enqueued_at").annotate(kind_number=Value(number))
        parts.append(rows.values_list("kind_number", "requested_at")[:1])
    return {kinds[number]: since for number, since in parts[0].union(*parts[1:], all=True)}


def progress_by_kind(corpus: models.Model) -> dict[type[Work], WorkProgress]:
    """The progress of each kind in which something is not done: one query more for each with open rows."""
    counted: dict[type[Work], dict[str, int]] = {}
    for model, state, rows, _oldest in work_counts(corpus):
        counted.setdefault(model, {})[state] = rows
    return {
        model: WorkProgress(
            **states, per_minute=_per_minute(model, corpus) if states.keys() - {"failed"} else 0
        )
        for model, states in counted.items()
    }


def _per_minute(model: type[Work], corpus: models.Model) -> float:
    """Of work that was asked for within WINDOW, since then: before, there was nothing to do."""
    now = timezone.now()
    lately = model.objects.of_corpus(corpus).filter(finished_at__gte=now - WINDOW)
    found = lately.aggregate(rows=Count("pk"), since=Min("requested_at"))
    if not found["rows"]:
        return 0.0
    return float(found["rows"] / (min(WINDOW, now - found["since"]) / timedelta(minutes=1)))
