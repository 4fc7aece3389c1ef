"""Invariant 7: the database refuses to rewrite history."""

import uuid
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Model

from annotator.annotations.actions import StaleSave, claim_on, save
from annotator.annotations.models import Annotation, RefusedSave, Revision, Slot
from annotator.common import work
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus
from annotator.gold.actions import claim_next, decide_verdict
from annotator.gold.actions import submit as submit_adjudication
from annotator.gold.models import Adjudication, Gold
from annotator.gold.versions import add_gold
from annotator.runs.models import Extraction, Extractor
from annotator.scoring.models import Score
from tests.annotator.gold.test_adjudication import finalise
from tests.annotator.scored import compare_annotations, give_gold
from tests.factories import MakePage, annotate, draft

pytestmark = pytest.mark.django_db


def refused(row: Model, **changes: object) -> None:
    """Both an update and a delete of the row are refused."""
    rows = type(row)._default_manager.filter(pk=row.pk)
    with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
        rows.update(**changes)
    with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
        rows._raw_delete(rows.db)


def test_a_revision_stays(cast: SimpleNamespace, make_page: MakePage) -> None:
    annotate(make_page(), cast.ada)
    refused(Revision.objects.get(), note="changed")


def test_an_event_of_the_audit_log_stays(cast: SimpleNamespace) -> None:
    refused(AuditEvent.objects.first(), item="changed")


def test_a_submission_stays(cast: SimpleNamespace, make_page: MakePage) -> None:
    annotate(make_page(), cast.ada)
    refused(Annotation.objects.get(), submitted_at=None)
    with pytest.raises(IntegrityError, match="history"), transaction.atomic():
        Slot.objects.filter(annotator=cast.ada).update(submitted_at=None)


def test_gold_stays_and_a_newer_one_replaces_it(make_page: MakePage) -> None:
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


def _another(extraction: Extraction) -> Extractor:
    made = extraction.extractor
    made.pk, made.version = None, f"{made.version}.{uuid.uuid4()}"
    made._state.adding = True
    made.save()
    return made


def test_a_refused_save_stays(cast: SimpleNamespace, make_page: MakePage) -> None:
    slot = claim_on(page=make_page(), annotator=cast.ada)
    stale = draft(slot, cast.ada, note="mine")
    save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    with pytest.raises(StaleSave):
        save(slot=slot, annotator=cast.ada, draft=stale)
    refused(RefusedSave.objects.get(), note="changed")


def test_comparison_and_score_stay(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    for person in (cast.ada, cast.ben):
        annotate(page, person)
    refused(compare_annotations(page), kappa=1.0)
    give_gold(page)
    refused(Score.objects.first(), matrix={})


def test_a_finalised_dispute_stays(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    annotate(page, cast.ada)
    annotate(page, cast.ben, verdict="not_article", reason="other")
    finalise(page)
    held = claim_next(corpus=corpus, user=cast.cleo)
    decide_verdict(adjudication=held, user=cast.cleo, verdict="article")
    submit_adjudication(adjudication=held, user=cast.cleo)
    refused(Adjudication.objects.get(), verdict="several")
