"""Measuring again after a change of what a label set means."""

from django.db.models import Q
from django.utils import timezone

from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_sets_of
from annotator.gold.queries import current_gold
from annotator.scoring.leaderboard.queries import distinguishes
from annotator.scoring.measuring import MEASURED, stored_under
from annotator.scoring.models import Measurement


def open_measurements(corpus: Corpus) -> int:
    """Open those again that lack a label set which their gold can tell now; return how many.

    Meanwhile they keep their figures of the others. The sweeper enqueues them.
    """
    lacking = Q(pk__in=())
    for name, labels in label_sets_of(corpus).items():
        told = Q(score__gold__in=current_gold(corpus).filter(distinguishes(labels)))
        lacking |= told & ~Q(**{f"figures__{MEASURED[0]}__has_key": stored_under(name, labels)})
    now = timezone.now()
    free = {"finished_at": None, "heartbeat_at": None, "token": None, "attempts": 0}
    rows = Measurement.objects.done().of_corpus(corpus).filter(lacking)
    return rows.update(requested_at=now, enqueued_at=now, **free)
