"""Submitting a page, reopening a submitted one, and skipping."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations.eligibility import never_seen
from annotator.annotations.models import (
    Annotation,
    Purpose,
    Revision,
    Round,
    Skip,
    SkipReason,
    Slot,
    Submission,
)
from annotator.annotations.revisions.saving import (
    SlotKey,
    StaleSave,
    check_open,
    lock_annotation,
    state_of,
)
from annotator.annotations.slots.leases import lock_in_order, release
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.verdicts import Verdict
from annotator.corpora.models import User
from annotator.pages.models import Page

# Submitting, comparing and finalising may meet in any order: all of them lock the round first.
ROUND_FIRST = ("slot__round", "self", "slot")


@transaction.atomic
def submit(*, slot: Slot | SlotKey, annotator: User, based_on: int, in_practice: bool = False) -> Annotation:
    """Submit the newest revision. Submitting it twice is submitting it once.

    When the annotation was reopened, the new submission replaces the one before, and a comparison of that is
    superseded. Practice pages are submitted through practice only, where they are evaluated.
    Raises Gone, Conflict (the page has gold), StaleSave (another window has saved meanwhile) or GoldpanError
    (no verdict, nothing saved).
    """
    annotation = _lock_to_submit(slot, annotator)
    if (annotation.slot.round.purpose == Purpose.PRACTICE) != in_practice:
        raise Conflict(_("Practice pages, and no others, are submitted as practice."))
    if annotation.is_open:
        check_open(annotation)
        newest = _checked(annotation, based_on)
        now = timezone.now()
        if annotation.reopened_at:
            _submit_again(annotation, newest, now)
        else:
            _record_submission(annotation, newest, now, number=1)
            _close_slot(annotation.slot, now)
    return annotation


def _lock_to_submit(key: Slot | SlotKey, annotator: User) -> Annotation:
    """Lock the round, the annotation, then every slot that may be written, by key; and read them again."""
    slot = lock_annotation(key, annotator, "slot__round", "self").slot
    written = Q(pk=slot.pk) | Q(begun_at=None, submitted_at=None)
    lock_in_order(Slot.objects.filter(written, round=slot.round_id))
    return lock_annotation(slot, annotator, *ROUND_FIRST)


def _checked(annotation: Annotation, based_on: int) -> Revision:
    """The newest revision, if it may be submitted."""
    newest = (
        annotation.revisions.filter(number=annotation.revision)
        .only("annotation", "verdict", "reason")
        .first()
    )
    if newest is None or not newest.verdict:
        raise GoldpanError(_("Choose a verdict first."))
    if newest.verdict == Verdict.NOT_ARTICLE and not newest.reason:
        raise GoldpanError(_("Choose the reason why it is not an article."))
    if based_on != annotation.revision:
        raise StaleSave(state_of(annotation), state_of(annotation))
    return newest


def _record_submission(annotation: Annotation, revision: Revision, now: datetime, *, number: int) -> None:
    Submission.objects.create(annotation=annotation, number=number, revision=revision, submitted_at=now)
    annotation.submitted_at, annotation.reopened_at = now, None
    annotation.save(update_fields=["submitted_at", "reopened_at"])


def _submit_again(annotation: Annotation, revision: Revision, now: datetime) -> None:
    round_ = annotation.slot.round
    if round_.finalised_at:
        raise Conflict(_is_final())
    before = annotation.submissions.get(withdrawn_at=None)
    if before.revision_id == revision.pk:
        # Nothing was changed: the submission stays.
        annotation.reopened_at = None
        annotation.save(update_fields=["reopened_at"])
        return
    _check_blind(annotation)
    Round.objects.filter(pk=round_.pk).update(edition=F("edition") + 1)
    before.withdrawn_at = now
    before.save(update_fields=["withdrawn_at"])
    _record_submission(annotation, revision, now, number=before.number + 1)


def _close_slot(slot: Slot, now: datetime) -> None:
    """The first submission of a slot: its round is begun, and final if it is practice."""
    slot.submitted_at, slot.reserved_at = now, None
    slot.save(update_fields=["submitted_at", "reserved_at"])
    if slot.begun_at is None:
        Slot.objects.filter(round=slot.round_id, begun_at=None, submitted_at=None).update(begun_at=now)
    if slot.round.purpose == Purpose.PRACTICE:
        # Its gold is shown next.
        slot.round.finalised_at = now
        slot.round.save(update_fields=["finalised_at"])


@transaction.atomic
def reopen(*, slot: Slot, annotator: User) -> Annotation:
    """Reopen a submitted annotation; the submission counts until the next one.

    Raises Conflict once it is final, and for whoever has seen what others marked.
    """
    annotation = lock_annotation(slot, annotator, *ROUND_FIRST)
    if annotation.is_open:
        return annotation
    if annotation.slot.round.finalised_at:
        raise Conflict(_is_final())
    _check_blind(annotation)
    annotation.reopened_at = timezone.now()
    annotation.save(update_fields=["reopened_at"])
    return annotation


def _check_blind(annotation: Annotation) -> None:
    """Raise Conflict for an annotator who adjudicates the page too, as small teams may (invariant 4).

    Likewise where the page was added since to another corpus in which they see marks.
    """
    page = Page.objects.filter(pk=annotation.slot.round.page_id)
    if not never_seen(page, annotation.annotator, "sha256").exists():
        raise Conflict(_("You have seen what others marked on this page, so your submission stays as it is."))


def _is_final() -> str:
    return _("This page has been finalised. Your submission counts; your later changes are kept.")


@transaction.atomic
def skip(*, slot: Slot, annotator: User, reason: str = "", note: str = "") -> None:
    """Return the page to the queue; the draft is kept, and the annotator is not offered the page again."""
    slot = Slot.objects.select_for_update(no_key=True).get(pk=slot.pk)
    if slot.submitted_at:
        raise Conflict(_("This page is submitted and cannot be skipped."))
    if reason and reason not in SkipReason.values:
        raise GoldpanError(_("Unknown reason “%(reason)s”.") % {"reason": reason})
    given = {"reason": reason, "note": note[:200]}
    Skip.objects.get_or_create(round_id=slot.round_id, annotator=annotator, defaults=given)
    if slot.annotator_id == annotator.pk:
        release(Slot.objects.filter(pk=slot.pk))
