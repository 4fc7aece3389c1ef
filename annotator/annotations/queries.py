"""Which slots are open, to whom, and what an annotator may see: her own."""

from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from annotator.annotations.models import Annotation, Purpose, Round, Skip, Slot
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page


def pages_without_round() -> QuerySet[Page]:
    """Pages that have a document and no main round."""
    opened = Round.objects.filter(page=OuterRef("pk"), purpose=Purpose.MAIN)
    return Page.objects.exclude(finished_at=None).filter(error="").exclude(Exists(opened))


def claimable_slots(corpus: Corpus, annotator: User, now: datetime) -> QuerySet[Slot]:
    """Slots that she may take: free or with a lapsed lease, on a page where she has none and skipped none.

    Half-annotated pages come first, so that gold grows; then in the order in which the rounds were opened.
    """
    hers = Slot.objects.filter(round=OuterRef("round"), annotator=annotator)
    skipped = Skip.objects.filter(round=OuterRef("round"), annotator=annotator)
    others = Slot.objects.filter(round=OuterRef("round"), submitted_at__isnull=False)
    return (
        Slot.objects.filter(round__page__corpus=corpus, submitted_at=None)
        .filter(Q(annotator=None) | Q(lease_until__lt=now))
        .exclude(Exists(hers))
        .exclude(Exists(skipped))
        .annotate(half_done=Exists(others))
        .order_by("-half_done", "round_id", "number")
    )


def held_slots(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """Hers, claimed and not submitted, the latest first; a lapsed lease is hers until somebody takes it."""
    return (
        Slot.objects.filter(round__page__corpus=corpus, annotator=annotator, submitted_at=None)
        .select_related("round__page", "arm")
        .order_by("-claimed_at")
    )


def slot_of(corpus: Corpus, annotator: User, pk: int) -> QuerySet[Slot]:
    """The slot, if it is or was hers: she has an annotation in it. Nothing otherwise."""
    return Slot.objects.filter(
        pk=pk, round__page__corpus=corpus, annotations__annotator=annotator
    ).select_related("round__page", "arm", "round__page__corpus")


def annotations_of(corpus: Corpus, annotator: User) -> QuerySet[Annotation]:
    """Her annotations, the latest first."""
    return (
        Annotation.objects.filter(annotator=annotator, slot__round__page__corpus=corpus)
        .select_related("slot__round__page")
        .order_by("-opened_at", "-id")
    )


def submitted_today(corpus: Corpus, annotator: User) -> int:
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return annotations_of(corpus, annotator).filter(submitted_at__gte=midnight).count()


def complete_rounds() -> QuerySet[Round]:
    """Rounds in which every slot is submitted."""
    return Round.objects.annotate(
        slot_count=Count("slots"), submitted=Count("slots", filter=Q(slots__submitted_at__isnull=False))
    ).filter(slot_count__gt=0, slot_count=F("submitted"))


def submissions(round_: Round) -> list[Annotation]:
    """The submitted annotations of a round, in the order of its slots."""
    return list(
        Annotation.objects.filter(slot__round=round_, submitted_at__isnull=False)
        .select_related("slot", "document", "annotator")
        .order_by("slot__number")
    )


def rounds_left(corpus: Corpus, annotator: User) -> int:
    """Pages that she may still take."""
    slots = claimable_slots(corpus, annotator, timezone.now()).order_by()
    return slots.values("round").distinct().count()
