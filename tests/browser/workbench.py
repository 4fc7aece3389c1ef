"""What a person does on the workbench, for tests and benchmarks."""

import time
from typing import Any

from django.test import Client
from playwright.sync_api import BrowserContext, Page
from playwright.sync_api import Error as PlaywrightError

from annotator.corpora.models import User
from tests.contexts import PATIENCE
from tests.factories import PASSWORD

RECT_OF = """([start, end]) => {
  const {view} = window.goldpan;
  const range = view.range(start, end);
  let rect = range.getClientRects()[0] ?? range.getBoundingClientRect();
  view.window.scrollBy(0, rect.top - 200);
  const rects = [...range.getClientRects()].filter((each) => each.width > 2 && each.height > 2);
  const frame = document.querySelector("#frame").getBoundingClientRect();
  const at = ({left, right, top, bottom}) => ({
    left: frame.left + left, right: frame.left + right, middle: frame.top + (top + bottom) / 2,
  });
  return rects.length ? {first: at(rects[0]), last: at(rects[rects.length - 1])} : null;
}"""


def give_session(context: BrowserContext, site: str, user: User) -> None:
    """Sign somebody in without the form, which takes two pages and a password."""
    client = Client()
    client.force_login(user)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": site}])


def sign_in(page: Page, site: str, username: str) -> None:
    """By the form, as somebody of the factories; home is there then."""
    page.goto(f"{site}/sign-in/")
    page.fill("[name=username]", username)
    page.fill("[name=password]", PASSWORD)
    page.click("form button.primary")
    page.wait_for_url(f"{site}/")


def ready(page: Page) -> None:
    """Wait until the page is built, verified and painted."""
    page.wait_for_selector("html[data-ready='1']")


def box_of(page: Page, start: int, end: int) -> dict[str, Any]:
    """Where a stretch of the canonical text stands on the screen, scrolled into view."""
    found = page.evaluate(RECT_OF, [start, end])
    assert found, f"{start}-{end} is not visible"
    return dict(found)


def click_block(page: Page, block: tuple[int, int], *, shift: bool = False) -> None:
    rect = box_of(page, *block)["first"]
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(rect["left"] + 4, rect["middle"])
    if shift:
        page.keyboard.up("Shift")


def drag(page: Page, start: int, end: int, *, modifiers: int = 0) -> None:
    """Drag over a stretch, through the protocol: Playwright's own mouse waits for scripts in the frame."""
    box = box_of(page, start, end)
    session = page.context.new_cdp_session(page)
    begin = (box["first"]["left"] + 0.5, box["first"]["middle"])
    finish = (box["last"]["right"] - 0.5, box["last"]["middle"])
    moves = [
        ("mouseMoved", *begin),
        ("mousePressed", *begin),
        ("mouseMoved", *finish),
        ("mouseReleased", *finish),
    ]
    for kind, x, y in moves:
        pressed = kind != "mouseMoved" or (x, y) == finish
        session.send(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": x,
                "y": y,
                "button": "left" if pressed else "none",
                "buttons": 1 if pressed else 0,
                "clickCount": 0 if kind == "mouseMoved" else 1,
                "modifiers": modifiers,
            },
        )
    session.detach()


def saved(page: Page) -> int:
    """Wait until the server has everything; the revision it gave."""
    until(page, "window.goldpan.saver.isEmpty")
    return int(page.evaluate("window.goldpan.saver.revision"))


def spans_in_browser(page: Page) -> list[tuple[int, int, str]]:
    return [tuple(span) for span in page.evaluate("window.goldpan.editor.spans")]


def visible_blocks(page: Page, longer_than: int) -> list[tuple[int, int]]:
    """Blocks of some length that a reader can see."""
    script = """(least) => {
      const {view} = window.goldpan;
      return view.blocks.filter(([start, end], i) => end - start > least &&
        [...view.blockRange(i).getClientRects()].some((r) => r.width > 20 && r.height > 8));
    }"""
    return [tuple(block) for block in page.evaluate(script, longer_than)]


def submit(page: Page) -> None:
    """Submit, and wait for what comes next."""
    before = page.url
    page.keyboard.press("Control+Enter")
    until(page, f"location.href !== {before!r}")
    page.wait_for_load_state()


def until(page: Page, expression: str, seconds: float = PATIENCE / 1000) -> None:
    """Wait for an expression. Not by `wait_for_function`: our policy forbids the evaluation of strings."""
    deadline = time.monotonic() + seconds
    while not _holds(page, expression):
        assert time.monotonic() < deadline, f"not within {seconds} seconds: {expression}"
        page.wait_for_timeout(50)


def _holds(page: Page, expression: str) -> bool:
    try:
        return bool(page.evaluate(expression))
    except PlaywrightError:  # the page is on its way to another address
        return False
