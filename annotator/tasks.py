"""What Celery's beat starts, the sweeper above all; and tasks that do what follows a row, step by step."""

from collections.abc import Iterable

from celery import current_app, shared_task
from django.core.management import call_command

from annotator import pipeline
from annotator.common import work
from annotator.common.health import note_sweep
from annotator.common.searches import each_by_itself


@shared_task(**work.LIMITS)
def follow_document(page_id: int) -> None:
    _take_each(pipeline.AFTER_DOCUMENT, page_id)


@shared_task(**work.LIMITS)
def follow_gold(gold_id: int) -> None:
    _take_each(pipeline.AFTER_GOLD, gold_id)


def _take_each(steps: Iterable[str], pk: int) -> None:
    """Do the tasks of these names. The sweeper looks for what one that fails should have requested."""
    each_by_itself(lambda name: current_app.tasks[name](pk), steps)


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
