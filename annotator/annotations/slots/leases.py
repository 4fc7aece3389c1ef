"""Leases of claimed slots: extended by heartbeats and saves, given up by releasing."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations import queries
from annotator.annotations.models import LEASE, Annotation, Slot
from annotator.common.errors import Gone
from annotator.corpora.models import Corpus, User

# A save does not extend a lease that was extended so recently.
EXTENDED_RECENTLY = timedelta(minutes=1)


@transaction.atomic
def heartbeat(*, slot: Slot, annotator: User, active_seconds: int) -> int:
    """Extend the lease of an open page, and return the number of its newest revision (0: none).

    Raises Gone when the slot was submitted or reassigned.
    """
    own = Annotation.objects.filter(slot=slot, annotator=annotator)
    reopened = own.filter(reopened_at__isnull=False)
    # Active time only grows: each of two windows reports its own. The annotation is locked before its slot,
    # as in saving: otherwise the windows could wait for each other.
    editable = own.filter(Q(submitted_at=None) | Q(reopened_at__isnull=False))
    editable.filter(active_seconds__lt=active_seconds).update(active_seconds=active_seconds)
    if not extend(slot, annotator, timezone.now()) and not reopened.exists():
        # By another window, of which this one cannot know.
        is_submitted = own.filter(submitted_at__isnull=False).exists()
        raise Gone(read_only()) if is_submitted else reassigned()
    return own.values_list("revision", flat=True).first() or 0


def read_only() -> str:
    return _("This page is submitted and read-only.")


def reassigned() -> Gone:
    return Gone(_("This page was reassigned. Your draft is kept."))


def extend(slot: Slot, annotator: User, now: datetime) -> bool:
    """Extend the annotator's lease; False when the slot was submitted or reassigned at this very moment."""
    own = Slot.objects.filter(pk=slot.pk, annotator=annotator, submitted_at=None)
    if not own.update(lease_until=now + LEASE):
        return False
    slot.lease_until = now + LEASE
    _extend_other(slot, annotator.pk)
    return True


def extend_locked(slot: Slot) -> None:
    """Extend the lease of a slot whose row is locked, at most once a minute: saves come more often."""
    now = timezone.now()
    if slot.lease_until is not None and slot.lease_until >= now + LEASE - EXTENDED_RECENTLY:
        return
    slot.lease_until = now + LEASE
    slot.save(update_fields=["lease_until"])
    _extend_other(slot, slot.annotator_id)


def _extend_other(slot: Slot, annotator_id: int | None) -> None:
    """The active slot and the reserve lapse together, whichever of them was extended.

    A row that another transaction has locked is passed over: two that wait for each other's rows would
    deadlock.
    """
    others = Slot.objects.filter(corpus=slot.corpus_id, annotator=annotator_id, submitted_at=None)
    free = others.exclude(pk=slot.pk).order_by().select_for_update(skip_locked=True, no_key=True)
    for pk in free.values_list("pk", flat=True):
        Slot.objects.filter(pk=pk).update(lease_until=slot.lease_until)


def release_all(*, corpus: Corpus, user: User) -> int:
    """Release every slot of the corpus that the user holds, keeping their drafts; how many."""
    return release(queries.held_slots(corpus, user))


def release_reserves(*, user: User) -> int:
    """Release the user's reserves in all corpora, as they have signed out; how many."""
    return release(Slot.objects.filter(annotator=user, reserved_at__isnull=False))


@transaction.atomic
def release(slots: QuerySet[Slot]) -> int:
    """Release these slots, whoever holds them; how many."""
    free: dict[str, Any] = dict.fromkeys(("annotator", "claimed_at", "lease_until", "reserved_at"))
    return int(Slot.objects.filter(pk__in=lock_in_order(slots)).update(**free))


def lock_in_order(slots: QuerySet[Slot]) -> list[int]:
    """Lock the slots in the order of their keys, as everything that writes several slots does; their keys."""
    locked = slots.order_by("pk").select_for_update(of=("self",), no_key=True)
    return list(locked.values_list("pk", flat=True))
