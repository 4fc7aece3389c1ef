"""What an annotator may see, which is their own; rounds and submissions."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.annotations.eligibility import pages_left
from annotator.annotations.models import (
    FOR_ONE,
    Annotation,
    Purpose,
    Revision,
    Round,
    Slot,
    Submission,
)
from annotator.annotations.study import queries as study
from annotator.common.caching import cached_count
from annotator.common.dates import midnight
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page, StoredDocument


def pages_without_round(since: datetime | None = None) -> QuerySet[Page]:
    """Pages that have a document, built after `since`, and no main round; none that was taken down."""
    opened = Round.objects.filter(page=OuterRef("pk"), purpose=Purpose.MAIN)
    built = Page.objects.filter(finished_at__gte=since) if since else Page.objects.exclude(finished_at=None)
    return built.filter(error="", takedown=None).exclude(Exists(opened)).order_by("id")


def held_slots(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """The slots that the annotator has claimed and not submitted, also where the lease has lapsed."""
    return Slot.objects.filter(corpus=corpus, annotator=annotator, submitted_at=None)


def active_slot(corpus: Corpus, annotator: User) -> Slot | None:
    """The slot that the annotator works on."""
    held = held_slots(corpus, annotator).filter(reserved_at=None)
    return held.select_related("round__page__document", "corpus").first()


def reserve_of(corpus: Corpus, annotator: User) -> Slot | None:
    """The annotator's reserve, if any."""
    held = held_slots(corpus, annotator).filter(reserved_at__isnull=False)
    return held.select_related("round__page__document", "corpus").order_by().first()


def slot_of(corpus: Corpus, annotator: User, key: uuid.UUID) -> Slot | None:
    """The slot, if the annotator holds it or has an annotation in it; None otherwise."""
    own = Annotation.objects.filter(slot=OuterRef("pk"), annotator=annotator)
    slots = Slot.objects.filter(key=key, corpus=corpus).filter(Q(annotator=annotator) | Exists(own))
    slot = slots.order_by().first()
    if slot:
        slot.corpus = corpus
    return slot


def lock_slot_with_document(corpus: Corpus, key: uuid.UUID) -> Slot | None:
    """The slot, whoever has it, with its row locked, its page, and the document without its text."""
    # Two statements: what the second one reads is committed once the lock is granted.
    locked = Slot.objects.filter(key=key, corpus=corpus).select_for_update(no_key=True)
    pk = locked.values_list("pk", flat=True).order_by().first()
    if pk is None:
        return None
    texts = (f"round__page__document__{name}" for name in ("text", "blocks", "repairs"))
    related = ("round__page__document", "round__page__takedown")
    slot = Slot.objects.select_related(*related).defer(*texts).get(pk=pk)
    slot.corpus = corpus
    return slot


def document_seen(corpus: Corpus, annotator: User, key: uuid.UUID) -> StoredDocument | None:
    """The document that the slot shows, or will show once opened; only its view's digest is loaded."""
    opened = Annotation.objects.filter(slot__key=key, slot__corpus=corpus, annotator=annotator)
    held = Slot.objects.filter(key=key, corpus=corpus, annotator=annotator)
    documents = StoredDocument.objects.only("view_sha256").order_by()
    return (
        documents.filter(pk__in=opened.values("document")).first()
        or documents.filter(current_of__in=held.values("round__page")).first()
    )


def annotations_of(corpus: Corpus, annotator: User) -> QuerySet[Annotation]:
    """The annotator's annotations but those of practice, the latest first."""
    return (
        Annotation.objects.filter(annotator=annotator, slot__corpus=corpus)
        .exclude(slot__round__purpose=Purpose.PRACTICE)
        .select_related("slot__round__page")
        .order_by("-opened_at", "-id")
    )


def submitted_counts(corpus: Corpus, annotator: User) -> dict[str, int]:
    """How many slots the annotator has submitted, as `done`, and how many of them `today`."""
    return submitted(corpus, annotator).aggregate(
        done=Count("pk"), today=Count("pk", filter=Q(submitted_at__gte=midnight()))
    )


def submitted(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """The slots that the annotator has submitted but those of practice."""
    own = Slot.objects.filter(corpus=corpus, annotator=annotator, submitted_at__isnull=False)
    practice = Round.objects.filter(pk=OuterRef("round"), purpose=Purpose.PRACTICE)
    # Practice slots are assigned: nearly all slots are not, and their rounds are not looked up.
    return own.exclude(Q(assigned_to__isnull=False) & Q(Exists(practice)))


def complete_rounds(since: datetime | None = None) -> QuerySet[Round]:
    """Rounds in which every slot is submitted, one of them after `since`.

    Not those for one person, which never come to gold.
    """
    slots = Slot.objects.filter(round=OuterRef("pk"))
    rounds = Round.objects.exclude(purpose__in=FOR_ONE)
    submitted = slots.filter(submitted_at__gte=since) if since else slots
    return rounds.filter(Exists(submitted)).exclude(Exists(slots.filter(submitted_at=None)))


class AfterSubmission(NamedTuple):
    """Whether a submission was the last of its round, and whether quality checks may be due."""

    is_last: bool
    is_controlled: bool


def after_submission(slot: Slot) -> AfterSubmission:
    is_last = not Slot.objects.filter(round=slot.round_id, submitted_at=None).exists()
    design = study.newest(slot.corpus)
    gives_again = design is not None and design.gives_pages_again
    return AfterSubmission(is_last, is_controlled=gives_again or slot.round.purpose in FOR_ONE)


def submissions(round_: Round) -> list[Annotation]:
    """The submitted annotations of a round, in the order of its slots."""
    return list(
        Annotation.objects.filter(slot__round=round_, submitted_at__isnull=False)
        .select_related("slot", "document", "annotator")
        .order_by("slot__number")
    )


def submitted_revisions(annotations: Iterable[Annotation]) -> dict[int, Revision]:
    """The revision of the current submission of each, by the annotation's key."""
    counts = Revision.objects.filter(submission__annotation__in=annotations, submission__withdrawn_at=None)
    return {revision.annotation_id: revision for revision in counts}


def submissions_of_rounds(rounds: Iterable[Round]) -> QuerySet[Submission]:
    """The submissions of rounds that count, with revision and document, in the order of the slots."""
    counting = Submission.objects.filter(
        annotation__slot__round__in=rounds, withdrawn_at=None, annotation__submitted_at__isnull=False
    )
    known = counting.select_related("revision", "annotation__slot", "annotation__document")
    return known.defer("annotation__document__text", "annotation__document__blocks").order_by(
        "annotation__slot__number"
    )


# Seconds for which the number of an annotator's pages, done and left, is cached.
PAGES_CACHED = 300


class AnnotationProgress(NamedTuple):
    """Pages submitted, those of them submitted today, and those left."""

    done: int
    today: int
    left: int


def progress_of(corpus: Corpus, annotator: User, *, recount: bool = False) -> AnnotationProgress:
    """The annotator's progress. What is left is cached, unless `recount`: counting reads every open slot."""
    counts = submitted_counts(corpus, annotator)
    pages = cached_count(
        f"pages:{corpus.pk}:{annotator.pk}",
        lambda: counts["done"] + pages_left(corpus, annotator),
        seconds=PAGES_CACHED,
        recount=recount,
    )
    return AnnotationProgress(**counts, left=max(0, pages - counts["done"]))
