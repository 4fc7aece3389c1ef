"""Invariant 6: every save is a revision, a stale one is refused with both versions, nothing is lost."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone

from annotator.annotations import actions
from annotator.annotations.models import RefusedSave, Revision, Slot
from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.corpora.models import Corpus
from extraction.spans import Span
from tests.factories import MakePage, SignedIn, draft, save_body, span_of
from tests.responses import Response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.fixture
def slot(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> Slot:
    return actions.claim_on(page=make_page(), annotator=cast.ada)


def headline(slot: Slot) -> Span:
    return span_of(slot.round.page, "Bridge opens", "headline")


def test_each_save_is_the_next_revision(slot: Slot, cast: SimpleNamespace) -> None:
    first = actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, [headline(slot)]))
    second = actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    assert (first.number, second.number) == (1, 2)
    assert Revision.objects.get(number=1).spans == [list(headline(slot))]


def test_the_same_operation_is_saved_once_whatever_it_builds_on(slot: Slot, cast: SimpleNamespace) -> None:
    sent = draft(slot, cast.ada, [headline(slot)])
    first = actions.save(slot=slot, annotator=cast.ada, draft=sent)
    for again in (sent, replace(sent, based_on=first.number)):
        assert actions.save(slot=slot, annotator=cast.ada, draft=again) == first
    assert Revision.objects.count() == 1


def test_a_stale_save_is_refused_with_both_versions_and_kept(slot: Slot, cast: SimpleNamespace) -> None:
    stale = draft(slot, cast.ada, [], note="mine")
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, [headline(slot)]))
    with pytest.raises(actions.StaleSave) as refused:
        actions.save(slot=slot, annotator=cast.ada, draft=stale)
    assert refused.value.details["current"]["spans"] == [list(headline(slot))]
    assert refused.value.details["yours"]["note"] == "mine"
    assert RefusedSave.objects.get().note == "mine"
    assert slot.annotations.get().revision == 1


def test_a_quote_that_differs_is_refused(slot: Slot, cast: SimpleNamespace) -> None:
    with pytest.raises(GoldpanError, match="differ from what your browser shows"):
        actions.save(
            slot=slot,
            annotator=cast.ada,
            draft=draft(slot, cast.ada, [headline(slot)], quotes=["Bridge closes"]),
        )


def test_another_document_is_refused(slot: Slot, cast: SimpleNamespace) -> None:
    with pytest.raises(Conflict, match="text has changed"):
        actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, document_sha256="0" * 64))


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([Span(0, 4, "content")], "no label"),
        ([Span(0, 4, "body"), Span(2, 6, "headline")], "overlap"),
        ([Span(0, 10_000, "body")], "differ from what your browser shows"),
    ],
)
def test_spans_that_cannot_be_are_refused(
    slot: Slot, cast: SimpleNamespace, spans: list[Span], message: str
) -> None:
    with pytest.raises(GoldpanError, match=message):
        actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, spans))


def test_spans_are_kept_in_normal_form(slot: Slot, cast: SimpleNamespace) -> None:
    text = slot.annotations.get().document.text
    saved = actions.save(
        slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, [Span(0, len(text), "body")])
    )
    blocks = slot.annotations.get().document.blocks
    assert [span[:2] for span in saved.spans] == blocks


def test_a_submitted_page_cannot_be_saved(slot: Slot, cast: SimpleNamespace) -> None:
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    actions.submit(slot=slot, annotator=cast.ada, based_on=1)
    with pytest.raises(Conflict, match="submitted"):
        actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))


def test_what_was_saved_is_acknowledged_when_the_page_is_submitted_or_gone(
    slot: Slot, cast: SimpleNamespace, corpus: Corpus
) -> None:
    """A browser that missed the answer sends the save again, from whichever screen it is opened at next."""
    sent = draft(slot, cast.ada)
    saved = actions.save(slot=slot, annotator=cast.ada, draft=sent)
    actions.release_all(corpus=corpus, user=cast.ada)
    assert actions.save(slot=slot, annotator=cast.ada, draft=sent) == saved
    actions.resume(slot=slot, annotator=cast.ada)
    actions.submit(slot=slot, annotator=cast.ada, based_on=saved.number)
    assert actions.save(slot=slot, annotator=cast.ada, draft=sent) == saved


def test_a_slot_that_went_to_another_is_gone(slot: Slot, cast: SimpleNamespace, corpus: Corpus) -> None:
    late = draft(slot, cast.ada)
    actions.release_all(corpus=corpus, user=cast.ada)
    with pytest.raises(Gone, match="Your draft is kept"):
        actions.save(slot=slot, annotator=cast.ada, draft=late)


def test_submitting_needs_a_verdict(slot: Slot, cast: SimpleNamespace) -> None:
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, verdict=""))
    with pytest.raises(GoldpanError, match="Choose a verdict"):
        actions.submit(slot=slot, annotator=cast.ada, based_on=1)


def test_no_article_needs_a_reason(slot: Slot, cast: SimpleNamespace) -> None:
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, verdict="not_article"))
    with pytest.raises(GoldpanError, match="why it is not"):
        actions.submit(slot=slot, annotator=cast.ada, based_on=1)


def test_submitting_builds_on_the_newest_revision(slot: Slot, cast: SimpleNamespace) -> None:
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, note="later"))
    with pytest.raises(actions.StaleSave):
        actions.submit(slot=slot, annotator=cast.ada, based_on=1)


def test_submitting_twice_is_submitting_once(slot: Slot, cast: SimpleNamespace) -> None:
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    first = actions.submit(slot=slot, annotator=cast.ada, based_on=1)
    assert actions.submit(slot=slot, annotator=cast.ada, based_on=1).submitted_at == first.submitted_at


def body(slot: Slot, **changes: object) -> dict[str, object]:
    """The first save of a page, from the screen."""
    sent = draft(slot, slot.annotator, [headline(slot)], based_on=0)
    return save_body(sent, **{"reason": "", "note": "", "active_seconds": 12, **changes})


def post(client: Client, address: str, sent: dict[str, object]) -> Response:
    return client.post(address, sent, content_type="application/json")


def test_the_screen_saves_and_is_told_of_a_stale_save(
    slot: Slot, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    client = signed_in(cast.ada)
    address = f"/c/dailies/slots/{slot.key}/save/"
    assert post(client, address, body(slot)).json()["revision"] == 1
    stale = post(client, address, body(slot, note="other tab"))
    assert stale.status_code == 409
    assert stale.json()["yours"]["note"] == "other tab"
    assert stale.json()["current"]["revision"] == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"based_on": "0"},
        {"based_on": -1},
        {"operation": "again"},
        {"spans": {}},
        {"spans": [[0, 1, "body"]]},
        {"spans": [{"start": 4, "end": 4, "label": "body", "text": ""}]},
        {"verdict": "maybe"},
        {"verdict": "not_article", "reason": "because"},
    ],
)
def test_a_malformed_save_is_answered_in_words(
    slot: Slot, cast: SimpleNamespace, signed_in: SignedIn, changes: dict[str, object]
) -> None:
    answer = post(signed_in(cast.ada), f"/c/dailies/slots/{slot.key}/save/", body(slot, **changes))
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert Revision.objects.count() == 0


def test_active_time_only_grows(slot: Slot, cast: SimpleNamespace) -> None:
    """Two windows report what each of them saw."""
    actions.heartbeat(slot=slot, annotator=cast.ada, active_seconds=40)
    actions.heartbeat(slot=slot, annotator=cast.ada, active_seconds=20)
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, active_seconds=30))
    assert slot.annotations.get().active_seconds == 40
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, active_seconds=50))
    assert slot.annotations.get().active_seconds == 50


def test_a_heartbeat_does_not_hold_what_another_has(
    slot: Slot, cast: SimpleNamespace, corpus: Corpus
) -> None:
    actions.release_all(corpus=corpus, user=cast.ada)
    actions.claim_on(page=slot.round.page, annotator=cast.ben)
    now = timezone.now()
    Slot.objects.filter(pk=slot.pk).update(lease_until=now)
    with pytest.raises(Gone, match="Your draft is kept"):
        actions.heartbeat(slot=slot, annotator=cast.ada, active_seconds=5)
    slot.refresh_from_db()
    assert (slot.annotator, slot.lease_until) == (cast.ben, now)


def test_a_heartbeat_of_another_window_learns_that_the_page_is_submitted(
    slot: Slot, cast: SimpleNamespace
) -> None:
    actions.save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    actions.submit(slot=slot, annotator=cast.ada, based_on=1)
    with pytest.raises(Gone, match="submitted and read-only"):
        actions.heartbeat(slot=slot, annotator=cast.ada, active_seconds=5)


def test_a_note_of_any_characters_is_kept(slot: Slot, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    """JSON can say what a database cannot hold: a zero byte, half of a pair."""
    sent = json.dumps(body(slot)).replace('"note": ""', r'"note": "a\u0000b\ud83dc"')
    answer = signed_in(cast.ada).post(
        f"/c/dailies/slots/{slot.key}/save/", sent, content_type="application/json"
    )
    assert answer.status_code == 200
    assert Revision.objects.get().note == "ab\N{REPLACEMENT CHARACTER}c"
