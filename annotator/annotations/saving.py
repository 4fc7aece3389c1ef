"""Saving: every save is a revision, and a stale one is refused with both versions (law 6)."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotations.claiming import extend_reserve
from annotator.annotations.models import (
    LEASE,
    Annotation,
    Marks,
    RefusedSave,
    Revision,
    Slot,
    Verdict,
)
from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.corpora.models import User
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


def save(*, slot: Slot, annotator: User, draft: Draft) -> Revision:
    """Keep the draft as the next revision (law 6), its spans in normal form.

    The same operation a second time is the same revision.
    Raises Gone when the slot is somebody else's, Conflict when it is submitted, StaleSave when another window
    saved meanwhile (the refused draft is kept), GoldpanError for spans that are not of this document.
    """
    refused: RefusedSave | None = None
    with transaction.atomic():
        annotation = own_open_annotation(slot, annotator)
        again = annotation.revisions.filter(operation=draft.operation).first()
        if again:
            return again
        _check_draft(annotation, draft)
        if draft.based_on == annotation.revision:
            return _append(annotation, slot, draft)
        refused = _keep_refused(annotation, draft)
    raise StaleSave(state_of(annotation), _state(refused, annotation.revision, annotation))


def own_open_annotation(slot: Slot, annotator: User) -> Annotation:
    """Hers, locked, with its document; see `check_open`."""
    own = Annotation.objects.select_for_update(of=("self",), no_key=True).select_related("document")
    annotation = own.filter(slot=slot, annotator=annotator).order_by().first()
    if annotation is None:
        raise Conflict(_("Open the page first."))
    annotation.slot = slot
    check_open(annotation, slot, annotator)
    return annotation


def check_open(annotation: Annotation, slot: Slot, annotator: User) -> None:
    """She may change what is hers: raises Conflict when it is handed in, Gone when another has the slot."""
    if not annotation.is_open:
        raise Conflict(_("This page is submitted; it cannot be changed any more."))
    if not annotation.reopened_at and not _holds(slot, annotator):
        raise Gone(_("This page was given to somebody else. Your draft is kept."))


def _holds(slot: Slot, annotator: User) -> bool:
    now = Slot.objects.select_for_update(no_key=True).only("annotator").get(pk=slot.pk)
    return now.annotator_id == annotator.pk


def _check_draft(annotation: Annotation, draft: Draft) -> None:
    document = annotation.document
    if draft.document_sha256 != document.sha256:
        raise Conflict(
            _("This page's text has changed. Load it again; what you marked stays in this browser.")
        )
    if draft.verdict and draft.verdict not in Verdict.values:
        raise GoldpanError(_("There is no verdict “%(verdict)s”.") % {"verdict": draft.verdict})
    if draft.spans:
        _check_labels(annotation, draft.spans)
    for span, quote in zip(draft.spans, draft.quotes, strict=True):
        if span.end > document.length or document.text[span.start : span.end] != quote:
            raise GoldpanError(
                _("Characters %(start)d to %(end)d are not what your browser shows. Load the page again.")
                % {"start": span.start, "end": span.end}
            )


def _check_labels(annotation: Annotation, spans: list[Span]) -> None:
    known = set(annotation.slot.corpus.labels.values_list("name", flat=True))
    unknown = sorted({span.label for span in spans} - known)
    if unknown:
        raise GoldpanError(_("This corpus has no label “%(label)s”.") % {"label": unknown[0]})


def _append(annotation: Annotation, slot: Slot, draft: Draft) -> Revision:
    annotation.revision += 1
    annotation.active_seconds = max(annotation.active_seconds, draft.active_seconds)
    annotation.save(update_fields=["revision", "active_seconds"])
    if not annotation.reopened_at:
        slot.lease_until = timezone.now() + LEASE
        Slot.objects.filter(pk=slot.pk).update(lease_until=slot.lease_until)
        extend_reserve(slot, annotation.annotator_id)
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


def handed_in(annotation: Annotation) -> Revision | None:
    """The revision that counts: what she handed in last, whatever she has saved since."""
    counts = Revision.objects.filter(submission__annotation=annotation, submission__withdrawn_at=None)
    return counts.first()


def state_of(annotation: Annotation) -> dict[str, Any]:
    """What the newest revision holds, as the browser reads it."""
    newest = latest(annotation) if annotation.revision else None
    return _state(newest, annotation.revision, annotation)


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
