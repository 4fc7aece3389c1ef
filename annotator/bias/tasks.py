"""What settling changed, worked out when gold comes."""

from celery import shared_task

from annotator import journey
from annotator.bias import actions, queries
from annotator.bias.models import Change
from annotator.common import work
from annotator.gold.models import Gold

AT_ONCE = 500


@shared_task(**work.LIMITS)
def request_for_gold(gold_id: int) -> None:
    _request(Gold.objects.get(pk=gold_id))


@shared_task(**work.LIMITS)
def compare_with_gold(change_id: int) -> None:
    change = work.claim(Change, change_id)
    if change:
        work.attempt(change, actions.compare_with_gold)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    for gold in queries.settled_gold().filter(change=None).order_by("pk")[:AT_ONCE]:
        _request(gold)


def _request(gold: Gold) -> None:
    change = actions.request_change(gold=gold)
    if change:
        journey.change_requested(change)
