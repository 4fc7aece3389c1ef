"""Saving: every save is a revision, and a stale one is refused with both versions (invariant 6)."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.annotations.models import Annotation, Marks, RefusedSave, Revision, Slot
from annotator.annotations.revisions.marks import checked_marks
from annotator.annotations.slots.leases import extend_locked, read_only, reassigned
from annotator.common.errors import Conflict, GoldpanError, Missing
from annotator.common.verdicts import Verdict
from annotator.corpora.models import Corpus, User
from extraction.spans import Span


class SlotKey(NamedTuple):
    """A slot by the opaque key in its address, before it is read."""

    corpus: Corpus
    key: uuid.UUID


@dataclass(frozen=True)
class Draft:
    """A save as the browser sends it: marks, verdict, and the revision that they are based on."""

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
    """The save is based on an old revision; `details` has both versions, and both are kept."""

    def __init__(self, current: dict[str, Any], yours: dict[str, Any]) -> None:
        super().__init__(_("This page was changed in another window. Both versions are kept."))
        self.details = {"current": current, "yours": yours}


def save(*, slot: Slot | SlotKey, annotator: User, draft: Draft) -> Revision:
    """Store the draft as the next revision, its spans in normal form.

    The same operation a second time returns the same revision, whatever has become of the page meanwhile.
    Raises Gone when the slot was reassigned, Conflict when it is submitted, StaleSave when another window has
    saved meanwhile (the refused draft is stored too), GoldpanError for spans that do not fit the document.
    """
    with transaction.atomic():
        annotation = lock_annotation(slot, annotator, "self", "slot", related=["document"])
        # Before anything is refused: a browser that missed the answer would take it for not saved.
        if saved := annotation.revisions.filter(operation=draft.operation).first():
            return saved
        check_open(annotation)
        fields = _checked_fields(annotation, draft)
        if draft.based_on == annotation.revision:
            return _append(annotation, draft.active_seconds, fields)
        refused, _is_new = RefusedSave.objects.get_or_create(
            annotation=annotation, operation=draft.operation, defaults=fields
        )
    raise StaleSave(state_of(annotation), _state(refused, annotation.revision, annotation))


def lock_annotation(
    slot: Slot | SlotKey, annotator: User, *rows: str, related: Iterable[str] = ()
) -> Annotation:
    """The annotator's annotation in the slot, with these rows locked, in this order.

    `rows` and `related` are names as `select_related` takes them, and "self". Raises Missing where the
    annotator never had the slot, Conflict where they hold it and have not opened it.
    """
    names = {*rows, *related, "slot"} - {"self"}
    own = Annotation.objects.filter(slot__key=slot.key, slot__corpus=slot.corpus, annotator=annotator)
    found = own.select_related(*names).select_for_update(of=rows, no_key=True)
    annotation = found.order_by().first()
    if annotation is None:
        held = Slot.objects.filter(key=slot.key, corpus=slot.corpus, annotator=annotator)
        raise Conflict(_("Open the page first.")) if held.exists() else Missing(_("There is no such page"))
    annotation.annotator, annotation.slot.corpus = annotator, slot.corpus
    return annotation


def check_open(annotation: Annotation) -> None:
    """Raise Conflict when the annotation is submitted, Gone when its slot was reassigned."""
    if not annotation.is_open:
        raise Conflict(read_only())
    if not annotation.reopened_at and annotation.slot.annotator_id != annotation.annotator_id:
        raise reassigned()


def _checked_fields(annotation: Annotation, draft: Draft) -> dict[str, Any]:
    """The columns of a save. Raises GoldpanError for a draft that cannot be one."""
    document = annotation.document
    if draft.document_sha256 != document.sha256:
        raise Conflict(_("This page's text has changed. Reload the page; your marks stay in this browser."))
    if draft.verdict and draft.verdict not in Verdict.values:
        raise GoldpanError(_("Unknown verdict “%(verdict)s”.") % {"verdict": draft.verdict})
    corpus_id = annotation.slot.corpus_id
    spans = checked_marks(draft.spans, draft.quotes, document=document, corpus_id=corpus_id)
    return {
        "spans": [list(span) for span in spans],
        "verdict": draft.verdict,
        "reason": draft.reason if draft.verdict == Verdict.NOT_ARTICLE else "",
        "note": draft.note,
        "operation": draft.operation,
        "based_on": draft.based_on,
    }


def _append(annotation: Annotation, active_seconds: int, fields: dict[str, Any]) -> Revision:
    annotation.revision += 1
    annotation.active_seconds = max(annotation.active_seconds, active_seconds)
    annotation.save(update_fields=["revision", "active_seconds"])
    if not annotation.reopened_at:
        extend_locked(annotation.slot)
    return Revision.objects.create(annotation=annotation, number=annotation.revision, **fields)


def latest_revision(annotation: Annotation) -> Revision | None:
    return annotation.revisions.order_by("-number").first()


def submitted_revision(annotation: Annotation) -> Revision | None:
    """The revision of the current submission, whatever has been saved since."""
    counts = Revision.objects.filter(submission__annotation=annotation, submission__withdrawn_at=None)
    return counts.first()


def state_of(annotation: Annotation) -> dict[str, Any]:
    """The newest revision, as the browser reads it."""
    newest = latest_revision(annotation) if annotation.revision else None
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
