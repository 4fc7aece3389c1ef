"""Re-parsing a corpus: each page switches with its gold in one transaction (invariant 2).

The new document, its extractions, the projected gold and its scores are made first, without effect. Each is a
row that is there or not, so a killed job continues where it stopped.
"""

import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import ngettext

from annotator.annotations.models import Slot
from annotator.common import work
from annotator.common.errors import Conflict
from annotator.common.reasons import MAX_REASON
from annotator.common.triggers import TAKEN_DOWN
from annotator.common.work_kinds import IS_FAILED, STOPPED
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.gold.finalisation import reopen_gold
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Page, StoredDocument
from annotator.releases.models import Takedown
from annotator.reparsing import queries
from annotator.reparsing.models import Reparse, ReparseJob
from annotator.reparsing.projection import CHANGED, LOST, SAME, GoldProjection, project_gold
from annotator.runs.actions import request_extractions, run_extraction
from annotator.runs.models import Extraction
from annotator.runs.queries import wanted_for
from annotator.scoring.actions import request_scores, score
from annotator.scoring.models import Score
from extraction.documents.document import PARSER_VERSION

AT_ONCE = 1_000
# Seconds after which a job requeues itself, well below its time limit.
BUDGET = 10.0
# When a page in work is tried again, unless its gold is finalised before.
RETRY_IN_WORK = timedelta(minutes=5)
SOON = timedelta(seconds=2)


# Makes the document of a page with a parser version, or raises.
Make = Callable[[Page, str], StoredDocument]


class ReparseOutcome(StrEnum):
    """The outcome of one attempt at a job."""

    DONE = "done"
    WAITS = "waits"  # the page is in work
    AGAIN = "again"  # unfinished, or something changed meanwhile: try again at once


# ---- start and stop ----


@transaction.atomic
def start(*, corpus: Corpus, user: User | None = None) -> Reparse:
    """Re-parse the corpus with the installed parser; a stopped or failed run is resumed.

    What is left of runs of other versions ends, as no worker has their parser.
    """
    run, _new = Reparse.objects.get_or_create(
        corpus=corpus, version=PARSER_VERSION, defaults={"requested_by": user}
    )
    now = timezone.now()
    others = Reparse.objects.filter(corpus=corpus).exclude(pk=run.pk)
    ReparseJob.objects.filter(run__in=others).open().update(finished_at=now, error=STOPPED)
    Reparse.objects.filter(pk=run.pk).update(stopped_at=None)
    run.refresh_from_db()
    _add_jobs(run)
    # Another parser may have made the page's document meanwhile.
    before = Page.objects.filter(pk=OuterRef("page")).values("document")
    run.jobs.filter(IS_FAILED | Q(error=STOPPED)).open_again(document_before=Subquery(before))
    queries.open_jobs(run).update(requested_at=now, enqueued_at=now)
    record(AuditAction.REPARSE_STARTED, corpus=corpus, by=user, item=run.version)
    return run


def _add_jobs(run: Reparse) -> None:
    pages = queries.outdated_pages(run.corpus, run.version).exclude(reparse_jobs__run=run)
    jobs = [
        ReparseJob(run=run, page_id=page, document_before_id=document)
        for page, document in pages.order_by("id").values_list("pk", "document")
    ]
    ReparseJob.objects.bulk_create(jobs, batch_size=AT_ONCE, ignore_conflicts=True)


@transaction.atomic
def stop(*, run: Reparse) -> None:
    """Start no further page; finished ones stay as they are."""
    if Reparse.objects.filter(pk=run.pk, stopped_at=None).update(stopped_at=timezone.now()):
        record(AuditAction.REPARSE_STOPPED, corpus=run.corpus, item=run.version)
    queries.open_jobs(run).update(enqueued_at=timezone.now() + work.AT_REST)


def resume_after(*, gold: Gold) -> list[ReparseJob]:
    """Free the jobs that waited for this gold's page to be finalised."""
    waiting = ReparseJob.objects.filter(
        page=gold.page_id, run__stopped_at=None, waiting_since__isnull=False
    ).open()
    waiting.update(enqueued_at=timezone.now())
    return list(waiting)


# ---- one page ----


def reparse_page(job: ReparseJob, make: Make) -> ReparseOutcome:
    """Work on a claimed job as far as it goes. Raises where the page cannot be parsed."""
    until = time.monotonic() + BUDGET
    if Takedown.objects.filter(page=job.page_id).exists():
        return _give_up(job)
    if queries.is_in_work(job.page):
        return _wait(job)
    document = _document(job, make)
    if not _extracted(job, document, until):
        return _again(job)
    current = job.page.gold.filter(current=True).select_related("document").first()
    projection = project_gold(current, document) if current else None
    gold = _stage_gold(job, current, document, projection) if current and projection else None
    if gold and not _scored(job, gold, until):
        return _again(job)
    return _switch(job, document, current, gold, projection)


def _give_up(job: ReparseJob) -> ReparseOutcome:
    """The page was taken down."""
    work.fail(job, error=TAKEN_DOWN)
    return ReparseOutcome.DONE


def _wait(job: ReparseJob) -> ReparseOutcome:
    ReparseJob.objects.filter(pk=job.pk, waiting_since=None).update(waiting_since=timezone.now())
    work.requeue(job, until=timezone.now() + RETRY_IN_WORK)
    return ReparseOutcome.WAITS


def _again(job: ReparseJob) -> ReparseOutcome:
    work.requeue(job, until=timezone.now() + SOON)
    return ReparseOutcome.AGAIN


def _document(job: ReparseJob, make: Make) -> StoredDocument:
    made = StoredDocument.objects.filter(page=job.page, version=job.run.version).first()
    return made or make(job.page, job.run.version)


def _extracted(job: ReparseJob, document: StoredDocument, until: float) -> bool:
    """Run every enabled extractor on the document; whether all have finished or failed."""
    request_extractions(document=document, enabled=wanted_for(document))
    for pk in document.extractions.open().order_by("pk").values_list("pk", flat=True):
        if time.monotonic() > until or not work.send_heartbeat(job):
            return False
        work.run(Extraction, pk, run_extraction)
    return not document.extractions.open().exists()


def _stage_gold(job: ReparseJob, current: Gold, document: StoredDocument, projection: GoldProjection) -> Gold:
    """The projected gold, made once and not current yet."""
    staged = Gold.objects.filter(page=job.page, document=document, reparse_job=job).first()
    if staged and job.gold_before_id == current.pk:
        return staged
    with transaction.atomic():
        page = Page.objects.select_for_update().get(pk=job.page_id)
        gold = Gold.objects.create(
            page=page,
            number=page.gold.count() + 1,
            document=document,
            verdict=current.verdict,
            reason=current.reason,
            spans=[list(interval) for interval in projection.spans],
            distinguishable_labels=current.distinguishable_labels,
            source=projection.source,
            exposed_families=current.exposed_families,
            characters=projection.characters,
            placed=projection.placed,
            current=None,
        )
        ReparseJob.objects.filter(pk=job.pk).update(gold=gold, gold_before=current)
    job.refresh_from_db(fields=["gold", "gold_before"])
    return gold


def _scored(job: ReparseJob, gold: Gold, until: float) -> bool:
    """Score the missing cells of the gold; whether all are finished."""
    done = Extraction.objects.filter(document=gold.document_id, finished_at__isnull=False)
    for row in request_scores([(gold.pk, pk) for pk in done.values_list("pk", flat=True)]):
        if time.monotonic() > until or not work.send_heartbeat(job):
            return False
        work.run(Score, row.pk, score)
    return not gold.scores.open().exists()


# ---- the switch ----


@transaction.atomic
def _switch(
    job: ReparseJob,
    document: StoredDocument,
    current: Gold | None,
    gold: Gold | None,
    projection: GoldProjection | None,
) -> ReparseOutcome:
    """Make the new document, gold and scores current together, or not at all."""
    page = _lock(job.page_id)
    if Takedown.objects.filter(page=page).exists():
        return _give_up(job)
    if queries.is_in_work(page):
        return _wait(job)
    if page.gold.filter(current=True).first() != current:
        return _again(job)
    if current and gold:
        Gold.objects.filter(pk=current.pk).update(current=None)
        Gold.objects.filter(pk=gold.pk).update(current=True)
    Page.objects.filter(pk=page.pk).update(document=document)
    result: dict[str, object] = {"document": document, "waiting_since": None}
    if gold and projection:
        result |= {
            "same_intervals": projection.count(SAME),
            "changed_intervals": projection.count(CHANGED),
            "lost_intervals": projection.count(LOST),
            "lost_characters": projection.lost_characters,
            "intervals": [asdict(row) for row in projection.rows],
            "adjudication": _reopen_if_lossy(gold, projection, job.document_before.text),
        }
    if not work.finish(job, **result):
        transaction.set_rollback(True)
        return ReparseOutcome.AGAIN
    return ReparseOutcome.DONE


def _lock(page_id: int) -> Page:
    """Lock the page with its rounds and slots, against claims and adjudications.

    In their order: the rounds as submitting an adjudication does, the slots as claiming does, the page last.
    """
    page = Page.objects.get(pk=page_id)
    rounds = list(page.rounds.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    list(
        Slot.objects.select_for_update(no_key=True).filter(round__in=rounds).order_by("pk").values_list("pk")
    )
    return Page.objects.select_for_update().get(pk=page_id)


def _reopen_if_lossy(gold: Gold, projection: GoldProjection, text: str) -> Adjudication | None:
    """Send gold of which text was lost back to adjudication; the projected gold is current until then.

    None where nothing was lost, or nobody has annotated the page here: then the gold counts what it lacks.
    """
    if not projection.count(LOST):
        return None
    try:
        with transaction.atomic():
            return reopen_gold(gold=gold, by=None, why=reason_to_reopen(projection, text))
    except Conflict:
        return None


def reason_to_reopen(projection: GoldProjection, text: str) -> str:
    """What the adjudicator is shown: how much was lost, and the lost text, shortened to MAX_REASON."""
    message = ngettext(
        "Re-parsing lost %(n)d marked character:",
        "Re-parsing lost %(n)d marked characters:",
        projection.lost_characters,
    ) % {"n": projection.lost_characters}
    for row in projection.rows:
        for start, end in row.missing:
            quote = " ".join(text[start:end].split())
            message += f" “{quote}” ({row.label})"
    return message if len(message) <= MAX_REASON else message[: MAX_REASON - 1] + "…"
