"""Writes exports, on the queue `bulk`."""

from celery import shared_task

from annotator.common import work
from annotator.releases.exports import actions
from annotator.releases.exports.models import Export


# No time limit: a large export takes long, and its heartbeat shows that it is alive.
@shared_task
def write_export(export_id: int) -> None:
    work.run(Export, export_id, actions.write_export)
