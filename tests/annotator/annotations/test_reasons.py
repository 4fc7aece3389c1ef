"""Invariants 4 and 5: an extraction is explained only to those whose slot shows it."""

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotator.annotations.actions import claim_on
from annotator.annotations.models import Annotation, Slot
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Adjudication
from annotator.pages.models import Page
from annotator.runs import actions
from annotator.runs.models import Extraction, Extractor
from extraction.documents.document import Document
from extraction.extractors import BlockReason, Evidence, ExtractorSpec, registry
from extraction.spans import Span
from tests.annotator.gold.test_adjudication import finalise, paragraph
from tests.annotator.scored import give_gold
from tests.factories import MakePage, SignedIn, annotate

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

# A finding that has no sentence says itself, so it would be seen wherever it got to.
TAKEN, LEFT = "why-it-was-taken", "why-it-was-left"


def take_first(document: Document) -> list[Span]:
    return [Span(*document.blocks[0], "body")]


def explain_first(document: Document) -> list[BlockReason]:
    (first, *rest) = document.blocks
    taken = BlockReason(*first, "body", 0.9, (Evidence(TAKEN, {}),))
    return [taken, *(BlockReason(*block, None, 0.2, (Evidence(LEFT, {}),)) for block in rest)]


@pytest.fixture
def telling(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> Extractor:
    """An extractor of the corpus with reasons that no other text holds."""
    spec = ExtractorSpec("telling", "1", "telling", take_first, explain=explain_first)
    monkeypatch.setitem(registry.REGISTRY, "telling", spec)
    return actions.enable(corpus=corpus, name="telling").extractor


@pytest.fixture
def page(telling: Extractor, make_page: MakePage) -> Page:
    made = make_page(extracted=True)
    assert TAKEN in str(Extraction.objects.get(document__page=made, extractor=telling).reasons)
    return made


def open_with(page: Page, arm: Extractor | None, person: User) -> Annotation:
    """An annotation on the page, in a slot with this arm; the other slot has none."""
    slots = page.rounds.get().slots
    slots.filter(annotator=None).update(arm=None)
    Slot.objects.filter(pk=slots.filter(annotator=None).first().pk).update(arm=arm)
    return claim_on(page=page, annotator=person).annotations.get(annotator=person)


def shown_to(client: Client, annotation: Annotation) -> str:
    """All that the annotation screen sends to the browser."""
    address = f"/c/dailies/slots/{annotation.slot.key}/"
    answers = [client.get(address), client.get(f"{address}view.json"), client.get("/")]
    return "".join(
        (answer.getvalue() if answer.streaming else answer.content).decode(errors="replace")
        for answer in answers
    )


def test_a_slot_that_shows_the_extraction_says_why_it_took_what_it_took(
    page: Page, telling: Extractor, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    body = shown_to(signed_in(cast.ada), open_with(page, telling, cast.ada))
    assert body.count(TAKEN) == 1
    assert LEFT not in body, "what was not suggested is not talked about"
    assert "data-explanation" in body


def test_a_blind_slot_is_given_no_reason(
    page: Page, telling: Extractor, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    open_with(page, telling, cast.ada)
    body = shown_to(signed_in(cast.ben), open_with(page, None, cast.ben))
    assert TAKEN not in body
    assert "data-explanation" not in body


def test_a_slot_with_another_arm_is_given_no_reason_of_this_one(
    page: Page, telling: Extractor, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    open_with(page, telling, cast.ada)
    other = Extractor.objects.get(name="boilerpipe-article")
    annotation = open_with(page, other, cast.ben)
    assert annotation.shown == other
    assert TAKEN not in shown_to(signed_in(cast.ben), annotation)


def test_an_adjudicator_is_given_no_reason(
    page: Page, telling: Extractor, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    open_with(page, telling, cast.ada)
    annotate(page, cast.ada, [paragraph(page, "The council said", "body")])
    annotate(page, cast.ben)
    finalise(page)
    client = signed_in(cast.cleo)
    client.post("/c/dailies/adjudicate/next/")
    answer = client.get(f"/c/dailies/adjudications/{Adjudication.objects.get().pk}/")
    assert answer.status_code == 200
    assert TAKEN not in answer.content.decode()


def test_the_error_view_gives_a_researcher_all_reasons(
    page: Page, telling: Extractor, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    give_gold(page, [paragraph(page, "The council said", "body")])
    client = signed_in(cast.rhea)
    answer = client.get(f"/c/dailies/leaderboard/{telling.pk}/{page.pk}/")
    body = answer.content.decode()
    assert answer.status_code == 200, body
    assert body.count(TAKEN) == 1
    assert LEFT in body
    other = Extractor.objects.get(name="boilerpipe-article")
    body = client.get(f"/c/dailies/leaderboard/{other.pk}/{page.pk}/").content.decode()
    assert TAKEN not in body
    assert "data-explanation" not in body


def test_reasons_cost_no_query(
    page: Page,
    telling: Extractor,
    cast: SimpleNamespace,
    signed_in: SignedIn,
) -> None:
    other = Extractor.objects.get(name="boilerpipe-article")
    opened = {cast.ada: open_with(page, telling, cast.ada), cast.ben: open_with(page, other, cast.ben)}
    counts = [_queries(signed_in(person), annotation) for person, annotation in opened.items()]
    assert counts[0] == counts[1]


def _queries(client: Client, annotation: Annotation) -> int:
    address = f"/c/dailies/slots/{annotation.slot.key}/"
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)
