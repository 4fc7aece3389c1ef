"""Measuring again after a change of what a label set means."""

from django.db import transaction
from django.db.models import Q

from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_sets_of
from annotator.gold.queries import current_gold
from annotator.scoring.leaderboard.queries import distinguishes
from annotator.scoring.measuring import MEASURED, LabelSets, stored_under
from annotator.scoring.models import Measurement, Remeasuring


def request_remeasuring(corpus: Corpus) -> None:
    """Ask for what `open_measurements` does. The sweeper enqueues it."""
    Remeasuring.objects.create(corpus=corpus)


def open_measurements(row: Remeasuring) -> bool:
    """Open those again, claimed, that lack a label set which their gold can tell now.

    Meanwhile they keep their figures of the others. The sweeper enqueues them. False when another worker took
    this over.
    """
    lacking = Q(pk__in=())
    for name, labels in label_sets_of(row.corpus).items():
        told = Q(score__gold__in=current_gold(row.corpus).filter(distinguishes(labels)))
        lacking |= told & ~Q(**{f"figures__{MEASURED[0]}__has_key": stored_under(name, labels)})
    with transaction.atomic():
        Measurement.objects.done().of_corpus(row.corpus).filter(lacking).open_again()
        return work.finish(row)


def check_labels(corpus: Corpus, measured: LabelSets) -> None:
    """Where labels have changed while scores were measured under these sets, ask for them again.

    Called once the scores are stored: those of another change are seen by its own request.
    """
    if label_sets_of(corpus) != measured:
        request_remeasuring(corpus)
