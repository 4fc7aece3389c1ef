"""The cleaning of views alone, in a frame without policy and sandbox: nothing is asked for, run or pinned.

The control shows that these tests would see it: uncleaned, the same sheets do ask and pin.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from extraction.documents.view import build
from extraction.documents.view.captured_assets import CapturedAssets, Picture
from extraction.documents.view.css import clean_declarations, clean_sheet
from extraction.parsing.parse import parse
from tests.browser import hostile, hostile_features
from tests.browser.hostile import CANARY, Hostile
from tests.browser.test_hostile import PAGES
from tests.browser.watch import Watch
from tests.contexts import new_context
from tests.extraction import sheets
from tests.js.server import UNGUARDED, serving

pytestmark = pytest.mark.browser

STYLES = [*hostile.STYLES, *hostile_features.LOOKS]
BATCH = 100  # sheets on one page, one after the other
Clean = Callable[[str], str]


class Unguarded:
    """A browser window in which views are built without their second lock."""

    def __init__(self, window: Page, address: str, views: dict[str, dict[str, Any]]) -> None:
        self._window = window
        self._views = views
        self.watch = Watch(window, address)
        window.route(lambda url: not url.startswith((address, "data:", "blob:")), _refuse)
        window.goto(f"{address}/{UNGUARDED}")
        window.wait_for_selector("html[data-ready]", state="attached")

    def show(self, raw: bytes) -> list[str]:
        """What a page does that it should not."""
        self.watch.forget()
        self._views["page"] = build.build_view(parse(raw))
        pinned = self._window.evaluate("unguarded.show('page')")
        self.watch.look(self._window)
        return [*pinned, *self.watch.findings]

    def build(self, raw: bytes, assets: CapturedAssets) -> list[str]:
        """What a page with captured sheets and images does that it should not."""
        self.watch.forget()
        self._views["page"] = build.build_view(parse(raw), assets)
        pinned = self._window.evaluate("unguarded.show('page')")
        self.watch.look(self._window)
        return [*pinned, *self.watch.findings]

    def wear(self, clothes: list[tuple[str, str]]) -> list[str]:
        """What a batch of sheets and style attributes does that it should not."""
        self.watch.forget()
        pinned = self._window.evaluate("clothes => unguarded.wear(clothes)", clothes)
        self.watch.look(self._window)
        return [*(f"pins a box: {clothes[number]}" for number in pinned), *self.watch.findings]


def _refuse(route: Route) -> None:
    route.abort()


@pytest.fixture
def unguarded(browser: Browser) -> Iterator[Unguarded]:
    views: dict[str, dict[str, Any]] = {}
    with serving(views) as address:
        context = new_context(browser, viewport={"width": 1200, "height": 800})
        yield Unguarded(context.new_page(), address, views)
        context.close()


def _clothes(count: int, clean_sheet: Clean, clean_declarations: Clean) -> Iterator[list[tuple[str, str]]]:
    """Sheets and style attributes as an attacker writes them, cleaned, in batches."""
    dice = random.Random(1)
    for _ in range(0, count, BATCH):
        yield [
            (clean_sheet(sheets.style_sheet(dice)), clean_declarations(sheets.declarations(dice)))
            for _ in range(BATCH)
        ]


@pytest.mark.parametrize(
    "pages", [pytest.param(STYLES, id="styles"), pytest.param(PAGES, id="all", marks=pytest.mark.long)]
)
def test_hostile_pages_ask_for_nothing(unguarded: Unguarded, pages: list[Hostile]) -> None:
    shown = [page for page in pages if not page.refusal]
    assert {page.name: found for page in shown if (found := unguarded.show(page.raw))} == {}


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.long)])
def test_generated_sheets_ask_for_nothing(unguarded: Unguarded, count: int) -> None:
    batches = _clothes(count, clean_sheet, clean_declarations)
    assert [finding for batch in batches for finding in unguarded.wear(batch)] == []


def _hostile_capture(dice: random.Random) -> tuple[bytes, CapturedAssets]:
    """A page whose sheets, imported sheets and styles are an attacker's; some of its images are here."""
    addresses = [f"{CANARY}{name}.css" for name in "abcd"]
    images = {f"{CANARY}{n:x}": Picture(f"{n:x}" * 64, 9, 9) for n in range(0, 16, 2)}
    captured = {
        each: f"@import '{dice.choice(addresses)}';{sheets.style_sheet(dice)}{sheets.style_sheet(dice)}"
        for each in addresses
    }
    html = f"""<base href="{CANARY}"><link rel=stylesheet href=a.css>
    <link rel=preload as=style onload=alert(1) href=b.css>
    <link rel=stylesheet href="data:text/css,@import '{CANARY}x';p{{background:url({CANARY}y)}}">
    <style>{sheets.style_sheet(dice)}</style>
    <body background={CANARY}2><p style="{sheets.declarations(dice)}">Two
    <picture><source srcset="{CANARY}w 2x">
    <img src="{CANARY}z" srcset="{CANARY}4 2x, {CANARY}5 800w"></picture>
    <svg viewBox="0 0 9 9" onload=alert(1)><image href="{CANARY}s"/></svg><iframe src="{CANARY}f"></iframe>
    <input type=image src="{CANARY}i"><video poster="{CANARY}v" autoplay></video>
    <object data="{CANARY}o"></object>
    <details open ontoggle=alert(1)><summary>Three</summary>Four</details>
    <p data-x="{CANARY}d" data-onload="alert(1)" onload=alert(1) style="background:url({CANARY}e)!important;
    --y:url({CANARY}g) ! important;position:fixed!important;{sheets.declarations(dice)}!important">Five
    <input type=submit value="&quot;;}}*{{background:url({CANARY}h)}}"><select><option>{CANARY}</style>
    <script>alert(1)</script></select><textarea cols="9);background:url({CANARY}j)"></textarea>
    <img alt="{CANARY}k" src="javascript:alert(1)"><svg width="1em;background:url({CANARY}l)"></svg>
    <style>[data-x],[onload],[data-onload="alert(1)"]{{background:attr(data-x type(<url>));
    content:attr(data-x);list-style:image-set(attr(data-x))}}</style>"""
    return html.encode(errors="replace"), CapturedAssets(CANARY, captured, images)


@pytest.mark.parametrize("count", [40, pytest.param(400, marks=pytest.mark.long)])
def test_captured_sheets_and_images_ask_for_nothing_else(unguarded: Unguarded, count: int) -> None:
    dice = random.Random(2)
    captures = [_hostile_capture(dice) for _ in range(count)]
    assert [finding for capture in captures for finding in unguarded.build(*capture)] == []


def test_control_uncleaned_they_ask_and_pin(unguarded: Unguarded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "clean_sheets", lambda found, *_: [sheet.css for sheet in found])
    monkeypatch.setattr(build, "clean_declarations", str)
    [joined] = [page for page in STYLES if page.name == "style that joins"]
    [batch] = _clothes(BATCH, str, str)
    for found in (unguarded.show(joined.raw), unguarded.wear(batch)):
        assert any(CANARY in finding for finding in found), found
    assert any("pins" in finding for finding in found), found
