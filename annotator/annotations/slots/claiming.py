"""Claims: an annotator's active slot, and at most one in reserve.

A claim lasts as long as its lease, which every request of the workbench extends. The reserve lapses with the
active slot, and as long as it has not been opened, an annotator who finds nothing else may take it.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Case, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations import queries
from annotator.annotations.eligibility import DIGEST_OF_SLOT, claimable_slots, never_seen, unopened_reserves
from annotator.annotations.models import LEASE, Slot
from annotator.annotations.qualification.queries import must_practise
from annotator.annotations.slots.leases import extend, lock_in_order, release
from annotator.annotations.slots.opening import open_slot
from annotator.annotations.study.models import AssignmentMode
from annotator.annotations.study.queries import newest
from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.corpora.models import Corpus, User
from annotator.pages.actions import pin_document
from annotator.pages.models import Page

# A balanced assignment looks this many slots ahead for a page of the site and language that the annotator
# has had least of.
LOOKAHEAD = 40


@transaction.atomic
def claim_next(*, corpus: Corpus, annotator: User) -> Slot | None:
    """The annotator's active slot, their reserve, or the next slot they may take; None when there is none.

    Twenty people may ask at once: a slot whose row another transaction has locked is passed over (SKIP
    LOCKED). Windows of the same annotator come one after the other, and get the same slot. The constraints of
    `Slot` stand behind both.
    """
    now = timezone.now()
    active, reserve = _claims_of(corpus, annotator)
    if active and extend(active, annotator, now):
        return active
    if reserve and _activate(reserve, annotator, now):
        return reserve
    return _take_next(corpus, annotator, now) or _take(unopened_reserves(corpus, annotator), annotator, now)


@transaction.atomic
def reserve_next(*, slot: Slot, annotator: User) -> Slot | None:
    """Reserve the next slot while `slot` is the active one; None when it is not, or none is left."""
    now = timezone.now()
    active, reserve = _claims_of(slot.corpus, annotator)
    if active is None or active.pk != slot.pk or not extend(active, annotator, now):
        return None
    return reserve or _take_next(slot.corpus, annotator, now, reserved_at=now)


def claim_on(*, page: Page, annotator: User) -> Slot:
    """A slot of this page, opened: the one that the annotator holds, or a free one.

    Raises Conflict when there is none.
    """
    taken = Conflict(_("No slot of this page is free for %(name)s.") % {"name": annotator})
    return _claim_and_open(page.corpus, Q(round__page=page), annotator, taken)


def resume(*, slot: Slot, annotator: User) -> Slot:
    """Resume a draft whose lease lapsed, in its slot or in another free one of the round.

    Raises Gone when all slots of the round are taken; the draft is kept.
    """
    taken = Gone(
        _("No slot of this page is free for you now. Your draft is kept; edit it when one is free again.")
    )
    return _claim_and_open(slot.corpus, Q(round=slot.round_id), annotator, taken)


@transaction.atomic
def _claim_and_open(corpus: Corpus, where: Q, annotator: User, refusal: GoldpanError) -> Slot:
    """A slot among `where`, opened. Raises the refusal when there is none, or says that practice is due."""
    slot = _claim_among(corpus, where, annotator, timezone.now())
    if slot is None and must_practise(corpus.pk, annotator.pk):
        raise Conflict(_("Complete practice first: this corpus requires it before the first page."))
    if slot is None:
        raise refusal
    open_slot(slot=slot, annotator=annotator)
    return slot


@transaction.atomic
def claim_practice(*, slot: Slot, annotator: User) -> Slot | None:
    """A practice slot assigned to the annotator, as their active one; an active slot comes before it.

    None when the page was taken down.
    """
    active, _reserve = _claims_of(slot.corpus, annotator)
    if active:
        return active
    assigned = Slot.objects.filter(
        pk=slot.pk, assigned_to=annotator, submitted_at=None, round__finalised_at=None
    )
    return _take(assigned.select_related("round"), annotator, timezone.now())


def _claim_among(corpus: Corpus, where: Q, annotator: User, now: datetime) -> Slot | None:
    """A slot among `where`, as the active one; what was active before becomes the reserve."""
    active, reserve = _claims_of(corpus, annotator)
    if active and Slot.objects.filter(where, pk=active.pk).exists():
        return active if extend(active, annotator, now) else None
    is_wanted = reserve and Slot.objects.filter(where, pk=reserve.pk).exists()
    free = claimable_slots(corpus, annotator, now).filter(where)
    if active and not is_wanted and not free.exists():
        return None
    if active:
        held = queries.held_slots(corpus, annotator)
        lock_in_order(held)
        release(held.filter(reserved_at__isnull=False))
        still_held = Slot.objects.filter(pk=active.pk, annotator=annotator, submitted_at=None)
        still_held.update(reserved_at=now, lease_until=now + LEASE)
    elif reserve and is_wanted:
        return reserve if _activate(reserve, annotator, now) else None
    return _take(free, annotator, now)


def _take_next(
    corpus: Corpus, annotator: User, now: datetime, reserved_at: datetime | None = None
) -> Slot | None:
    """The next slot in the order of the study settings."""
    for slots in slots_in_order(corpus, annotator, now):
        if taken := _take(slots, annotator, now, reserved_at):
            return taken
    return None


def slots_in_order(corpus: Corpus, annotator: User, now: datetime) -> Iterator[QuerySet[Slot]]:
    """The free slots that the annotator may take, in the order of the study settings.

    With a balanced assignment the best of the first few; then all, as others may have locked those.
    """
    design = newest(corpus)
    free = claimable_slots(corpus, annotator, now, design)
    if design and design.who == AssignmentMode.BALANCED:
        yield _balanced(free, corpus, annotator)
    yield free


def _balanced(free: QuerySet[Slot], corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """The first of these, in an order that evens out the annotator's sites and languages.

    Pages that others have begun keep coming first.
    """
    rows = free.values_list("pk", "begun_at", "round__page__site", "round__page__language")[:LOOKAHEAD]
    own = Slot.objects.filter(corpus=corpus, annotator=annotator)
    had = Counter(
        name
        for site, language in own.values_list("round__page__site", "round__page__language")
        for name in (("site", site), ("language", language))
    )
    window = sorted(rows, key=lambda row: (row[1] is None, had["language", row[3]], had["site", row[2]]))
    if not window:
        return Slot.objects.none()
    order = Case(*(When(pk=row[0], then=Value(rank)) for rank, row in enumerate(window)))
    return free.filter(pk__in=[row[0] for row in window]).order_by(order)


def _claims_of(corpus: Corpus, annotator: User) -> tuple[Slot | None, Slot | None]:
    """The annotator's active slot and their reserve; their other windows wait until the transaction ends."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=annotator.pk)
    held = {slot.reserved_at is None: slot for slot in queries.held_slots(corpus, annotator).order_by()}
    return held.get(True), held.get(False)


def _take(
    candidates: QuerySet[Slot], annotator: User, now: datetime, reserved_at: datetime | None = None
) -> Slot | None:
    """Claim the first of the candidates that no other transaction has locked."""
    slot = candidates.select_for_update(of=("self",), skip_locked=True, no_key=True).first()
    if slot:
        pin_document(page_id=slot.round.page_id, now=now)
        slot.annotator, slot.claimed_at, slot.lease_until = annotator, now, now + LEASE
        slot.reserved_at = reserved_at
        slot.save(update_fields=["annotator", "claimed_at", "lease_until", "reserved_at"])
    return slot


def _activate(reserve: Slot, annotator: User, now: datetime) -> bool:
    """Make the reserve the active slot; False when they may no longer have it.

    Another annotator has taken it, or practice is due, or the page was added since to a corpus in which they
    see marks: then it goes to somebody else.
    """
    reserve.reserved_at, reserve.lease_until = None, now + LEASE
    own = Slot.objects.filter(pk=reserve.pk, annotator=annotator, submitted_at=None)
    # Locked first: an update of joined tables would not notice that another has taken the row meanwhile.
    if not lock_in_order(own):
        return False
    blind = never_seen(own, annotator, DIGEST_OF_SLOT)
    may_take = not must_practise(reserve.corpus_id, annotator.pk)
    if may_take and blind.update(reserved_at=None, lease_until=reserve.lease_until):
        return True
    release(own.exclude(pk__in=blind))
    return False
