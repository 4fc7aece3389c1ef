"""Builds releases, on the queue `bulk`, counts new gold, and removes what take-downs have left."""

from celery import shared_task

from annotator.common import work
from annotator.releases import actions, takedown
from annotator.releases.exports.actions import remove_scratch
from annotator.releases.models import Release

AT_ONCE = 200


# No time limit: a large release takes long, and its heartbeat shows that it is alive.
@shared_task
def build_release(release_id: int) -> None:
    work.run(Release, release_id, actions.build_release)


@shared_task(**work.LIMITS)
def count_missing() -> None:
    actions.count_missing(at_once=AT_ONCE)


@shared_task(**work.LIMITS)
def remove_left_files() -> None:
    takedown.remove_left_files()
    remove_scratch()
