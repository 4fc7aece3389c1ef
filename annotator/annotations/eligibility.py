"""Who may take a page. Every rule stands here once, and is asked from both sides.

From an annotator's side: which open slots they may take (`claimable_slots`, `unopened_reserves`,
`pages_left`). From a page's side: which annotators may take it (`eligible_annotators`, for a round that is
to be opened) and which open rounds nobody may take (`rounds_without_annotator`).

A person may take a slot of a round unless

- the study settings assign pages to others, or the annotator has had their share of them;
- they have to pass practice first;
- they hold a slot of the round, or have skipped it;
- they have seen on the page what others marked: as its adjudicator, or as its gold in practice, be it on a
  page that may be a near duplicate (invariant 4);
- they can see, or could once, what others marked on a page with the same bytes: as its adjudicator in another
  corpus, or as researcher or admin of one that has it;
- they have annotated the page before, and the round is still reserved for annotators new to it;
- the slot is assigned to somebody else.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any, TypeVar

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.lookups import In

from annotator.annotations.models import HIDDEN, TO_GOLD, Annotation, Purpose, Round, Skip, Slot, Unblinded
from annotator.annotations.qualification.queries import must_practise
from annotator.annotations.study import check_intervals
from annotator.annotations.study import queries as study
from annotator.annotations.study.models import AssignmentMode, StudyDesign
from annotator.common.roles import NOT_WITH_ANNOTATOR
from annotator.corpora.models import Corpus, Membership, User
from annotator.pages.models import Page, ShingleBand

# With a balanced assignment an annotator may take this many pages more than an even share: the last ones
# must find somebody.
SHARE_SLACK = 2
DIGEST_OF_SLOT = "round__page__sha256"

Rows = TypeVar("Rows", bound=QuerySet[Any])


@dataclass(frozen=True)
class Barrier:
    """Rows each of which keeps one person from one page or round, or from the pages with one digest."""

    rows: QuerySet[Any]
    # Names of the columns, as `filter` takes them.
    target: str
    person: str

    def holds(self, target: Any, person: Any) -> Exists:
        """Whether there is such a row; both may be an OuterRef."""
        return Exists(self.rows.filter(**{self.target: target, self.person: person}))

    def by_target(self, targets: Collection[Any]) -> Mapping[Any, set[int]]:
        """Keys of the people kept from each of the pages, rounds or digests."""
        found: dict[Any, set[int]] = defaultdict(set)
        rows = self.rows.filter(**{f"{self.target}__in": targets}).order_by()
        for target, person in rows.values_list(self.target, self.person):
            found[target].add(person)
        return found


HOLDS_SLOT = Barrier(Slot.objects.all(), "round", "annotator")
HAS_SUBMITTED = Barrier(Slot.objects.filter(submitted_at__isnull=False), "round", "annotator")
SKIPPED = Barrier(Skip.objects.all(), "round", "annotator")
UNBLINDED = Barrier(Unblinded.objects.all(), "page__sha256", "user")
# Whoever annotates here may research or administer elsewhere, where a page with the same bytes may be added
# at any time. A role that has ended counts: what was seen stays seen.
SEES_MARKS = Barrier(Membership.objects.filter(role__in=NOT_WITH_ANNOTATOR), "corpus__pages__sha256", "user")
# By the digest of a page, whichever corpus it is in.
BY_DIGEST = (UNBLINDED, SEES_MARKS)
ANNOTATED_BEFORE = Barrier(
    Annotation.objects.filter(
        Q(slot__round__finalised_at__isnull=False) | Q(slot__round__purpose__in=HIDDEN)
    ),
    "slot__round__page",
    "annotator",
)
# Such a round is reserved for people who have not annotated the page before.
RESERVED_FOR_NEW = {"purpose": Purpose.GUIDELINE, "returning_annotators_since": None}

# Every way in which a person may have been given a page before.
GIVEN = (
    Barrier(Slot.objects.all(), "round__page", "annotator"),
    Barrier(Slot.objects.all(), "round__page", "assigned_to"),
    Barrier(Annotation.objects.all(), "slot__round__page", "annotator"),
    Barrier(Skip.objects.all(), "round__page", "annotator"),
)


# ---- the slots that an annotator may take ----


def claimable_slots(
    corpus: Corpus, annotator: User, now: datetime, design: StudyDesign | None = None
) -> QuerySet[Slot]:
    """Free slots, or with a lapsed lease, that the annotator may take, in the order in which they are given.

    Pages that others have begun come first, so that gold grows; then in the order of the study settings. The
    index `slots_open` has this order: the first slot is found without a look at the others.
    """
    is_free = Q(annotator=None) | Q(lease_until__lt=now)
    slots = _eligible_slots(corpus, annotator, design).filter(is_free).select_related("round")
    return slots.order_by(F("begun_at").asc(nulls_last=True), "queue_key", "round_id", "number")


def unopened_reserves(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """Reserves of others that they have not opened: the annotator may have them when nothing else is left."""
    opened = Annotation.objects.filter(slot=OuterRef("pk"), annotator=OuterRef("annotator"))
    reserves = _eligible_slots(corpus, annotator).filter(~Exists(opened), reserved_at__isnull=False)
    return reserves.select_related("round").order_by("-reserved_at")


def pages_left(corpus: Corpus, annotator: User) -> int:
    """How many pages the annotator may still come to submit, those that they hold included.

    A page that others hold counts until they have submitted it: their leases may lapse, and the number must
    not go up then. So do the checks and repeats that will fall due: they are pages like any other.
    """
    design = study.newest(corpus)
    if design and design.who == AssignmentMode.NAMED and not _is_assigned(corpus, annotator, design):
        return 0
    slots = _permitted_slots(corpus, annotator, HAS_SUBMITTED)
    counts: dict[str, int] = slots.aggregate(
        **{name: Count("round", distinct=True, filter=Q(round__purpose=name)) for name in Purpose.values}
    )
    share = sum(counts.values())
    if design and design.who == AssignmentMode.BALANCED:
        share = _share_left(corpus, annotator)
    main = min(counts[Purpose.MAIN], share)
    reannotated = min(counts[Purpose.GUIDELINE], share - main)
    hidden = sum(counts[purpose] for purpose in HIDDEN) if share else 0
    return main + reannotated + hidden + (check_intervals.still_due(design, annotator, main) if design else 0)


def _eligible_slots(corpus: Corpus, annotator: User, design: StudyDesign | None = None) -> QuerySet[Slot]:
    """Slots that are not submitted and that the annotator may take, whoever holds them."""
    design = design or study.newest(corpus)
    if design and design.who != AssignmentMode.ALL and not _is_assigned(corpus, annotator, design):
        return Slot.objects.none()
    return _permitted_slots(corpus, annotator, HOLDS_SLOT)


def _permitted_slots(corpus: Corpus, annotator: User, has_own: Barrier) -> QuerySet[Slot]:
    """The same whatever the assignment; not in rounds where `has_own` says that they have a slot already."""
    if must_practise(corpus.pk, annotator.pk):
        return Slot.objects.none()
    round_, page = OuterRef("round"), OuterRef("round__page")
    reserved_for_new = Q(**{f"round__{name}": value for name, value in RESERVED_FOR_NEW.items()})
    slots = (
        Slot.objects.filter(
            Q(assigned_to=None) | Q(assigned_to=annotator),
            corpus=corpus,
            submitted_at=None,
            # A taken-down page's round is closed with open slots.
            round__finalised_at=None,
        )
        .exclude(round__purpose=Purpose.PRACTICE)
        .exclude(has_own.holds(round_, annotator))
        .exclude(SKIPPED.holds(round_, annotator))
        .exclude(reserved_for_new & ANNOTATED_BEFORE.holds(page, annotator))
        .exclude(round__page__in=known_from_practice(corpus, annotator))
    )
    return never_seen(slots, annotator, DIGEST_OF_SLOT)


# ---- the annotators who may take a page ----


def rounds_without_annotator(corpus: Corpus) -> QuerySet[Round]:
    """Open rounds with a free slot that no annotator of the corpus may take, with their page.

    Annotators who have to pass practice first count: they will be able to take it.
    """
    round_, page, person = OuterRef(OuterRef("pk")), OuterRef(OuterRef("page")), OuterRef("pk")
    digest = OuterRef(OuterRef("page__sha256"))
    eligible = (
        _assigned(study.annotators(corpus), corpus, study.newest(corpus))
        .exclude(HOLDS_SLOT.holds(round_, person))
        .exclude(SKIPPED.holds(round_, person))
    )
    for barrier in BY_DIGEST:
        eligible = eligible.exclude(barrier.holds(digest, person))
    for key, known in known_from_practice_by_person(corpus, study.annotators(corpus)).items():
        eligible = eligible.exclude(Q(pk=key) & Q(In(page, sorted(known))))
    new_to_page = eligible.exclude(ANNOTATED_BEFORE.holds(page, person))
    free = Slot.objects.filter(round=OuterRef("pk"), annotator=None)
    rounds = Round.objects.filter(Exists(free), page__corpus=corpus, purpose__in=TO_GOLD, finalised_at=None)
    without = Q(~Exists(eligible)) | Q(~Exists(new_to_page), **RESERVED_FOR_NEW)
    return rounds.filter(without).select_related("page").order_by("pk")


@dataclass(frozen=True)
class EligibleAnnotators:
    """Keys of the people who may take a slot in a new round of a page."""

    everybody: frozenset[int]
    # Those of them who have not annotated the page before.
    new_to_page: frozenset[int]


def eligible_annotators(corpus: Corpus, pages: Collection[int]) -> dict[int, EligibleAnnotators]:
    """For each of the pages, by key, who may take a slot in a new round of it.

    Shares of a balanced assignment do not matter here, as they grow with every round.
    """
    design = study.newest(corpus)
    people = study.annotators(corpus)
    if design and design.who == AssignmentMode.NAMED:
        people = _assigned(people, corpus, design)
    keys = frozenset(people.values_list("pk", flat=True))
    digests = dict(Page.objects.filter(pk__in=pages).values_list("pk", "sha256"))
    have_seen = [barrier.by_target(set(digests.values())) for barrier in BY_DIGEST]
    annotated = ANNOTATED_BEFORE.by_target(pages)
    known = known_from_practice_by_person(corpus, people)
    found = {}
    for page in pages:
        practised = {person for person, seen in known.items() if page in seen}
        everybody = keys.difference(practised, *(people[digests[page]] for people in have_seen))
        found[page] = EligibleAnnotators(everybody, everybody - annotated[page])
    return found


def _is_assigned(corpus: Corpus, annotator: User, design: StudyDesign) -> bool:
    return _assigned(User.objects.filter(pk=annotator.pk), corpus, design).exists()


def _assigned(people: QuerySet[User], corpus: Corpus, design: StudyDesign | None) -> QuerySet[User]:
    """Those of the people to whom the study settings assign pages now."""
    if design and design.who == AssignmentMode.NAMED:
        return people.filter(pk__in=design.people.values("pk"))
    if design and design.who == AssignmentMode.BALANCED:
        return people.exclude(pk__in=_with_full_share(corpus))
    return people


def _with_full_share(corpus: Corpus) -> QuerySet[Any]:
    """Keys of those who have taken an even share of all slots, and a few more."""
    taken = _shared_slots(corpus).filter(annotator__isnull=False).values("annotator").annotate(n=Count("pk"))
    return taken.filter(n__gte=_share(corpus)).values("annotator")


def _share_left(corpus: Corpus, annotator: User) -> int:
    """How many slots of their share the annotator has not submitted yet."""
    submitted = _shared_slots(corpus).filter(annotator=annotator, submitted_at__isnull=False)
    return max(0, _share(corpus) - submitted.count())


def _share(corpus: Corpus) -> int:
    people = max(study.annotators(corpus).count(), 1)
    return ceil(_shared_slots(corpus).count() / people) + SHARE_SLACK


def _shared_slots(corpus: Corpus) -> QuerySet[Slot]:
    return Slot.objects.filter(corpus=corpus, assigned_to=None).order_by()


# ---- what people have seen ----


def never_given(pages: QuerySet[Page], annotator: User) -> QuerySet[Page]:
    """Those of the pages that the annotator was never given, for whatever purpose, nor saw marked."""
    for given in GIVEN:
        pages = pages.exclude(given.holds(OuterRef("pk"), annotator))
    return never_seen(pages, annotator, "sha256")


def never_seen(rows: Rows, annotator: User, digest: str) -> Rows:
    """Those of the rows whose page the annotator cannot have seen marked in any corpus, practice aside.

    `digest` is the column of the page's digest. The corpora in which they see marks are looked up first:
    hardly anybody has one, but the database would expect that it hides all pages, and look at every row for
    one that is left.
    """
    for barrier in BY_DIGEST:
        if barrier is not SEES_MARKS:
            rows = rows.exclude(barrier.holds(OuterRef(digest), annotator))
    corpora = list(SEES_MARKS.rows.filter(user=annotator).values_list("corpus", flat=True))
    if not corpora:
        return rows
    return rows.exclude(Exists(Page.objects.filter(corpus__in=corpora, sha256=OuterRef(digest))))


def known_from_practice(corpus: Corpus, annotator: User) -> set[int]:
    """Keys of the pages whose gold the annotator may have seen in practice."""
    people = User.objects.filter(pk=annotator.pk)
    return known_from_practice_by_person(corpus, people).get(annotator.pk, set())


def known_from_practice_by_person(corpus: Corpus, people: QuerySet[User]) -> dict[int, set[int]]:
    """The same of each of the people who have practised, in any corpus.

    These are the pages on which they have practised, and the pages of the corpus that may be near duplicates
    of them, as they share a band.
    """
    practice = Slot.objects.filter(assigned_to__in=people.values("pk"), round__purpose=Purpose.PRACTICE)
    known: dict[int, set[int]] = defaultdict(set)
    for person, page in practice.order_by().values_list("assigned_to", "round__page"):
        known[person].add(page)
    if not known:
        return {}
    practised: dict[int, set[int]] = defaultdict(set)
    bands = ShingleBand.objects.filter(page__in=set().union(*known.values()))
    for digest, page in bands.values_list("digest", "page"):
        practised[digest].add(page)
    near: dict[int, set[int]] = defaultdict(set)
    bands = ShingleBand.objects.filter(corpus=corpus, digest__in=practised)
    for digest, page in bands.values_list("digest", "page"):
        for other in practised[digest]:
            near[other].add(page)
    return {person: pages.union(*(near[page] for page in pages)) for person, pages in known.items()}
