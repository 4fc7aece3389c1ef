"""A page is taken down while people and workers are at it: nobody comes to it any more."""

from types import SimpleNamespace

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.annotations import tasks as rounds
from annotator.annotations.actions import open_round, reopen, save
from annotator.annotations.models import Round
from annotator.common import work
from annotator.common.errors import Conflict, Gone
from annotator.common.progress import work_counts
from annotator.corpora.models import Corpus
from annotator.gold import actions as adjudicating
from annotator.gold.actions import claim_next
from annotator.gold.finalisation import reopen_gold
from annotator.gold.models import Adjudication, Gold
from annotator.home.queries import to_retry, troubled_work
from annotator.pages.models import Page
from annotator.releases.actions import take_down
from annotator.runs import tasks as runs
from annotator.runs.models import Extraction, Extractor
from annotator.scoring.models import Score
from tests.annotator.annotations.waiting import Meanwhile
from tests.annotator.gold.test_adjudication import dispute_of, finalise
from tests.annotator.scored import make_gold
from tests.factories import MakePage, SignedIn, annotate, draft, extract_all, span_of

pytestmark = pytest.mark.django_db(transaction=True)


def taken_down(page: Page) -> None:
    take_down(page=page, reason="asked for")


# ---- adjudicators ----


def test_its_dispute_is_given_to_nobody(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    dispute_of(page, cast)
    taken_down(page)
    assert claim_next(corpus=corpus, user=cast.cleo) is None


def test_who_decides_it_finds_it_gone(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    dispute_of(page, cast)
    held = claim_next(corpus=corpus, user=cast.cleo)
    assert held
    numbers = list(held.segments.values_list("number", flat=True))
    adjudicating.decide(adjudication=held, user=cast.cleo, numbers=numbers, choice="neither")
    taken_down(page)
    with pytest.raises(Gone):
        adjudicating.submit(adjudication=held, user=cast.cleo)
    assert not Gold.objects.filter(page=page).exists()


def test_who_takes_its_dispute_waits_for_no_takedown(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    """They have locked the dispute, and note that they have seen the page, which locks that."""
    page = make_page()
    dispute = dispute_of(page, cast)
    with transaction.atomic():
        Adjudication.objects.select_for_update(no_key=True).get(pk=dispute.pk)
        taking_down = Meanwhile(lambda: taken_down(page))
        assert taking_down.waits()
        assert claim_next(corpus=corpus, user=cast.cleo) == dispute
    taking_down.result()
    dispute.refresh_from_db()
    assert dispute.adjudicator is None


def test_its_reopened_gold_is_given_to_nobody(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    for person in (cast.ada, cast.ben):
        annotate(page, person, [span_of(page, "Bridge opens", "headline")])
    gold = finalise(page)
    assert isinstance(gold, Gold)
    reopen_gold(gold=gold, by=cast.hanne, why="look again")
    taken_down(page)
    assert claim_next(corpus=corpus, user=cast.cleo) is None


# ---- annotators ----


def test_who_annotated_it_sees_that_it_was_taken_down(
    cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn
) -> None:
    page = make_page()
    annotation = annotate(page, cast.ada)
    taken_down(page)
    ada = signed_in(cast.ada)
    address = reverse("annotate", args=[page.corpus.slug, annotation.slot.key])
    for listed in (reverse("home"), reverse("own-pages", args=[page.corpus.slug])):
        shown = ada.get(listed).content.decode()
        assert "Taken down" in shown
        assert address not in shown
    answer = ada.get(address)
    assert answer.status_code == 410
    assert "This page was taken down." in answer.content.decode()


def test_no_round_of_it_opens(make_page: MakePage) -> None:
    """Its document was built, and the message to open its round comes late, or never."""
    page = make_page(opened=False)
    taken_down(page)
    rounds.open_round(page.pk)
    rounds.open_missing_rounds()
    assert not Round.objects.exists()


def test_no_round_opens_while_it_is_taken_down(make_page: MakePage) -> None:
    page = make_page(opened=False)
    with transaction.atomic():
        taken_down(page)
        opening = Meanwhile(lambda: open_round(page=page))
        assert opening.waits()
    assert opening.result() is None
    assert not Round.objects.exists()


def test_a_save_at_the_same_time_leaves_no_marks(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    annotation = annotate(page, cast.ada)
    reopen(slot=annotation.slot, annotator=cast.ada)
    headline = span_of(page, "Bridge opens", "headline")
    with transaction.atomic():
        save(
            slot=annotation.slot,
            annotator=cast.ada,
            draft=draft(annotation.slot, cast.ada, [headline], note="Bridge opens"),
        )
        taking_down = Meanwhile(lambda: taken_down(page))
        assert taking_down.waits()
    taking_down.result()
    assert set(annotation.revisions.values_list("note", flat=True)) == {""}
    assert not annotation.revisions.exclude(spans=[]).exists()


def test_what_was_reopened_takes_no_more_marks(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    annotation = annotate(page, cast.ada)
    reopen(slot=annotation.slot, annotator=cast.ada)
    sent = draft(annotation.slot, cast.ada, note="Bridge opens")
    taken_down(page)
    with pytest.raises(Conflict):
        save(slot=annotation.slot, annotator=cast.ada, draft=sent)
    assert set(annotation.revisions.values_list("note", flat=True)) == {""}


# ---- workers ----


def test_no_extractor_runs_on_it(make_page: MakePage) -> None:
    page = make_page(opened=False)
    taken_down(page)
    runs.request_extractions(page.pk)
    runs.request_missing()
    assert not Extraction.objects.exists()


def test_work_that_was_asked_for_at_the_same_time_ends(corpus: Corpus, make_page: MakePage) -> None:
    """Its files are gone: what the machine lacks would be tried again for ever."""
    page = make_page(opened=False)
    extractor = Extractor.objects.filter(enabled__corpus=corpus).first()
    taken_down(page)
    asked = Extraction.objects.create(document=page.documents.get(), extractor=extractor)
    runs.run_extractors(asked.pk)
    asked.refresh_from_db()
    assert (asked.error, asked.faults) == ("taken down", 0)
    assert asked.finished_at


def test_nobody_is_asked_to_retry_work_on_it(corpus: Corpus, make_page: MakePage, hanne: Client) -> None:
    page = make_page()
    one, other = Extractor.objects.filter(enabled__corpus=corpus)[:2]
    document = page.documents.get()
    asked = Extraction.objects.create(document=document, extractor=one)
    failed = Extraction.objects.create(
        document=document, extractor=other, error="it broke", finished_at=timezone.now()
    )
    assert {each.state for each in work_counts(corpus)} == {"waiting", "failed"}
    taken_down(page)
    assert not work_counts(corpus)
    assert troubled_work(corpus) == ([], [])
    assert not to_retry(corpus, "extraction")
    assert not work.retry(asked)
    assert not work.retry(failed)
    for name in ("attention", "corpus", "extractors"):
        assert hanne.get(reverse(name, args=[corpus.slug])).status_code == 200


def test_work_that_ends_at_the_same_time_stays_as_it_is(make_page: MakePage) -> None:
    page = make_page()
    asked = Score.objects.create(gold=make_gold(page), extraction=extract_all(page)[0])
    claimed = work.claim(Score, asked.pk)
    assert claimed
    with transaction.atomic():
        assert work.finish(claimed, matrix={})
        taking_down = Meanwhile(lambda: taken_down(page))
        assert taking_down.waits()
    taking_down.result()
    asked.refresh_from_db()
    assert asked.error == ""


def test_a_finalised_round_waits_for_no_takedown(cast: SimpleNamespace, make_page: MakePage) -> None:
    """A worker has locked the round, and writes gold, which locks the page."""
    page = make_page()
    for person in (cast.ada, cast.ben):
        annotate(page, person, [span_of(page, "Bridge opens", "headline")])
    with transaction.atomic():
        Round.objects.select_for_update().get(page=page)
        taking_down = Meanwhile(lambda: taken_down(page))
        assert taking_down.waits()
        assert isinstance(finalise(page), Gold)
    taking_down.result()
    gold = Gold.objects.get(page=page)
    assert (gold.spans, gold.current) == ([], None)


def test_it_is_shown_as_taken_down(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, hanne: Client
) -> None:
    page = make_page()
    annotate(page, cast.ada)
    taken_down(page)
    overview = hanne.get(reverse("corpus", args=[corpus.slug])).content.decode()
    assert "?state=taken_down" in overview
    assert "In progress" not in overview.partition("<table")[2]
    shown = hanne.get(reverse("page-gold", args=[corpus.slug, page.pk]))
    assert shown.status_code == 200
    assert "This page was taken down" in shown.content.decode()
