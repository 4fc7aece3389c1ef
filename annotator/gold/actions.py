"""What an adjudicator does: the verdict, segment by segment, gold.

What happens before, after a comparison or where gold is reopened, is in `opening`, and is offered here too.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.annotations.models import WITH_SPANS, Annotation, Reason, Round, Unblinded, Verdict
from annotator.annotations.queries import submissions
from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.corpora.guideline.queries import text_of, version
from annotator.corpora.models import Corpus, User
from annotator.gold import queries
from annotator.gold.adding import Interval, revised, with_source
from annotator.gold.adding import add_gold as add_gold
from annotator.gold.models import LEASE, Adjudication, Gold, Kind, Segment, Source
from annotator.gold.opening import add_segments, characters_in, close, families_seen
from annotator.gold.opening import common_verdict as common_verdict
from annotator.gold.opening import compare_round as compare_round
from annotator.gold.opening import reopen_gold as reopen_gold
from annotator.gold.opening import settle_round as settle_round
from extraction.agreement.segments import Dispute, Piece, resolve
from extraction.spans import Span, SpanError, clip

BOTH, NEITHER, ANEW = "both", "neither", "anew"


# ---- the adjudicator ----


def claim_next(*, corpus: Corpus, user: User) -> Adjudication | None:
    """The next dispute, in her hands from now on; None when there is none for her."""
    now = timezone.now()
    with transaction.atomic():
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


def heartbeat(*, adjudication: Adjudication, user: User) -> Adjudication:
    """She still has it open. Raises Gone when it is in other hands."""
    held = queries.open_disputes().filter(pk=adjudication.pk, adjudicator=user)
    if not held.update(lease_until=timezone.now() + LEASE):
        raise Gone(_("This page was given to somebody else. What you decided is kept."))
    adjudication.refresh_from_db()
    return adjudication


@transaction.atomic
def settle_verdict(*, adjudication: Adjudication, user: User, verdict: str, reason: str = "") -> Adjudication:
    """Say what the page is; under a verdict with marks, its disputes follow.

    It may be changed while no segment is decided. Raises Conflict where the annotators' own verdict stands:
    it does where they differ on marks alone, and not on a page that is looked at again as a whole.
    """
    held = _held(adjudication, user)
    if verdict not in Verdict.values:
        raise GoldpanError(_("There is no verdict “%(verdict)s”.") % {"verdict": verdict})
    if verdict == Verdict.NOT_ARTICLE and reason not in Reason.values:
        raise GoldpanError(_("Say why it is not an article."))
    submitted = submissions(held.round)
    if held.kind == Kind.DISPUTE and common_verdict(submitted)[0] is not None:
        raise Conflict(_("The annotators agree on the verdict; it stands."))
    if held.segments.exclude(choice="").exists():
        raise Conflict(_("Segments are decided under the present verdict; undo them first."))
    held.verdict, held.verdict_settled_at = verdict, timezone.now()
    held.reason = reason if verdict == Verdict.NOT_ARTICLE else ""
    if held.kind == Kind.DISPUTE:
        _compare_anew(held, submitted)
    held.save(update_fields=["verdict", "verdict_settled_at", "reason", "in_dispute", "weight"])
    return held


def _compare_anew(held: Adjudication, submitted: Sequence[Annotation]) -> None:
    """The disputes under her verdict."""
    held.segments.all().delete()
    disputes = compare_round(submitted).disputes if held.verdict in WITH_SPANS else []
    add_segments(held, disputes)
    held.in_dispute = held.weight = characters_in(disputes, submitted[0].document.text)


@transaction.atomic
def decide(*, adjudication: Adjudication, user: User, number: int, choice: str, **given: Any) -> Segment:
    """Settle one segment; see `decide_all`."""
    return decide_all(adjudication=adjudication, user=user, numbers=[number], choice=choice, **given)[0]


@transaction.atomic
def decide_all(
    *,
    adjudication: Adjudication,
    user: User,
    numbers: Sequence[int],
    choice: str,
    clause: str = "",
    marks: Sequence[Span] = (),
    quotes: Sequence[str] = (),
) -> list[Segment]:
    """Settle segments: the letter of an annotator, "both", "neither", "anew", or "" to open them again.

    `clause` is the number of the clause that was the reason, of the version that the screen shows. With
    "anew" there is one segment and `marks`, her own inside it, with the text that she sees there.
    """
    held = _held(adjudication, user)
    segments = list(held.segments.select_for_update().filter(number__in=numbers))
    if len(segments) != len(set(numbers)) or not segments:
        raise GoldpanError(_("There is no segment %(number)d.") % {"number": max(numbers, default=0)})
    reason, version_ = _reason(held, clause if choice else "")
    for segment in segments:
        segment.choice = _stored_choice(held, segment, choice)
        segment.marks = _own_marks(held, segment, marks, quotes) if choice == ANEW else None
        segment.decided_at = timezone.now() if segment.choice else None
        segment.clause, segment.guideline_version = reason, version_
    fields = ["choice", "marks", "decided_at", "clause", "guideline_version"]
    Segment.objects.bulk_update(segments, fields)
    return segments


def _own_marks(
    held: Adjudication, segment: Segment, marks: Sequence[Span], quotes: Sequence[str]
) -> list[list[Any]]:
    """Her marks in normal form. Refused: outside the segment, of no label of the corpus, of another text."""
    document = queries.document_of(held)
    known = set(held.round.page.corpus.labels.values_list("name", flat=True))
    for span, quote in zip(marks, quotes, strict=True):
        if not (segment.start <= span.start and span.end <= segment.end):
            raise GoldpanError(_("A mark lies outside the segment."))
        if span.label not in known:
            raise GoldpanError(_("This corpus has no label “%(label)s”.") % {"label": span.label})
        if document.text[span.start : span.end] != quote:
            raise GoldpanError(
                _("Characters %(start)d to %(end)d are not what your browser shows. Load the page again.")
                % {"start": span.start, "end": span.end}
            )
    try:
        return [list(span) for span in clip(marks, document.blocks, document.text)]
    except SpanError as error:
        raise GoldpanError(str(error)) from error


def _reason(adjudication: Adjudication, clause: str) -> tuple[str, int | None]:
    """A clause with the version in which it stands."""
    if not clause:
        return "", None
    number = queries.guideline_of(adjudication)
    guideline = version(adjudication.round.page.corpus, number)
    if guideline is None or clause not in {known.number for known in text_of(guideline).clauses}:
        raise GoldpanError(_("This guideline has no clause %(clause)s.") % {"clause": clause})
    return clause, number


def letters(adjudication: Adjudication) -> list[str]:
    return [chr(ord("A") + place) for place in range(len(adjudication.order))]


def letter_of(adjudication: Adjudication, choice: str) -> str:
    """A stored choice as the adjudicator sees it: the slot behind a letter stays hidden."""
    return letters(adjudication)[adjudication.order.index(int(choice))] if choice.isdigit() else choice


def _stored_choice(adjudication: Adjudication, segment: Segment, choice: str) -> str:
    if choice in ("", NEITHER, ANEW) or (choice == BOTH and segment.can_take_both):
        return choice
    if choice == BOTH:
        raise GoldpanError(_("Both cannot stand: they give the same characters different labels."))
    if choice not in letters(adjudication):
        raise GoldpanError(_("There is no choice “%(choice)s”.") % {"choice": choice})
    return str(adjudication.order[letters(adjudication).index(choice)])


@transaction.atomic
def settle(*, adjudication: Adjudication, user: User) -> Gold:
    """Close the dispute; its gold. Raises Conflict while anything is open."""
    # First the round, as whoever hands in again does: one of the two comes second, and learns of the other.
    round_ = Round.objects.select_for_update(no_key=True).get(pk=adjudication.round_id)
    held = _held(adjudication, user)
    if not held.verdict:
        raise Conflict(_("Settle first what this page is."))
    if held.kind != Kind.DISPUTE:
        _confirm(held)
    left = queries.open_segments(held).count()
    if left:
        said = ngettext("%(left)d segment is still open.", "%(left)d segments are still open.", left)
        raise Conflict(said % {"left": left})
    held.settled_at = timezone.now()
    held.save(update_fields=["settled_at"])
    close(round_)
    spans = _settled_spans(held) if held.verdict in WITH_SPANS else []
    return add_gold(
        document=queries.document_of(held),
        verdict=held.verdict,
        reason=held.reason,
        spans=spans,
        source=_settled_source(held, spans),
        saw=families_seen(held.round.page),
        adjudication=held,
    )


def _confirm(held: Adjudication) -> None:
    """Who settles a page that is looked at again, and has changed nothing, takes it as it stands."""
    queries.open_segments(held).update(choice="0", decided_at=timezone.now())


def _settled_spans(held: Adjudication) -> list[Interval]:
    if held.kind == Kind.DISPUTE:
        agreed = compare_round(submissions(held.round)).agreed
        return sorted(with_source(agreed, Source.UNANIMOUS) + _decided(held))
    return revised([Span(*interval[:3]) for interval in _decided(held)], _before(held))


def _before(held: Adjudication) -> list[Interval]:
    """What stood when the page came to be looked at again."""
    if held.reopens:
        return [(start, end, label, source) for start, end, label, source in held.reopens.spans]
    return with_source(compare_round(submissions(held.round)).agreed, Source.UNANIMOUS)


def _settled_source(held: Adjudication, spans: Sequence[Interval]) -> str:
    """Unanimous only where an audit confirmed what all had said."""
    is_same = held.kind == Kind.AUDIT and not changes_something(held, spans)
    return Source.UNANIMOUS if is_same else Source.ADJUDICATED


def changes_something(held: Adjudication, spans: Sequence[Sequence[Any]]) -> bool:
    """Whether an audit came to something else than all had said."""
    submitted = submissions(held.round)
    before = _before(held) if held.verdict in WITH_SPANS else []
    marks = [tuple(span[:3]) for span in spans]
    is_judged = (held.verdict, held.reason) != common_verdict(submitted)
    return is_judged or marks != [each[:3] for each in before]


def _decided(adjudication: Adjudication) -> list[Interval]:
    return [
        interval
        for segment in adjudication.segments.all()
        for interval in with_source(_outcome(segment), Source.ADJUDICATED)
    ]


def _outcome(segment: Segment) -> list[Span]:
    if segment.marks is not None:
        return [Span(start, end, label) for start, end, label in segment.marks]
    return resolve(dispute_of(segment), _choice(segment))


def dispute_of(segment: Segment) -> Dispute:
    """The row as the library's record."""
    pieces = tuple(Piece(start, end, tuple(labels)) for start, end, labels in segment.pieces)
    return Dispute(segment.start, segment.end, pieces)


def _choice(segment: Segment) -> int | str:
    return int(segment.choice) if segment.choice.isdigit() else segment.choice


@transaction.atomic
def put_off(*, adjudication: Adjudication, user: User) -> None:
    """Leave it for later, or for another; what is decided stays."""
    held = _held(adjudication, user)
    held.adjudicator, held.lease_until, held.put_off_at = None, None, timezone.now()
    held.save(update_fields=["adjudicator", "lease_until", "put_off_at"])


def release_all(*, corpus: Corpus, user: User) -> int:
    """Give back every dispute that she holds; what she decided is kept. How many."""
    held = Adjudication.objects.filter(round__page__corpus=corpus, adjudicator=user, settled_at=None)
    return int(held.update(adjudicator=None, lease_until=None))


def _held(adjudication: Adjudication, user: User) -> Adjudication:
    held = Adjudication.objects.select_for_update().get(pk=adjudication.pk)
    if held.settled_at:
        raise Conflict(_("This page is settled."))
    if held.edition != held.round.edition:
        raise Gone(_("An annotator has handed this page in again: it is compared anew. Take the next one."))
    if held.adjudicator_id != user.pk:
        raise Gone(_("This page was given to somebody else. What you decided is kept."))
    return held
