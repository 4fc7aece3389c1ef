"""What Celery's beat starts: the sweeper, and the end of sessions that nobody can use any more."""

from celery import shared_task
from django.core.management import call_command

from annotator import pipeline
from annotator.common.health import note_sweep


@shared_task(ignore_result=True)
def sweep() -> None:
    """Enqueue every row that is due, then let each step look for work that was never requested.

    What the broker lost or a dead worker held is enqueued again so (invariant 8).
    """
    note_sweep()
    pipeline.enqueue_due()
    pipeline.find_missing()


@shared_task(ignore_result=True)
def clear_sessions() -> None:
    """Delete the sessions that have expired."""
    call_command("clearsessions")
