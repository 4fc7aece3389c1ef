"""The sweeper: whatever the broker lost or a dead worker held, somebody takes up again (law 8)."""

from celery import shared_task

from annotator import journey
from annotator.common.health import note_sweep


@shared_task(ignore_result=True)
def sweep() -> None:
    """Hint again at every row that is due, then let each step look for work nobody asked for."""
    note_sweep()
    journey.hint_due()
    journey.look_for_missing()
