"""Comparing rounds when their last slot is submitted, and writing reports of large corpora."""

from celery import shared_task

from annotator import pipeline
from annotator.agreement import actions
from annotator.agreement.models import Agreement, AgreementReport
from annotator.agreement.queries import without_comparison
from annotator.annotations.models import Round
from annotator.common import work
from annotator.common.searches import each_by_itself, search

AT_ONCE = 500


@shared_task(**work.LIMITS)
def request_for_round(round_id: int) -> None:
    _request(Round.objects.get(pk=round_id))


@shared_task(**work.LIMITS)
def compare_round(agreement_id: int) -> None:
    agreement = work.claim(Agreement, agreement_id)
    if agreement and work.attempt(agreement, actions.compare):
        pipeline.round_compared(agreement.round_id)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    each_by_itself(_request, search(without_comparison, at_once=AT_ONCE))


def _request(round_: Round) -> None:
    agreement = actions.request_comparison(round_=round_)
    if agreement:
        pipeline.enqueue(agreement)


# No time limit, as a large corpus takes long; the heartbeat says that the worker is alive.
@shared_task
def write_report(report_id: int) -> None:
    work.run(AgreementReport, report_id, actions.write_report)
