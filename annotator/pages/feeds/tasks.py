"""Checks feeds, at their times."""

from celery import shared_task
from django.utils import timezone

from annotator import pipeline
from annotator.common import work
from annotator.pages.feeds import actions
from annotator.pages.feeds.models import FollowedFeed


@shared_task(**work.LIMITS)
def check_feed(feed_id: int) -> None:
    feed = work.claim(FollowedFeed, feed_id)
    run = work.attempt(feed, actions.check_feed) if feed else None
    if run:
        pipeline.import_requested(run)


@shared_task(**work.LIMITS)
def check_due_feeds() -> None:
    for feed in actions.reopen_due(timezone.now()):
        pipeline.feed_check_requested(feed)
