"""Re-annotation of finished pages under another guideline: requested, opened page by page, stopped.

The earlier gold stays current until the new round is finalised.
"""

from collections.abc import Callable
from dataclasses import asdict

from django.db import transaction
from django.db.models import Case, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations.eligibility import eligible_annotators
from annotator.annotations.rounds.reannotation import open_reannotation_round
from annotator.annotations.study.queries import current as current_settings
from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.gold.reannotation import queries
from annotator.gold.reannotation.models import Reannotation, ReannotationExclusion, ReannotationPage
from annotator.gold.reannotation.page_selection import PageCriteria, in_work, outdated, plan
from annotator.pages.models import Page

AT_ONCE = 1_000
# Pages between two heartbeats.
STEP = 10


@transaction.atomic
def request_reannotation(
    *, corpus: Corpus, criteria: PageCriteria, user: User | None = None, pages: int | None = None
) -> Reannotation:
    """A row for a worker, with the pages that match now.

    `pages` is the number in the preview. Raises Conflict where it has changed, or another re-annotation is
    unfinished; GoldpanError where no page matches.
    """
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    _check_no_other(held)
    planned = plan(held, criteria)
    if pages is not None and pages != len(planned.pages):
        raise Conflict(_("The number of matching pages has changed. Check the preview again."))
    if not planned.pages:
        raise GoldpanError(_("No pages match."))
    made = Reannotation.objects.create(
        corpus=held, guideline_version=held.guideline_version, criteria=asdict(criteria), requested_by=user
    )
    rows = (ReannotationPage(reannotation=made, page_id=page) for page in planned.pages)
    ReannotationPage.objects.bulk_create(rows, batch_size=AT_ONCE)
    changes = {"guideline": made.guideline_version, "pages": len(planned.pages)}
    record(AuditAction.REANNOTATION_REQUESTED, corpus=held, by=user, item=made.pk, changes=changes)
    return made


def _check_no_other(corpus: Corpus) -> None:
    """Raise Conflict while another re-annotation is unfinished."""
    if queries.unfinished(corpus):
        raise Conflict(_("Rounds are being opened already. Wait until they are open, then try again."))


@transaction.atomic
def stop(*, reannotation: Reannotation) -> None:
    """Open no further rounds; those that are open stay open."""
    now = timezone.now()
    going_on = Reannotation.objects.filter(pk=reannotation.pk, finished_at=None)
    if going_on.update(stopped_at=now, enqueued_at=now + work.AT_REST):
        record(AuditAction.REANNOTATION_STOPPED, corpus=reannotation.corpus, item=reannotation.pk)


@transaction.atomic
def resume(*, reannotation: Reannotation) -> None:
    """Continue a stopped or failed re-annotation with the remaining pages."""
    held = Reannotation.objects.select_for_update(no_key=True).get(pk=reannotation.pk)
    if held.finished_at:
        _check_no_other(held.corpus)
    Reannotation.objects.filter(pk=held.pk).update(stopped_at=None, enqueued_at=timezone.now())
    work.retry(held)
    record(AuditAction.REANNOTATION_RESUMED, corpus=held.corpus, item=held.pk)


def open_rounds(reannotation: Reannotation, step: Callable[[int], object] = lambda _done: None) -> bool:
    """Open the rounds one by one; False when the re-annotation was stopped or the claim was lost.

    `step` is called after each with the number of those that are done.
    """
    for done, row in enumerate(list(queries.waiting(reannotation).values_list("pk", flat=True)), start=1):
        if not queries.is_active(reannotation.pk):
            now = timezone.now()
            # It may have been resumed since.
            rest = Case(When(stopped_at=None, then=Value(now)), default=Value(now + work.AT_REST))
            work.requeue(reannotation, until=rest)
            return False
        if done % STEP == 0 and not work.send_heartbeat(reannotation):
            return False
        open_one(pk=row)
        step(done)
    return work.finish(reannotation)


@transaction.atomic
def open_one(*, pk: int) -> ReannotationPage | None:
    """Open the round of one page, or record why not; None when another worker was faster."""
    row = (
        ReannotationPage.objects.select_for_update(of=("self",))
        .filter(pk=pk, round=None, exclusion="")
        .first()
    )
    if row is None:
        return None
    exclusion = _exclusion(row.page)
    if exclusion:
        row.exclusion = exclusion
    else:
        row.round = open_reannotation_round(page=row.page)
    row.save(update_fields=["round", "exclusion"])
    return row


def _exclusion(page: Page) -> ReannotationExclusion | None:
    """Why the page can no longer be re-annotated, if so. Locks its rounds, so that the answer holds."""
    list(page.rounds.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    if Page.objects.filter(in_work(), pk=page.pk).exists():
        return ReannotationExclusion.IN_WORK
    if not outdated(page.corpus).filter(pk=page.pk).exists():
        return ReannotationExclusion.GONE
    may = eligible_annotators(page.corpus, [page.pk])[page.pk].everybody
    return ReannotationExclusion.TOO_FEW if len(may) < current_settings(page.corpus).slots else None
