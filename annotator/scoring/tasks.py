"""Scores, worked out whenever gold or an extraction appears."""

from celery import shared_task

from annotator import journey
from annotator.common import work
from annotator.gold.models import Gold
from annotator.runs.models import Extraction
from annotator.scoring import actions, queries
from annotator.scoring.models import Measurement, Score

AT_ONCE = 2_000


@shared_task(**work.LIMITS)
def request_for_gold(gold_id: int) -> None:
    gold = Gold.objects.get(pk=gold_id)
    actions.touch_board(gold.page.corpus_id)
    journey.scores_requested(actions.request_scores(actions.cells_of_gold(gold)))


@shared_task(**work.LIMITS)
def request_for_extraction(extraction_id: int) -> None:
    extraction = Extraction.objects.get(pk=extraction_id)
    journey.scores_requested(actions.request_scores(actions.cells_of_extraction(extraction)))


@shared_task(**work.LIMITS)
def score_extraction(score_id: int) -> None:
    row = work.claim(Score, score_id)
    if row:
        work.attempt(row, actions.score)


@shared_task(**work.LIMITS)
def measure_score(measurement_id: int) -> None:
    row = work.claim(Measurement, measurement_id)
    if row:
        work.attempt(row, actions.measure_again)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    cells = list(queries.unscored().values_list("gold_id", "pk")[:AT_ONCE])
    journey.scores_requested(actions.request_scores(cells))


@shared_task(**work.LIMITS)
def measure_missing() -> None:
    """Scores that a worker of an earlier version wrote after the migration, without the other metrics.

    For `run_extractors`; not every sweep can look through all scores for what there hardly is.
    """
    older = list(queries.unmeasured().values_list("pk", flat=True)[:AT_ONCE])
    journey.measurements_requested(actions.request_measurements(older))
