"""Computing deltas when gold is made, and writing reports of suggestion bias."""

from celery import shared_task

from annotator import pipeline
from annotator.common import work
from annotator.common.searches import each_by_itself, search
from annotator.gold.models import Gold
from annotator.quality.bias import actions, queries
from annotator.quality.bias.models import AdjudicationDelta, BiasReport

AT_ONCE = 500


@shared_task(**work.LIMITS)
def request_for_gold(gold_id: int) -> None:
    _request(Gold.objects.get(pk=gold_id))


@shared_task(**work.LIMITS)
def compare_with_gold(delta_id: int) -> None:
    work.run(AdjudicationDelta, delta_id, actions.compare_with_gold)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    each_by_itself(_request, search(queries.without_delta, at_once=AT_ONCE))


# No time limit, as a large corpus takes long; the heartbeat says that the worker is alive.
@shared_task
def write_report(report_id: int) -> None:
    work.run(BiasReport, report_id, actions.write_report)


def _request(gold: Gold) -> None:
    delta = actions.request_delta(gold=gold)
    if delta:
        pipeline.enqueue(delta)
