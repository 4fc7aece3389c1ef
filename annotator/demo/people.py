"""Who works on the demo corpus, and what each of them does there, through the actions of the product."""

import uuid
from collections.abc import Collection, Mapping

from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, Slot
from annotator.common.roles import ADJUDICATOR, ADMIN, ANNOTATOR, RESEARCHER
from annotator.corpora import actions as corpora
from annotator.corpora.models import Corpus, User
from annotator.demo.clock import Clock
from annotator.demo.habits import Judgement, ReferenceMarks, judge
from annotator.gold import actions as adjudicating
from annotator.gold.models import Adjudication, AdjudicationKind, Segment
from annotator.gold.queries import document_of
from annotator.pages.models import Page
from annotator.practice import actions as practising
from annotator.practice.models import PracticePage
from extraction.agreement.segments import Dispute, Piece, resolve
from extraction.spans import Span

# The first of each role has an account; the others cannot sign in.
NAMES = {
    ANNOTATOR: ("ines", "marta", "joon", "tomasz"),
    ADJUDICATOR: ("ruth",),
    RESEARCHER: ("daniel",),
    ADMIN: ("hanne",),
}
NEWCOMER = "selma"
# The clause of the guideline that an adjudicator names, by the label in question.
CLAUSES = {
    "headline": "2.1",
    "body": "3.1",
    "supplemental": "4.1",
    "comments": "5.1",
    "related": "6.1",
}
SECONDS_PER_SEGMENT = 25

References = Mapping[str, ReferenceMarks]


def person(name: str) -> User:
    """The person with this name; one made here cannot sign in."""
    user, is_new = User.objects.get_or_create(username=name, defaults={"first_name": name.capitalize()})
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def create_account(corpus: Corpus, *, role: str, name: str, password: str) -> User:
    """Return the account, created if needed, with this role in the corpus. Keeps an existing password."""
    user = User.objects.filter(username__iexact=name).first()
    if user is None:
        user = corpora.create_account(
            username=name,
            full_name=name.capitalize(),
            password=password,
            is_superuser=role == ADMIN,
        )
    elif not user.has_usable_password():
        user.is_superuser = role == ADMIN
        user.save(update_fields=["is_superuser"])
        corpora.set_password(user=user, password=password)
    corpora.grant_role(corpus=corpus, user=user, role=role)
    return user


# ---- annotators ----


def annotate(corpus: Corpus, name: str, references: References, clock: Clock, *, most: int) -> int:
    """Submit up to so many pages, one after the other; return how many there were."""
    annotator = person(name)
    for done in range(most):
        slot = annotating.claim_next(corpus=corpus, annotator=annotator)
        if slot is None:
            return done
        submit(slot, annotator, references, clock)
    return most


def annotate_page(page: Page, name: str, references: References, clock: Clock) -> None:
    """Submit this page."""
    annotator = person(name)
    submit(annotating.claim_on(page=page, annotator=annotator), annotator, references, clock)


def submit(slot: Slot, annotator: User, references: References, clock: Clock) -> None:
    judged = judge(annotator.username, references[slot.round.page.sha256], slot.round.page.sha256)
    annotation = _mark(slot, annotator, judged, clock)
    annotating.submit(slot=slot, annotator=annotator, based_on=annotation.revision)
    clock.forward(seconds=20)


def _mark(slot: Slot, annotator: User, judged: Judgement, clock: Clock) -> Annotation:
    annotating.open_slot(slot=slot, annotator=annotator)
    annotation = Annotation.objects.select_related("document").get(slot=slot, annotator=annotator)
    text = annotation.document.text
    clock.forward(seconds=judged.seconds)
    annotating.save(
        slot=slot,
        annotator=annotator,
        draft=annotating.Draft(
            document_sha256=annotation.document.sha256,
            based_on=annotation.revision,
            operation=uuid.uuid4(),
            spans=list(judged.spans),
            quotes=[text[span.start : span.end] for span in judged.spans],
            verdict=judged.verdict,
            reason=judged.reason,
            active_seconds=judged.seconds,
        ),
    )
    annotation.refresh_from_db(fields=["revision"])
    return annotation


def practise(corpus: Corpus, name: str, references: References, clock: Clock, *, well: bool) -> None:
    """Submit the next page of practice: as it is, or with the headline alone."""
    annotator = person(name)
    slot = practising.open_next(corpus=corpus, annotator=annotator)
    if slot is None:
        return
    reference = references[slot.round.page.sha256]
    spans = tuple(span for span in reference.spans if well or span.label == "headline")
    annotation = _mark(slot, annotator, Judgement(spans, reference.verdict, reference.reason, 190), clock)
    page = PracticePage.objects.select_related("slot", "attempt").get(slot=slot)
    practising.submit_page(page=page, annotator=annotator, based_on=annotation.revision)


# ---- the adjudicator ----


def adjudicate(corpus: Corpus, name: str, references: References, clock: Clock, *, most: int) -> None:
    """Decide up to so many disputes, those that change gold the most first."""
    adjudicator = person(name)
    for _number in range(most):
        found = adjudicating.claim_next(corpus=corpus, user=adjudicator)
        if found is None:
            return
        _decide(found, adjudicator, references[found.round.page.sha256], clock)


def _decide(found: Adjudication, adjudicator: User, reference: ReferenceMarks, clock: Clock) -> None:
    if not found.verdict:
        found = adjudicating.decide_verdict(
            adjudication=found, user=adjudicator, verdict=reference.verdict, reason=reference.reason
        )
    if found.kind == AdjudicationKind.DISPUTE:
        assert document_of(found).text == reference.text
        for segment in found.segments.filter(choice=""):
            clock.forward(seconds=SECONDS_PER_SEGMENT)
            choice, clause = _best_choice(found, segment, reference.spans)
            adjudicating.decide(
                adjudication=found, user=adjudicator, numbers=[segment.number], choice=choice, clause=clause
            )
    clock.forward(seconds=SECONDS_PER_SEGMENT)
    adjudicating.submit(adjudication=found, user=adjudicator)


def _best_choice(found: Adjudication, segment: Segment, reference: Collection[Span]) -> tuple[str, str]:
    """The choice that comes closest to the reference, and the clause that speaks for it."""
    dispute = Dispute(
        segment.start,
        segment.end,
        tuple(Piece(start, end, tuple(labels)) for start, end, labels in segment.pieces),
    )
    wanted = _labelled(reference, segment)
    choices: list[int | str] = [*range(len(dispute.pieces[0].labels)), adjudicating.NEITHER]
    if dispute.can_take_both:
        choices.append(adjudicating.BOTH)
    best = min(choices, key=lambda choice: len(_labelled(resolve(dispute, choice), segment) ^ wanted))
    label = next(iter(sorted(wanted)), (0, "body"))[1]
    return adjudicating.shown_choice(found, str(best)), CLAUSES.get(label, "1.1")


def _labelled(spans: Collection[Span], segment: Segment) -> set[tuple[int, str]]:
    """Each labelled character of the segment, with its label."""
    return {
        (place, span.label)
        for span in spans
        for place in range(max(span.start, segment.start), min(span.end, segment.end))
    }
