"""Agreement, worked out when the last slot of a round is submitted."""

from celery import shared_task

from annotator import journey
from annotator.agreement import actions
from annotator.agreement.models import Agreement
from annotator.agreement.queries import without_comparison
from annotator.annotations.models import Round
from annotator.common import work

AT_ONCE = 500


@shared_task(**work.LIMITS)
def request_for_round(round_id: int) -> None:
    _request(Round.objects.get(pk=round_id))


@shared_task(**work.LIMITS)
def compare_round(agreement_id: int) -> None:
    agreement = work.claim(Agreement, agreement_id)
    if agreement and work.attempt(agreement, actions.compare):
        journey.round_compared(agreement.round_id)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    for round_ in without_comparison()[:AT_ONCE]:
        _request(round_)


def _request(round_: Round) -> None:
    agreement = actions.request_comparison(round_=round_)
    if agreement:
        journey.comparison_requested(agreement)
