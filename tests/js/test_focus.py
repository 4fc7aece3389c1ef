"""For what the next key is, after a dialog, a click on a tool, or a verdict."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from extraction.documents.view.build import build_view
from extraction.parsing.parse import parse
from tests.js.screen import FIRST, SOURCE, Screen

pytestmark = pytest.mark.browser


def test_keys_in_a_dialog_mean_nothing_behind_it(open_screen: Any, window: Page) -> None:
    screen = open_screen(skip_reasons=[{"name": "slow", "title": "Too slow"}])
    screen.choose(FIRST)
    screen.press("s")
    expect(window.locator("#skip")).to_be_visible()
    screen.press("2", "y")
    window.locator("[data-skip-form] [name=note]").focus()
    screen.press("Control+Enter")
    assert (screen.marks, window.evaluate("goldpan.editor.verdict")) == ([], "")
    assert [name for name, _body in screen.sent] == []
    screen.press("Escape")
    expect(window.locator("#skip")).to_be_hidden()


def test_the_key_after_a_dialog_is_the_pages(open_screen: Any, window: Page) -> None:
    """At once: where the browser tells later that the dialog is closed, the key has come by then."""
    open_screen(skip_reasons=[{"name": "slow", "title": "Too slow"}])
    left_in = """(before) => {
      const [note, skip] = ["note", "skip"].map((id) => document.getElementById(id));
      const panel = document.querySelector(".panel details");
      panel.open = true;
      if (before === "body") document.activeElement.blur();
      else note.focus();
      skip.showPopover();
      skip.querySelector("input").focus();
      if (before === "hidden") panel.open = false;
      skip.hidePopover();
      return document.activeElement.id || document.activeElement.tagName;
    }"""
    assert window.evaluate(left_in, "note") == "note"
    page = window.evaluate("goldpan.stage.home?.id || 'IFRAME'")
    assert [window.evaluate(left_in, before) for before in ("body", "hidden")] == [page, page]


def test_the_key_after_a_click_on_a_tool_is_the_pages(open_screen: Any) -> None:
    view = build_view(parse(SOURCE.encode()))
    screen = open_screen(
        suggestion={"spans": [[*view["blocks"][FIRST], "body"]]},
        skip_reasons=[{"name": "slow", "title": "Too slow"}],
    )
    screen.choose(FIRST)
    screen.press("2", "Control+z")
    screen.window.click("[data-redo]")
    screen.window.click("[data-undo]")
    screen.press("Enter")
    assert screen.marks == [["body", "The first boats leave in December."]]
    for opener in ("[data-skip]", "[popovertarget=keys]"):
        screen.window.click(opener)
        # The browser says only later that something has opened.
        screen.window.wait_for_function("document.activeElement.id !== 'blocks'")
        screen.press("Escape")
        assert focused(screen) == "blocks"


def test_the_key_after_a_click_on_a_verdict_is_the_pages(open_screen: Any) -> None:
    view = build_view(parse(SOURCE.encode()))
    screen = open_screen(suggestion={"spans": [[*view["blocks"][FIRST], "body"]]})
    screen.choose(FIRST)
    verdict = screen.window.locator("[name=verdict]")
    verdict.first.locator("xpath=..").click()  # its label
    assert focused(screen) == "blocks"
    verdict.first.click()  # it is chosen already
    screen.press("Enter")
    assert screen.marks == [["body", "The first boats leave in December."]]


def test_a_verdict_chosen_by_key_keeps_the_focus(open_screen: Any) -> None:
    screen = open_screen()
    verdict = screen.window.locator("[name=verdict]")
    verdict.first.focus()
    screen.press(" ", "ArrowDown")
    assert verdict.nth(1).evaluate("radio => radio.checked && radio === document.activeElement")


@pytest.mark.parametrize("key", ["y", "Control+z"])
def test_the_focus_is_not_lost_with_reasons_that_are_hidden(open_screen: Any, key: str) -> None:
    screen = open_screen()
    screen.press("d")
    assert screen.window.evaluate("document.activeElement.name") == "reason"
    screen.press(key)
    drawn = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
    screen.window.evaluate(drawn)
    assert focused(screen) == "blocks"


def test_a_tool_pressed_by_key_keeps_the_focus(open_screen: Any) -> None:
    screen = open_screen()
    screen.choose(FIRST)
    screen.press("2", "3")
    screen.window.focus("[data-undo]")
    screen.press("Enter", "Enter")
    assert screen.marks == []
    assert focused(screen) == "data-undo"


def focused(screen: Screen) -> str:
    """What has the focus, by its name or what marks it."""
    return str(
        screen.window.evaluate(
            """() => {
              const { id, dataset, tagName } = document.activeElement;
              return id || (dataset.undo === "" ? "data-undo" : tagName);
            }"""
        )
    )
