"""Opening re-annotation rounds, on the bulk queue."""

from celery import shared_task

from annotator.common import work
from annotator.gold.reannotation import actions, queries
from annotator.gold.reannotation.models import Reannotation


# No time limit, as many pages take long; the heartbeat says that the worker is alive.
@shared_task
def open_rounds(reannotation_id: int) -> None:
    reannotation = work.claim(Reannotation, reannotation_id) if queries.is_active(reannotation_id) else None
    if reannotation:
        work.attempt(reannotation, actions.open_rounds)
