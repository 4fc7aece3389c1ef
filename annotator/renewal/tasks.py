"""New rounds for settled pages, opened by the bulk workers."""

from celery import shared_task

from annotator.common import work
from annotator.renewal import actions, queries
from annotator.renewal.models import Renewal


# Many pages take long; its heartbeat, not a time limit, says that it is alive.
@shared_task
def open_rounds(renewal_id: int) -> None:
    renewal = work.claim(Renewal, renewal_id) if queries.goes_on(renewal_id) else None
    if renewal:
        work.attempt(renewal, actions.open_rounds)
