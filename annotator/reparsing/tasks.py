"""Re-parsing pages on the bulk queue, one job per page."""

from functools import partial

from celery import shared_task

from annotator import pipeline
from annotator.common import work
from annotator.gold.models import Gold
from annotator.pages.actions import make_document
from annotator.pages.models import Page, StoredDocument
from annotator.pages.tasks import parser
from annotator.reparsing import actions, queries
from annotator.reparsing.actions import ReparseOutcome
from annotator.reparsing.models import ReparseJob


@shared_task(**work.LIMITS)
def reparse_page(job_id: int) -> None:
    job = work.claim(ReparseJob, job_id) if queries.is_active(job_id) else None
    outcome = work.attempt(job, partial(actions.reparse_page, make=_make)) if job else None
    if job and outcome == ReparseOutcome.AGAIN:
        pipeline.enqueue(job)
    elif job and outcome == ReparseOutcome.DONE:
        job.refresh_from_db()
        pipeline.page_reparsed(job.gold_id)


def _make(page: Page, version: str) -> StoredDocument:
    return make_document(page=page, parser=parser(), version=version)


@shared_task(**work.LIMITS)
def resume_waiting(gold_id: int) -> None:
    """Resume the jobs that waited for the page to be finalised."""
    pipeline.enqueue_first(actions.resume_after(gold=Gold.objects.get(pk=gold_id)))
