"""Opening the rounds of pages that have a document, and keeping their order."""

from celery import shared_task

from annotator.annotations import actions, queries
from annotator.annotations.rounds import reannotation
from annotator.annotations.study.disagreement import weigh_rounds
from annotator.common import work
from annotator.common.searches import each_by_itself, search
from annotator.pages.models import Page

AT_ONCE = 500


@shared_task(**work.LIMITS)
def open_round(page_id: int) -> None:
    page = Page.objects.done().filter(pk=page_id).first()
    if page:
        actions.open_round(page=page)


@shared_task(**work.LIMITS)
def open_missing_rounds() -> None:
    pages = search(queries.pages_without_round, at_once=AT_ONCE)
    each_by_itself(lambda page: actions.open_round(page=page), pages)


@shared_task(**work.LIMITS)
def weigh_missing() -> None:
    """Where pages are ordered by disagreement, compute that of pages whose extractors are done."""
    weigh_rounds(at_most=AT_ONCE)


@shared_task(**work.LIMITS)
def admit_returning_annotators() -> None:
    """Open rounds to returning annotators where those new to the page have become too few."""
    reannotation.admit_returning_annotators(at_most=AT_ONCE)
