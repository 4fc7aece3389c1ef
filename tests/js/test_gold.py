"""Gold of a page on the page itself: painted, listed, its sources in the margin."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from extraction.documents.view.build import build_view
from extraction.parsing.parse import parse
from tests.js.screen import PAINTED, RICH, payload_of

pytestmark = pytest.mark.browser

SOURCES = {
    "unanimous": {"shape": "●", "title": "Agreed"},
    "adjudicated": {"shape": "◆", "title": "Adjudicated"},
}


@pytest.fixture
def window_with_gold(
    window: Page, address: str, views: dict[str, dict[str, Any]], plain_addresses: None
) -> Page:
    views["ferry"] = view = build_view(parse(RICH.encode()))
    blocks = view["blocks"]
    gold = [[*blocks[1], "headline", "unanimous", ""], [*blocks[2], "body", "adjudicated", "4.3"]]
    payload = payload_of(view, gold=gold, sources=SOURCES)
    payload["urls"]["back"] = "/"
    shown = SimpleNamespace(number=1, current=True, spans=gold, verdict="article", reason="")
    screen = SimpleNamespace(
        shown=shown, versions=[], sources=[], extractors=[], reopening=None, characters=9
    )
    context = {"payload": payload, "screen": screen, "gold": shown, "page": "Ferry"}
    html = render_to_string("home/page.html", context)
    window.route("**/gold", lambda route: route.fulfill(body=html, content_type="text/html"))
    window.goto(f"{address}/gold")
    window.wait_for_selector("html[data-ready='1']", state="attached")
    return window


def test_each_interval_has_its_source_at_its_height(window_with_gold: Page) -> None:
    page = window_with_gold
    words = page.locator("[data-margin] > span")
    expect(words).to_have_text(["Agreed●", "4.3 Adjudicated◆"])
    for number, block in enumerate((1, 2)):
        page.wait_for_function(
            """([number, block]) => {
              const { view } = goldpan;
              const line = view.blockRange(block).getClientRects()[0].top;
              const word = document.querySelectorAll("[data-margin] > span")[number];
              const top = line + view.frame.getBoundingClientRect().top;
              return Math.abs(word.getBoundingClientRect().top - top) <= 2;
            }""",
            arg=[number, block],
        )
    assert page.evaluate(PAINTED, "goldpan-2") == ["The first boats leave in December."]


def test_keys_walk_through_the_intervals_and_say_their_source(window_with_gold: Page) -> None:
    page = window_with_gold
    expect(page.locator("[data-differences] li")).to_have_count(2)
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.inner_text("[data-about]") == "Body: Adjudicated, clause 4.3"
    expect(page.locator("[data-differences] li[aria-current]")).to_contain_text("The first boats")
    page.keyboard.press("Escape")
    assert page.inner_text("[data-about]") == ""
