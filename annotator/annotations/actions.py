"""Writes of annotating: open a round, claim a slot, save, submit, leave."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations import arms, queries
from annotator.annotations.models import (
    LEASE,
    Annotation,
    Marks,
    Purpose,
    RefusedSave,
    Revision,
    Round,
    Skip,
    Slot,
    Verdict,
)
from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.corpora.models import Corpus, User
from annotator.pages.actions import pin_document
from annotator.pages.models import Page
from annotator.runs.models import CorpusExtractor, Extraction
from extraction.spans import Span, SpanError, clip


@dataclass(frozen=True)
class Draft:
    """What a browser sends to be kept: marks and verdict, and the revision that they build on."""

    document_sha256: str
    based_on: int
    operation: uuid.UUID
    spans: list[Span]
    quotes: list[str]
    verdict: str = ""
    reason: str = ""
    note: str = ""
    active_seconds: int = 0


class StaleSave(Conflict):
    """The save builds on an old revision; `details` has both versions, and both are kept."""

    def __init__(self, current: dict[str, Any], yours: dict[str, Any]) -> None:
        super().__init__(
            _("This page was changed in another window. Nothing is lost: both versions are kept.")
        )
        self.details = {"current": current, "yours": yours}


# ---- rounds ----


@transaction.atomic
def open_round(*, page: Page) -> Round:
    """The page's main round, with as many slots as its corpus asks for, and their arms, drawn here once."""
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=page.corpus_id)
    opened = Round.objects.filter(page=page, purpose=Purpose.MAIN).first()
    if opened:
        return opened
    rounds = Round.objects.filter(page__corpus=corpus, purpose=Purpose.MAIN)
    place = rounds.count()
    drawn = arms.draw_arms(
        seed=corpus.seed,
        place=place,
        slots=corpus.slots_per_page,
        blind_share=corpus.blind_share,
        blind_before=rounds.filter(blind=True).count(),
        extractors=_possible_arms(corpus),
    )
    made = Round.objects.create(page=page, blind=drawn.blind, draw=place)
    Slot.objects.bulk_create(
        [Slot(round=made, number=number, arm_id=arm) for number, arm in enumerate(drawn.arms, start=1)]
    )
    return made


def _possible_arms(corpus: Corpus) -> list[int]:
    enabled = CorpusExtractor.objects.filter(corpus=corpus, ended_at=None, extractor__can_be_arm=True)
    return list(enabled.order_by("extractor_id").values_list("extractor_id", flat=True))


# ---- claiming ----


@transaction.atomic
def claim_next(*, corpus: Corpus, annotator: User) -> Slot | None:
    """The slot that she holds, or the next one that she may take; None when nothing is left.

    Twenty people may ask at once: a slot row that somebody else is taking is passed over (SKIP LOCKED). Her
    own windows come one after the other, and get the same slot. The constraints of `Slot` stand behind both.
    """
    now = timezone.now()
    _one_window_at_a_time(annotator)
    held = queries.held_slots(corpus, annotator).first()
    if held and _extend(held, annotator, now):
        return held
    return _take(queries.claimable_slots(corpus, annotator, now), annotator, now)


def claim_on(*, page: Page, annotator: User) -> Slot:
    """A slot of this very page: the one she holds, or a free one. Raises Conflict when there is none."""
    held = queries.held_slots(page.corpus, annotator).filter(round__page=page).first()
    if held:
        return held
    now = timezone.now()
    with transaction.atomic():
        free = queries.claimable_slots(page.corpus, annotator, now).filter(round__page=page)
        taken = _take(free, annotator, now)
    if taken is None:
        raise Conflict(_("No place on this page is free for %(name)s.") % {"name": annotator})
    return taken


def take_up(*, slot: Slot, annotator: User) -> Slot:
    """Go on with a draft whose lease lapsed, in its slot or another free one of the round.

    Raises Gone when all places of the page were given to others; the draft is kept.
    """
    now = timezone.now()
    corpus = slot.round.page.corpus
    with transaction.atomic():
        _one_window_at_a_time(annotator)
        held = queries.held_slots(corpus, annotator).filter(round=slot.round).first()
        if held and _extend(held, annotator, now):
            return held
        free = queries.claimable_slots(corpus, annotator, now).filter(round=slot.round)
        taken = _take(free, annotator, now)
        if taken is None:
            raise Gone(_("This page was given to somebody else. Your draft is kept."))
        return taken


def _one_window_at_a_time(annotator: User) -> None:
    """Her windows ask one after the other, until the transaction ends."""
    User.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def _take(candidates: Any, annotator: User, now: datetime) -> Slot | None:
    slot = candidates.select_for_update(of=("self",), skip_locked=True).first()
    if slot is None:
        return None
    document = pin_document(page=slot.round.page)
    slot.annotator, slot.claimed_at, slot.lease_until = annotator, now, now + LEASE
    slot.save(update_fields=["annotator", "claimed_at", "lease_until"])
    _open_annotation(slot, annotator, document)
    return slot


def _open_annotation(slot: Slot, annotator: User, document: Any) -> Annotation:
    """Her annotation in this slot; a draft that she left in another slot of the round goes on here."""
    annotation, new = Annotation.objects.get_or_create(
        slot=slot,
        annotator=annotator,
        defaults={
            "document": document,
            "guideline_version": slot.round.page.corpus.guideline_version,
            "shown": _shown(slot, document),
        },
    )
    draft = _draft_elsewhere(slot, annotator) if new else None
    if draft:
        annotation.revision = 1
        annotation.save(update_fields=["revision"])
        _copy(draft, annotation)
    return annotation


def _draft_elsewhere(slot: Slot, annotator: User) -> Revision | None:
    drafts = Revision.objects.filter(annotation__slot__round=slot.round, annotation__annotator=annotator)
    return drafts.order_by("-saved_at").first()


def _copy(draft: Revision, annotation: Annotation) -> None:
    Revision.objects.create(
        annotation=annotation,
        number=1,
        based_on=0,
        operation=uuid.uuid4(),
        spans=draft.spans,
        verdict=draft.verdict,
        reason=draft.reason,
        note=draft.note,
    )


def _shown(slot: Slot, document: Any) -> Any:
    """The arm, if there is anything of it to show: an extraction that failed or is not made shows nothing."""
    if slot.arm is None:
        return None
    done = Extraction.objects.filter(
        document=document, extractor=slot.arm, finished_at__isnull=False, error=""
    )
    return slot.arm if done.exists() else None


def heartbeat(*, slot: Slot, annotator: User, active_seconds: int) -> Slot:
    """She still has the page open. Raises Gone when the slot is somebody else's by now."""
    now = timezone.now()
    held = Slot.objects.filter(pk=slot.pk, annotator=annotator, submitted_at=None)
    if not held.update(lease_until=now + LEASE):
        raise Gone(_("This page was given to somebody else. Your draft is kept."))
    _note_activity(slot, annotator, active_seconds)
    slot.refresh_from_db()
    return slot


def _extend(slot: Slot, annotator: User, now: datetime) -> bool:
    """Hers for longer; False when it was handed in or given to another at this very moment."""
    slot.lease_until = now + LEASE
    hers = Slot.objects.filter(pk=slot.pk, annotator=annotator, submitted_at=None)
    return bool(hers.update(lease_until=slot.lease_until))


def _note_activity(slot: Slot, annotator: User, seconds: int) -> None:
    """Active time only grows: two windows report what each of them saw."""
    own = Annotation.objects.filter(slot=slot, annotator=annotator, submitted_at=None)
    own.filter(active_seconds__lt=seconds).update(active_seconds=seconds)


# ---- saving ----


def save(*, slot: Slot, annotator: User, draft: Draft) -> Revision:
    """Keep the draft as the next revision (law 6), its spans in normal form.

    The same operation a second time is the same revision.
    Raises Gone when the slot is somebody else's, Conflict when it is submitted, StaleSave when another window
    saved meanwhile (the refused draft is kept), GoldpanError for spans that are not of this document.
    """
    refused: RefusedSave | None = None
    with transaction.atomic():
        annotation = _own_open_annotation(slot, annotator)
        again = annotation.revisions.filter(operation=draft.operation).first()
        if again:
            return again
        _check_draft(annotation, draft)
        if draft.based_on == annotation.revision:
            return _append(annotation, slot, draft)
        refused = _keep_refused(annotation, draft)
    raise StaleSave(state_of(annotation), _state(refused, annotation.revision, annotation))


def _own_open_annotation(slot: Slot, annotator: User) -> Annotation:
    annotation = Annotation.objects.select_for_update().get(slot=slot, annotator=annotator)
    if annotation.submitted_at:
        raise Conflict(_("This page is submitted; it cannot be changed any more."))
    if Slot.objects.select_for_update().get(pk=slot.pk).annotator_id != annotator.pk:
        raise Gone(_("This page was given to somebody else. Your draft is kept."))
    return annotation


def _check_draft(annotation: Annotation, draft: Draft) -> None:
    document = annotation.document
    if draft.document_sha256 != document.sha256:
        raise Conflict(
            _("This page's text has changed. Load it again; what you marked stays in this browser.")
        )
    if draft.verdict and draft.verdict not in Verdict.values:
        raise GoldpanError(_("There is no verdict “%(verdict)s”.") % {"verdict": draft.verdict})
    _check_labels(annotation, draft.spans)
    for span, quote in zip(draft.spans, draft.quotes, strict=True):
        if span.end > document.length or document.text[span.start : span.end] != quote:
            raise GoldpanError(
                _("Characters %(start)d to %(end)d are not what your browser shows. Load the page again.")
                % {"start": span.start, "end": span.end}
            )


def _check_labels(annotation: Annotation, spans: list[Span]) -> None:
    known = set(annotation.slot.round.page.corpus.labels.values_list("name", flat=True))
    unknown = sorted({span.label for span in spans} - known)
    if unknown:
        raise GoldpanError(_("This corpus has no label “%(label)s”.") % {"label": unknown[0]})


def _append(annotation: Annotation, slot: Slot, draft: Draft) -> Revision:
    annotation.revision += 1
    annotation.active_seconds = max(annotation.active_seconds, draft.active_seconds)
    annotation.save(update_fields=["revision", "active_seconds"])
    Slot.objects.filter(pk=slot.pk).update(lease_until=timezone.now() + LEASE)
    return Revision.objects.create(
        annotation=annotation, number=annotation.revision, **_fields(annotation, draft)
    )


def _keep_refused(annotation: Annotation, draft: Draft) -> RefusedSave:
    return RefusedSave.objects.get_or_create(
        annotation=annotation, operation=draft.operation, defaults=_fields(annotation, draft)
    )[0]


def _fields(annotation: Annotation, draft: Draft) -> dict[str, Any]:
    """The columns of a save; the spans in normal form, whatever the browser takes for white space."""
    document = annotation.document
    try:
        spans = clip(draft.spans, document.blocks, document.text)
    except SpanError as error:
        raise GoldpanError(str(error)) from error
    return {
        "spans": [list(span) for span in spans],
        "verdict": draft.verdict,
        "reason": draft.reason if draft.verdict == Verdict.NOT_ARTICLE else "",
        "note": draft.note,
        "operation": draft.operation,
        "based_on": draft.based_on,
    }


def latest(annotation: Annotation) -> Revision | None:
    return annotation.revisions.order_by("-number").first()


def state_of(annotation: Annotation) -> dict[str, Any]:
    """What the newest revision holds, as the browser reads it."""
    return _state(latest(annotation), annotation.revision, annotation)


def _state(marks: Marks | None, revision: int, annotation: Annotation) -> dict[str, Any]:
    return {
        "revision": revision,
        "spans": marks.spans if marks else [],
        "verdict": marks.verdict if marks else "",
        "reason": marks.reason if marks else "",
        "note": marks.note if marks else "",
        "saved_at": marks.saved_at.isoformat() if marks else None,
        "active_seconds": annotation.active_seconds,
    }


# ---- finishing ----


@transaction.atomic
def submit(*, slot: Slot, annotator: User, based_on: int) -> Annotation:
    """Close the annotation for good (law 7). Submitting twice is submitting once.

    Raises Gone, Conflict (another window saved meanwhile) or GoldpanError (no verdict, nothing saved).
    """
    annotation = Annotation.objects.select_for_update().get(slot=slot, annotator=annotator)
    if annotation.submitted_at:
        return annotation
    annotation = _own_open_annotation(slot, annotator)
    newest = latest(annotation)
    if newest is None or not newest.verdict:
        raise GoldpanError(_("Say first what this page is: an article, or not."))
    if newest.verdict == Verdict.NOT_ARTICLE and not newest.reason:
        raise GoldpanError(_("Say why it is not an article."))
    if based_on != annotation.revision:
        raise StaleSave(state_of(annotation), state_of(annotation))
    now = timezone.now()
    annotation.submitted_at = now
    annotation.save(update_fields=["submitted_at"])
    Slot.objects.filter(pk=slot.pk).update(submitted_at=now)
    return annotation


@transaction.atomic
def skip(*, slot: Slot, annotator: User, reason: str = "") -> None:
    """Leave the page to others; the draft is kept, and the page is not offered to her again."""
    slot = Slot.objects.select_for_update().get(pk=slot.pk)
    if slot.submitted_at:
        raise Conflict(_("This page is submitted; it cannot be skipped."))
    Skip.objects.get_or_create(round=slot.round, annotator=annotator, defaults={"reason": reason[:200]})
    if slot.annotator_id == annotator.pk:
        _release(Slot.objects.filter(pk=slot.pk))


def release_all(*, corpus: Corpus, user: User) -> int:
    """Give back every slot that she holds and has not submitted; her drafts are kept. How many."""
    return _release(Slot.objects.filter(round__page__corpus=corpus, annotator=user, submitted_at=None))


def _release(slots: Any) -> int:
    return int(slots.update(annotator=None, claimed_at=None, lease_until=None))
