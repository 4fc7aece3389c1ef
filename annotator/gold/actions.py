"""What an adjudicator does: decide the verdict, decide segment by segment, submit.

What comes before, and where gold is reopened, is in `finalisation`.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.agreement.comparison import disputes_of
from annotator.annotations.models import Annotation, Round, Unblinded
from annotator.annotations.revisions.marks import checked_marks
from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.common.verdicts import WITH_SPANS, NotArticleReason, Verdict
from annotator.corpora.guideline.queries import text_of
from annotator.corpora.models import Corpus, User
from annotator.gold import queries
from annotator.gold.finalisation import add_segments, close, exposed_families
from annotator.gold.models import LEASE, RELABEL, Adjudication, AdjudicationKind, Gold, GoldSource, Segment
from annotator.gold.versions import Interval, add_gold, joined, revised, with_source
from extraction.agreement.segments import Dispute, Piece, resolve
from extraction.spans import Span

BOTH, NEITHER = "both", "neither"


def claim_next(*, corpus: Corpus, user: User) -> Adjudication | None:
    """Lease the next adjudication to the user; None when there is none for them."""
    now = timezone.now()
    with transaction.atomic():
        # As whoever claims a page to annotate does: at the same instant it may have the same bytes.
        User.objects.select_for_update(no_key=True).only("pk").get(pk=user.pk)
        found = queries.claimable(corpus, user, now).select_for_update(of=("self",), skip_locked=True).first()
        if found is None:
            return None
        found.adjudicator, found.lease_until = user, now + LEASE
        found.own_page = Annotation.objects.filter(
            slot__round__page=found.round.page, annotator=user
        ).exists()
        found.save(update_fields=["adjudicator", "lease_until", "own_page"])
        Unblinded.objects.get_or_create(page=found.round.page, user=user)
        return found


def heartbeat(*, adjudication: Adjudication, user: User) -> None:
    """Extend the lease. Raises Gone when somebody else holds it."""
    held = queries.open_adjudications().filter(pk=adjudication.pk, adjudicator=user)
    if not held.update(lease_until=timezone.now() + LEASE):
        raise _reassigned()


@transaction.atomic
def decide_verdict(*, adjudication: Adjudication, user: User, verdict: str, reason: str = "") -> Adjudication:
    """Decide what the page is; under a verdict with marks, its disputes become segments.

    It may be changed while no segment is decided. Raises Conflict where the annotators disagree on marks
    alone: then their common verdict holds.
    """
    held = _held(adjudication, user)
    if verdict not in Verdict.values:
        raise GoldpanError(_("There is no verdict “%(verdict)s”.") % {"verdict": verdict})
    if verdict == Verdict.NOT_ARTICLE and reason not in NotArticleReason.values:
        raise GoldpanError(_("Choose why it is not an article."))
    comparison = held.comparison if held.kind == AdjudicationKind.DISPUTE else None
    if comparison and comparison.verdict:
        raise Conflict(_("The annotators agree on the verdict, so it cannot be changed."))
    if held.segments.exclude(choice="").exists():
        raise Conflict(_("Segments are decided under the current verdict; undo them first."))
    held.verdict, held.verdict_decided_at = verdict, timezone.now()
    held.reason = reason if verdict == Verdict.NOT_ARTICLE else ""
    if comparison:
        has_spans = verdict in WITH_SPANS
        held.segments.all().delete()
        add_segments(held, disputes_of(comparison) if has_spans else [])
        held.in_dispute = held.weight = comparison.disputed_characters if has_spans else 0
    held.save(update_fields=["verdict", "verdict_decided_at", "reason", "in_dispute", "weight"])
    return held


@transaction.atomic
def decide(
    *,
    adjudication: Adjudication,
    user: User,
    numbers: Sequence[int],
    choice: str,
    clause: str = "",
    marks: Sequence[Span] = (),
    quotes: Sequence[str] = (),
) -> list[Segment]:
    """Decide segments: the letter of an annotator, "both", "neither", RELABEL, or "" to open them again.

    `clause` is the number of the guideline clause that is the reason, of the version that the screen shows.
    RELABEL takes one segment and `marks`, the adjudicator's spans inside it, with the text that the browser
    shows there.
    """
    held = _held(adjudication, user)
    segments = list(held.segments.select_for_update().filter(number__in=numbers))
    if len(segments) != len(set(numbers)) or not segments:
        raise GoldpanError(_("There is no segment %(number)d.") % {"number": max(numbers, default=0)})
    cited, guideline_version = _cited_clause(held, clause if choice else "")
    for segment in segments:
        segment.choice = _stored_choice(held, segment, choice)
        segment.marks = _checked_marks(held, segment, marks, quotes) if choice == RELABEL else None
        segment.decided_at = timezone.now() if segment.choice else None
        segment.clause, segment.guideline_version = cited, guideline_version
    fields = ["choice", "marks", "decided_at", "clause", "guideline_version"]
    Segment.objects.bulk_update(segments, fields)
    return segments


def _checked_marks(
    held: Adjudication, segment: Segment, marks: Sequence[Span], quotes: Sequence[str]
) -> list[list[Any]]:
    """Marks in normal form. Raises GoldpanError also for one outside the segment."""
    if any(span.start < segment.start or span.end > segment.end for span in marks):
        raise GoldpanError(_("A mark lies outside the segment."))
    document, corpus_id = queries.document_of(held), held.round.page.corpus_id
    return [list(span) for span in checked_marks(marks, quotes, document=document, corpus_id=corpus_id)]


def _cited_clause(adjudication: Adjudication, clause: str) -> tuple[str, int | None]:
    """A clause and the guideline version that has it."""
    if not clause:
        return "", None
    number = queries.guideline_of(adjudication)
    guideline = adjudication.round.page.corpus.guidelines.get(number=number)
    if clause not in {known.number for known in text_of(guideline).clauses}:
        raise GoldpanError(_("This guideline has no clause %(clause)s.") % {"clause": clause})
    return clause, number


def letters_of(adjudication: Adjudication) -> list[str]:
    """A, B ...: what the annotators are called."""
    return [chr(ord("A") + index) for index in range(len(adjudication.order))]


def shown_choice(adjudication: Adjudication, choice: str) -> str:
    """A stored choice as the adjudicator sees it, with the letter of a slot instead of its index."""
    return letters_of(adjudication)[adjudication.order.index(int(choice))] if choice.isdigit() else choice


def _stored_choice(adjudication: Adjudication, segment: Segment, choice: str) -> str:
    if choice in ("", NEITHER, RELABEL) or (choice == BOTH and segment.can_take_both):
        return choice
    if choice == BOTH:
        raise GoldpanError(_("You can't choose both: they give the same characters different labels."))
    letters = letters_of(adjudication)
    if choice not in letters:
        raise GoldpanError(_("There is no choice “%(choice)s”.") % {"choice": choice})
    return str(adjudication.order[letters.index(choice)])


def decisions_of(adjudication: Adjudication) -> dict[str, Any]:
    """The verdict and the decisions, as a window of the adjudicator shows them."""
    segments = adjudication.segments.all()
    decided = [[each.number, shown_choice(adjudication, each.choice), each.marks] for each in segments]
    return {"verdict": adjudication.verdict, "reason": adjudication.reason, "segments": decided}


@transaction.atomic
def submit(*, adjudication: Adjudication, user: User, shown: dict[str, Any] | None = None) -> Gold:
    """Finalise the adjudication and return its gold.

    `shown` is what the window that submits shows, as `decisions_of` gives it: gold is what its adjudicator
    saw. Raises Conflict while anything is open, and where another window has decided something else.
    """
    # The round first, as resubmitting an annotation does: whoever comes second sees what the first did.
    round_ = Round.objects.select_for_update(no_key=True).get(pk=adjudication.round_id)
    held = _held(adjudication, user)
    if not held.verdict:
        raise Conflict(_("Choose a verdict first."))
    if shown is not None and shown != decisions_of(held):
        raise Conflict(_("Something was decided in another window. Reload the page to see all decisions."))
    if held.kind != AdjudicationKind.DISPUTE:
        # A page that is shown as a whole, and where nothing was changed, is confirmed as it is.
        queries.open_segments(held).update(choice="0", decided_at=timezone.now())
    left = queries.open_segments(held).count()
    if left:
        message = ngettext("%(left)d segment is still open.", "%(left)d segments are still open.", left)
        raise Conflict(message % {"left": left})
    held.finalised_at = timezone.now()
    held.save(update_fields=["finalised_at"])
    close(round_)
    spans = _final_spans(held) if held.verdict in WITH_SPANS else []
    is_dispute = held.kind == AdjudicationKind.DISPUTE
    return add_gold(
        document=queries.document_of(held),
        verdict=held.verdict,
        reason=held.reason,
        spans=spans,
        # Of a page in dispute, the adjudicator sees the segments on which the annotators differ.
        distinguishable_labels=queries.labels_given_in(held.round, spans) if is_dispute else None,
        source=GoldSource.UNANIMOUS if _is_confirmed_audit(held, spans) else GoldSource.ADJUDICATED,
        exposed_families=exposed_families(held.round.page),
        adjudication=held,
    )


def _final_spans(held: Adjudication) -> list[Interval]:
    decided = [
        interval
        for segment in held.segments.all()
        for interval in with_source(_outcome(segment), GoldSource.ADJUDICATED)
    ]
    if held.kind == AdjudicationKind.DISPUTE:
        return joined(queries.agreed_intervals(held) + decided, queries.document_of(held))
    return revised([Span(*interval[:3]) for interval in decided], _before(held))


def _before(held: Adjudication) -> list[Interval]:
    """The intervals of an audited or reopened page before the adjudication."""
    if held.reopens:
        return [(start, end, label, source) for start, end, label, source in held.reopens.spans]
    return queries.agreed_intervals(held)


def _is_confirmed_audit(held: Adjudication, spans: Sequence[Interval]) -> bool:
    """Whether an audit came to what all annotators had said."""
    if held.kind != AdjudicationKind.AUDIT:
        return False
    comparison = held.comparison
    assert comparison is not None
    before = _before(held) if held.verdict in WITH_SPANS else []
    is_same_verdict = (held.verdict, held.reason) == (comparison.verdict, comparison.reason)
    return is_same_verdict and [each[:3] for each in spans] == [each[:3] for each in before]


def _outcome(segment: Segment) -> list[Span]:
    if segment.marks is not None:
        return [Span(start, end, label) for start, end, label in segment.marks]
    pieces = tuple(Piece(start, end, tuple(labels)) for start, end, labels in segment.pieces)
    choice = int(segment.choice) if segment.choice.isdigit() else segment.choice
    return resolve(Dispute(segment.start, segment.end, pieces), choice)


@transaction.atomic
def defer(*, adjudication: Adjudication, user: User) -> None:
    """Return the adjudication to the end of the queue; what is decided is kept."""
    held = _held(adjudication, user)
    held.adjudicator, held.lease_until, held.deferred_at = None, None, timezone.now()
    held.save(update_fields=["adjudicator", "lease_until", "deferred_at"])


def release_all(*, corpus: Corpus, user: User) -> int:
    """Return every adjudication that the user holds to the queue, with what is decided; how many."""
    held = Adjudication.objects.filter(round__page__corpus=corpus, adjudicator=user, finalised_at=None)
    return int(held.update(adjudicator=None, lease_until=None))


def _held(adjudication: Adjudication, user: User) -> Adjudication:
    held = Adjudication.objects.select_for_update().get(pk=adjudication.pk)
    if held.finalised_at:
        raise Conflict(_("This page has been adjudicated already."))
    if held.edition != held.round.edition:
        raise Gone(_("An annotator has submitted this page again. Continue with the next page."))
    if held.adjudicator_id != user.pk:
        raise _reassigned()
    return held


def _reassigned() -> Gone:
    return Gone(_("This page was assigned to someone else. Your decisions are kept."))
