"""Runs extractors, on the queue `bulk`."""

from functools import partial

from celery import shared_task

from annotator import pipeline
from annotator.common import work
from annotator.common.errors import GoldpanError
from annotator.common.searches import each_by_itself, search
from annotator.pages.models import StoredDocument
from annotator.runs import actions, queries, running, shrinking
from annotator.runs.models import Extraction, Run, ShrunkPage

# Documents per sweep; the next sweep takes the next ones.
AT_ONCE = 500


@shared_task(**work.LIMITS)
def request_extractions(page_id: int) -> None:
    document = queries.document_of_page(page_id)
    if document:
        wanted = queries.wanted_for(document)
        pipeline.extractions_requested(actions.request_extractions(document=document, enabled=wanted))


@shared_task(**work.LIMITS)
def request_in_corpus(corpus_id: int) -> None:
    """Ask for what is missing in a corpus. The sweeper does so too; an admin does not want to wait for it."""
    enabled = queries.enabled_in(corpus_id)
    for document in queries.documents_without_extraction().filter(page__corpus=corpus_id).iterator():
        pipeline.extractions_requested(actions.request_extractions(document=document, enabled=enabled))


@shared_task(**work.LIMITS)
def run_extractors(*extraction_ids: int) -> None:
    """Run them on their documents, each of which is read once."""
    run = partial(actions.run_extraction, read=actions.document_reader())
    attempted = work.attempt_each(queries.extractions_to_run(extraction_ids), run)
    if any(is_made for _extraction, is_made in attempted):
        pipeline.extractions_made(extraction_ids)


@shared_task(**work.LIMITS)
def work_on_run(run_id: int) -> None:
    """Take the next step of a run, if it is time for it."""
    if running.is_due(run_id):
        take_step(run_id)


def follow(run: Run) -> None:
    """Have a run that was started go on, or show on the board what it has completed at once."""
    if run.completed_at:
        pipeline.extractors_changed(run.corpus_id)
    else:
        pipeline.run_requested(run)


def take_step(run_id: int) -> None:
    """Take the next step of a run, and enqueue what it asks for."""
    run = work.claim(Run, run_id)
    if run is None:
        return
    pipeline.extractions_requested(work.attempt(run, _step) or [])
    run.refresh_from_db()
    if run.completed_at:
        pipeline.extractors_changed(run.corpus_id)
    elif run.finished_at is None and not run.faults:  # otherwise the sweeper enqueues it
        pipeline.run_continues(run)


def _step(run: Run) -> list[Extraction]:
    try:
        return running.take_step(run)
    except GoldpanError as error:  # of a file that cannot be used
        work.fail(run, error=error.message)
        return []


@shared_task(**work.LIMITS)
def shrink_page(shrunk_id: int) -> None:
    work.run(ShrunkPage, shrunk_id, shrinking.shrink_page)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    each_by_itself(_request_missing, search(queries.documents_without_extraction, at_once=AT_ONCE))


def _request_missing(document: StoredDocument) -> None:
    enabled = queries.enabled_in(document.page.corpus_id)
    pipeline.extractions_requested(actions.request_extractions(document=document, enabled=enabled))
