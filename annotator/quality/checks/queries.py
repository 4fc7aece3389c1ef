"""Pages for checks and repeats, and the results by annotator."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean, median

from django.conf import settings
from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)

from annotator.annotations.eligibility import known_from_practice, never_given, never_seen
from annotator.annotations.models import (
    FOR_ONE,
    HIDDEN,
    TO_GOLD,
    Annotation,
    Purpose,
    Round,
    Skip,
    Slot,
)
from annotator.common.intervals import half_width
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold, GoldSource
from annotator.gold.queries import comparable_gold, open_adjudications
from annotator.pages.models import Page
from annotator.quality.checks.models import QualityCheck
from annotator.runs.models import Extraction, Extractor
from annotator.runs.tuned_on import known_to

# An interval needs so many pages (invariant 10).
ENOUGH = 30
# Characters per second, ten times as fast as people read: nobody looks through a page faster.
FASTEST = 250
LEAST_SECONDS = 3
# The page of a check is one of so many on either side of the annotator's last one.
NEAREST = 10
SWEEP_INTERVAL = timedelta(seconds=settings.SWEEP_SECONDS)


def check_pages(corpus: Corpus, annotator: User) -> QuerySet[Page]:
    """Pages with gold by several people that the annotator has never seen."""
    by_several = comparable_gold(corpus, corpus).exclude(source=GoldSource.SINGLE)
    pages = never_given(Page.objects.filter(corpus=corpus), annotator)
    return _checkable(pages, by_several, corpus, annotator)


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
    pages = never_seen(Page.objects.filter(Exists(own), corpus=corpus), annotator, "sha256")
    return _checkable(pages.exclude(Exists(again)), comparable_gold(corpus, corpus), corpus, annotator)


def _checkable(
    pages: QuerySet[Page], gold: QuerySet[Gold], corpus: Corpus, annotator: User
) -> QuerySet[Page]:
    """Those with such gold that nobody else annotates now, nor the annotator knows from practice."""
    pages = pages.filter(Exists(gold.filter(page=OuterRef("pk"))))
    open_rounds = Round.objects.filter(page=OuterRef("pk"), finalised_at=None).exclude(purpose__in=FOR_ONE)
    pages = pages.exclude(Exists(open_rounds))
    return pages.exclude(pk__in=known_from_practice(corpus, annotator)).order_by("pk")


def last_submitted(corpus: Corpus, annotator: User) -> Slot | None:
    """The slot of an ordinary page that the annotator submitted last."""
    own = Slot.objects.filter(corpus=corpus, annotator=annotator, submitted_at__isnull=False)
    ordinary = own.filter(round__purpose__in=TO_GOLD).select_related("round")
    return ordinary.order_by("-submitted_at").first()


def arms_like(slot: Slot) -> dict[int | None, int]:
    """What the annotator's ordinary pages show: the arms of slots like this one, with their numbers.

    These are the slots of its study settings and purpose, so that a check shows a suggestion as often as any
    page that the annotator is given at the time, and of the same extractors in the same versions.
    """
    alike = Slot.objects.filter(
        corpus=slot.corpus_id, round__design=slot.round.design_id, round__purpose=slot.round.purpose
    )
    counted = alike.order_by().values_list("arm").annotate(n=Count("pk"))
    return dict(sorted(counted, key=lambda row: row[0] or 0))


def able_to_show(pages: QuerySet[Page], arms: Iterable[int | None]) -> QuerySet[Page]:
    """Those of the pages that can show any of the arms: whether one is given must not depend on its arm.

    Pages of the blind stratum show nothing to anybody (invariant 5), and a model's suggestion is not shown
    where it learned from the gold (invariant 4), so neither are among these.
    """
    extractors = [arm for arm in arms if arm is not None]
    if extractors:
        blind = Round.objects.filter(page=OuterRef("pk"), purpose=Purpose.MAIN, blind=True)
        pages = pages.exclude(Exists(blind))
    for extractor in extractors:
        done = Extraction.objects.filter(document=OuterRef("document"), finished_at__isnull=False)
        pages = pages.filter(Exists(done.filter(extractor=extractor)))
    for trained in Extractor.objects.filter(pk__in=extractors, trained_in__isnull=False):
        pages = pages.exclude(pk__in=known_to(trained))
    return pages


def nearest_in_queue(pages: QuerySet[Page], slot: Slot) -> list[Page]:
    """The pages nearest to that of the slot in the order of the queue, before and after it.

    Pages that come by date or by site would give away one from another month, or another site.
    """
    main = Slot.objects.filter(round__page=OuterRef("pk"), round__purpose=Purpose.MAIN).order_by("pk")
    placed = pages.annotate(queue_key=Subquery(main.values("queue_key")[:1]))
    before = placed.filter(queue_key__lte=slot.queue_key).order_by("-queue_key", "-pk")
    after = placed.filter(queue_key__gt=slot.queue_key).order_by("queue_key", "pk")
    return [*before[:NEAREST], *after[:NEAREST]]


def delays_to_gold(page: Page) -> list[timedelta]:
    """How long after their submission the annotations of the page's main round became final."""
    slots = Slot.objects.filter(round__page=page, round__purpose=Purpose.MAIN, submitted_at__isnull=False)
    times = slots.order_by("pk").values_list("submitted_at", "round__finalised_at")
    return [max(final - at, timedelta()) for at, final in times if at and final]


def due_to_be_final(now: datetime) -> QuerySet[Round]:
    """Submitted checks and repeats that become final before the next sweep."""
    submitted_by = ExpressionWrapper(
        Value(now + SWEEP_INTERVAL) - F("final_after"), output_field=DateTimeField()
    )
    return Round.objects.filter(
        purpose__in=HIDDEN, finalised_at=None, slots__submitted_at__lte=submitted_by
    ).order_by("pk")


def has_open(corpus: Corpus, annotator: User, purpose: str) -> bool:
    """Whether the annotator has an open one already; the next comes after it."""
    own = Slot.objects.filter(
        corpus=corpus,
        assigned_to=annotator,
        submitted_at=None,
        round__purpose=purpose,
        round__finalised_at=None,
    )
    skipped = Skip.objects.filter(round=OuterRef("round"), annotator=annotator)
    return own.exclude(Exists(skipped)).exists()


def without_check() -> QuerySet[Round]:
    """Checks and repeats that are final and have no result."""
    recorded = QualityCheck.objects.filter(annotation__slot__round=OuterRef("pk"))
    submitted = Slot.objects.filter(round=OuterRef("pk"), submitted_at__isnull=False)
    rounds = Round.objects.filter(
        Exists(submitted), purpose__in=HIDDEN, finalised_at__isnull=False, page__takedown=None
    )
    return rounds.exclude(Exists(recorded)).order_by("pk")


# ---- results ----


@dataclass(frozen=True)
class CheckFigures:
    """A mean F1 over pages; its interval is withheld below 30 of them."""

    n: int
    same_verdict: int
    # The pages that both found to have text to mark: F1 is of these.
    measured: int
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
        return CheckFigures(len(found), same, len(values), mean)
    # The jackknife over pages of a mean is this.
    half = half_width(values)
    return CheckFigures(len(found), same, len(values), mean, max(0.0, mean - half), min(1.0, mean + half))


def rows(corpus: Corpus) -> list[AnnotatorQuality]:
    """The quality of everybody who has submitted a page in the corpus, by name."""
    seconds: dict[int, list[tuple[int, bool]]] = {}
    for annotation in _submitted(corpus).values_list("annotator", "active_seconds", "document__length"):
        person, active, length = annotation
        seconds.setdefault(person, []).append((active, is_too_fast(active, length)))
    results: dict[int, list[QualityCheck]] = {}
    made = QualityCheck.objects.filter(annotation__slot__corpus=corpus).select_related("annotation")
    for check in made.defer("confusion"):
        results.setdefault(check.annotation.annotator_id, []).append(check)
    people = User.objects.filter(pk__in=seconds).order_by("first_name__folded", "username")
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


def too_fast(corpus: Corpus) -> QuerySet[Annotation]:
    """The annotations that were submitted too fast, the latest first."""
    fast = Q(document__length__gt=F("active_seconds") * FASTEST) | Q(active_seconds__lt=LEAST_SECONDS)
    found = _submitted(corpus).filter(fast).select_related("annotator", "slot__round__page", "document")
    gold = Gold.objects.filter(page=OuterRef("slot__round__page"), current=True)
    sent_back = open_adjudications().filter(round__page=OuterRef("slot__round__page"))
    found = found.annotate(can_send_back=Exists(gold) & ~Exists(sent_back))
    return found.defer("document__text", "document__blocks").order_by("-submitted_at", "-pk")


def _submitted(corpus: Corpus) -> QuerySet[Annotation]:
    submitted = Annotation.objects.filter(slot__corpus=corpus, submitted_at__isnull=False)
    return submitted.exclude(slot__round__purpose=Purpose.PRACTICE)
