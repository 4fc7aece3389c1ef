"""What a kind of background work declares of itself, and the states of its rows."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q
from django.utils.functional import Promise

from annotator.common.queues import LIVE
from annotator.common.triggers import TAKEN_DOWN

# From so many faults on, a row has the machine to itself, and is shown as overloaded.
OVERLOADED = 3
# For how long a failed job that nobody can retry is shown: it stays in the history of jobs.
FAILURE_SHOWN = timedelta(days=7)

# The error of work that somebody has stopped for good.
STOPPED = "stopped"

HAS_ERROR = Q(finished_at__isnull=False) & ~Q(error="")
# The rows of a kind that have a result, those that have failed, and those that were put off again and again
# because of the machine. What was stopped, or is about a page that was taken down, is none of these.
IS_DONE = Q(finished_at__isnull=False, error="")
IS_FAILED = HAS_ERROR & ~Q(error__in=(STOPPED, TAKEN_DOWN))
IS_OVERLOADED = Q(finished_at=None, faults__gte=OVERLOADED)


class WorkControls(NamedTuple):
    """Something that an admin can do with work of a kind, at a route that takes POST."""

    title: Promise
    route: str
    # The rows with which it can be done.
    when: Q
    # The field of the row that the route takes beside the corpus's slug; "": it concerns all rows.
    key: str = "pk"
    # Whether these rows stand still until somebody does it, finished as work or not.
    is_resuming: bool = False


@dataclass(frozen=True, kw_only=True)
class WorkKind:
    """All that the product has to know about one kind of background work, declared at its model.

    The pipeline, the sweeper, `run_pending`, the health page and the list of what needs attention use it.
    """

    # On the health page, and above failed rows.
    title: Promise
    failed_title: Promise
    # The name of the task, which takes the row's primary key, and the queue of its messages.
    task: str
    queue: str = LIVE
    # CPU seconds of one attempt; None for work on a whole corpus, which may take hours.
    cpu_seconds: int | None = 25
    # The lookup path from a row to its page; "" for work on a whole corpus, which has a foreign key `corpus`.
    page: str = ""
    # The lookup path to a value that tells a failed row from others.
    label: str = ""
    # Open rows that wait for people or for another program, not for a worker.
    blocked: Q | None = None
    # Whether an admin may retry failed rows.
    can_retry: bool = True
    # Rows that no worker can do again, such as those that only a command works on.
    beyond_workers: Q | None = None
    # Rows that somebody has ended, or that other work has made good: one that failed needs nobody any more.
    ended: Q | None = None
    # Whether a person asks for each row, as for an export; `run_pending` leaves those to the workers.
    is_requested: bool = False
    # The name of the corpus's screen where an admin finds the rows.
    screen: str = ""
    # Whether each row, which has a `requested_by`, is a job of its own in the list of jobs; the rows of other
    # kinds are counted there.
    is_job: bool = False
    # Rows that are no job yet, as they only receive what somebody sends.
    no_job_yet: Q | None = None
    # Jobs that stand still, finished as work, until somebody has decided on their screen.
    undecided: Q | None = None
    # The fields that say how far a row is, and of how much.
    progress: tuple[str, str] | None = None
    # What an admin can do with rows beside retrying them.
    controls: tuple[WorkControls, ...] = ()

    @property
    def corpus(self) -> str:
        """The lookup path from a row to its corpus."""
        return f"{self.page}__corpus" if self.page else "corpus"

    def waits(self, now: datetime) -> Q:
        """Whether an open row was never tried: not held by a worker, not put off, not blocked."""
        untried = Q(heartbeat_at=None, enqueued_at__lte=now, faults=0)
        return untried & ~self.blocked if self.blocked else untried

    def needs_attention(self, now: datetime) -> Q:
        """Whether a row has failed and somebody ought to know."""
        found = IS_FAILED & ~self.ended if self.ended else IS_FAILED
        is_shown_for_some_days = self.is_job and not self.can_retry
        return found & Q(finished_at__gt=now - FAILURE_SHOWN) if is_shown_for_some_days else found
