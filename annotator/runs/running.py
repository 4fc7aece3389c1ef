"""Runs: an extractor over all pages of a corpus in the background, until it can take its place on the board.

Step by step, a run asks for a window of extractions at a time, so that other work of the queue `bulk` is
never behind more than that. When the run is whole, its extractor is enabled and an earlier version of it is
ended, in one transaction.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.runs import queries
from annotator.runs.models import NOT_ENDED, STOPPED, UNDER_WAY, CorpusExtractor, Extraction, Extractor, Run
from annotator.runs.parts import checked_part, part_title
from annotator.runs.uploads import read_upload

# Extractions of a run that wait at most, and the time between two steps.
WINDOW = 500
STEP = timedelta(seconds=1)
# A message may come so much before its time, by a clock that is behind.
EARLY = timedelta(seconds=0.3)
# Counting may take this share of the time.
COUNTING_SHARE = 0.05


# ---- asking for it ----


@transaction.atomic
def start_run(*, corpus: Corpus, extractor: Extractor, user: User | None = None, part: str = "") -> Run:
    """Return a new run of the extractor, or the one that is under way; it is completed if nothing is missing.

    `part` is that of the corpus, as in `runs.parts`. Raises Conflict if the extractor is enabled already,
    as it then runs on every page by itself, and if a run over another part is under way. Raises GoldpanError
    if this version cannot run here, and for a part without pages.
    """
    part = checked_part(part)
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    if CorpusExtractor.objects.filter(corpus=corpus, extractor=extractor, ended_at=None).exists():
        raise Conflict(_("%(extractor)s is enabled already.") % {"extractor": extractor})
    if not extractor.is_available:
        message = _("%(extractor)s %(version)s is not installed here.")
        raise GoldpanError(message % {"extractor": extractor, "version": extractor.version})
    under_way = Run.objects.filter(corpus=corpus, extractor=extractor).filter(NOT_ENDED).first()
    if under_way and under_way.part != part:
        message = _("A run of %(extractor)s is under way: %(part)s.")
        raise Conflict(message % {"extractor": extractor, "part": part_title(under_way.part)})
    if under_way:
        return under_way
    if part and not queries.documents_of(Run(corpus=corpus, extractor=extractor, part=part)).exists():
        raise GoldpanError(_("No pages: %(part)s.") % {"part": part_title(part)})
    run = Run.objects.create(corpus=corpus, extractor=extractor, requested_by=user, part=part)
    _record(AuditAction.RUN_STARTED, run, by=user)
    if not queries.documents_without(run).exists() and queries.is_whole(run):
        _count(run)
        Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())
        _complete(run)
        run.refresh_from_db()
    return run


# ---- pausing, resuming, cancelling ----


@transaction.atomic
def pause_run(*, run: Run) -> None:
    """Stop after the extractions that are being made. Raises Conflict if it is not under way."""
    if not Run.objects.filter(UNDER_WAY, pk=run.pk).update(paused_at=timezone.now()):
        raise Conflict(_("This run is not under way."))
    _rest_if_unclaimed(run)


@transaction.atomic
def resume_run(*, run: Run) -> None:
    """Go on where it was paused, or where it failed.

    Raises Conflict if it is neither, and for an upload whose file cannot be used.
    """
    if run.needs_file:
        raise Conflict(_("The file cannot be used: upload it again, under the same name and version."))
    found = Run.objects.filter(STOPPED, pk=run.pk).select_for_update().first()
    if not found:
        raise Conflict(_("This run is neither paused nor failed."))
    Run.objects.filter(pk=run.pk).update(
        paused_at=None, position=0, started_at=timezone.now(), done_at_start=found.done
    )
    # Where the worker has not noticed yet that it was paused, it just goes on.
    work.reopen(found)


@transaction.atomic
def cancel_run(*, run: Run, user: User | None = None) -> None:
    """End the run; what was extracted stays, and does not count. Raises Conflict if it has ended."""
    if not Run.objects.filter(NOT_ENDED, pk=run.pk).update(cancelled_at=timezone.now(), paused_at=None):
        raise Conflict(_("This run has already ended."))
    _rest_if_unclaimed(run)
    _record(AuditAction.RUN_CANCELLED, run, by=user)


def _rest_if_unclaimed(run: Run) -> None:
    Run.objects.filter(pk=run.pk).end_unclaimed()
    _withdraw_waiting(run)


def _withdraw_waiting(run: Run) -> None:
    """Delete the extractions that nobody has begun: a run that goes on asks for them again."""
    queries.open_extractions(run).filter(heartbeat_at=None).delete()


# ---- doing it ----


def is_due(run_id: int) -> bool:
    """Whether a step is to be taken now: messages that come twice do not speed a run up."""
    return Run.objects.filter(pk=run_id, enqueued_at__lte=timezone.now() + EARLY).exists()


def take_step(run: Run) -> list[Extraction]:
    """Ask for the next extractions of a claimed run, or complete it; return those to enqueue."""
    if _rests(run):
        return []
    if run.is_upload:
        read_upload(run)
    asked, has_more = _ask_for_more(run)
    _count_at_times(run)
    if _rests(run):
        return []
    if not has_more and queries.is_whole(run):
        _count(run)
        with transaction.atomic():
            # Paused or cancelled while its outputs were counted, it has not completed.
            if work.finish(run) and Run.objects.filter(pk=run.pk, paused_at=None, cancelled_at=None).exists():
                _complete(run)
        return []
    # Behind the position, something can be missing once an extraction was withdrawn.
    is_stuck = not (asked or has_more or queries.open_extractions(run).exists())
    work.requeue(run, until=timezone.now() + STEP, position=0 if is_stuck else run.position, faults=0)
    return asked


def _rests(run: Run) -> bool:
    """Whether somebody has paused or cancelled it; then it is finished as work."""
    stopped = Q(paused_at__isnull=False) | Q(cancelled_at__isnull=False)
    rests = Run.objects.filter(stopped, pk=run.pk, token=run.token, finished_at=None)
    if not rests.update(finished_at=timezone.now()):
        return False
    _withdraw_waiting(run)
    _count(run)
    return True


def _ask_for_more(run: Run) -> tuple[list[Extraction], bool]:
    """Create the next extractions up to a window; return those that are open, and whether there are more."""
    room = WINDOW - queries.open_extractions(run).count()
    if room < WINDOW // 2:
        return [], True
    documents = list(
        queries.documents_of(run)
        .filter(pk__gt=run.position)
        .order_by("pk")
        .values_list("pk", flat=True)[:room]
    )
    Extraction.objects.bulk_create(
        [Extraction(document_id=pk, extractor=run.extractor) for pk in documents], ignore_conflicts=True
    )
    run.position = documents[-1] if documents else run.position
    rows = Extraction.objects.filter(document__in=documents, extractor=run.extractor).open()
    return list(rows.order_by("pk")), len(documents) == room


# ---- counting ----


def _count_at_times(run: Run) -> None:
    """Count, unless that took long a short time ago."""
    pause = timedelta(seconds=run.counting_seconds / COUNTING_SHARE)
    if run.counted_at is None or timezone.now() >= run.counted_at + pause:
        _count(run)


def _count(run: Run) -> None:
    began = timezone.now()
    counts = queries.counts_of(run)
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(
        counted_at=now, counting_seconds=(now - began).total_seconds(), **counts
    )


# ---- completing it ----


def _complete(run: Run) -> None:
    """Enable the extractor in place of its earlier version, except after a part. In a transaction."""
    now = timezone.now()
    if run.part:
        Run.objects.filter(pk=run.pk).update(completed_at=now)
        _record(AuditAction.RUN_COMPLETED, run)
        return
    replaced = queries.earlier_versions(run.corpus, run.extractor)
    CorpusExtractor.objects.filter(corpus=run.corpus, extractor__in=replaced, ended_at=None).update(
        ended_at=now
    )
    # A command may have enabled it.
    CorpusExtractor.objects.get_or_create(
        corpus=run.corpus, extractor=run.extractor, ended_at=None, defaults={"since": now}
    )
    newest = max(replaced, key=lambda extractor: extractor.pk, default=None)
    Run.objects.filter(pk=run.pk).update(completed_at=now, replaced=newest)
    _record(AuditAction.RUN_COMPLETED, run, replaced=[each.version for each in replaced])


def _record(action: AuditAction, run: Run, *, by: User | None = None, **facts: object) -> None:
    extractor = run.extractor
    part = {"part": run.part} if run.part else {}
    changes = {"version": extractor.version, "parameters": extractor.parameters, **part, **facts}
    record(action, corpus=run.corpus, by=by, item=extractor.name, changes=changes)
