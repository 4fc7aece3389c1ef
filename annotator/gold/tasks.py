"""Making gold, as soon as a round is compared or imported gold can be placed."""

from celery import shared_task

from annotator import pipeline
from annotator.annotations.models import Round
from annotator.common import work
from annotator.common.searches import each_by_itself, search
from annotator.common.work import WorkQuerySet
from annotator.gold import finalisation, queries
from annotator.gold.models import Gold
from annotator.pages.models import ImportedGold

AT_ONCE = 500


@shared_task(**work.LIMITS)
def finalise_round(round_id: int) -> None:
    _finalise(Round.objects.get(pk=round_id))


@shared_task(**work.LIMITS)
def finalise_missing() -> None:
    each_by_itself(_finalise, search(queries.rounds_to_finalise, at_once=AT_ONCE))


def _finalise(round_: Round) -> None:
    made = finalisation.finalise_round(round_=round_)
    if isinstance(made, Gold):
        pipeline.gold_finalised(made.pk, is_live=True)


@shared_task(**work.LIMITS)
def align_imported(imported_id: int) -> None:
    """Does nothing while the page has no document; `document_built` and the sweeper call again."""
    for gold in _align(ImportedGold.objects.filter(pk=imported_id)):
        pipeline.gold_finalised(gold.pk, is_live=False)


@shared_task(**work.LIMITS)
def align_waiting(page_id: int) -> None:
    """Nobody is told: what follows gold is scores, and these come with the page's first extractions."""
    _align(ImportedGold.objects.filter(page=page_id).order_by("pk"))


def _align(rows: WorkQuerySet[ImportedGold]) -> list[Gold]:
    placeable = rows.filter(page__finished_at__isnull=False)
    attempted = work.attempt_each(placeable, finalisation.align_imported)
    return [gold for _row, gold in attempted if gold]
