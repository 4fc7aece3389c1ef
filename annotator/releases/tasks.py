"""Releases, made by the bulk workers; what golds are made of, counted as they come."""

from celery import shared_task

from annotator.common import work
from annotator.releases import actions
from annotator.releases.models import Release

AT_ONCE = 200


# A release of a large corpus takes long; its heartbeat, not a time limit, says that it is alive.
@shared_task
def make_release(release_id: int) -> None:
    release = work.claim(Release, release_id)
    if release:
        work.attempt(release, actions.make)


@shared_task(**work.LIMITS)
def count_missing() -> None:
    actions.count_missing(at_once=AT_ONCE)
