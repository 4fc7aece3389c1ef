"""How much background work of each kind is left in a corpus, its rate, and when it may end."""

from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from django.db.models.base import Model
from django.utils import timezone

from annotator.common import work
from annotator.common.work import Work

# The rate is that of the last minutes, so that it follows what the machine is doing now.
WINDOW = timedelta(minutes=5)


@dataclass(frozen=True)
class WorkProgress:
    """Rows of one kind of work in a corpus that are not done, by state, and how many were finished lately."""

    waiting: int = 0
    running: int = 0
    # Put off again and again because of the machine.
    overloaded: int = 0
    failed: int = 0
    # Finished within WINDOW; counted only while something is open.
    recent: int = 0

    @property
    def open(self) -> int:
        return self.waiting + self.running + self.overloaded

    @property
    def per_minute(self) -> float:
        return self.recent / (WINDOW / timedelta(minutes=1))

    @property
    def minutes_left(self) -> int | None:
        """Minutes until all is done at the present rate; None where nothing was finished lately."""
        return ceil(self.open / self.per_minute) if self.open and self.recent else None


def progress_by_kind(corpus: Model) -> dict[type[Work], WorkProgress]:
    """The progress of each kind in which something is not done: one query more for each with open rows."""
    counted: dict[type[Work], dict[str, int]] = {}
    for model, state, rows, _oldest in work.counts(corpus):
        if rows:
            counted.setdefault(model, {})[state] = rows
    return {
        model: WorkProgress(**states, recent=_recent(model, corpus) if states.keys() - {"failed"} else 0)
        for model, states in counted.items()
    }


def _recent(model: type[Work], corpus: Model) -> int:
    return model.objects.of_corpus(corpus).filter(finished_at__gte=timezone.now() - WINDOW).count()
