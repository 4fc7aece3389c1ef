"""After the comparison of a round: gold at once, or an adjudication. And gold that is reopened."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.agreement.comparison import disputes_of, pieces_to_json
from annotator.agreement.models import Agreement
from annotator.annotations.models import TO_GOLD, Annotation, Purpose, Round
from annotator.annotations.queries import submissions
from annotator.common import work
from annotator.common.errors import Conflict
from annotator.common.reasons import checked_reason
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import User
from annotator.gold import queries
from annotator.gold.models import Adjudication, AdjudicationKind, Gold, GoldSource, Segment
from annotator.gold.versions import add_gold, with_source
from annotator.pages.models import ImportedGold, Page, StoredDocument
from extraction.agreement.segments import Dispute, Piece
from extraction.alignment import Alignment
from extraction.formats import GoldError, place
from extraction.formats.gold import from_json
from extraction.spans import Span


@transaction.atomic
def finalise_round(*, round_: Round) -> Gold | Adjudication | None:
    """Make gold where all annotators agree, open an adjudication where they differ.

    A share of the pages on which all agree goes to an adjudicator too; their gold waits for that. Returns
    None when the round is not compared yet, finalised, or before an adjudicator already.
    """
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if not queries.rounds_to_finalise().filter(pk=round_.pk).exists():
        return None
    comparison = Agreement.objects.select_related("document").get(round=round_, edition=round_.edition)
    judged = {"verdict": comparison.verdict, "reason": comparison.reason}
    if not comparison.verdict:
        return _open(round_, comparison=comparison, in_dispute=comparison.marked_characters)
    if comparison.disputes:
        opened = _open(round_, comparison=comparison, in_dispute=comparison.disputed_characters, **judged)
        add_segments(opened, disputes_of(comparison))
        return opened
    agreed = [Span(*span) for span in comparison.agreed]
    if not comparison.is_single and drawn_for_audit(round_):
        return _open_audit(round_, comparison, agreed)
    close(round_)
    source = GoldSource.SINGLE if comparison.is_single else GoldSource.UNANIMOUS
    assert comparison.document is not None
    spans = with_source(agreed, source)
    return add_gold(
        document=comparison.document,
        spans=spans,
        distinguishable_labels=queries.labels_given_in(round_, spans),
        source=source,
        exposed_families=exposed_families(round_.page),
        verdict=comparison.verdict,
        reason=comparison.reason,
    )


def close(round_: Round) -> None:
    """Date the end of a round, after which nothing in it is reopened. Call it holding the round's row."""
    Round.objects.filter(pk=round_.pk, finalised_at=None).update(finalised_at=timezone.now())


def exposed_families(page: Page) -> list[str]:
    """Families of extractors whose output any annotator was shown on this page, in any of its rounds."""
    shown = Annotation.objects.filter(slot__round__page=page, shown__isnull=False)
    return sorted(set(shown.values_list("shown__family", flat=True)))


# ---- audits ----


def drawn_for_audit(round_: Round) -> bool:
    """Whether the seed of the corpus draws this page: the same on every machine, whoever asks."""
    corpus = round_.page.corpus
    again = f":{round_.number}" if round_.purpose == Purpose.GUIDELINE else ""
    dice = random.Random(f"{corpus.seed}:audit:{round_.page.sha256}:{round_.edition}{again}")
    return dice.random() < corpus.audit_share


def _open_audit(round_: Round, comparison: Agreement, agreed: Sequence[Span]) -> Adjudication:
    """An audit, ranked in the queue like a past dispute, so that its rank does not give it away."""
    weight = queries.weight_like_others(round_.page.corpus, random.Random(f"{round_.page.sha256}:queue"))
    if weight is None:
        weight = _length(agreed)
    opened = _open(
        round_,
        kind=AdjudicationKind.AUDIT,
        comparison=comparison,
        verdict=comparison.verdict,
        reason=comparison.reason,
        weight=weight,
    )
    _add_whole_page(opened, agreed)
    return opened


# ---- reopened gold ----


@transaction.atomic
def reopen_gold(*, gold: Gold, by: User | None, why: str) -> Adjudication:
    """Send current gold back to adjudication; it stays current until the adjudicator submits a new version.

    `by` is None where a program asks. Raises Conflict where the page is before an adjudicator already, newer
    gold is current, or newer gold is on its way in a round.
    """
    why = checked_reason(why)
    # The rounds before the page, in the order in which submitting an adjudication locks them.
    rounds = list(
        Round.objects.select_for_update().filter(page=gold.page_id, purpose__in=TO_GOLD).order_by("pk")
    )
    page = Page.objects.select_for_update().get(pk=gold.page_id)
    round_ = rounds[-1] if rounds else None
    if not page.gold.filter(pk=gold.pk, current=True).exists():
        raise Conflict(_("This gold is no longer the current version."))
    if round_ and round_.purpose == Purpose.GUIDELINE and not round_.finalised_at:
        raise Conflict(_("This page is being re-annotated for another guideline; newer gold is on its way."))
    if round_ is None or not submissions(round_):
        raise Conflict(_("Nobody has annotated this page here, so it cannot be adjudicated."))
    if queries.open_adjudications().filter(round=round_).exists():
        raise Conflict(_("This page is in adjudication already."))
    if not round_.finalised_at:
        # Its gold was imported.
        raise Conflict(_("This page is being annotated; newer gold is on its way."))
    spans = gold.marks
    opened = _open(
        round_,
        kind=AdjudicationKind.REOPENED,
        verdict=gold.verdict,
        reason=gold.reason,
        weight=_length(spans),
        reopens=gold,
        reopened_by=by,
        why=why,
    )
    _add_whole_page(opened, spans)
    changes = {"version": gold.number}
    record(AuditAction.GOLD_REOPENED, corpus=page.corpus, by=by, item=page.sha256, changes=changes)
    return opened


# ---- rows ----


def _open(round_: Round, *, verdict: str = "", in_dispute: int = 0, **fields: Any) -> Adjudication:
    """An adjudication whose letters are drawn, so that who is A changes from page to page."""
    slots = list(range(round_.slots.count()))
    random.Random(f"{round_.page.corpus.seed}:letters:{round_.pk}").shuffle(slots)
    return Adjudication.objects.create(
        round=round_,
        edition=round_.edition,
        order=slots,
        verdict=verdict,
        verdict_decided_at=timezone.now() if verdict else None,
        in_dispute=in_dispute,
        **{"weight": in_dispute, **fields},
    )


def add_segments(adjudication: Adjudication, disputes: Iterable[Dispute]) -> None:
    """Number the disputes as open segments."""
    Segment.objects.bulk_create(
        Segment(
            adjudication=adjudication,
            number=number,
            start=dispute.start,
            end=dispute.end,
            pieces=pieces_to_json(dispute),
            can_take_both=dispute.can_take_both,
        )
        for number, dispute in enumerate(disputes, start=1)
    )


def _add_whole_page(adjudication: Adjudication, spans: Sequence[Span]) -> None:
    """One segment over the whole page, on which all annotators count as marking these spans."""
    length = queries.document_of(adjudication).length
    if not length:
        return
    slots = len(adjudication.order)
    pieces = [Piece(span.start, span.end, (span.label,) * slots) for span in spans]
    unmarked = Piece(0, length, (None,) * slots)
    whole = Dispute(0, length, tuple(pieces or [unmarked]))
    add_segments(adjudication, [whole])


def _length(spans: Sequence[Span]) -> int:
    return sum(span.end - span.start for span in spans)


def align_imported(imported: ImportedGold) -> Gold | None:
    """Place claimed gold in the page's document; None when it failed, which is recorded (invariant 9)."""
    document = StoredDocument.objects.filter(current_of=imported.page_id).select_related("page").first()
    if document is None:
        work.fail(imported, error=f"the page has no document: {imported.page.error or 'it is not built yet'}")
        return None
    try:
        placed = place(from_json(imported.content), document)
    except GoldError as error:
        work.fail(imported, error=str(error))
        return None
    return _finish(imported, document, placed)


@transaction.atomic
def _finish(imported: ImportedGold, document: StoredDocument, placed: Alignment) -> Gold | None:
    if not work.finish(imported):
        return None
    gold = from_json(imported.content)
    return add_gold(
        document=document,
        verdict=gold.verdict,
        reason=gold.reason,
        spans=with_source(placed.spans, GoldSource.IMPORTED),
        distinguishable_labels=gold.labels,
        source=GoldSource.IMPORTED,
        yields=True,
        characters=placed.total,
        placed=placed.placed,
    )
