"""Leaving a page: handing it in, taking up again what was handed in, skipping."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations import queries
from annotator.annotations.claiming import release
from annotator.annotations.models import (
    FOR_ONE,
    Annotation,
    Purpose,
    Revision,
    Round,
    Skip,
    SkipReason,
    Slot,
    Submission,
    Verdict,
)
from annotator.annotations.saving import (
    StaleSave,
    check_open,
    holding,
    keys_of,
    own_annotation,
    state_of,
)
from annotator.common import written
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.written import Asked, Written, WrittenUpdate
from annotator.corpora.models import User

_newest = Revision.objects.filter(annotation=OuterRef("pk"), number=OuterRef("revision")).order_by()
# What is handed in, compared and settled comes in some order: all of them hold the round first.
ROUND_FIRST = holding(
    "slot__round",
    "self",
    "slot",
    newest=Subquery(_newest.values(json=JSONObject(pk="pk", verdict="verdict", reason="reason"))),
)
_ROUND_AND_OWN = holding("slot__round", "self", only=("id", "slot__round__id"))
# Those of the round that are written when it is begun, and her own.
_PLACES = Written(
    lambda slot: (
        Slot.objects.filter(Q(pk=slot) | Q(begun_at=None, submitted_at=None), round__slots=slot)
        .select_for_update(of=("self",), no_key=True)
        .only("pk")
        .order_by("pk")
    )
)


@transaction.atomic
def submit(*, slot: Slot, annotator: User, based_on: int, in_practice: bool = False) -> Annotation:
    """Hand in the newest revision, a dated fact (law 7). Handing it in twice is handing it in once.

    What she took up again takes the place of what she handed in before; a comparison of that is superseded.
    A page of practice is handed in there, where it is looked at, and nowhere else.
    Raises Gone, Conflict (the page is settled), StaleSave (another window saved meanwhile) or GoldpanError
    (no verdict, nothing saved). Beside the annotation stands what follows from it, `follows`.
    """
    annotation = own_annotation(slot, annotator, ROUND_FIRST, *_in_order(slot, annotator))
    if (annotation.slot.round.purpose == Purpose.PRACTICE) != in_practice:
        raise Conflict(_("A page of practice is handed in as practice, and no other page is."))
    asked: list[Asked] = []
    if annotation.is_open:
        check_open(annotation)
        newest = _checked(annotation, based_on)
        asked = _hand_in_again(annotation, newest) if annotation.reopened_at else _first(annotation, newest)
    annotation.follows = queries.what_follows(annotation.slot.round_id, *asked)
    return annotation


def _in_order(slot: Slot, annotator: User) -> list[Asked]:
    """What is to be held first: round, annotation, then all places that may be written, by their keys."""
    return [_ROUND_AND_OWN.asked(**keys_of(slot, annotator)), _PLACES.asked(slot=slot.pk)]


def _checked(annotation: Annotation, based_on: int) -> int:
    """The key of the revision that is handed in."""
    newest = annotation.newest
    if newest is None or not newest["verdict"]:
        raise GoldpanError(_("Say first what this page is: an article, or not."))
    if newest["verdict"] == Verdict.NOT_ARTICLE and not newest["reason"]:
        raise GoldpanError(_("Say why it is not an article."))
    if based_on != annotation.revision:
        raise StaleSave(state_of(annotation), state_of(annotation))
    return int(newest["pk"])


def _first(annotation: Annotation, revision: int) -> list[Asked]:
    now = timezone.now()
    return [*_hand_in(annotation, revision, now), *_begin(annotation.slot, now)]


def _hand_in(annotation: Annotation, revision: int, now: datetime) -> list[Asked]:
    """What is written then."""
    number = 1
    if annotation.submitted_at:
        annotation.submissions.filter(withdrawn_at=None).update(withdrawn_at=now)
        number += annotation.submissions.count()
    annotation.submitted_at, annotation.reopened_at = now, None
    handed_in = Submission(annotation=annotation, number=number, revision_id=revision, submitted_at=now)
    return [written.adding(handed_in), written.saving(annotation, "submitted_at", "reopened_at")]


def _hand_in_again(annotation: Annotation, revision: int) -> list[Asked]:
    round_ = annotation.slot.round
    if round_.settled_at:
        raise Conflict(_settled())
    if annotation.submissions.filter(revision=revision).exists():
        # Nothing was changed: what she handed in stands.
        annotation.reopened_at = None
        return [written.saving(annotation, "reopened_at")]
    Round.objects.filter(pk=round_.pk).update(edition=F("edition") + 1)
    return _hand_in(annotation, revision, timezone.now())


def _begin(slot: Slot, now: datetime) -> list[Asked]:
    """What is written of the round that has her annotation now."""
    slot.submitted_at, slot.reserved_at = now, None
    asked = [written.saving(slot, "submitted_at", "reserved_at")]
    if slot.begun_at is None:
        asked.append(_begin_others.asked(round_=slot.round_id, begun_at=now))
    if slot.round.purpose in FOR_ONE:
        # As a page that was settled with hers: it is not taken up again.
        slot.round.settled_at = now
        asked.append(written.saving(slot.round, "settled_at"))
    return asked


_begin_others = WrittenUpdate(
    lambda round_: Slot.objects.filter(round=round_, begun_at=None, submitted_at=None), "begun_at"
)


@transaction.atomic
def reopen(*, slot: Slot, annotator: User) -> Annotation:
    """Take up again what she handed in; it counts until she hands it in anew. Conflict when settled."""
    annotation = own_annotation(slot, annotator, ROUND_FIRST)
    if annotation.is_open:
        return annotation
    if annotation.slot.round.settled_at:
        raise Conflict(_settled())
    annotation.reopened_at = timezone.now()
    annotation.save(update_fields=["reopened_at"])
    return annotation


def _settled() -> str:
    return _("This page is settled by now. What you handed in counts; what you changed since is kept.")


@transaction.atomic
def skip(*, slot: Slot, annotator: User, reason: str = "", note: str = "") -> None:
    """Leave the page to others; the draft is kept, and the page is not offered to her again."""
    slot = Slot.objects.select_for_update(no_key=True).get(pk=slot.pk)
    if slot.submitted_at:
        raise Conflict(_("This page is submitted; it cannot be skipped."))
    if reason and reason not in SkipReason.values:
        raise GoldpanError(_("There is no reason “%(reason)s”.") % {"reason": reason})
    said = {"reason": reason, "note": note[:200]}
    Skip.objects.get_or_create(round_id=slot.round_id, annotator=annotator, defaults=said)
    if slot.annotator_id == annotator.pk:
        release(Slot.objects.filter(pk=slot.pk))
