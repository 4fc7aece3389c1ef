"""Rounds, opened by the workers when a page's document is there."""

from celery import shared_task

from annotator.annotations import actions, again, queries
from annotator.annotations.study.disagreement import weigh_rounds
from annotator.common import work
from annotator.pages.models import Page

AT_ONCE = 500


@shared_task(**work.LIMITS)
def open_round(page_id: int) -> None:
    page = Page.objects.filter(pk=page_id).exclude(finished_at=None).filter(error="").first()
    if page:
        actions.open_round(page=page)


@shared_task(**work.LIMITS)
def open_missing_rounds() -> None:
    for page in queries.pages_without_round().order_by("id")[:AT_ONCE]:
        actions.open_round(page=page)


@shared_task(**work.LIMITS)
def weigh_missing() -> None:
    """Where the order is by disagreement, what the extractors of a page said decides its turn."""
    weigh_rounds(at_most=AT_ONCE)


@shared_task(**work.LIMITS)
def let_former_in() -> None:
    """Where people new to a page have become too few for its new round."""
    again.let_former_in(at_most=AT_ONCE)
