"""Scoring, whenever there is new gold or a new extraction."""

from functools import cache, partial

from celery import shared_task

from annotator import pipeline
from annotator.common import work
from annotator.common.searches import search
from annotator.corpora.queries import label_sets_of
from annotator.gold.models import NOT_BY_PEOPLE, Gold
from annotator.scoring import actions, queries, remeasuring
from annotator.scoring.leaderboard import actions as leaderboard
from annotator.scoring.leaderboard import analyses
from annotator.scoring.models import (
    Analysis,
    Counting,
    Measurement,
    Remeasuring,
    StoredLeaderboard,
    TotalsCheck,
)
from annotator.scoring.totals.queries import corpora_behind, counted_corpora, is_behind

AT_ONCE = 2_000


@shared_task(**work.LIMITS)
def request_for_gold(gold_id: int) -> None:
    gold = Gold.objects.get(pk=gold_id)
    scores = actions.request_scores(actions.pairs_of_gold(gold))
    pipeline.scores_requested(scores, is_live=gold.source not in NOT_BY_PEOPLE)
    _count(gold.page.corpus_id, is_live=queries.is_just_made(gold))


@shared_task(**work.LIMITS)
def touch_leaderboard(corpus_id: int) -> None:
    """Another extractor is on the leaderboard."""
    actions.touch_leaderboard(corpus_id)


@shared_task(**work.LIMITS)
def count_corpus(corpus_id: int) -> None:
    """Gold and scores of the corpus are gone."""
    _count(corpus_id)


@shared_task(**work.LIMITS)
def request_for_extractions(*extraction_ids: int) -> None:
    """Request their scores, and compute them at once: there are no more than one message would name."""
    scores = actions.request_scores(actions.pairs_of_extractions(extraction_ids))
    score_extractions(*(row.pk for row in scores))


@shared_task(**work.LIMITS)
def score_extractions(*score_ids: int) -> None:
    """Compute these scores; what belongs to one gold or one corpus is read once."""
    label_sets = cache(label_sets_of)
    score = partial(actions.score, label_sets=label_sets)
    attempted = work.attempt_each(queries.scores_to_compute(score_ids), score)
    scored = [row for row, is_done in attempted if is_done]
    for corpus in {row.gold.page.corpus for row in scored}:
        remeasuring.check_labels(corpus, label_sets(corpus))
        of_corpus = (row.gold for row in scored if row.gold.page.corpus_id == corpus.pk)
        _count(corpus.pk, is_live=any(map(queries.is_just_made, of_corpus)))


@shared_task(**work.LIMITS)
def measure_score(measurement_id: int) -> None:
    label_sets = cache(label_sets_of)
    row = work.claim(Measurement, measurement_id)
    if row and work.attempt(row, partial(actions.measure_again, label_sets=label_sets)):
        corpus = row.score.gold.page.corpus
        remeasuring.check_labels(corpus, label_sets(corpus))
        _count(corpus.pk)


@shared_task(**work.LIMITS)
def open_measurements(remeasuring_id: int) -> None:
    work.run(Remeasuring, remeasuring_id, remeasuring.open_measurements)


# ---- totals ----


# No time limit, as a whole corpus may have to be counted; the heartbeat says that the worker is alive.
@shared_task
def count_pages(counting_id: int) -> None:
    row = work.claim(Counting, counting_id)
    if row and work.attempt(row, actions.count_pages) and is_behind(row.corpus):
        # It was noted after the last look, by somebody who found this row open still.
        _count(row.corpus_id, is_live=queries.is_awaited(row.corpus))


@shared_task(**work.LIMITS)
def request_counting() -> None:
    for corpus_id in corpora_behind():
        _count(corpus_id)


# No time limit: the lock of a corpus may have to be waited for.
@shared_task
def check_totals(check_id: int) -> None:
    work.run(TotalsCheck, check_id, actions.check_totals)


@shared_task(**work.LIMITS)
def request_checks() -> None:
    """Every night."""
    for corpus_id in counted_corpora():
        requested = actions.request_check(corpus_id)
        if requested:
            pipeline.enqueue(requested)


def _count(corpus_id: int, *, is_live: bool = False) -> None:
    requested, is_new = actions.request_counting(corpus_id)
    # Somebody who waits does not wait for a message that is for later.
    if is_live or is_new:
        pipeline.counting_requested(requested, is_live=is_live)


# No time limit, as a large corpus takes long; the heartbeat says that the worker is alive.
@shared_task
def compute_leaderboard(stored_id: int) -> None:
    work.run(StoredLeaderboard, stored_id, leaderboard.compute)


# No time limit, as above.
@shared_task
def analyse(analysis_id: int) -> None:
    work.run(Analysis, analysis_id, analyses.compute)


@shared_task(**work.LIMITS)
def request_missing() -> None:
    pairs = list(search(queries.unscored, at_once=AT_ONCE))
    pipeline.scores_requested(actions.request_scores(pairs))
