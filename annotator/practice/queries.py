"""Which pages may be practised on, how far somebody is, and what an admin sees of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Value
from django.db.models.functions import MD5, Concat

from annotator.annotations.models import FOR_ONE, Annotation, Purpose, Round, Skip, Slot, Unblinded
from annotator.annotations.practice.models import Admission, Practice
from annotator.annotations.practice.queries import newest
from annotator.annotations.study.queries import annotators
from annotator.common.roles import ADMIN
from annotator.corpora.models import Corpus, Membership, Role, User
from annotator.gold.models import Adjudication, Gold, Source
from annotator.gold.queries import open_disputes
from annotator.pages.models import Page, ShingleBand
from annotator.practice.models import PracticePage, PracticeTry

# ---- pages ----


def pool(corpus: Corpus, source: Corpus) -> QuerySet[Page]:
    """Settled pages of `source` that tell the labels of `corpus` apart, in a language of it.

    Not those that somebody is annotating or settling there now, nor any that `corpus` has too, or nearly.
    """
    labels = sorted(corpus.labels.values_list("name", flat=True))
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True, tells=labels).exclude(source=Source.SINGLE)
    begun = Slot.objects.filter(round=OuterRef("pk"), annotator__isnull=False)
    unsettled = Round.objects.filter(Exists(begun), page=OuterRef("pk"), settled_at=None)
    found = Page.objects.filter(Exists(gold), corpus=source)
    if corpus.languages:
        found = found.filter(Q(language__in=corpus.languages) | Q(language=""))
    in_dispute = open_disputes().filter(round__page=OuterRef("pk"))
    for reason in (Exists(unsettled.exclude(purpose__in=FOR_ONE)), Exists(in_dispute), _twins(corpus=corpus)):
        found = found.exclude(reason)
    return found.order_by()


def _twins(**where: object) -> Q:
    """Whether there is a page with the same bytes, or one that may be a near duplicate: they share a band.

    Such pages need not be near duplicates. It costs a page of practice then, and the other way round gold.
    """
    same = Page.objects.filter(sha256=OuterRef("sha256"), **where)
    its = ShingleBand.objects.filter(page=OuterRef(OuterRef("pk"))).values("digest")
    return Q(Exists(same)) | Q(Exists(ShingleBand.objects.filter(digest__in=its, **where)))


def pages_for(practice: Practice, annotator: User) -> QuerySet[Page]:
    """What she may still practise on, in the order that is one for everybody: nothing that she ever saw."""
    assert practice.source
    there = {"round__page": OuterRef("pk")}
    seen = (
        Slot.objects.filter(Q(annotator=annotator) | Q(meant_for=annotator), **there),
        Annotation.objects.filter(slot__round__page=OuterRef("pk"), annotator=annotator),
        Skip.objects.filter(annotator=annotator, **there),
        Adjudication.objects.filter(adjudicator=annotator, **there),
        Unblinded.objects.filter(user=annotator, page=OuterRef("pk")),
    )
    found = pool(practice.corpus, practice.source)
    for reason in seen:
        found = found.exclude(Exists(reason))
    # What she may be given for real in another corpus is not shown to her with its gold.
    hers = Membership.objects.filter(user=annotator, role=Role.ANNOTATOR, ended_at=None)
    elsewhere = hers.exclude(corpus=practice.source)
    found = found.exclude(_twins(corpus__in=elsewhere.values("corpus")))
    return found.order_by(MD5(Concat(Value(f"{practice.seed}:"), "sha256")), "pk")


def sources(corpus: Corpus, admin: User) -> list[tuple[Corpus, int]]:
    """Corpora that she administers, with how many of their pages `corpus` can practise on."""
    found = Corpus.objects.exclude(pk=corpus.pk)
    if not admin.is_superuser:
        hers = Membership.objects.filter(user=admin, role=ADMIN, ended_at=None)
        found = found.filter(pk__in=hers.values("corpus"))
    counted = [(each, pool(corpus, each).count()) for each in found]
    return [(each, n) for each, n in counted if n]


# ---- one person ----


@dataclass(frozen=True)
class Progress:
    """How far somebody is with the practice of a corpus."""

    practice: Practice | None
    admission: Admission | None
    tries: Sequence[PracticeTry]

    @property
    def is_asked(self) -> bool:
        """Whether practice still stands between her and the corpus's pages."""
        return bool(self.practice and self.practice.source_id and not self.admission)

    @property
    def open_try(self) -> PracticeTry | None:
        return next((each for each in self.tries if each.finished_at is None), None)

    @property
    def last(self) -> PracticeTry | None:
        return self.tries[-1] if self.tries else None

    @property
    def rules(self) -> Practice | None:
        """The version by which she is judged: that of her try, or the one that stands."""
        return self.open_try.practice if self.open_try else self.practice

    @property
    def tries_left(self) -> int:
        """Those that she may still begin."""
        most = self.practice.tries if self.practice else 0
        return 0 if self.last and self.last.ran_out else max(0, most - len(self.tries))

    @property
    def is_stuck(self) -> bool:
        """Only an admin can let her through."""
        return self.is_asked and self.open_try is None and self.tries_left == 0

    @property
    def done(self) -> int:
        """Pages of the open try that are handed in."""
        return len(self.open_try.handed_in) if self.open_try else 0


def progress_of(corpus: Corpus, annotator: User) -> Progress:
    practice = newest(corpus)
    if practice is None:
        return Progress(None, None, ())
    admission = Admission.objects.filter(corpus=corpus, annotator=annotator).select_related("by").first()
    return Progress(practice, admission, list(tries_of(corpus).filter(annotator=annotator)))


def tries_of(corpus: Corpus) -> QuerySet[PracticeTry]:
    """All tries with their pages."""
    pages = PracticePage.objects.select_related("slot__round__page").order_by("place")
    tries = PracticeTry.objects.filter(corpus=corpus).select_related("practice__source")
    return tries.prefetch_related(Prefetch("pages", pages)).order_by("annotator", "number")


def page_in(corpus: Corpus, annotator: User, slot_id: int) -> PracticePage | None:
    """Her page of practice, handed in or not; None where it is not hers."""
    found = PracticePage.objects.filter(attempt__corpus=corpus, attempt__annotator=annotator, slot=slot_id)
    related = ("attempt__practice__source", "slot__round__page", "gold__document", "gold__adjudication")
    return found.select_related(*related).first()


# ---- everybody ----


@dataclass(frozen=True)
class Row:
    person: User
    progress: Progress
    # Whether she annotates here now.
    is_here: bool


def rows(corpus: Corpus) -> list[Row]:
    """Whoever annotates here, and whoever has practised, by name."""
    practice = newest(corpus)
    admitted = {
        each.annotator_id: each for each in Admission.objects.filter(corpus=corpus).select_related("by")
    }
    tries: dict[int, list[PracticeTry]] = defaultdict(list)
    for attempt in tries_of(corpus):
        tries[attempt.annotator_id].append(attempt)
    here = {person.pk for person in annotators(corpus)}
    people = User.objects.filter(pk__in=here | set(tries)).order_by("first_name", "username")
    return [
        Row(person, Progress(practice, admitted.get(person.pk), tries[person.pk]), person.pk in here)
        for person in people
    ]


def stuck(corpus: Corpus) -> list[User]:
    """Annotators who have no try left, and wait for an admin."""
    practice = newest(corpus)
    if practice is None or practice.source_id is None:
        return []
    tries: dict[User, list[PracticeTry]] = defaultdict(list)
    through = Admission.objects.filter(corpus=corpus, annotator=OuterRef("annotator"))
    made = PracticeTry.objects.filter(corpus=corpus, annotator__in=annotators(corpus).values("pk"))
    for attempt in made.exclude(Exists(through)).select_related("annotator").order_by("number"):
        tries[attempt.annotator].append(attempt)
    return [who for who, hers in tries.items() if Progress(practice, None, hers).is_stuck]


def versions(corpus: Corpus) -> QuerySet[Practice]:
    return Practice.objects.filter(corpus=corpus).select_related("source", "made_by").order_by("-number")


def handed_in_for_real(corpus: Corpus) -> QuerySet[Slot]:
    """Slots of main rounds that are handed in."""
    return Slot.objects.filter(
        corpus=corpus, submitted_at__isnull=False, round__purpose=Purpose.MAIN
    ).order_by()


def seconds_a_page(corpora: Iterable[Corpus]) -> float | None:
    """The median active time on a page in these corpora, practice included; None before the first."""
    spent = Annotation.objects.filter(slot__round__page__corpus__in=list(corpora), submitted_at__isnull=False)
    seconds = list(spent.order_by("-submitted_at").values_list("active_seconds", flat=True)[:1000])
    return median(seconds) if seconds else None
