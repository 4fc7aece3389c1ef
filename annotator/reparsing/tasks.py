"""Pages moved to another parser version, by the bulk workers, one job a page."""

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded

from annotator import journey
from annotator.common import work
from annotator.gold.models import Gold
from annotator.pages.actions import make_document
from annotator.pages.models import Document, Page
from annotator.pages.tasks import parser
from annotator.reparsing import actions, queries
from annotator.reparsing.actions import Outcome
from annotator.reparsing.models import Move


@shared_task(**work.LIMITS)
def move_page(move_id: int) -> None:
    move = work.claim(Move, move_id) if queries.movable(move_id) else None
    outcome = work.attempt(move, _move) if move else None
    if move and outcome == Outcome.AGAIN:
        journey.hint(move)
    elif move and outcome == Outcome.MOVED:
        move.refresh_from_db()
        journey.page_moved(move.gold_id)


def _move(move: Move) -> Outcome:
    try:
        return actions.move_page(move, _make)
    except SoftTimeLimitExceeded:
        parser().close()  # its child may be in the middle of an answer
        raise


def _make(page: Page, version: str) -> Document:
    return make_document(page=page, parser=parser(), version=version)


@shared_task(**work.LIMITS)
def go_on(gold_id: int) -> None:
    """Its page is settled: what waited for that goes on."""
    journey.moves_requested(actions.wake(gold=Gold.objects.get(pk=gold_id)))
