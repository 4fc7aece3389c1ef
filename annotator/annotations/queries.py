"""Which slots are open, to whom, and what an annotator may see: her own."""

from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from annotator.annotations.models import FOR_ONE, Annotation, Purpose, Round, Skip, Slot
from annotator.annotations.study import queries as study
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page


def pages_without_round() -> QuerySet[Page]:
    """Pages that have a document and no main round."""
    opened = Round.objects.filter(page=OuterRef("pk"), purpose=Purpose.MAIN)
    return Page.objects.exclude(finished_at=None).filter(error="").exclude(Exists(opened))


def claimable_slots(corpus: Corpus, annotator: User, now: datetime) -> QuerySet[Slot]:
    """Slots that she may take: free or with a lapsed lease, on a page where she has none and skipped none.

    Half-annotated pages come first, so that gold grows; then in the order that the design gives them.
    The index `slots_open` has this order: the first one is found without a look at the others.
    """
    free = Q(annotator=None) | Q(lease_until__lt=now)
    return (
        _slots_for(corpus, annotator)
        .filter(free)
        .select_related("round__page__document", "corpus")
        .order_by(F("begun_at").asc(nulls_last=True), "turn", "round_id", "number")
    )


def unopened_reserves(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """Slots that wait for others, who have not opened them: hers when nothing else is left."""
    opened = Annotation.objects.filter(slot=OuterRef("pk"), annotator=OuterRef("annotator"))
    waiting = _slots_for(corpus, annotator).filter(reserved_at__isnull=False).exclude(Exists(opened))
    return waiting.select_related("round__page__document", "corpus").order_by("-reserved_at")


def _slots_for(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """Open slots of rounds in which she has no slot, and which she has not skipped; if she is given any."""
    if not study.is_allowed(study.newest(corpus), annotator):
        return Slot.objects.none()
    hers = Slot.objects.filter(round=OuterRef("round"), annotator=annotator)
    skipped = Skip.objects.filter(round=OuterRef("round"), annotator=annotator)
    hers_or_anybodys = Q(meant_for=None) | Q(meant_for=annotator)
    open_ones = Slot.objects.filter(hers_or_anybodys, corpus=corpus, submitted_at=None)
    # A round may be closed with places open: its page was taken down.
    return open_ones.filter(round__settled_at=None).exclude(Exists(hers)).exclude(Exists(skipped))


def held_slots(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """Hers, claimed and not submitted; a lapsed lease is hers until somebody takes it."""
    return Slot.objects.filter(corpus=corpus, annotator=annotator, submitted_at=None)


def active_slot(corpus: Corpus, annotator: User) -> Slot | None:
    """The one that she works on."""
    held = held_slots(corpus, annotator).filter(reserved_at=None)
    return held.select_related("round__page__document", "corpus").first()


def reserves(corpus_id: int, annotator_id: int) -> QuerySet[Slot]:
    """The one that waits for her, if any."""
    return Slot.objects.filter(corpus=corpus_id, annotator=annotator_id, reserved_at__isnull=False)


def reserve_of(corpus: Corpus, annotator: User) -> Slot | None:
    waiting = reserves(corpus.pk, annotator.pk).select_related("round__page__document", "corpus")
    return waiting.order_by().first()


def slot_of(corpus: Corpus, annotator: User, pk: int) -> Slot | None:
    """The slot, if it is or was hers: she holds it, or has an annotation in it. None otherwise."""
    own = Annotation.objects.filter(slot=OuterRef("pk"), annotator=annotator)
    found = Slot.objects.filter(pk=pk, corpus=corpus).filter(Q(annotator=annotator) | Exists(own))
    return found.select_related("round__page__document", "arm", "corpus").first()


def annotations_of(corpus: Corpus, annotator: User) -> QuerySet[Annotation]:
    """Her annotations, the latest first."""
    return (
        Annotation.objects.filter(annotator=annotator, slot__corpus=corpus)
        .select_related("slot__round__page")
        .order_by("-opened_at", "-id")
    )


def submitted_today(corpus: Corpus, annotator: User) -> int:
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return submitted(corpus, annotator).filter(submitted_at__gte=midnight).count()


def submitted(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """The slots that she has handed in."""
    return Slot.objects.filter(corpus=corpus, annotator=annotator, submitted_at__isnull=False)


def complete_rounds() -> QuerySet[Round]:
    """Rounds in which every slot is submitted, but those that control and settle nothing."""
    slots = Slot.objects.filter(round=OuterRef("pk"))
    settling = Round.objects.exclude(purpose__in=FOR_ONE)
    return settling.objects.filter(Exists(slots)).exclude(Exists(slots.filter(submitted_at=None)))


def submissions(round_: Round) -> list[Annotation]:
    """The submitted annotations of a round, in the order of its slots."""
    return list(
        Annotation.objects.filter(slot__round=round_, submitted_at__isnull=False)
        .select_related("slot", "document", "annotator")
        .order_by("slot__number")
    )


def rounds_left(corpus: Corpus, annotator: User) -> int:
    """Pages that she may still take, those that wait for others without being opened among them."""
    now = timezone.now()
    free = Q(annotator=None) | Q(lease_until__lt=now) | Q(reserved_at__isnull=False)
    return _slots_for(corpus, annotator).filter(free).aggregate(n=Count("round", distinct=True))["n"]
