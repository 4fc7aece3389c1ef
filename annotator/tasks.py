"""The sweeper: what the broker lost or a dead worker held is enqueued again (invariant 8)."""

from celery import shared_task

from annotator import pipeline
from annotator.common.health import note_sweep


@shared_task(ignore_result=True)
def sweep() -> None:
    """Enqueue every row that is due, then let each step look for work that was never requested."""
    note_sweep()
    pipeline.enqueue_due()
    pipeline.find_missing()
