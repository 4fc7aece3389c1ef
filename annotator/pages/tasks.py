"""Documents, made by a worker's killable child."""

import atexit
from functools import lru_cache

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded

from annotator import journey
from annotator.common import work
from annotator.pages import actions
from annotator.pages.models import Document, Page
from extraction.sandbox import Parser

# Below the task's soft limit: a page that stalls the child is the child's failure, not the worker's.
WALL_SECONDS = 20.0


@lru_cache(maxsize=1)
def parser() -> Parser:
    """This worker process's own parser child, started at its first page."""
    started = Parser(wall_seconds=WALL_SECONDS)
    atexit.register(started.close)
    return started


@shared_task(**work.LIMITS)
def build_document(page_id: int) -> None:
    page = work.claim(Page, page_id)
    if page is None:
        return
    document = work.attempt(page, _build)
    if document:
        journey.document_built(page.pk)


def _build(page: Page) -> Document | None:
    try:
        return actions.build_document(page, parser())
    except SoftTimeLimitExceeded:
        parser().close()  # its child is in the middle of an answer
        raise
