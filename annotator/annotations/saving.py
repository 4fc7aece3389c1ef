"""Saving: every save is a revision, and a stale one is refused with both versions (law 6)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotator.annotations.claiming import renewal
from annotator.annotations.models import Annotation, Marks, RefusedSave, Revision, Slot, Verdict
from annotator.common import written
from annotator.common.errors import Conflict, GoldpanError, Gone, Missing
from annotator.common.written import Asked, Written
from annotator.corpora.models import Label, User
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
        annotation = own_annotation(slot, annotator, _TO_SAVE, operation=draft.operation)
        check_open(annotation)
        if again := _kept_already(annotation, draft):
            return again
        _check_draft(annotation, draft)
        if draft.based_on == annotation.revision:
            return _append(annotation, draft)
        refused = _keep_refused(annotation, draft)
    raise StaleSave(state_of(annotation), _state(refused, annotation.revision, annotation))


def _kept_already(annotation: Annotation, draft: Draft) -> Revision | None:
    """What this very save became, if it came before; where both came at once, they build on the same."""
    may_be = annotation.is_known or draft.based_on != annotation.revision
    return _by_name.first(annotation=annotation.pk, operation=draft.operation) if may_be else None


def _named(annotation: Any, operation: Any) -> QuerySet[Revision]:
    return Revision.objects.filter(annotation=annotation, operation=operation)


_by_name = Written(_named)


def _held(*rows: str, beside: str = "slot") -> QuerySet[Annotation]:
    related = {*rows, beside} - {"self"}
    return Annotation.objects.select_for_update(of=rows, no_key=True).select_related(*related).order_by()


def holding(*rows: str, only: Sequence[str] = (), **more: Any) -> Written[Annotation]:
    """An annotator's annotation in a slot, by their keys; one question holds these rows, in this order."""
    held = _held(*rows).annotate(**more)
    if only:
        held = held.only(*only)
    return Written(
        lambda corpus, annotator, slot: held.filter(slot=slot, slot__corpus=corpus, annotator=annotator)
    )


_labels = Label.objects.filter(corpus=OuterRef("slot__corpus")).order_by().values("name")
_TO_SAVE = Written(
    lambda corpus, annotator, slot, operation: (
        _held("self", "slot", beside="document")
        .filter(slot=slot, slot__corpus=corpus, annotator=annotator)
        .annotate(known_labels=ArraySubquery(_labels), is_known=Exists(_named(OuterRef("pk"), operation)))
    )
)


def own_annotation(
    slot: Slot, annotator: User, held: Written[Annotation], *before: Asked, **more: object
) -> Annotation:
    """Hers in this slot, with the slot as it is now, once what is asked `before` is held.

    Of `slot` only its key and corpus are believed. Raises Missing when it is and was not hers, Conflict when
    she has it in hand and has not opened it.
    """
    found = held.after(*before, **keys_of(slot, annotator), **more)
    if not found:
        hers = Slot.objects.filter(pk=slot.pk, corpus=slot.corpus_id, annotator=annotator)
        raise Conflict(_("Open the page first.")) if hers.exists() else Missing(_("There is no such page"))
    annotation = found[0]
    annotation.annotator, annotation.slot.corpus = annotator, slot.corpus
    return annotation


def keys_of(slot: Slot, annotator: User) -> dict[str, int]:
    """By which `holding` finds an annotation."""
    return {"corpus": slot.corpus_id, "annotator": annotator.pk, "slot": slot.pk}


def check_open(annotation: Annotation) -> None:
    """She may change what is hers: raises Conflict when it is handed in, Gone when another has the slot."""
    if not annotation.is_open:
        raise Conflict(_("This page is submitted; it cannot be changed any more."))
    if not annotation.reopened_at and annotation.slot.annotator_id != annotation.annotator_id:
        raise Gone(_("This page was given to somebody else. Your draft is kept."))


def _check_draft(annotation: Annotation, draft: Draft) -> None:
    document = annotation.document
    if draft.document_sha256 != document.sha256:
        raise Conflict(
            _("This page's text has changed. Load it again; what you marked stays in this browser.")
        )
    if draft.verdict and draft.verdict not in Verdict.values:
        raise GoldpanError(_("There is no verdict “%(verdict)s”.") % {"verdict": draft.verdict})
    unknown = sorted({span.label for span in draft.spans} - set(annotation.known_labels))
    if unknown:
        raise GoldpanError(_("This corpus has no label “%(label)s”.") % {"label": unknown[0]})
    for span, quote in zip(draft.spans, draft.quotes, strict=True):
        if span.end > document.length or document.text[span.start : span.end] != quote:
            raise GoldpanError(
                _("Characters %(start)d to %(end)d are not what your browser shows. Load the page again.")
                % {"start": span.start, "end": span.end}
            )


def _append(annotation: Annotation, draft: Draft) -> Revision:
    annotation.revision += 1
    annotation.active_seconds = max(annotation.active_seconds, draft.active_seconds)
    revision = Revision(annotation=annotation, number=annotation.revision, **_fields(annotation, draft))
    renewed = [] if annotation.reopened_at else renewal(annotation.slot)
    written.add(revision, written.saving(annotation, "revision", "active_seconds"), *renewed)
    return revision


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
    return _latest.first(annotation=annotation.pk)


_latest = Written(lambda annotation: Revision.objects.filter(annotation=annotation).order_by("-number")[:1])


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
