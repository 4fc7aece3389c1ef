"""Opening the page of a slot: the annotation is made, and what it shows is logged (invariant 5)."""

import uuid

from django.db import transaction

from annotator.annotations import queries
from annotator.annotations.models import Annotation, Revision, Slot
from annotator.corpora.models import Corpus, User
from annotator.pages.models import StoredDocument
from annotator.runs.models import Extraction


def open_slot(*, slot: Slot, annotator: User) -> Annotation | None:
    """The annotator's annotation in a slot, made when they open the slot that they hold.

    A draft that they left in another slot of the round is continued here. None when they neither have an
    annotation here nor hold the slot as their active one.
    """
    return open_own(corpus=slot.corpus, annotator=annotator, key=slot.key)


@transaction.atomic
def open_own(*, corpus: Corpus, annotator: User, key: uuid.UUID) -> Annotation | None:
    """As `open_slot`; None also where the corpus has no such slot.

    The slot's row is locked: of two windows that open the page at the same time, one makes the annotation.
    """
    slot = queries.lock_slot_with_document(corpus, key)
    if slot is None:
        return None
    document = slot.round.page.document
    own = Annotation.objects.filter(slot__round=slot.round_id, annotator=annotator).order_by()
    by_slot = {annotation.slot_id: annotation for annotation in own}
    annotation = by_slot.get(slot.pk)
    if slot.annotator_id == annotator.pk and slot.reserved_at is None and slot.submitted_at is None:
        draft = _newest_draft(slot, annotator) if by_slot.keys() - {slot.pk} else None
        annotation = _continue(annotation, draft) if annotation else _begin(slot, annotator, draft)
    if annotation:
        annotation.slot, annotation.annotator = slot, annotator
        if document and annotation.document_id == document.pk:
            annotation.document = document
    return annotation


def _begin(slot: Slot, annotator: User, draft: Revision | None) -> Annotation:
    document = slot.round.page.document
    assert document is not None
    annotation = Annotation.objects.create(
        slot=slot,
        annotator=annotator,
        document=document,
        guideline_version=slot.corpus.guideline_version,
        # An extraction that failed or is missing shows nothing.
        shown_id=slot.arm_id if _has_suggestion(slot, document) else None,
        revision=1 if draft else 0,
    )
    if draft:
        _copy(draft, annotation)
    return annotation


def _has_suggestion(slot: Slot, document: StoredDocument) -> bool:
    if slot.arm_id is None:
        return False
    return Extraction.objects.done().filter(document=document, extractor=slot.arm_id).exists()


def _continue(annotation: Annotation, draft: Revision | None) -> Annotation:
    """Copy what was saved last in another slot of the round as the next revision.

    Not where another window of the annotator is saving here at this moment: that is the newest revision then.
    """
    if draft and draft.annotation_id != annotation.pk:
        same = Annotation.objects.filter(pk=annotation.pk, revision=annotation.revision)
        if same.select_for_update(no_key=True, skip_locked=True).exists():
            annotation.revision += 1
            annotation.save(update_fields=["revision"])
            _copy(draft, annotation)
    return annotation


def _newest_draft(slot: Slot, annotator: User) -> Revision | None:
    drafts = Revision.objects.filter(annotation__slot__round=slot.round_id, annotation__annotator=annotator)
    return drafts.order_by("-saved_at").first()


def _copy(draft: Revision, annotation: Annotation) -> None:
    Revision.objects.create(
        annotation=annotation,
        number=annotation.revision,
        based_on=annotation.revision - 1,
        operation=uuid.uuid4(),
        spans=draft.spans,
        verdict=draft.verdict,
        reason=draft.reason,
        note=draft.note,
    )
