"""Settling: gold from agreement, from an adjudicator, from outside."""

import random
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.agreement.actions import spans_of
from annotator.annotations.actions import handed_in
from annotator.annotations.models import WITH_SPANS, Annotation, Reason, Round, Verdict
from annotator.annotations.queries import submissions
from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.corpora.guideline.queries import text_of, version
from annotator.corpora.models import Corpus, User
from annotator.gold import queries
from annotator.gold.models import LEASE, Adjudication, Gold, Segment, Source
from annotator.pages.models import Document, Page
from extraction.agreement.segments import Comparison, Dispute, Piece, compare, resolve
from extraction.spans import Span

BOTH, NEITHER = "both", "neither"

Interval = tuple[int, int, str, str]  # start, end, label, source


# ---- after the comparison: gold at once, or a dispute ----


@transaction.atomic
def settle_round(*, round_: Round) -> Gold | Adjudication | None:
    """Gold where all agree, a dispute where they differ; None when the round is settled or open already.

    The verdict comes first: only under a verdict with marks are segments compared.
    """
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if not queries.rounds_to_settle().filter(pk=round_.pk).exists():
        return None
    submitted = submissions(round_)
    verdict, reason = common_verdict(submitted)
    if verdict is None:
        return _open_dispute(round_)
    comparison = compare_round(submitted) if verdict in WITH_SPANS else Comparison([], [])
    if comparison.disputes:
        return _open_dispute(round_, verdict=verdict, reason=reason, disputes=comparison.disputes)
    _close(round_)
    source = Source.UNANIMOUS if len(submitted) > 1 else Source.SINGLE
    return add_gold(
        document=submitted[0].document,
        verdict=verdict,
        reason=reason,
        spans=_with_source(comparison.agreed, source),
        source=source,
        saw=families_seen(round_.page),
    )


def _close(round_: Round) -> None:
    """Nothing of it is taken up again. Call it holding the round's row."""
    Round.objects.filter(pk=round_.pk).update(settled_at=timezone.now())


def common_verdict(submitted: Sequence[Annotation]) -> tuple[str | None, str]:
    """The verdict that all gave, and their reason if it is the same; "cannot tell" settles nothing."""
    given = [(marks.verdict, marks.reason) for marks in map(handed_in, submitted) if marks]
    verdicts = {verdict for verdict, _reason in given}
    if len(verdicts) != 1 or verdicts == {Verdict.CANNOT_TELL.value}:
        return None, ""
    reasons = {reason for _verdict, reason in given}
    return verdicts.pop(), reasons.pop() if len(reasons) == 1 else Reason.OTHER


def compare_round(submitted: Sequence[Annotation]) -> Comparison:
    """Where the submitted annotations agree and where they differ."""
    return compare([spans_of(annotation) for annotation in submitted], submitted[0].document)


def _open_dispute(
    round_: Round, *, verdict: str = "", reason: str = "", disputes: Sequence[Dispute] = ()
) -> Adjudication:
    """A dispute with its letters drawn: who is A changes from page to page, and can be drawn again."""
    slots = list(range(round_.slots.count()))
    random.Random(f"{round_.page.corpus.seed}:letters:{round_.pk}").shuffle(slots)
    adjudication = Adjudication.objects.create(
        round=round_,
        edition=round_.edition,
        order=slots,
        verdict=verdict,
        reason=reason,
        verdict_settled_at=timezone.now() if verdict else None,
    )
    _add_segments(adjudication, disputes)
    return adjudication


def _add_segments(adjudication: Adjudication, disputes: Sequence[Dispute]) -> None:
    Segment.objects.bulk_create(
        [
            Segment(
                adjudication=adjudication,
                number=number,
                start=dispute.start,
                end=dispute.end,
                pieces=[[piece.start, piece.end, list(piece.labels)] for piece in dispute.pieces],
                can_take_both=dispute.can_take_both,
            )
            for number, dispute in enumerate(disputes, start=1)
        ]
    )


def families_seen(page: Page) -> list[str]:
    """Families of extractors whose output anybody was shown on this page, in any of its rounds."""
    shown = Annotation.objects.filter(slot__round__page=page, shown__isnull=False)
    return sorted(set(shown.values_list("shown__family", flat=True)))


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

    It may be changed while no segment is decided. Raises Conflict where the annotators' own verdict stands.
    """
    held = _held(adjudication, user)
    if verdict not in Verdict.values:
        raise GoldpanError(_("There is no verdict “%(verdict)s”.") % {"verdict": verdict})
    if verdict == Verdict.NOT_ARTICLE and reason not in Reason.values:
        raise GoldpanError(_("Say why it is not an article."))
    submitted = submissions(held.round)
    if common_verdict(submitted)[0] is not None:
        raise Conflict(_("The annotators agree on the verdict; it stands."))
    if held.segments.exclude(choice="").exists():
        raise Conflict(_("Segments are decided under the present verdict; undo them first."))
    held.segments.all().delete()
    held.verdict, held.verdict_settled_at = verdict, timezone.now()
    held.reason = reason if verdict == Verdict.NOT_ARTICLE else ""
    held.save(update_fields=["verdict", "verdict_settled_at", "reason"])
    if verdict in WITH_SPANS:
        _add_segments(held, compare_round(submitted).disputes)
    return held


@transaction.atomic
def decide(*, adjudication: Adjudication, user: User, number: int, choice: str, clause: str = "") -> Segment:
    """Settle one segment: the letter of an annotator, "both", "neither", or "" to open it again.

    `clause` is the number of the clause that was the reason, of the version that the screen shows.
    """
    held = _held(adjudication, user)
    segment = held.segments.select_for_update().filter(number=number).first()
    if segment is None:
        raise GoldpanError(_("There is no segment %(number)d.") % {"number": number})
    segment.choice = _stored_choice(held, segment, choice)
    segment.decided_at = timezone.now() if segment.choice else None
    segment.clause, segment.guideline_version = _reason(held, clause if segment.choice else "")
    segment.save(update_fields=["choice", "decided_at", "clause", "guideline_version"])
    return segment


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
    if choice in ("", NEITHER) or (choice == BOTH and segment.can_take_both):
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
    left = queries.open_segments(held).count()
    if left:
        said = ngettext("%(left)d segment is still open.", "%(left)d segments are still open.", left)
        raise Conflict(said % {"left": left})
    submitted = submissions(held.round)
    agreed = compare_round(submitted).agreed if held.verdict in WITH_SPANS else []
    spans = _with_source(agreed, Source.UNANIMOUS) + _decided(held)
    held.settled_at = timezone.now()
    held.save(update_fields=["settled_at"])
    _close(round_)
    return add_gold(
        document=submitted[0].document,
        verdict=held.verdict,
        reason=held.reason,
        spans=sorted(spans),
        source=Source.ADJUDICATED,
        saw=families_seen(held.round.page),
    )


def _decided(adjudication: Adjudication) -> list[Interval]:
    return [
        interval
        for segment in adjudication.segments.all()
        for interval in _with_source(resolve(dispute_of(segment), _choice(segment)), Source.ADJUDICATED)
    ]


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


# ---- gold ----


@transaction.atomic
def add_gold(
    *,
    document: Document,
    verdict: str,
    spans: Iterable[Interval],
    source: str,
    reason: str = "",
    tells: Iterable[str] | None = None,
    saw: Iterable[str] = (),
    characters: int | None = None,
    placed: int | None = None,
    yields: bool = False,
) -> Gold:
    """Gold with the page's next number; from now on it is the current one (law 7: the old row stays).

    Gold that `yields` is kept beside gold that people settled here, and does not take its place.

    `tells` are the labels that it can tell apart, all of the corpus's when not given.
    """
    page = Page.objects.select_for_update().select_related("corpus").get(pk=document.page_id)
    number = page.gold.count() + 1
    standing = page.gold.filter(current=True)
    current = None if yields and standing.exclude(source=Source.IMPORTED).exists() else True
    if current:
        standing.update(current=None)
    return Gold.objects.create(
        current=current,
        page=page,
        number=number,
        document=document,
        verdict=verdict,
        reason=reason,
        spans=[list(interval) for interval in spans],
        tells=sorted(tells if tells is not None else page.corpus.labels.values_list("name", flat=True)),
        source=source,
        saw=sorted(saw),
        characters=characters,
        placed=placed,
    )


def _with_source(spans: Iterable[Span], source: str) -> list[Interval]:
    return [(span.start, span.end, span.label, source) for span in spans]
