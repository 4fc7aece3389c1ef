"""The annotation screen while it opens: the page is painted first, and early input is not lost."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.workbench import until
from tests.js.screen import FIRST, NEWS, SECOND, Screen

pytestmark = pytest.mark.browser

WORK = "**/annotate-work.js"
MARKED = {"revision": 3, "spans": [[0, 4, "headline"]], "verdict": "article", "reason": "",
          "note": "So it was.", "saved_at": "2026-11-20T12:03:00Z", "active_seconds": 9}  # fmt: skip
PAINTED = (
    "[...frames[0].CSS.highlights].flatMap(([name, all]) => [...all].map((range) => [name, String(range)]))"
)
#: Where a paragraph begins, by its words: the screen does not tell yet.
CENTRE_OF = """(words) => {
  const { left, top } = document.querySelector("#frame").getBoundingClientRect();
  const paragraph = [...frames[0].document.querySelectorAll("p")].find((each) => each.textContent === words);
  const box = paragraph.getBoundingClientRect();
  return [left + box.left + 4, top + box.top + box.height / 2];
}"""
SECOND_WORDS = "The second boats leave in spring."


class Held:
    """Requests that wait until they are let go; those that come later do not wait."""

    def __init__(self) -> None:
        self._waiting: list[Route] | None = []

    def take(self, route: Route) -> None:
        if self._waiting is None:
            route.continue_()
        else:
            self._waiting.append(route)

    def let_go(self) -> None:
        waiting, self._waiting = self._waiting, None
        for route in waiting or []:
            route.continue_()


@pytest.fixture
def held(window: Page) -> Held:
    """The modules that edit the page load for as long as the test likes."""
    made = Held()
    window.route(WORK, made.take)
    return made


def load_the_rest(screen: Screen, held: Held) -> None:
    until(screen.window, "document.querySelectorAll('link[href$=\"annotate-work.js\"]').length === 1")
    held.let_go()
    screen.window.wait_for_selector("html[data-ready='1']", state="attached")


def test_page_and_marks_are_painted_before_what_works_on_them_is_there(open_screen: Any, held: Held) -> None:
    screen = open_screen(is_ready=False, state=MARKED)
    assert screen.window.evaluate(PAINTED) == [["goldpan-1", "News"]]
    assert screen.window.inner_text("[data-blocks]") == "6"
    assert screen.window.evaluate("typeof goldpan") == "undefined"
    load_the_rest(screen, held)
    assert screen.marks == [["headline", "News"]]
    assert screen.window.input_value("#note") == "So it was."
    assert screen.window.is_checked("[name=verdict][value=article]")
    assert screen.sent == []


def test_keys_and_clicks_that_come_too_early_are_done_in_their_order(open_screen: Any, held: Held) -> None:
    screen = open_screen(is_ready=False)
    window = screen.window
    screen.press("j", "1")
    window.mouse.click(*window.evaluate(CENTRE_OF, SECOND_WORDS))
    screen.press("3", "ArrowUp", "5", "Control+z", "y")
    window.click("[data-label=comments]")
    assert window.evaluate(PAINTED) == []
    load_the_rest(screen, held)
    assert screen.marks == [["headline", "News"], ["supplemental", SECOND_WORDS]]
    assert window.evaluate("[goldpan.editor.verdict, goldpan.editor.label]") == ["article", "comments"]
    assert window.evaluate("goldpan.stage.attended() !== null")
    screen.press("Control+z", "Control+z")
    assert screen.marks == [["headline", "News"], ["headline", SECOND_WORDS]]
    screen.choose(FIRST)
    screen.press("2")
    assert screen.marks[1] == ["body", "The first boats leave in December."]


def test_a_note_and_a_verdict_that_come_too_early_are_kept(open_screen: Any, held: Held) -> None:
    screen = open_screen(is_ready=False, state=MARKED)
    window = screen.window
    window.click("#note")
    screen.press("S", "e", "e", "Space", "2")
    window.click("[name=verdict][value=several]")
    window.click("#note")
    assert window.input_value("#note") == "See 2"
    load_the_rest(screen, held)
    assert window.input_value("#note") == "So it was.\nSee 2"
    assert window.evaluate("[goldpan.editor.note, goldpan.editor.verdict]") == [
        "So it was.\nSee 2",
        "several",
    ]
    assert screen.marks == [["headline", "News"]]
    until(window, "goldpan.saver.isEmpty")
    name, body = screen.sent[-1]
    assert (name, body["note"], body["verdict"]) == ("save", "So it was.\nSee 2", "several")


def test_keys_of_the_browser_are_the_browsers(open_screen: Any, held: Held) -> None:
    screen = open_screen(is_ready=False)
    window = screen.window
    window.evaluate(
        """() => {
          window.prevented = [];
          addEventListener("keydown", (event) => prevented.push(event.key, event.defaultPrevented));
        }"""
    )
    screen.press("Tab", "F2", "Control+m")
    assert window.evaluate("prevented.filter((each) => each !== 'Control')") == [
        "Tab", False, "F2", False, False, "m", False,
    ]  # fmt: skip
    load_the_rest(screen, held)


def test_a_module_that_cannot_be_loaded_is_reported_and_the_page_can_be_reloaded(
    open_screen: Any, window: Page
) -> None:
    window.route(WORK, lambda route: route.abort())
    screen = open_screen(is_ready=False)
    notice = window.locator("[data-notice=refused]")
    expect(notice).to_contain_text("The page could not be shown. Reload it")
    screen.press("j", "1")
    window.unroute(WORK)
    notice.get_by_role("button", name="Reload").click()
    window.wait_for_selector("html[data-ready='1']", state="attached")
    screen.choose(NEWS)
    screen.press("2")
    assert screen.marks == [["body", "News"]]


def test_a_page_that_changes_before_the_rest_is_there_is_built_and_painted_again(
    open_screen: Any, held: Held
) -> None:
    screen = open_screen(is_ready=False, state=MARKED)
    window = screen.window
    window.evaluate("frames[0].document.querySelector('h1').append(' today')")
    expect(window.locator("[data-notice=translated]")).to_be_visible()
    load_the_rest(screen, held)
    assert ["goldpan-1", "News"] in window.evaluate(PAINTED)
    screen.choose(SECOND)
    screen.press("2")
    assert ["body", SECOND_WORDS] in screen.marks


def test_what_was_done_to_the_page_is_undone_without_a_key_too(open_screen: Any, window: Page) -> None:
    lines = "".join(f"<p>Line {n} of what the box covers.</p>" for n in range(40))
    box = "position: absolute; inset: 0 0 auto; height: 60000px"
    open_screen(f"<!doctype html><title>Covered</title>{lines}<div style='{box}'>Sign in</div>")
    hidden = window.frame_locator("#frame").locator("[data-goldpan-overlay]")
    expect(hidden).to_have_count(1)
    window.locator("[data-notice=remedied]").get_by_role("button", name="Undo").click()
    expect(hidden).to_have_count(0)
    expect(window.locator("[data-notice]")).to_have_count(0)
    window.keyboard.press("q")
    expect(hidden).to_have_count(1)
    window.locator("[data-notice=overlays]").get_by_role("button", name="Undo").click()
    expect(hidden).to_have_count(0)
    expect(window.locator("[data-notice]")).to_have_count(0)
    # The keys are the page's again.
    window.keyboard.press("q")
    expect(hidden).to_have_count(1)
