"""Which slots are open, to whom, and what an annotator may see: her own."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from math import ceil
from typing import Any, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.utils import timezone

from annotator.annotations.models import (
    FOR_ONE,
    Annotation,
    Purpose,
    Revision,
    Round,
    Skip,
    Slot,
    Unblinded,
)
from annotator.annotations.practice.queries import lets_through
from annotator.annotations.study import queries as study
from annotator.annotations.study.models import StudyDesign, Who
from annotator.common.written import Asked, Written
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Document, Page, ShingleBand
from annotator.runs.models import Extraction

# Balance looks so far ahead in the order for a page of a site and language that she has had least of.
AHEAD = 40
SLACK = 2


def pages_without_round() -> QuerySet[Page]:
    """Pages that have a document and no main round."""
    opened = Round.objects.filter(page=OuterRef("pk"), purpose=Purpose.MAIN)
    return Page.objects.exclude(finished_at=None).filter(error="").exclude(Exists(opened))


def claimable_slots(
    corpus: Corpus, annotator: User, now: datetime, design: StudyDesign | None = None
) -> QuerySet[Slot]:
    """Slots that she may take: free or with a lapsed lease, on a page where she has none and skipped none.

    Half-annotated pages come first, so that gold grows; then in the order that the design gives them.
    The index `slots_open` has this order: the first one is found without a look at the others.
    """
    free = Q(annotator=None) | Q(lease_until__lt=now)
    return (
        _slots_for(corpus, annotator, design)
        .filter(free)
        .select_related("round")
        .order_by(F("begun_at").asc(nulls_last=True), "turn", "round_id", "number")
    )


# The first of these, held, where the design that stands asks nothing of her; none where it does.
first_claimable = Written(
    lambda corpus, annotator, now: (
        claimable_slots(corpus, annotator, now, StudyDesign(who=Who.ALL))
        .exclude(Exists(study.standing_where(~Q(who=Who.ALL), corpus)))
        .select_for_update(of=("self",), skip_locked=True, no_key=True)[:1]
    )
)


def balanced(free: QuerySet[Slot], corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """The first of these in the order in which they even out her sites and languages.

    Half-annotated pages keep coming first.
    """
    rows = free.values_list("pk", "begun_at", "round__page__site", "round__page__language")[:AHEAD]
    hers = Slot.objects.filter(corpus=corpus, annotator=annotator)
    had = Counter(
        name
        for site, language in hers.values_list("round__page__site", "round__page__language")
        for name in (("site", site), ("language", language))
    )
    window = sorted(rows, key=lambda row: (row[1] is None, had["language", row[3]], had["site", row[2]]))
    if not window:
        return Slot.objects.none()
    order = Case(*(When(pk=row[0], then=Value(place)) for place, row in enumerate(window)))
    return free.filter(pk__in=[row[0] for row in window]).order_by(order)


def unopened_reserves(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """Slots that wait for others, who have not opened them: hers when nothing else is left."""
    opened = Annotation.objects.filter(slot=OuterRef("pk"), annotator=OuterRef("annotator"))
    waiting = _slots_for(corpus, annotator).filter(reserved_at__isnull=False).exclude(Exists(opened))
    return waiting.select_related("round").order_by("-reserved_at")


def _slots_for(corpus: Corpus, annotator: User, design: StudyDesign | None = None) -> QuerySet[Slot]:
    """Open slots of rounds in which she has no slot, and which she has not skipped; if she is given any."""
    design = design or study.newest(corpus)
    if not study.is_allowed(design, annotator):
        return Slot.objects.none()
    if design and design.who == Who.BALANCED and _has_her_share(corpus, annotator):
        return Slot.objects.none()
    hers = Slot.objects.filter(round=OuterRef("round"), annotator=annotator)
    skipped = Skip.objects.filter(round=OuterRef("round"), annotator=annotator)
    hers_or_anybodys = Q(meant_for=None) | Q(meant_for=annotator)
    open_ones = _hers_to_have(annotator).filter(hers_or_anybodys, corpus=corpus, submitted_at=None)
    # A round may be closed with places open: its page was taken down.
    real = open_ones.filter(lets_through(corpus.pk, annotator.pk), round__settled_at=None)
    real = real.exclude(round__purpose=Purpose.PRACTICE)
    real = real.filter(_none_of("round__page", known_from_practice(corpus, annotator)))
    return real.exclude(Exists(hers)).exclude(Exists(skipped))


def practised_pages(annotator: User) -> QuerySet[Slot]:
    """Keys of the pages on which she has practised, in any corpus: she may have seen their gold (law 4)."""
    practice = Slot.objects.filter(meant_for=annotator, round__purpose=Purpose.PRACTICE)
    return practice.order_by().values("round__page")


def known_from_practice(corpus: Corpus, annotator: User) -> QuerySet[Any]:
    """Keys of those, and of pages of the corpus that may be near duplicates of them: they share a band.

    Whoever has not practised has no bands to look for.
    """
    practised = practised_pages(annotator)
    bands = ShingleBand.objects.filter(page__in=practised).values("digest")
    alike = ShingleBand.objects.filter(corpus=corpus, digest__in=bands).order_by().values("page")
    return practised.union(alike)


def _none_of(name: str, keys: QuerySet[Any]) -> Func:
    """Whether the column is none of these keys, of which nothing may hang on the row: one array a question.

    With NOT IN the planner counts the search anew for each row that it looks up, and rather reads all rows.
    """
    array = ArraySubquery(keys)
    template, joiner = "%(expressions)s)", " <> ALL ("
    return Func(F(name), array, template=template, arg_joiner=joiner, output_field=BooleanField())


def _hers_to_have(annotator: User) -> QuerySet[Slot]:
    """But those on pages where she saw what others marked, and those kept for people new to the page."""
    saw = Unblinded.objects.filter(page=OuterRef("round__page"), user=annotator)
    former = annotated_before(OuterRef("round__page")).filter(annotator=annotator)
    for_others = Q(round__purpose=Purpose.GUIDELINE, round__former_since=None)
    return Slot.objects.exclude(Exists(saw)).exclude(for_others & Exists(former))


def annotated_before(page: Any) -> QuerySet[Annotation]:
    """Annotations in settled rounds of a page: of those who have an opinion on it already."""
    return Annotation.objects.filter(slot__round__page=page, slot__round__settled_at__isnull=False)


def _has_her_share(corpus: Corpus, annotator: User) -> bool:
    """Whether she has an even share of all places and a few more: the last ones must find somebody."""
    places = Slot.objects.filter(corpus=corpus, meant_for=None)
    people = max(study.annotators(corpus).count(), 1)
    return places.filter(annotator=annotator).count() >= ceil(places.count() / people) + SLACK


def held_slots(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """Hers, claimed and not submitted; a lapsed lease is hers until somebody takes it."""
    return Slot.objects.filter(corpus=corpus, annotator=annotator, submitted_at=None)


in_hand = Written(lambda corpus, annotator: held_slots(corpus, annotator).order_by())


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
    return _of_corpus(_own_slots(corpus, annotator, pk).first(), corpus)


def slot_to_open(corpus: Corpus, annotator: User, pk: int) -> Slot | None:
    """As `slot_of`, held, with its page and what is small of the document: its text is in the view.

    Beside it `has_been`, whether she has an annotation in the round, and `is_made`, whether there is anything
    of its arm to show.
    """
    held = _the_slot.asked(corpus=corpus.pk, slot=pk)
    found = _to_open.after(held, corpus=corpus.pk, annotator=annotator.pk, slot=pk)
    return _of_corpus(found[0] if found else None, corpus)


def document_seen(corpus: Corpus, annotator: User, pk: int) -> Document | None:
    """What she sees in such a slot, or will see when she opens it; only where its view lies."""
    which = {"corpus": corpus.pk, "annotator": annotator.pk, "slot": pk}
    return _opened_there.first(**which) or _held_there.first(**which)


_views = Document.objects.only("view_sha256").order_by()
_opened_there = Written(
    lambda corpus, annotator, slot: _views.filter(
        annotations__slot=slot, annotations__slot__corpus=corpus, annotations__annotator=annotator
    )
)
_held_there = Written(
    lambda corpus, annotator, slot: _views.filter(
        current_of__rounds__slots=slot,
        current_of__rounds__slots__corpus=corpus,
        current_of__rounds__slots__annotator=annotator,
    )
)


def _own_slots(corpus: Corpus, annotator: User, pk: int) -> QuerySet[Slot]:
    own = Annotation.objects.filter(slot=OuterRef("pk"), annotator=annotator)
    return Slot.objects.filter(pk=pk, corpus=corpus).filter(Q(annotator=annotator) | Exists(own)).order_by()


_the_slot = Written(
    lambda corpus, slot: (
        Slot.objects.filter(pk=slot, corpus=corpus).only("pk").order_by().select_for_update(no_key=True)
    )
)
_to_open = Written(
    lambda corpus, annotator, slot: (
        _own_slots(corpus, annotator, slot)
        .select_related("round__page__document")
        .defer(*(f"round__page__document__{name}" for name in ("text", "blocks", "repairs")))
        .annotate(
            has_been=Exists(Annotation.objects.filter(slot__round=OuterRef("round"), annotator=annotator)),
            is_made=Exists(
                Extraction.objects.filter(
                    document=OuterRef("round__page__document"),
                    extractor=OuterRef("arm"),
                    finished_at__isnull=False,
                    error="",
                )
            ),
        )
    )
)


def _of_corpus(slot: Slot | None, corpus: Corpus) -> Slot | None:
    if slot:
        slot.corpus = corpus
    return slot


def annotations_of(corpus: Corpus, annotator: User) -> QuerySet[Annotation]:
    """Her annotations, the latest first; those of practice apart."""
    return (
        Annotation.objects.filter(annotator=annotator, slot__corpus=corpus)
        .exclude(slot__round__purpose=Purpose.PRACTICE)
        .select_related("slot__round__page")
        .order_by("-opened_at", "-id")
    )


def submitted_counts(corpus: Corpus, annotator: User) -> dict[str, int]:
    """How many slots she has handed in, as `done`, and how many of them `today`."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    counted = _counts.first(corpus=corpus.pk, annotator=annotator.pk, midnight=midnight)
    done, today = counted or (0, 0)
    return {"done": done, "today": today}


_counts: Written[tuple[int, int]] = Written(
    lambda corpus, annotator, midnight: (
        submitted(corpus, annotator)
        .order_by()
        .values("annotator")
        .annotate(done=Count("pk"), today=Count("pk", filter=Q(submitted_at__gte=midnight)))
        .values_list("done", "today")
    )
)


def submitted(corpus: Corpus, annotator: User) -> QuerySet[Slot]:
    """The slots that she has handed in, practice apart."""
    handed_in = Slot.objects.filter(corpus=corpus, annotator=annotator, submitted_at__isnull=False)
    practice = Round.objects.filter(pk=OuterRef("round"), purpose=Purpose.PRACTICE)
    # A page of practice is meant for her: the rounds of the others, nearly all of them, are not looked at.
    return handed_in.exclude(Q(meant_for__isnull=False) & Q(Exists(practice)))


def complete_rounds() -> QuerySet[Round]:
    """Rounds in which every slot is submitted, but those of one person's, which settle nothing."""
    slots = Slot.objects.filter(round=OuterRef("pk"))
    settling = Round.objects.exclude(purpose__in=FOR_ONE)
    return settling.filter(Exists(slots)).exclude(Exists(slots.filter(submitted_at=None)))


class Follows(NamedTuple):
    """What follows what was handed in: whether it is the round's last, and whether checks may be due."""

    is_last: bool
    is_controlled: bool


def what_follows(round_id: int, *first: Asked) -> Follows:
    """Once what hands it in is written `first`; whoever holds the round asks both in one message."""
    ((purpose, is_last, gives_again),) = _follows.after(*first, round_=round_id)
    return Follows(is_last, is_controlled=gives_again or purpose in FOR_ONE)


_follows: Written[tuple[str, bool, bool]] = Written(
    lambda round_: (
        Round.objects.filter(pk=round_)
        .values_list(
            "purpose",
            ~Exists(Slot.objects.filter(round=OuterRef("pk"), submitted_at=None)),
            Exists(study.standing_where(study.GIVES_AGAIN, OuterRef("page__corpus"))),
        )
        .order_by()
    )
)


def submissions(round_: Round) -> list[Annotation]:
    """The submitted annotations of a round, in the order of its slots."""
    return list(
        Annotation.objects.filter(slot__round=round_, submitted_at__isnull=False)
        .select_related("slot", "document", "annotator")
        .order_by("slot__number")
    )


def handed_in_of(annotations: Iterable[Annotation]) -> dict[int, Revision]:
    """The revision that counts of each, by the annotation's key: what was handed in last."""
    counts = Revision.objects.filter(submission__annotation__in=annotations, submission__withdrawn_at=None)
    return {revision.annotation_id: revision for revision in counts}


def rounds_left(corpus: Corpus, annotator: User) -> int:
    """Pages that she may still take, those that wait for others without being opened among them."""
    now = timezone.now()
    free = Q(annotator=None) | Q(lease_until__lt=now) | Q(reserved_at__isnull=False)
    return _slots_for(corpus, annotator).filter(free).aggregate(n=Count("round", distinct=True))["n"]
