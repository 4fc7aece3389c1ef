"""The guideline beside the page: the clauses follow the label, and reading them loses no place."""

from types import SimpleNamespace

import pytest
from django.urls import reverse
from playwright.sync_api import Page as Window
from playwright.sync_api import expect

from annotator.corpora.models import Corpus
from annotator.gold.actions import claim_next
from tests.annotator.gold.test_adjudication import finalise
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.factories import MakePage, annotate, span_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def window(site: str, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn) -> Window:
    """A page that ada marks."""
    make_page()
    opened = sign_in(cast.ada)
    opened.reload()
    opened.keyboard.press("Enter")
    opened.wait_for_url("**/slots/*/")
    workbench.ready(opened)
    return opened


def clauses(window: Window) -> list[str]:
    """The numbers of the clauses that are in sight without opening anything."""
    return [b.inner_text() for b in window.locator(".rules li b").all() if b.is_visible()]


def test_the_clauses_follow_the_label(window: Window) -> None:
    head = window.locator("#rules")
    expect(head).to_contain_text("Guideline 1")
    expect(head).to_contain_text("for Body")
    assert "3.1" in clauses(window)
    assert "2.1" not in clauses(window)
    window.keyboard.press("1")
    expect(head).to_contain_text("for Headline")
    assert "2.1" in clauses(window)
    assert "3.1" not in clauses(window)
    window.locator("[data-label=comments]").click()
    expect(head).to_contain_text("for Comments")
    assert "5.1" in clauses(window)


def test_a_key_leads_to_the_clauses_and_back(window: Window) -> None:
    panel = window.locator(".panel > details")
    window.keyboard.press("j")
    chosen = window.locator(".status [data-block]").inner_text()
    window.keyboard.press("p")
    expect(panel).not_to_have_attribute("open", "")
    window.keyboard.press("u")
    expect(panel).to_have_attribute("open", "")
    expect(window.locator("#rules")).to_be_focused()
    expect(window.locator("#rules")).to_be_in_viewport()
    window.keyboard.press("u")
    expect(window.locator("#rules")).not_to_be_focused()
    window.keyboard.press("2")
    workbench.saved(window)
    assert window.locator(".status [data-block]").inner_text() == chosen, "the selected block is the same"
    assert workbench.spans_in_browser(window), "and keys work on the page again"


def test_examples_and_the_whole_text_open_beside_the_page(window: Window) -> None:
    address = window.url
    with window.context.expect_page() as opened:
        window.locator(".rules [data-rules-for=body] a", has_text="Example").nth(8).click()
    example = opened.value
    example.wait_for_load_state()
    assert "/guideline/examples/" in example.url
    expect(example.locator(".example mark").first).to_be_visible()
    with window.context.expect_page() as opened:
        window.locator(".rules a", has_text="Full guideline").click()
    opened.value.wait_for_load_state()
    assert opened.value.url.endswith("/guideline/1/")
    assert window.url == address


def test_an_adjudicator_names_a_clause_as_the_reason(
    site: str, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, "Bridge opens", "headline")])
    annotate(page, cast.ben, [span_of(page, "Bridge opens", "supplemental")])
    finalise(page)
    held = claim_next(corpus=corpus, user=cast.cleo)
    window = sign_in(cast.cleo)
    window.goto(site + reverse("adjudicate", args=["dailies", held.pk]))
    workbench.ready(window)
    shown = clauses(window)
    assert {"2.1", "4.1"} <= set(shown)
    assert "5.1" not in shown
    window.locator("#clause").select_option("2.1")
    window.keyboard.press("Escape")
    window.keyboard.press("a")
    workbench.until(window, "window.goldpan.sender.isEmpty")
    segment = held.segments.get()
    assert (segment.clause, segment.guideline_version) == ("2.1", 1)
    window.reload()
    workbench.ready(window)
    window.keyboard.press("j")
    expect(window.locator("#clause")).to_have_value("2.1")


def test_the_clauses_are_in_the_users_language(window: Window) -> None:
    window.context.add_cookies([{"name": "django_language", "value": "es", "url": window.url}])
    window.reload()
    workbench.ready(window)
    rules = window.locator(".rules")
    expect(rules.locator("[lang=es]")).to_be_visible()
    expect(rules).to_contain_text("El cuerpo es el texto corrido del artículo")
    expect(window.locator("#rules")).to_contain_text("Guía 1")


def test_a_clause_is_printed_on_one_sheet_and_with_it_the_heading_above(
    site: str, corpus: Corpus, cast: SimpleNamespace, sign_in: SignIn
) -> None:
    opened = sign_in(cast.ada)
    opened.goto(site + reverse("guideline", args=[corpus.slug]))
    opened.emulate_media(media="print")
    breaks = (
        "(all) => all.map((each) => [getComputedStyle(each).breakInside, getComputedStyle(each).breakAfter])"
    )
    assert set(map(tuple, opened.locator(".clause").evaluate_all(breaks))) == {("avoid", "auto")}
    assert set(map(tuple, opened.locator(".guideline h3").evaluate_all(breaks))) == {("auto", "avoid")}
