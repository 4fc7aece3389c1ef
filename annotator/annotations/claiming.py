"""Claims: the page that she works on, and the one that waits for her.

A claim lasts while something is heard from her. Beside the active one she has one in reserve at most: it
lapses with the active one, and as long as she has not opened it, whoever finds nothing else may have it.
"""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations import queries
from annotator.annotations.models import LEASE, Annotation, Revision, Slot
from annotator.annotations.practice.queries import lets_through, must_practise
from annotator.annotations.study.models import Who
from annotator.annotations.study.queries import newest
from annotator.common import written
from annotator.common.errors import Conflict, Gone
from annotator.common.written import Asked, Written, WrittenUpdate
from annotator.corpora.models import Corpus, User
from annotator.pages.actions import pinning
from annotator.pages.models import Page

# What was renewed so short a time ago is not renewed by a save.
RENEWED = timedelta(minutes=1)


@transaction.atomic
def claim_next(*, corpus: Corpus, annotator: User) -> Slot | None:
    """The slot that she holds, the one in reserve, or the next that she may take; None when nothing is left.

    Twenty people may ask at once: a slot row that somebody else is taking is passed over (SKIP LOCKED). Her
    own windows come one after the other, and get the same slot. The constraints of `Slot` stand behind both.
    """
    now = timezone.now()
    active, reserve = _in_hand(corpus, annotator)
    if active and _extend(active, annotator, now):
        return active
    if reserve and _activate(reserve, annotator, now):
        return reserve
    return _take_next(corpus, annotator, now) or _take(
        queries.unopened_reserves(corpus, annotator), annotator, now
    )


@transaction.atomic
def reserve_next(*, slot: Slot, annotator: User) -> Slot | None:
    """A page that waits for her while she works on `slot`; None when there is none, or `slot` is not hers."""
    now = timezone.now()
    active, reserve = _in_hand(slot.corpus, annotator)
    if active is None or active.pk != slot.pk or not _extend(active, annotator, now):
        return None
    return reserve or _take_next(slot.corpus, annotator, now, reserved_at=now)


def claim_on(*, page: Page, annotator: User) -> Slot:
    """A slot of this very page, opened: the one she holds, or a free one; Conflict when there is none."""
    now = timezone.now()
    with transaction.atomic():
        slot = _claim_in(page.corpus, Q(round__page=page), annotator, now)
        if slot is None:
            _refuse_before_practice(page.corpus, annotator)
            raise Conflict(_("No place on this page is free for %(name)s.") % {"name": annotator})
        open_slot(slot=slot, annotator=annotator)
        return slot


def take_up(*, slot: Slot, annotator: User) -> Slot:
    """Go on with a draft whose lease lapsed, in its slot or another free one of the round.

    Raises Gone when all places of the page were given to others; the draft is kept.
    """
    now = timezone.now()
    with transaction.atomic():
        taken = _claim_in(slot.corpus, Q(round=slot.round_id), annotator, now)
        if taken is None:
            _refuse_before_practice(slot.corpus, annotator)
            raise Gone(_("This page was given to somebody else. Your draft is kept."))
        open_slot(slot=taken, annotator=annotator)
        return taken


def _refuse_before_practice(corpus: Corpus, annotator: User) -> None:
    if must_practise(corpus, annotator):
        raise Conflict(_("Practise first: this corpus asks for it before the first page."))


@transaction.atomic
def claim_practice(*, slot: Slot, annotator: User) -> Slot | None:
    """A page of practice that is meant for her, as her active one; what she has in hand comes before it.

    None when the page is gone.
    """
    active, _reserve = _in_hand(slot.corpus, annotator)
    if active:
        return active
    meant = Slot.objects.filter(pk=slot.pk, meant_for=annotator, submitted_at=None, round__settled_at=None)
    return _take(meant.select_related("round"), annotator, timezone.now())


def _claim_in(corpus: Corpus, where: Q, annotator: User, now: datetime) -> Slot | None:
    """A slot among `where`, as her active one; what she had before waits for her in reserve."""
    active, reserve = _in_hand(corpus, annotator)
    if active and Slot.objects.filter(where, pk=active.pk).exists():
        return active if _extend(active, annotator, now) else None
    is_wanted = reserve and Slot.objects.filter(where, pk=reserve.pk).exists()
    free = queries.claimable_slots(corpus, annotator, now).filter(where)
    if not is_wanted and not free.exists():
        return None
    if active:
        hold_in_order(queries.held_slots(corpus, annotator))
        release(queries.held_slots(corpus, annotator).filter(reserved_at__isnull=False))
        hers = Slot.objects.filter(pk=active.pk, annotator=annotator, submitted_at=None)
        hers.update(reserved_at=now, lease_until=now + LEASE)
    elif reserve and is_wanted:
        return reserve if _activate(reserve, annotator, now) else None
    return _take(free, annotator, now)


_the_person = Written(
    lambda annotator: User.objects.select_for_update(no_key=True).only("pk").filter(pk=annotator)
)


def _take_next(
    corpus: Corpus, annotator: User, now: datetime, reserved_at: datetime | None = None
) -> Slot | None:
    """The next one in the design's order; where it balances, of a site and language that she had least of."""
    if first := queries.first_claimable.first(corpus=corpus.pk, annotator=annotator.pk, now=now):
        return _make_hers(first, annotator, now, reserved_at)
    design = newest(corpus)
    free = queries.claimable_slots(corpus, annotator, now, design)
    if design and design.who == Who.BALANCED:
        evening_out = queries.balanced(free, corpus, annotator)
        return _take(evening_out, annotator, now, reserved_at) or _take(free, annotator, now, reserved_at)
    return _take(free, annotator, now, reserved_at)


def _in_hand(corpus: Corpus, annotator: User) -> tuple[Slot | None, Slot | None]:
    """What she works on, and what waits for her; her other windows wait until the transaction ends."""
    waited = _the_person.asked(annotator=annotator.pk)
    hers = queries.in_hand.after(waited, corpus=corpus.pk, annotator=annotator.pk)
    held = {slot.reserved_at is None: slot for slot in hers}
    return held.get(True), held.get(False)


def _take(
    candidates: QuerySet[Slot], annotator: User, now: datetime, reserved_at: datetime | None = None
) -> Slot | None:
    slot = candidates.select_for_update(of=("self",), skip_locked=True, no_key=True).first()
    return _make_hers(slot, annotator, now, reserved_at) if slot else None


def _make_hers(slot: Slot, annotator: User, now: datetime, reserved_at: datetime | None = None) -> Slot:
    """The slot, which is held until the transaction ends, becomes hers."""
    slot.annotator, slot.claimed_at, slot.lease_until = annotator, now, now + LEASE
    slot.reserved_at = reserved_at
    claim = written.saving(slot, "annotator", "claimed_at", "lease_until", "reserved_at")
    written.together(*pinning(page_id=slot.round.page_id, now=now), claim)
    return slot


def _activate(reserve: Slot, annotator: User, now: datetime) -> bool:
    """From now on she works on it; False when another has it since this very moment, or practice is due."""
    reserve.reserved_at, reserve.lease_until = None, now + LEASE
    return bool(
        _become_active(
            corpus=reserve.corpus_id,
            annotator=annotator.pk,
            slot=reserve.pk,
            reserved_at=None,
            lease_until=reserve.lease_until,
        )
    )


_become_active = WrittenUpdate(
    lambda corpus, annotator, slot: Slot.objects.filter(
        lets_through(corpus, annotator), pk=slot, annotator=annotator, submitted_at=None
    ),
    "reserved_at",
    "lease_until",
)


# ---- opening ----


def open_slot(*, slot: Slot, annotator: User) -> Annotation | None:
    """Her annotation in a slot; made, with what it shows, when she opens the page that she holds (law 5).

    A draft that she left in another slot of the round goes on here. None when she has not been here, and does
    not hold the slot, or has it in reserve only.
    """
    return open_own(corpus=slot.corpus, annotator=annotator, pk=slot.pk)


@transaction.atomic
def open_own(*, corpus: Corpus, annotator: User, pk: int) -> Annotation | None:
    """As `open_slot`; None also where there is no such slot in the corpus.

    The slot is held: of her windows that open a page at the same time, one makes the annotation.
    """
    slot = queries.slot_to_open(corpus, annotator, pk)
    if slot is None:
        return None
    hers = _in_round(round_=slot.round_id, annotator=annotator.pk) if slot.has_been else []
    by_slot = {annotation.slot_id: annotation for annotation in hers}
    annotation = by_slot.get(slot.pk)
    if slot.annotator_id == annotator.pk and slot.reserved_at is None and slot.submitted_at is None:
        draft = _newest_draft(slot, annotator) if by_slot.keys() - {slot.pk} else None
        annotation = _go_on(annotation, draft) if annotation else _open(slot, annotator, draft)
    if annotation:
        annotation.slot, annotation.annotator = slot, annotator
        if annotation.document_id == slot.round.page.document_id:
            annotation.document = slot.round.page.document
    return annotation


_in_round = Written(
    lambda round_, annotator: Annotation.objects.filter(slot__round=round_, annotator=annotator).order_by()
)


def _open(slot: Slot, annotator: User, draft: Revision | None) -> Annotation:
    annotation = Annotation(
        slot=slot,
        annotator=annotator,
        document=slot.round.page.document,
        guideline_version=slot.corpus.guideline_version,
        # An extraction that failed or is not made shows nothing.
        shown_id=slot.arm_id if slot.is_made else None,
        revision=1 if draft else 0,
    )
    written.add(annotation)
    if draft:
        _copy(draft, annotation)
    return annotation


def _go_on(annotation: Annotation, draft: Revision | None) -> Annotation:
    """The slot is hers again: what she saved last in another one is its next revision.

    Where a window of hers is saving here at this moment, that is the newest.
    """
    if draft and draft.annotation_id != annotation.pk:
        same = Annotation.objects.filter(pk=annotation.pk, revision=annotation.revision)
        if same.select_for_update(no_key=True, skip_locked=True).exists():
            annotation.revision += 1
            annotation.save(update_fields=["revision"])
            _copy(draft, annotation)
    return annotation


def _newest_draft(slot: Slot, annotator: User) -> Revision | None:
    drafts = Revision.objects.filter(annotation__slot__round=slot.round_id, annotation__annotator=annotator)
    return drafts.order_by("-saved_at").first()


def _copy(draft: Revision, annotation: Annotation) -> None:
    Revision.objects.create(
        annotation=annotation,
        number=annotation.revision,
        based_on=annotation.revision - 1,
        operation=uuid.uuid4(),
        spans=draft.spans,
        verdict=draft.verdict,
        reason=draft.reason,
        note=draft.note,
    )


# ---- leases ----


@transaction.atomic
def heartbeat(*, slot: Slot, annotator: User, active_seconds: int) -> Slot:
    """She still has the page open. Raises Gone when the slot is somebody else's by now."""
    own = Annotation.objects.filter(slot=slot, annotator=annotator)
    reopened = own.filter(reopened_at__isnull=False)
    # Active time only grows: two windows report what each of them saw. The annotation is held first, then its
    # slot, as in saving: the windows would wait for each other.
    mine = own.filter(Q(submitted_at=None) | Q(reopened_at__isnull=False))
    mine.filter(active_seconds__lt=active_seconds).update(active_seconds=active_seconds)
    if not _extend(slot, annotator, timezone.now()) and not reopened.exists():
        raise Gone(_("This page was given to somebody else. Your draft is kept."))
    return slot


def _extend(slot: Slot, annotator: User, now: datetime) -> bool:
    """Hers for longer; False when it was handed in or given to another at this very moment."""
    hers = Slot.objects.filter(pk=slot.pk, annotator=annotator, submitted_at=None)
    if not hers.update(lease_until=now + LEASE):
        return False
    slot.lease_until = now + LEASE
    extend_other(slot, annotator.pk)
    return True


def renewal(slot: Slot) -> list[Asked]:
    """Hers for longer, where its row is locked and hers; at most once a minute, as she saves much oftener."""
    now = timezone.now()
    if slot.lease_until is not None and slot.lease_until >= now + LEASE - RENEWED:
        return []
    slot.lease_until = now + LEASE
    extend_other(slot, slot.annotator_id)
    return [written.saving(slot, "lease_until")]


def extend_other(slot: Slot, annotator_id: int) -> None:
    """What she works on and what waits for her lapse together, whichever of them she is heard of.

    A row that another transaction has in hand is passed over: two people who wait for a row of the other's
    would wait for ever.
    """
    others = Slot.objects.filter(corpus=slot.corpus_id, annotator=annotator_id, submitted_at=None)
    free = others.exclude(pk=slot.pk).order_by().select_for_update(skip_locked=True, no_key=True)
    for pk in free.values_list("pk", flat=True):
        Slot.objects.filter(pk=pk).update(lease_until=slot.lease_until)


def release_all(*, corpus: Corpus, user: User) -> int:
    """Give back every slot that she holds and has not submitted; her drafts are kept. How many."""
    return release(queries.held_slots(corpus, user))


def release_reserves(*, user: User) -> int:
    """Give back what waits for her, in all corpora: she has gone. How many."""
    return release(Slot.objects.filter(annotator=user, reserved_at__isnull=False))


@transaction.atomic
def release(slots: QuerySet[Slot]) -> int:
    """Give these back, whoever has them. How many."""
    free: dict[str, Any] = dict.fromkeys(("annotator", "claimed_at", "lease_until", "reserved_at"))
    return int(Slot.objects.filter(pk__in=hold_in_order(slots)).update(**free))


def hold_in_order(slots: QuerySet[Slot]) -> list[int]:
    """Their keys; held by these, as whoever writes to several slots does."""
    held = slots.order_by("pk").select_for_update(of=("self",), no_key=True)
    return list(held.values_list("pk", flat=True))
