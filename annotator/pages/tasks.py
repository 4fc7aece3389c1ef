"""Builds documents, in a child process of the worker that can be killed; checks feeds, at their times."""

import atexit
from functools import lru_cache

from celery import shared_task
from django.utils import timezone

from annotator import pipeline
from annotator.common import work
from annotator.pages import actions
from annotator.pages.feeds import actions as feeds
from annotator.pages.feeds.models import FollowedFeed
from annotator.pages.models import Page
from extraction.sandbox import Parser


@lru_cache(maxsize=1)
def parser() -> Parser:
    """The parser of this worker process, started for its first page."""
    started = Parser()
    atexit.register(started.close)
    return started


@shared_task(**work.LIMITS)
def build_document(page_id: int) -> None:
    if work.run(Page, page_id, lambda page: actions.build_document(page, parser())):
        pipeline.document_built(page_id)


@shared_task(**work.LIMITS)
def check_feed(feed_id: int) -> None:
    if run := work.run(FollowedFeed, feed_id, feeds.check_feed):
        pipeline.import_requested(run)


@shared_task(**work.LIMITS)
def check_due_feeds() -> None:
    for feed in feeds.reopen_due(timezone.now()):
        pipeline.enqueue(feed)
