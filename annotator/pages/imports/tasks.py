"""Looks through, does and undoes imports."""

from celery import shared_task

from annotator import pipeline
from annotator.common import work
from annotator.common.errors import GoldpanError
from annotator.pages.actions import AddedPage
from annotator.pages.imports import importing, preview, undoing, uploads
from annotator.pages.imports.models import BY_COMMAND, Import
from extraction.formats import FormatError


# No time limit: a large import takes long, and its heartbeat shows that it is alive.
@shared_task
def work_on_import(import_id: int) -> None:
    """Take the next step of an import: look through it, import it, or undo that."""
    if Import.objects.filter(BY_COMMAND, pk=import_id).exists():
        return
    work.run(Import, import_id, _take_step)


def _take_step(run: Import) -> None:
    try:
        if run.undo_requested_at:
            if undoing.undo(run):
                pipeline.import_undone(run.corpus_id)
        elif run.completed_at or run.cancelled_at:
            work.finish(run)
        elif run.confirmed_at is None:
            preview.preview(run)
        else:
            for added in importing.import_records(run):
                enqueue(added)
    except (GoldpanError, FormatError) as error:
        work.fail(run, error=str(error))


def enqueue(added: AddedPage | None) -> None:
    """Let a page that was just imported be worked on."""
    if added and added.new:
        pipeline.enqueue(added.page)
    elif added and added.gold:
        # That of a new page waits for the page's document.
        pipeline.enqueue(added.gold)


@shared_task(**work.LIMITS)
def remove_old_uploads() -> None:
    uploads.remove_old_uploads()
