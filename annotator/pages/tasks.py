"""Builds documents, in a child process of the worker that can be killed."""

import atexit
from functools import lru_cache

from celery import shared_task

from annotator import pipeline
from annotator.common import work
from annotator.pages import actions
from annotator.pages.models import Page, StoredDocument
from extraction.sandbox import Parser


@lru_cache(maxsize=1)
def parser() -> Parser:
    """The parser of this worker process, started for its first page."""
    started = Parser()
    atexit.register(started.close)
    return started


@shared_task(**work.LIMITS)
def build_document(page_id: int) -> None:
    page = work.claim(Page, page_id)
    if page is None:
        return
    if work.attempt(page, _build):
        pipeline.document_built(page.pk)


def _build(page: Page) -> StoredDocument | None:
    return actions.build_document(page, parser())
