"""Law 7: the database itself refuses to rewrite history."""

import uuid
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Model

from annotator.annotations.models import Annotation, Revision, Slot
from annotator.common import work
from annotator.gold.actions import add_gold
from annotator.gold.models import Gold
from annotator.runs.models import Extraction
from tests.factories import MakePage, annotate, span_of

pytestmark = pytest.mark.django_db


def refused(row: Model, **changes: object) -> None:
    """Both an update and a delete of the row are refused."""
    rows = type(row).objects.filter(pk=row.pk)
    with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
        rows.update(**changes)
    with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
        rows._raw_delete(rows.db)


def test_a_revision_stays(cast: SimpleNamespace, make_page: MakePage) -> None:
    annotate(make_page(), cast.ada)
    refused(Revision.objects.get(), note="changed")


def test_a_submission_stays(cast: SimpleNamespace, make_page: MakePage) -> None:
    annotate(make_page(), cast.ada)
    refused(Annotation.objects.get(), submitted_at=None)
    with pytest.raises(IntegrityError, match="history"), transaction.atomic():
        Slot.objects.filter(annotator=cast.ada).update(submitted_at=None)


def test_gold_stays_and_a_newer_one_takes_its_place(make_page: MakePage) -> None:
    page = make_page()
    document = page.documents.get()
    first = add_gold(
        document=document, verdict="article", spans=[(0, 4, "body", "imported")], source="imported"
    )
    refused(first, verdict="several")
    refused(first, spans=[])
    second = add_gold(document=document, verdict="not_article", spans=[], source="imported")
    assert list(Gold.objects.order_by("number").values_list("number", "current")) == [(1, None), (2, True)]
    assert second.number == 2


def test_a_finished_extraction_stays_and_a_failed_one_may_be_tried_again(make_page: MakePage) -> None:
    page = make_page(extracted=True)
    done = Extraction.objects.first()
    refused(done, spans=[])
    assert not work.retry(done)
    failed = Extraction.objects.create(
        document=page.documents.get(), extractor=_another(done), finished_at=done.finished_at, error="crash"
    )
    assert work.retry(failed)


def _another(extraction: Extraction) -> object:
    made = extraction.extractor
    made.pk, made.version = None, f"{made.version}.{uuid.uuid4()}"
    made._state.adding = True
    made.save()
    return made


def test_labels_of_marks_are_kept_as_given(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    mark = span_of(page, "Bridge opens", "headline")
    annotate(page, cast.ada, [mark])
    assert Revision.objects.get().spans == [list(mark)]
