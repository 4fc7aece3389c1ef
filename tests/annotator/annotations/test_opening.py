"""Invariants 2 and 5: what slots show is drawn once, logged when opened, and can be drawn again."""

from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from django.utils import timezone

from annotator.annotations import actions
from annotator.annotations.models import Annotation, Slot
from annotator.annotations.rounds.arms import draw_arms
from annotator.annotations.workbench import payload
from annotator.corpora.models import Corpus
from annotator.pages.models import Page, StoredDocument
from annotator.runs.actions import DEFAULT_EXTRACTORS
from annotator.runs.models import Extraction, Extractor
from annotator.runs.queries import document_of_page
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

PAGES = 12


@pytest.fixture
def seeded(corpus: Corpus) -> Corpus:
    """The same draw in every run of these tests."""
    Corpus.objects.filter(pk=corpus.pk).update(seed=20101)
    return Corpus.objects.get(pk=corpus.pk)


def test_a_corpuss_draw_can_be_repeated_from_what_is_stored(seeded: Corpus, make_page: MakePage) -> None:
    offered = list(Extractor.objects.filter(can_be_arm=True).order_by("pk").values_list("pk", flat=True))
    rounds = [make_page().rounds.get() for _ in range(PAGES)]
    blind = 0
    credit: Mapping[int, float] = {}
    for index, round_ in enumerate(rounds):
        drawn = draw_arms(
            seed=seeded.seed,
            number=index,
            slots=2,
            blind_share=0.2,
            blind_before=blind,
            extractors=dict.fromkeys(offered, 1.0),
            credit=credit,
        )
        assert (round_.draw, round_.blind) == (index, drawn.blind)
        assert tuple(round_.slots.values_list("arm", flat=True)) == drawn.arms
        blind, credit = blind + drawn.blind, drawn.credit
    assert 0.2 * PAGES <= blind < PAGES


def test_only_what_the_corpus_runs_and_may_show_is_drawn(seeded: Corpus, make_page: MakePage) -> None:
    seeded.enabled.filter(extractor__name="boilerpipe-default").update(ended_at=timezone.now())
    for _ in range(PAGES):
        make_page()
    shown = Slot.objects.filter(arm__isnull=False).values_list("arm__name", flat=True)
    assert set(shown) == set(DEFAULT_EXTRACTORS) - {"boilerpipe-default", "everything"}


def open_with(page: Page, arm: Extractor | None, cast: SimpleNamespace) -> Annotation:
    """Ada's annotation in a slot of the page with this arm."""
    page.rounds.get().slots.update(arm=None)
    Slot.objects.filter(pk=page.rounds.get().slots.first().pk).update(arm=arm)
    return actions.claim_on(page=page, annotator=cast.ada).annotations.get()


@pytest.fixture
def arm(corpus: Corpus) -> Extractor:
    return Extractor.objects.get(name="boilerpipe-article")


def test_what_is_shown_is_the_arms_extraction_and_is_logged(
    cast: SimpleNamespace, arm: Extractor, make_page: MakePage
) -> None:
    page = make_page(extracted=True)
    opened = open_with(page, arm, cast)
    assert opened.shown == arm
    assert payload.suggestion(opened) == {
        "spans": Extraction.objects.get(extractor=arm).spans,
        "reasons": [],
    }


def test_a_blind_slot_shows_nothing(cast: SimpleNamespace, make_page: MakePage) -> None:
    opened = open_with(make_page(extracted=True), None, cast)
    assert (opened.shown, payload.suggestion(opened)) == (None, None)


@pytest.mark.parametrize("error", ["", "crash"])
def test_an_extraction_that_is_not_there_was_not_shown(
    cast: SimpleNamespace, arm: Extractor, make_page: MakePage, error: str
) -> None:
    """Not made yet, or failed: the gold is then blind to it, and must say so."""
    page = make_page()
    finished = timezone.now() if error else None
    document = page.documents.get()
    Extraction.objects.create(document=document, extractor=arm, error=error, finished_at=finished)
    opened = open_with(page, arm, cast)
    assert (opened.shown, payload.suggestion(opened)) == (None, None)


def test_a_pinned_document_stays_when_a_newer_one_is_made(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    pinned = actions.claim_on(page=page, annotator=cast.ada).annotations.get().document
    fields = {field.name: getattr(pinned, field.name) for field in StoredDocument._meta.fields}
    newer = StoredDocument.objects.create(**{**fields, "id": None, "version": "2", "made_at": timezone.now()})
    assert actions.claim_on(page=page, annotator=cast.ben).annotations.get().document == pinned
    assert document_of_page(page.pk) == pinned
    assert newer == page.documents.latest("made_at")
