"""Pages for checks and repeats, and the results by annotator."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from statistics import fmean, median, stdev

from django.db.models import Exists, F, OuterRef, QuerySet

from annotator.annotations.eligibility import known_from_practice, never_given, never_seen
from annotator.annotations.models import FOR_ONE, HIDDEN, Annotation, Purpose, Round, Skip, Slot
from annotator.annotations.study.models import StudyDesign
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold, GoldSource
from annotator.pages.models import Page
from annotator.quality.checks.models import QualityCheck

# An interval needs so many pages (invariant 10).
ENOUGH = 30
NORMAL_95 = 1.96
# Characters per second, ten times as fast as people read: nobody looks through a page faster.
FASTEST = 250
LEAST_SECONDS = 3
LATEST = 20


def check_pages(corpus: Corpus, annotator: User) -> QuerySet[Page]:
    """Pages with gold by several people that the annotator has never seen."""
    labels = sorted(corpus.labels.values_list("name", flat=True))
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True, distinguishable_labels=labels)
    open_rounds = Round.objects.filter(page=OuterRef("pk"), finalised_at=None).exclude(purpose__in=FOR_ONE)
    pages: QuerySet[Page] = Page.objects.filter(Exists(gold.exclude(source=GoldSource.SINGLE)), corpus=corpus)
    pages = never_given(pages.exclude(Exists(open_rounds)), annotator)
    return pages.exclude(pk__in=known_from_practice(corpus, annotator)).order_by("pk")


def repeat_pages(corpus: Corpus, annotator: User, before: datetime) -> QuerySet[Page]:
    """Finalised pages that the annotator submitted before that day and was not assigned again."""
    own = Annotation.objects.filter(
        slot__round__page=OuterRef("pk"),
        slot__round__purpose=Purpose.MAIN,
        slot__round__finalised_at__isnull=False,
        annotator=annotator,
        submitted_at__lt=before,
    )
    again = Slot.objects.filter(round__page=OuterRef("pk"), assigned_to=annotator)
    open_rounds = Round.objects.filter(page=OuterRef("pk"), finalised_at=None).exclude(purpose__in=FOR_ONE)
    pages = never_seen(Page.objects.filter(Exists(own), corpus=corpus), annotator, "sha256")
    for reason in (Exists(again), Exists(open_rounds)):
        pages = pages.exclude(reason)
    return pages.exclude(pk__in=known_from_practice(corpus, annotator)).order_by("pk")


def submitted_since(design: StudyDesign, annotator: User) -> int:
    """Pages of main rounds that the annotator has submitted under the design."""
    slots = Slot.objects.filter(
        corpus=design.corpus_id, annotator=annotator, submitted_at__gte=design.made_at
    )
    return slots.filter(round__purpose=Purpose.MAIN).count()


def opened_since(design: StudyDesign, annotator: User, purpose: str) -> int:
    own = Round.objects.filter(slots__assigned_to=annotator, page__corpus=design.corpus_id, purpose=purpose)
    return own.filter(opened_at__gte=design.made_at).count()


def has_open(corpus: Corpus, annotator: User, purpose: str) -> bool:
    """Whether the annotator has an open one already; the next comes after it."""
    own = Slot.objects.filter(corpus=corpus, assigned_to=annotator, submitted_at=None, round__purpose=purpose)
    skipped = Skip.objects.filter(round=OuterRef("round"), annotator=annotator)
    return own.exclude(Exists(skipped)).exists()


def without_check() -> QuerySet[Round]:
    """Checks and repeats that are submitted and have no result."""
    recorded = QualityCheck.objects.filter(annotation__slot__round=OuterRef("pk"))
    submitted = Slot.objects.filter(round=OuterRef("pk"), submitted_at__isnull=False)
    rounds = Round.objects.filter(Exists(submitted), purpose__in=HIDDEN)
    return rounds.exclude(Exists(recorded)).order_by("pk")


# ---- results ----


@dataclass(frozen=True)
class CheckFigures:
    """A mean F1 over pages; its interval is withheld below 30 of them."""

    n: int
    same_verdict: int
    f1: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class AnnotatorQuality:
    person: User
    submitted: int
    seconds: float | None
    too_fast: int
    checks: CheckFigures
    repeats: CheckFigures


def figures_of(checks: Iterable[QualityCheck]) -> CheckFigures:
    found = list(checks)
    values = [check.f1 for check in found if check.f1 is not None]
    same = sum(check.same_verdict for check in found)
    mean = fmean(values) if values else None
    if mean is None or len(values) < ENOUGH:
        return CheckFigures(len(found), same, mean)
    # The jackknife over pages of a mean is this.
    half = NORMAL_95 * stdev(values) / sqrt(len(values))
    return CheckFigures(len(found), same, mean, max(0.0, mean - half), min(1.0, mean + half))


def rows(corpus: Corpus) -> list[AnnotatorQuality]:
    """The quality of everybody who has submitted a page in the corpus, by name."""
    seconds: dict[int, list[tuple[int, bool]]] = {}
    for annotation in _submitted(corpus).values_list("annotator", "active_seconds", "document__length"):
        person, active, length = annotation
        seconds.setdefault(person, []).append((active, is_too_fast(active, length)))
    results: dict[int, list[QualityCheck]] = {}
    for check in QualityCheck.objects.filter(annotation__slot__corpus=corpus).select_related("annotation"):
        results.setdefault(check.annotation.annotator_id, []).append(check)
    people = User.objects.filter(pk__in=seconds).order_by("first_name", "username")
    return [
        AnnotatorQuality(
            person=person,
            submitted=len(seconds[person.pk]),
            seconds=median(active for active, _fast in seconds[person.pk]),
            too_fast=sum(fast for _active, fast in seconds[person.pk]),
            checks=figures_of(each for each in results.get(person.pk, []) if each.gold_id),
            repeats=figures_of(each for each in results.get(person.pk, []) if each.first_annotation_id),
        )
        for person in people
    ]


def is_too_fast(active_seconds: int, length: int) -> bool:
    """Whether so many seconds cannot suffice for so many characters."""
    return active_seconds < max(LEAST_SECONDS, length / FASTEST)


def too_fast(corpus: Corpus) -> list[Annotation]:
    """The latest annotations that were submitted too fast."""
    fast = _submitted(corpus).filter(active_seconds__lt=F("document__length") / FASTEST)
    least = _submitted(corpus).filter(active_seconds__lt=LEAST_SECONDS)
    found = (fast | least).select_related("annotator", "slot__round__page", "document")
    return list(found.defer("document__text", "document__blocks").order_by("-submitted_at")[:LATEST])


def _submitted(corpus: Corpus) -> QuerySet[Annotation]:
    submitted = Annotation.objects.filter(slot__corpus=corpus, submitted_at__isnull=False)
    return submitted.exclude(slot__round__purpose=Purpose.PRACTICE)


def weeks_ago(weeks: int, now: datetime) -> datetime:
    return now - timedelta(weeks=weeks)
