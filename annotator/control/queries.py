"""Which pages may be given again, and what control found, by annotator."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from statistics import fmean, median, stdev

from django.db.models import Exists, F, OuterRef, QuerySet

from annotator.annotations.models import FOR_ONE, HIDDEN, Annotation, Purpose, Round, Skip, Slot, Unblinded
from annotator.annotations.study.models import StudyDesign
from annotator.control.models import Finding
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold, Source
from annotator.pages.models import Page

# An interval wants so many pages (law 10).
ENOUGH = 30
NORMAL_95 = 1.96
# Nobody looks over a page faster than this many characters a second, ten times as fast as people read.
FASTEST = 250
LEAST_SECONDS = 3
LATEST = 20


def check_pages(corpus: Corpus, annotator: User) -> QuerySet[Page]:
    """Pages with gold of more than one opinion that she has never seen."""
    labels = sorted(corpus.labels.values_list("name", flat=True))
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True, tells=labels)
    held = Slot.objects.filter(round__page=OuterRef("pk"), annotator=annotator)
    meant = Slot.objects.filter(round__page=OuterRef("pk"), meant_for=annotator)
    seen = Annotation.objects.filter(slot__round__page=OuterRef("pk"), annotator=annotator)
    skipped = Skip.objects.filter(round__page=OuterRef("pk"), annotator=annotator)
    saw = Unblinded.objects.filter(page=OuterRef("pk"), user=annotator)
    open_ones = Round.objects.filter(page=OuterRef("pk"), settled_at=None).exclude(purpose__in=FOR_ONE)
    pages = Page.objects.filter(Exists(gold.exclude(source=Source.SINGLE)), corpus=corpus)
    for reason in (held, meant, seen, skipped, saw, open_ones):
        pages = pages.exclude(Exists(reason))
    return pages.order_by("pk")


def repeat_pages(corpus: Corpus, annotator: User, before: datetime) -> QuerySet[Page]:
    """Settled pages that she handed in before that day, and was not given again."""
    hers = Annotation.objects.filter(
        slot__round__page=OuterRef("pk"),
        slot__round__purpose=Purpose.MAIN,
        slot__round__settled_at__isnull=False,
        annotator=annotator,
        submitted_at__lt=before,
    )
    again = Slot.objects.filter(round__page=OuterRef("pk"), meant_for=annotator)
    saw = Unblinded.objects.filter(page=OuterRef("pk"), user=annotator)
    open_ones = Round.objects.filter(page=OuterRef("pk"), settled_at=None).exclude(purpose__in=FOR_ONE)
    pages = Page.objects.filter(Exists(hers), corpus=corpus)
    for reason in (again, saw, open_ones):
        pages = pages.exclude(Exists(reason))
    return pages.order_by("pk")


def handed_in_since(design: StudyDesign, annotator: User) -> int:
    """Pages of main rounds that she has handed in under the design."""
    slots = Slot.objects.filter(
        corpus=design.corpus_id, annotator=annotator, submitted_at__gte=design.made_at
    )
    return slots.filter(round__purpose=Purpose.MAIN).count()


def opened_since(design: StudyDesign, annotator: User, purpose: str) -> int:
    mine = Round.objects.filter(slots__meant_for=annotator, page__corpus=design.corpus_id, purpose=purpose)
    return mine.filter(opened_at__gte=design.made_at).count()


def waits(corpus: Corpus, annotator: User, purpose: str) -> bool:
    """Whether one is meant for her already; the next comes after it."""
    mine = Slot.objects.filter(corpus=corpus, meant_for=annotator, submitted_at=None, round__purpose=purpose)
    skipped = Skip.objects.filter(round=OuterRef("round"), annotator=annotator)
    return mine.exclude(Exists(skipped)).exists()


def without_finding() -> QuerySet[Round]:
    """Checks and second readings that are handed in and not looked at."""
    found = Finding.objects.filter(annotation__slot__round=OuterRef("pk"))
    handed_in = Slot.objects.filter(round=OuterRef("pk"), submitted_at__isnull=False)
    rounds = Round.objects.filter(Exists(handed_in), purpose__in=HIDDEN)
    return rounds.exclude(Exists(found)).order_by("pk")


# ---- what was found ----


@dataclass(frozen=True)
class Figures:
    """A mean F1 over pages; its interval is withheld below 30 of them."""

    n: int
    same_verdict: int
    f1: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Row:
    person: User
    handed_in: int
    seconds: float | None
    too_fast: int
    checks: Figures
    repeats: Figures


def figures_of(findings: Iterable[Finding]) -> Figures:
    found = list(findings)
    values = [finding.f1 for finding in found if finding.f1 is not None]
    same = sum(finding.same_verdict for finding in found)
    mean = fmean(values) if values else None
    if mean is None or len(values) < ENOUGH:
        return Figures(len(found), same, mean)
    # The jackknife over pages of a mean is this.
    half = NORMAL_95 * stdev(values) / sqrt(len(values))
    return Figures(len(found), same, mean, max(0.0, mean - half), min(1.0, mean + half))


def rows(corpus: Corpus) -> list[Row]:
    """Everybody who has handed in a page here, by name."""
    seconds: dict[int, list[tuple[int, bool]]] = {}
    for annotation in _submitted(corpus).values_list("annotator", "active_seconds", "document__length"):
        person, active, length = annotation
        seconds.setdefault(person, []).append((active, is_too_fast(active, length)))
    findings: dict[int, list[Finding]] = {}
    for finding in Finding.objects.filter(annotation__slot__corpus=corpus).select_related("annotation"):
        findings.setdefault(finding.annotation.annotator_id, []).append(finding)
    people = User.objects.filter(pk__in=seconds).order_by("first_name", "username")
    return [
        Row(
            person=person,
            handed_in=len(seconds[person.pk]),
            seconds=median(active for active, _fast in seconds[person.pk]),
            too_fast=sum(fast for _active, fast in seconds[person.pk]),
            checks=figures_of(each for each in findings.get(person.pk, []) if each.gold_id),
            repeats=figures_of(each for each in findings.get(person.pk, []) if each.first_id),
        )
        for person in people
    ]


def is_too_fast(active_seconds: int, length: int) -> bool:
    """Whether so many seconds cannot be enough for so many characters."""
    return active_seconds < max(LEAST_SECONDS, length / FASTEST)


def too_fast(corpus: Corpus) -> list[Annotation]:
    """The latest pages that were handed in too fast."""
    fast = _submitted(corpus).filter(active_seconds__lt=F("document__length") / FASTEST)
    least = _submitted(corpus).filter(active_seconds__lt=LEAST_SECONDS)
    found = (fast | least).select_related("annotator", "slot__round__page", "document")
    return list(found.defer("document__text", "document__blocks").order_by("-submitted_at")[:LATEST])


def _submitted(corpus: Corpus) -> QuerySet[Annotation]:
    handed_in = Annotation.objects.filter(slot__corpus=corpus, submitted_at__isnull=False)
    return handed_in.exclude(slot__round__purpose=Purpose.PRACTICE)


def weeks_ago(weeks: int, now: datetime) -> datetime:
    return now - timedelta(weeks=weeks)
