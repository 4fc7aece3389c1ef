"""Settling, done by the workers as soon as a round is compared or imported gold can be placed."""

from celery import shared_task

from annotator import journey
from annotator.annotations.models import Round
from annotator.common import work
from annotator.gold import actions, imported, queries
from annotator.gold.models import Gold
from annotator.pages.models import ImportedGold

AT_ONCE = 500


@shared_task(**work.LIMITS)
def settle_round(round_id: int) -> None:
    settled = actions.settle_round(round_=Round.objects.get(pk=round_id))
    if isinstance(settled, Gold):
        journey.gold_settled(settled.pk)


@shared_task(**work.LIMITS)
def settle_missing() -> None:
    for round_ in queries.rounds_to_settle()[:AT_ONCE]:
        settle_round(round_.pk)


@shared_task(**work.LIMITS)
def align_imported(imported_id: int) -> None:
    """Wait for the page's document; `document_built` and the sweeper come back."""
    row = ImportedGold.objects.filter(pk=imported_id, page__finished_at__isnull=False).first()
    claimed = work.claim(ImportedGold, imported_id) if row else None
    gold = work.attempt(claimed, imported.align_imported) if claimed else None
    if gold:
        journey.gold_settled(gold.pk)


@shared_task(**work.LIMITS)
def align_waiting(page_id: int) -> None:
    for row in ImportedGold.objects.filter(page=page_id).open():
        align_imported(row.pk)
