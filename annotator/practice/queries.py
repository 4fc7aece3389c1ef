"""Pages to practise on, the progress of annotators, and the admin's view of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Value
from django.db.models.functions import MD5, Concat

from annotator.annotations.eligibility import never_given
from annotator.annotations.models import FOR_ONE, Annotation, Round, Slot
from annotator.annotations.qualification.models import PracticeSettings, Qualification
from annotator.annotations.qualification.queries import newest
from annotator.annotations.study.queries import annotators
from annotator.common.roles import ANNOTATOR
from annotator.corpora.models import Corpus, Membership, User
from annotator.corpora.queries import administered_by
from annotator.gold.models import Adjudication, GoldSource
from annotator.gold.queries import comparable_gold, open_adjudications
from annotator.pages.models import Page, ShingleBand
from annotator.practice.models import PracticeAttempt, PracticePage

# ---- pages ----


def pool(corpus: Corpus, source: Corpus) -> QuerySet[Page]:
    """Pages of `source` whose gold could have been made with the labels of `corpus`, in a language of it.

    Without pages being annotated or adjudicated there, and near duplicates of pages of `corpus`.
    """
    gold = comparable_gold(corpus, source).filter(page=OuterRef("pk")).exclude(source=GoldSource.SINGLE)
    begun = Slot.objects.filter(round=OuterRef("pk"), annotator__isnull=False)
    unsettled = Round.objects.filter(Exists(begun), page=OuterRef("pk"), finalised_at=None)
    found = Page.objects.filter(Exists(gold), corpus=source)
    if corpus.languages:
        found = found.filter(Q(language__in=corpus.languages) | Q(language=""))
    in_dispute = open_adjudications().filter(round__page=OuterRef("pk"))
    for reason in (Exists(unsettled.exclude(purpose__in=FOR_ONE)), Exists(in_dispute), _twins(corpus=corpus)):
        found = found.exclude(reason)
    return found.order_by()


def _twins(**where: object) -> Q:
    """Whether there is a page with the same bytes, or one that may be a near duplicate, as they share a band.

    Where they are not, this costs a page of practice; the other way round it would cost a page's blindness.
    """
    same = Page.objects.filter(sha256=OuterRef("sha256"), **where)
    its = ShingleBand.objects.filter(page=OuterRef(OuterRef("pk"))).values("digest")
    return Q(Exists(same)) | Q(Exists(ShingleBand.objects.filter(digest__in=its, **where)))


def pages_for(practice: PracticeSettings, annotator: User) -> QuerySet[Page]:
    """Pages that the annotator was never given, in the practice's order, which is the same for everybody."""
    assert practice.source
    adjudicated = Adjudication.objects.filter(adjudicator=annotator, round__page=OuterRef("pk"))
    found = never_given(pool(practice.corpus, practice.source), annotator).exclude(Exists(adjudicated))
    # Nor near duplicates of pages that they annotate in another corpus.
    memberships = Membership.objects.filter(user=annotator, role=ANNOTATOR, ended_at=None)
    elsewhere = memberships.exclude(corpus=practice.source)
    found = found.exclude(_twins(corpus__in=elsewhere.values("corpus")))
    return found.order_by(MD5(Concat(Value(f"{practice.seed}:"), "sha256")), "pk")


def sources(corpus: Corpus, admin: User) -> list[tuple[Corpus, int]]:
    """Corpora that the admin administers, with the number of pages that `corpus` can practise on."""
    administered = Corpus.objects.all() if admin.is_superuser else administered_by(admin)
    counted = [(each, pool(corpus, each).count()) for each in administered.exclude(pk=corpus.pk)]
    return [(each, n) for each, n in counted if n]


# ---- one annotator ----


@dataclass(frozen=True)
class PracticeProgress:
    """An annotator's progress with the practice of a corpus."""

    practice: PracticeSettings | None
    qualification: Qualification | None
    attempts: Sequence[PracticeAttempt]

    @property
    def is_required(self) -> bool:
        """Whether the annotator has to pass practice before the corpus's pages."""
        return bool(self.practice and self.practice.source_id and not self.qualification)

    @property
    def open_attempt(self) -> PracticeAttempt | None:
        return next((each for each in self.attempts if each.finished_at is None), None)

    @property
    def last(self) -> PracticeAttempt | None:
        return self.attempts[-1] if self.attempts else None

    @property
    def rules(self) -> PracticeSettings | None:
        """The settings that apply: those of the open attempt, or the current ones."""
        return self.open_attempt.practice if self.open_attempt else self.practice

    @property
    def attempts_left(self) -> int:
        """How many attempts the annotator may still begin."""
        most = self.practice.max_attempts if self.practice else 0
        return 0 if self.last and self.last.ran_out else max(0, most - len(self.attempts))

    @property
    def is_out_of_attempts(self) -> bool:
        """Whether only an admin can waive practice."""
        return self.is_required and self.open_attempt is None and self.attempts_left == 0

    @property
    def done(self) -> int:
        """Submitted pages of the open attempt."""
        return len(self.open_attempt.evaluated_pages) if self.open_attempt else 0


def progress_of(corpus: Corpus, annotator: User) -> PracticeProgress:
    practice = newest(corpus)
    if practice is None:
        return PracticeProgress(None, None, ())
    qualification = (
        Qualification.objects.filter(corpus=corpus, annotator=annotator).select_related("waived_by").first()
    )
    return PracticeProgress(practice, qualification, list(attempts_of(corpus).filter(annotator=annotator)))


def attempts_of(corpus: Corpus) -> QuerySet[PracticeAttempt]:
    """All attempts with their pages."""
    pages = PracticePage.objects.select_related("slot__round__page").order_by("position")
    attempts = PracticeAttempt.objects.filter(corpus=corpus).select_related("practice__source")
    return attempts.prefetch_related(Prefetch("pages", pages)).order_by("annotator", "number")


def pages_of(corpus: Corpus, annotator: User) -> QuerySet[PracticePage]:
    """The annotator's practice pages, submitted or not."""
    return PracticePage.objects.filter(attempt__corpus=corpus, attempt__annotator=annotator).select_related(
        "attempt__practice__source",
        "slot__round__page__takedown",
        "gold__document",
        "gold__adjudication",
    )


# ---- all annotators ----


@dataclass(frozen=True)
class AnnotatorPractice:
    person: User
    progress: PracticeProgress
    # Whether they are an annotator of the corpus now.
    is_member: bool


def practice_by_annotator(corpus: Corpus) -> list[AnnotatorPractice]:
    """The annotators of the corpus and everybody who has practised for it, by name."""
    practice = newest(corpus)
    qualified = Qualification.objects.filter(corpus=corpus).select_related("waived_by")
    qualifications = {each.annotator_id: each for each in qualified}
    attempts: dict[int, list[PracticeAttempt]] = defaultdict(list)
    for attempt in attempts_of(corpus):
        attempts[attempt.annotator_id].append(attempt)
    members = {person.pk for person in annotators(corpus)}
    people = User.objects.filter(pk__in=members | set(attempts)).order_by("first_name__folded", "username")
    return [
        AnnotatorPractice(
            person=person,
            progress=PracticeProgress(practice, qualifications.get(person.pk), attempts[person.pk]),
            is_member=person.pk in members,
        )
        for person in people
    ]


def out_of_attempts(corpus: Corpus) -> list[User]:
    """Annotators who have no attempt left: only an admin can waive practice for them."""
    practice = newest(corpus)
    if practice is None or practice.source_id is None:
        return []
    attempts: dict[User, list[PracticeAttempt]] = defaultdict(list)
    qualified = Qualification.objects.filter(corpus=corpus, annotator=OuterRef("annotator"))
    made = PracticeAttempt.objects.filter(corpus=corpus, annotator__in=annotators(corpus).values("pk"))
    for attempt in made.exclude(Exists(qualified)).select_related("annotator").order_by("number"):
        attempts[attempt.annotator].append(attempt)
    return [
        person for person, own in attempts.items() if PracticeProgress(practice, None, own).is_out_of_attempts
    ]


def versions(corpus: Corpus) -> QuerySet[PracticeSettings]:
    return (
        PracticeSettings.objects.filter(corpus=corpus).select_related("source", "made_by").order_by("-number")
    )


def median_seconds(corpora: Iterable[Corpus]) -> float | None:
    """The median active time on a page in these corpora, practice included; None before the first."""
    spent = Annotation.objects.filter(slot__round__page__corpus__in=list(corpora), submitted_at__isnull=False)
    seconds = list(spent.order_by("-submitted_at").values_list("active_seconds", flat=True)[:1000])
    return median(seconds) if seconds else None
