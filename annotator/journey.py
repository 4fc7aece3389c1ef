"""What happens next, from a page's arrival to a figure on the board, top to bottom.

The only module that enqueues, by task name and after commit; it imports no capability folder. Every message
is a hint (law 8): what is lost here, `hint_due` and `look_for_missing` find again, because all of it is rows.

    page added ---------> its document is built
    document built -----> its extractors run; its main round opens; gold that came with it is aligned
    extraction made ----> scored against the current gold, if there is any
    slot submitted -----> with the last slot of the round: the annotations are compared; checks that are due
    round compared -----> gold at once, or an adjudication
    gold settled -------> every extraction of the page is scored; what settling changed is counted
    renewal asked for -> rounds of settled pages are opened again, for another guideline
    score written ------> the board's version moves
    corpus re-parsed ---> page by page: document, extractions, gold and scores are made, then all of it counts
"""

from collections.abc import Iterable
from itertools import islice

from celery import current_app
from django.db import transaction
from django.utils import timezone

from annotator.common.work import Work, kinds

# How many rows of one kind a sweep hints at; the next sweep takes the next ones.
HINTS_PER_SWEEP = 500

# Tasks that look, in the whole database, for work that should have been asked for and was not.
LOOKERS = (
    "annotator.runs.tasks.request_missing",
    "annotator.annotations.tasks.open_missing_rounds",
    "annotator.annotations.tasks.weigh_missing",
    "annotator.annotations.tasks.let_former_in",
    "annotator.agreement.tasks.request_missing",
    "annotator.agreement.tasks.tally_missing",
    "annotator.gold.tasks.settle_missing",
    "annotator.control.tasks.look_for_missing",
    "annotator.bias.tasks.request_missing",
    "annotator.releases.tasks.count_missing",
    "annotator.scoring.tasks.request_missing",
)


# ---- the journey ----


def page_added(page: Work) -> None:
    hint(page)


def document_built(page_id: int) -> None:
    _send("annotator.runs.tasks.request_extractions", page_id)
    _send("annotator.annotations.tasks.open_round", page_id)
    _send("annotator.gold.tasks.align_waiting", page_id)


def extractions_requested(extractions: Iterable[Work]) -> None:
    for extraction in extractions:
        hint(extraction)


def extraction_made(extraction_id: int) -> None:
    _send("annotator.scoring.tasks.request_for_extraction", extraction_id)


def gold_arrived(imported: Work) -> None:
    """Gold came with a page; `document_built` sends it on its way again if the page is not parsed yet."""
    hint(imported)


def slot_submitted(round_id: int, *, is_last: bool, is_controlled: bool) -> None:
    if is_last:
        _send("annotator.agreement.tasks.request_for_round", round_id)
    if is_controlled:
        _send("annotator.control.tasks.after_submission", round_id)


def comparison_requested(agreement: Work) -> None:
    hint(agreement)


def tally_missing(agreement_id: int) -> None:
    """A round was compared before there were tallies; nothing follows."""
    _send("annotator.agreement.tasks.tally", agreement_id, queue="bulk")


def report_requested(report: Work) -> None:
    hint(report)


def round_compared(round_id: int) -> None:
    _send("annotator.gold.tasks.settle_round", round_id)


def gold_settled(gold_id: int) -> None:
    _send("annotator.reparsing.tasks.go_on", gold_id)
    _send("annotator.bias.tasks.request_for_gold", gold_id)
    _send("annotator.scoring.tasks.request_for_gold", gold_id)


def renewal_requested(renewal: Work) -> None:
    hint(renewal)


def change_requested(change: Work) -> None:
    hint(change)


def release_requested(release: Work) -> None:
    hint(release)


def page_taken_down(takedown_id: int) -> None:
    """Files that hold the page go too."""
    _send("annotator.exports.tasks.withdraw_files", takedown_id)


def scores_requested(scores: Iterable[Work]) -> None:
    for score in scores:
        hint(score)


def measurements_requested(measurements: Iterable[Work]) -> None:
    """Of scores that are older than their metrics; nothing follows."""
    for measurement in measurements:
        hint(measurement)


def moves_requested(moves: Iterable[Work]) -> None:
    """The first of them; the sweeper hints at the rest."""
    for move in islice(moves, HINTS_PER_SWEEP):
        hint(move)


def page_moved(gold_id: int | None) -> None:
    """All of it was made before it counted; an extraction that came in between is scored now."""
    if gold_id:
        _send("annotator.scoring.tasks.request_for_gold", gold_id)


def export_requested(export: Work) -> None:
    hint(export)


# ---- hints ----


def hint(row: Work) -> None:
    """Tell the workers, once the transaction is through, that this row waits."""
    _send(row.task, row.pk, queue=row.queue)


def hint_due() -> int:
    """Hint again at rows that wait or were given up; how many."""
    return sum(_hint_due(kind) for kind in kinds())


def _hint_due(kind: type[Work]) -> int:
    now = timezone.now()
    due = list(kind.objects.due(now).order_by("hinted_at").values_list("pk", flat=True)[:HINTS_PER_SWEEP])
    kind.objects.filter(pk__in=due).update(hinted_at=now)
    for pk in due:
        _send(kind.task, pk, queue=kind.queue)
    return len(due)


def look_for_missing() -> None:
    for task in LOOKERS:
        _send(task)


def _send(task: str, *ids: int, queue: str = "interactive") -> None:
    # Left to the sweeper when the broker cannot be reached: the rows are there.
    transaction.on_commit(lambda: _publish(task, ids, queue), robust=True)


def _publish(task: str, ids: tuple[int, ...], queue: str) -> None:
    current_app.send_task(task, args=ids, queue=queue, retry=False)
