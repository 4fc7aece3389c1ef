"""Invariant 6, two windows at the same moment: one save is the next revision, the other is refused and kept.

Schedules come one after the other, and waves seldom meet between a save's look at its row and its write.
"""

from types import SimpleNamespace

import pytest
from django.db import transaction

from annotator.annotations import actions
from annotator.annotations.models import RefusedSave, Revision
from annotator.corpora.models import Corpus
from tests.annotator.annotations.waiting import Meanwhile
from tests.factories import MakePage, draft, span_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_save_waits_for_another_and_is_refused_then_and_kept(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    slot = actions.claim_next(corpus=corpus, annotator=cast.ada)
    assert slot
    first, second = (draft(slot, cast.ada, [span_of(page, quote, "body")]) for quote in ("Bridge", "opens"))

    def save_second() -> None:
        actions.save(slot=slot, annotator=cast.ada, draft=second)

    with transaction.atomic():
        actions.save(slot=slot, annotator=cast.ada, draft=first)
        asking = Meanwhile(save_second)
        assert asking.waits()
    with pytest.raises(actions.StaleSave) as stale:
        asking.result()
    assert Revision.objects.get().operation == first.operation
    assert RefusedSave.objects.get().operation == second.operation
    sides = [stale.value.details[side]["spans"] for side in ("current", "yours")]
    assert sides == [[list(span) for span in each.spans] for each in (first, second)]
