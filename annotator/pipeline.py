"""What happens next, from a page's arrival to a score on the leaderboard, top to bottom.

The only module that enqueues: by task name, and after commit. It imports no capability folder. A lost message
does no harm: every step is a row, so `enqueue_due` and `find_missing` find it again (invariant 8). A message
goes to the queue of those who wait for it: `live` is what a person has just set off.

    feed due -------------> it is checked; its new pages are an import
    import requested -----> its records are looked through, and stored once somebody has asked for it
    page added -----------> its document is built
    document built -------> its extractors run; its main round opens; gold imported with it is aligned;
                            its view is made again with the captured style sheets and images, if it has any
    run of an extractor --> extractions are asked for, some at a time; once whole, it is on the board
    extraction made ------> scored against the current gold, if there is any
    slot submitted -------> if the last of its round, the annotations are compared; due quality checks open
    round compared -------> gold at once, or an adjudication
    gold finalised -------> all extractions of the page are scored; it is compared with its annotations
    re-annotation asked --> new rounds open on pages that have gold
    model asked for -----> it learns from a release; then a run of its extractor starts
    learning curve asked -> trees are grown of parts of a release, and look at pages of other sites
    corpus re-parsed -----> page by page: document, extractions, gold and scores are made, then become current
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import islice

from celery import current_app
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from annotator.common.batches import batched
from annotator.common.logs import request_id
from annotator.common.queues import IMPORT, LIVE, SCORE, SWEEP, waiting_in
from annotator.common.work import Work, sweep_tasks, work_models

# The tasks that one message of `document_built` stands for, and one of `gold_finalised`; each takes its id.
AFTER_DOCUMENT = (
    "annotator.annotations.tasks.open_round",
    "annotator.gold.tasks.align_waiting",
    "annotator.runs.tasks.request_extractions",
    "annotator.pages.assets.tasks.request_look",
)
AFTER_GOLD = (
    "annotator.scoring.tasks.request_for_gold",
    "annotator.quality.bias.tasks.request_for_gold",
    "annotator.reparsing.tasks.resume_waiting",
)

# How many rows of one kind a sweep enqueues; the next sweep takes the next ones.
MESSAGES_PER_SWEEP = 500
# Rows of one kind that share a message, so that their task reads once what they have in common.
ROWS_A_MESSAGE = 8
# How long totals wait for the scores of more pages, where nobody waits for them.
COUNTED_AFTER = timedelta(seconds=5)
# A message that was sent to a queue in which others wait is taken for lost after this long.
LOST = timedelta(minutes=10)


# ---- the pipeline ----


def import_requested(run: Work, *, is_preview: bool = False) -> None:
    """Somebody waits for a preview; an import may take long."""
    enqueue(run, queue=LIVE if is_preview else None)


def import_undone(corpus_id: int) -> None:
    _send("annotator.scoring.tasks.count_corpus", corpus_id, queue=SCORE)


def pages_to_be_counted(corpus_id: int) -> None:
    """A screen has shown counts of some age."""
    _send("annotator.home.tasks.count_pages", corpus_id, queue=SCORE)


def document_built(page_id: int) -> None:
    _send("annotator.tasks.follow_document", page_id, queue=IMPORT)


def extractions_requested(extractions: Iterable[Work]) -> None:
    _enqueue_together(extractions)


def extractors_wanted(corpus_id: int) -> None:
    """Somebody waits for what the enabled extractors have not done yet."""
    _send("annotator.runs.tasks.request_in_corpus", corpus_id, queue=IMPORT)


def run_requested(run: Work) -> None:
    """Somebody has started or resumed a run of an extractor."""
    enqueue(run, queue=LIVE)


def run_continues(run: Work) -> None:
    """Take its next step when it is due."""
    _send(run.kind.task, run.pk, queue=run.kind.queue, at=run.enqueued_at)


def extractors_changed(corpus_id: int) -> None:
    """A run was completed: its extractor is on the leaderboard now."""
    _send("annotator.scoring.tasks.touch_leaderboard", corpus_id, queue=SCORE)


def extractions_made(extraction_ids: Sequence[int]) -> None:
    _send("annotator.scoring.tasks.request_for_extractions", *extraction_ids, queue=SCORE)


def slot_submitted(round_id: int, *, is_last: bool, is_controlled: bool) -> None:
    if is_last:
        _send("annotator.agreement.tasks.request_for_round", round_id)
    if is_controlled:
        _send("annotator.quality.checks.tasks.after_submission", round_id)


def round_compared(round_id: int) -> None:
    _send("annotator.gold.tasks.finalise_round", round_id)


def gold_finalised(gold_id: int, *, is_live: bool) -> None:
    """`is_live`: annotators or an adjudicator made it just now; otherwise it was imported."""
    _send("annotator.tasks.follow_gold", gold_id, queue=LIVE if is_live else SCORE)


def scores_requested(scores: Iterable[Work], *, is_live: bool = False) -> None:
    _enqueue_together(scores, queue=LIVE if is_live else SCORE)


def counting_requested(counting: Work, *, is_live: bool) -> None:
    """Totals are behind. `is_live`: by what people have just decided; otherwise more pages will follow."""
    at = None if is_live else timezone.now() + COUNTED_AFTER
    _send(counting.kind.task, counting.pk, queue=counting.kind.queue, at=at)


def analysis_requested(analysis: Work, *, is_small: bool) -> None:
    """A small one is done within seconds, and its screen waits for it."""
    enqueue(analysis, queue=LIVE if is_small else None)


def page_reparsed(gold_id: int | None) -> None:
    """Score the extractions that were made while the page was being parsed again."""
    if gold_id:
        _send("annotator.scoring.tasks.request_for_gold", gold_id, queue=SCORE)


# ---- messages ----


def enqueue(row: Work, *, queue: str | None = None) -> None:
    """Tell the workers, once the transaction is committed, that this row waits."""
    _send(row.kind.task, row.pk, queue=queue or row.kind.queue)


def enqueue_first(rows: Iterable[Work]) -> None:
    """Enqueue no more than a sweep does; the sweeper enqueues the rest."""
    for row in islice(rows, MESSAGES_PER_SWEEP):
        enqueue(row)


def _enqueue_together(rows: Iterable[Work], *, queue: str | None = None) -> None:
    """As `enqueue`, several rows of one kind in a message: their task does one after the other."""
    for some in batched(rows, ROWS_A_MESSAGE):
        kind = some[0].kind
        _send(kind.task, *(row.pk for row in some), queue=queue or kind.queue)


def enqueue_due() -> int:
    """Enqueue the rows again that have waited too long or whose worker died; return how many."""
    waiting = waiting_in()
    return sum(_enqueue_due(model, is_busy=waiting[model.kind.queue] > 0) for model in work_models())


def _enqueue_due(model: type[Work], *, is_busy: bool) -> int:
    now = timezone.now()
    rows = model.objects.due(now)
    if is_busy:
        # Their messages are among those that wait, unless a worker took them and died.
        untaken = Q(heartbeat_at=None) | Q(heartbeat_at__lt=F("enqueued_at"))
        rows = rows.exclude(untaken, enqueued_at__gte=now - LOST)
    due = list(rows.order_by("enqueued_at").values_list("pk", flat=True)[:MESSAGES_PER_SWEEP])
    # Some may be finished by now.
    model.objects.open().filter(pk__in=due).update(enqueued_at=now)
    for pk in due:
        _send(model.kind.task, pk, queue=model.kind.queue)
    return len(due)


def find_missing() -> None:
    """Let every step look for work that should have been requested and was not, unless it does so already."""
    if not waiting_in()[SWEEP]:
        for task in sweep_tasks():
            _send(task, queue=SWEEP)


def _send(task: str, *ids: int, queue: str = LIVE, at: datetime | None = None) -> None:
    """`at` is when a worker is to take it up, if that is later."""
    # When the broker cannot be reached, the sweeper finds the rows.
    transaction.on_commit(lambda: _publish(task, ids, queue, at), robust=True)


def _publish(task: str, ids: tuple[int, ...], queue: str, at: datetime | None) -> None:
    headers = {"request_id": request_id.get()}
    current_app.send_task(task, args=ids, queue=queue, retry=False, headers=headers, eta=at)
