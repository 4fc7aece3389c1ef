"""Why a block was suggested, from the worker to the line on the screen; who is blind stays blind."""

from types import SimpleNamespace

import pytest
from django.urls import reverse
from playwright.sync_api import Page as Window
from playwright.sync_api import expect

from annotator.annotations.actions import claim_on
from annotator.annotations.models import Slot
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from annotator.runs.models import Extraction, Extractor
from tests.annotator.scored import give_gold
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.factories import MakePage, span_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> Page:
    """Ada's slot shows what goldpan says, ben's shows nothing; there is gold."""
    made = make_page(extracted=True)
    slots = list(made.rounds.get().slots.order_by("number"))
    for person, arm in ((cast.ada, Extractor.objects.get(name="goldpan")), (cast.ben, None)):
        Slot.objects.filter(pk=slots.pop(0).pk).update(arm=arm)
        claim_on(page=made, annotator=person)
    give_gold(made, [span_of(made, "Bridge opens", "headline")])
    return made


def address(page: Page, person: User) -> str:
    return reverse("annotate", args=["dailies", Slot.objects.get(round__page=page, annotator=person).key])


def walk_to_headline(window: Window, page: Page, *, up: str, down: str) -> None:
    """From wherever the choice is: to the first block, and down from there."""
    blocks = page.documents.get().blocks
    before = [end for _start, end in blocks if end <= span_of(page, "Bridge opens", "headline").start]
    for key in [up] * len(blocks) + [down] * len(before):
        window.keyboard.press(key)


def test_the_suggestion_says_why_by_mouse_and_by_key(
    site: str, cast: SimpleNamespace, page: Page, sign_in: SignIn
) -> None:
    window = sign_in(cast.ada)
    window.goto(site + address(page, cast.ada))
    workbench.ready(window)
    words = window.locator("[data-explanation-text]")
    box = workbench.box_of(window, *span_of(page, "The council said", "body")[:2])["first"]
    window.mouse.move(box["left"] + 4, box["middle"])
    expect(words).to_contain_text("Body, ")
    walk_to_headline(window, page, up="k", down="j")
    expect(words).to_have_text("Headline: stands as the headline")
    window.keyboard.press("w")
    expect(words).to_be_hidden()


def test_a_blind_slot_has_no_line(site: str, cast: SimpleNamespace, page: Page, sign_in: SignIn) -> None:
    window = sign_in(cast.ben)
    window.goto(site + address(page, cast.ben))
    workbench.ready(window)
    window.keyboard.press("j")
    assert window.locator("[data-explanation]").count() == 0
    assert "stands as the headline" not in window.content()


def test_the_error_view_gives_reasons_in_spanish(
    site: str, cast: SimpleNamespace, page: Page, sign_in: SignIn
) -> None:
    window = sign_in(cast.rhea, locale="es-MX")
    shown = Extraction.objects.get(extractor__name="goldpan")
    window.goto(site + reverse("error-view", args=["dailies", shown.extractor_id, page.pk]))
    workbench.ready(window)
    words = window.get_by_role("region", name="Explicación").get_by_role("status")
    window.keyboard.press("n")
    expect(words).to_contain_text("Cuerpo, ")
    walk_to_headline(window, page, up="K", down="J")
    expect(words).to_have_text("Titular: está como titular")
