"""Agreement, worked out when the last slot of a round is submitted, and when somebody looks at much of it."""

from celery import shared_task

from annotator import journey
from annotator.agreement import actions
from annotator.agreement.models import Agreement, Report
from annotator.agreement.queries import without_comparison, without_tally
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


@shared_task(**work.LIMITS)
def tally(agreement_id: int) -> None:
    actions.tally(agreement=Agreement.objects.get(pk=agreement_id))


@shared_task(**work.LIMITS)
def tally_missing() -> None:
    """Rounds that were compared before there were tallies."""
    for pk in without_tally().order_by("pk").values_list("pk", flat=True)[:AT_ONCE]:
        journey.tally_missing(pk)


# A report of a large corpus takes long; its heartbeat, not a time limit, says that it is alive.
@shared_task
def write_report(report_id: int) -> None:
    report = work.claim(Report, report_id)
    if report:
        work.attempt(report, actions.write_report)
