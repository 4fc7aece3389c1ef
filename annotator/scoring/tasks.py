"""Scoring, whenever there is new gold or a new extraction."""

from celery import shared_task

from annotator import pipeline
from annotator.common import work
from annotator.common.searches import search
from annotator.gold.models import Gold, GoldSource
from annotator.runs.models import Extraction
from annotator.scoring import actions, queries
from annotator.scoring.leaderboard import actions as leaderboard
from annotator.scoring.leaderboard import analyses
from annotator.scoring.models import Analysis, Measurement, Score, StoredLeaderboard

AT_ONCE = 2_000


@shared_task(**work.LIMITS)
def request_for_gold(gold_id: int) -> None:
    gold = Gold.objects.get(pk=gold_id)
    actions.touch_leaderboard(gold.page.corpus_id)
    scores = actions.request_scores(actions.pairs_of_gold(gold))
    pipeline.scores_requested(scores, is_live=gold.source != GoldSource.IMPORTED)


@shared_task(**work.LIMITS)
def touch_leaderboard(corpus_id: int) -> None:
    """Gold and scores of the corpus are gone."""
    actions.touch_leaderboard(corpus_id)


@shared_task(**work.LIMITS)
def request_for_extraction(extraction_id: int) -> None:
    extraction = Extraction.objects.get(pk=extraction_id)
    pipeline.scores_requested(actions.request_scores(actions.pairs_of_extraction(extraction)))


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


# No time limit, as a large corpus takes long; the heartbeat says that the worker is alive.
@shared_task
def compute_leaderboard(stored_id: int) -> None:
    row = work.claim(StoredLeaderboard, stored_id)
    if row:
        work.attempt(row, leaderboard.compute)


# No time limit, as above.
@shared_task
def analyse(analysis_id: int) -> None:
    row = work.claim(Analysis, analysis_id)
    if row:
        work.attempt(row, analyses.compute)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    pairs = list(search(queries.unscored, at_once=AT_ONCE))
    pipeline.scores_requested(actions.request_scores(pairs))
