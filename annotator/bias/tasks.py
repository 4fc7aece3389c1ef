"""What settling changed, worked out when gold comes; what suggestions do, when somebody looks."""

from celery import shared_task

from annotator import journey
from annotator.bias import actions, queries
from annotator.bias.models import BiasReport, Change
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


# That of a large corpus takes long; its heartbeat, not a time limit, says that it is alive.
@shared_task
def write_report(report_id: int) -> None:
    row = work.claim(BiasReport, report_id)
    if row:
        work.attempt(row, actions.write_report)


def _request(gold: Gold) -> None:
    change = actions.request_change(gold=gold)
    if change:
        journey.change_requested(change)
