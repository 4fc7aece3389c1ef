"""After the comparison: gold at once, or a page before an adjudicator. And gold that is looked at again."""

import random
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.agreement.actions import spans_of
from annotator.annotations.actions import handed_in
from annotator.annotations.models import (
    TO_GOLD,
    WITH_SPANS,
    Annotation,
    Purpose,
    Reason,
    Round,
    Verdict,
)
from annotator.annotations.queries import submissions
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.models import User
from annotator.gold import queries
from annotator.gold.adding import add_gold, with_source
from annotator.gold.models import Adjudication, Gold, Kind, Segment, Source
from annotator.pages.models import Page
from extraction.agreement.segments import Comparison, Dispute, Piece, compare
from extraction.characters import inked
from extraction.spans import Span, merge_intervals

MAX_WHY = 500


@transaction.atomic
def settle_round(*, round_: Round) -> Gold | Adjudication | None:
    """Gold where all agree, a dispute where they differ; None when the round is settled or open already.

    The verdict comes first: only under a verdict with marks are segments compared. A share of the pages on
    which all agree is looked at as well, and its gold waits for that.
    """
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if not queries.rounds_to_settle().filter(pk=round_.pk).exists():
        return None
    submitted = submissions(round_)
    verdict, reason = common_verdict(submitted)
    if verdict is None:
        return _open(round_, in_dispute=_marked_by_any(submitted))
    comparison = compare_round(submitted) if verdict in WITH_SPANS else Comparison([], [])
    if comparison.disputes:
        disputed = characters_in(comparison.disputes, submitted[0].document.text)
        opened = _open(round_, verdict=verdict, reason=reason, in_dispute=disputed)
        add_segments(opened, comparison.disputes)
        return opened
    if len(submitted) > 1 and drawn_for_audit(round_):
        return _open_audit(round_, verdict, reason, comparison.agreed)
    close(round_)
    source = Source.UNANIMOUS if len(submitted) > 1 else Source.SINGLE
    return add_gold(
        document=submitted[0].document,
        verdict=verdict,
        reason=reason,
        spans=with_source(comparison.agreed, source),
        source=source,
        saw=families_seen(round_.page),
    )


def close(round_: Round) -> None:
    """Nothing of it is taken up again. Call it holding the round's row."""
    Round.objects.filter(pk=round_.pk, settled_at=None).update(settled_at=timezone.now())


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


def families_seen(page: Page) -> list[str]:
    """Families of extractors whose output anybody was shown on this page, in any of its rounds."""
    shown = Annotation.objects.filter(slot__round__page=page, shown__isnull=False)
    return sorted(set(shown.values_list("shown__family", flat=True)))


# ---- agreed pages that are looked at all the same ----


def drawn_for_audit(round_: Round) -> bool:
    """Whether the seed of the corpus draws this page: the same on every machine, whoever asks."""
    corpus = round_.page.corpus
    again = f":{round_.number}" if round_.purpose == Purpose.GUIDELINE else ""
    dice = random.Random(f"{corpus.seed}:audit:{round_.page.sha256}:{round_.edition}{again}")
    return dice.random() < corpus.audit_share


def _open_audit(round_: Round, verdict: str, reason: str, agreed: Sequence[Span]) -> Adjudication:
    """In the queue it stands where a dispute could stand: nothing there tells it from one."""
    weight = queries.weight_like_others(round_.page.corpus, random.Random(f"{round_.page.sha256}:queue"))
    if weight is None:
        weight = sum(end - start for start, end, _label in agreed)
    opened = _open(round_, kind=Kind.AUDIT, verdict=verdict, reason=reason, weight=weight)
    _add_whole_page(opened, agreed)
    return opened


# ---- gold that is looked at again ----


@transaction.atomic
def reopen_gold(*, gold: Gold, by: User | None, why: str) -> Adjudication:
    """Let an adjudicator look at current gold again; it stands until she has settled it anew.

    `by` is nobody where a program asks. Raises Conflict where it is looked at already, newer gold stands, or
    newer gold is on its way in a round for another guideline.
    """
    why = why.strip()
    if not why or len(why) > MAX_WHY:
        raise GoldpanError(_("Say why, in at most %(n)d characters.") % {"n": MAX_WHY})
    # First the rounds, then the page, as settling does.
    rounds = list(
        Round.objects.select_for_update().filter(page=gold.page_id, purpose__in=TO_GOLD).order_by("pk")
    )
    page = Page.objects.select_for_update().get(pk=gold.page_id)
    round_ = rounds[-1] if rounds else None
    if not page.gold.filter(pk=gold.pk, current=True).exists():
        raise Conflict(_("This gold is no longer the current one."))
    if round_ and round_.purpose == Purpose.GUIDELINE and not round_.settled_at:
        raise Conflict(_("This page is annotated anew, for another guideline; newer gold is on its way."))
    if round_ is None or not submissions(round_):
        raise Conflict(_("Nobody has annotated this page here, so nobody can settle it anew."))
    if queries.open_disputes().filter(round=round_).exists() or not round_.settled_at:
        raise Conflict(_("This page is before an adjudicator already."))
    # Another edition: what was settled before stays on record beside it.
    Round.objects.filter(pk=round_.pk).update(edition=F("edition") + 1)
    round_.refresh_from_db(fields=["edition"])
    spans = [Span(start, end, label) for start, end, label, _source in gold.spans]
    opened = _open(
        round_,
        kind=Kind.REOPENED,
        verdict=gold.verdict,
        reason=gold.reason,
        weight=sum(span.end - span.start for span in spans),
        reopens=gold,
        reopened_by=by,
        why=why,
    )
    _add_whole_page(opened, spans)
    return opened


# ---- rows ----


def _open(round_: Round, *, verdict: str = "", in_dispute: int = 0, **fields: object) -> Adjudication:
    """A page before an adjudicator, its letters drawn: who is A changes from page to page."""
    slots = list(range(round_.slots.count()))
    random.Random(f"{round_.page.corpus.seed}:letters:{round_.pk}").shuffle(slots)
    return Adjudication.objects.create(
        round=round_,
        edition=round_.edition,
        order=slots,
        verdict=verdict,
        verdict_settled_at=timezone.now() if verdict else None,
        in_dispute=in_dispute,
        **{"weight": in_dispute, **fields},
    )


def add_segments(adjudication: Adjudication, disputes: Sequence[Dispute]) -> None:
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


def _add_whole_page(adjudication: Adjudication, spans: Sequence[Span]) -> None:
    """One segment, to which all say the same: what stands."""
    length = queries.document_of(adjudication).length
    if not length:
        return
    slots = len(adjudication.order)
    pieces = [Piece(span.start, span.end, (span.label,) * slots) for span in spans]
    nothing = [Piece(0, length, (None,) * slots)]
    add_segments(adjudication, [Dispute(0, length, tuple(pieces or nothing))])


def characters_in(disputes: Sequence[Dispute], text: str) -> int:
    """Characters in dispute, white space aside."""
    return _inked_in([(piece.start, piece.end) for each in disputes for piece in each.pieces], text)


def _marked_by_any(submitted: Sequence[Annotation]) -> int:
    """Characters that anybody marked, white space aside."""
    marks = [(span.start, span.end) for annotation in submitted for span in spans_of(annotation)]
    return _inked_in(merge_intervals(marks), submitted[0].document.text)


def _inked_in(intervals: Iterable[tuple[int, int]], text: str) -> int:
    ink = inked(text)
    return sum(int(ink[start:end].sum()) for start, end in intervals)
