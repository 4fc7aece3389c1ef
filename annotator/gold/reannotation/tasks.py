"""Opening re-annotation rounds, on the bulk queue."""

from celery import shared_task

from annotator.common import work
from annotator.gold.reannotation import actions, queries
from annotator.gold.reannotation.models import Reannotation


# No time limit, as many pages take long; the heartbeat says that the worker is alive.
@shared_task
def open_rounds(reannotation_id: int) -> None:
    if queries.is_active(reannotation_id):
        work.run(Reannotation, reannotation_id, actions.open_rounds)
