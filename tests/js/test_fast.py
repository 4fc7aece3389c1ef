"""What keeps the workbench fast, counted and not timed: requests, layouts read, ranges replaced by a key."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.workbench import until
from tests.js.screen import Screen

pytestmark = pytest.mark.browser

BLOCKS = 900
LINES = "".join(f"<p>Line {n} of a long page.</p>" for n in range(BLOCKS))
LONG = f"<!doctype html><title>Long</title>{LINES}"
CHUNK = 4

MARK_ALL = """() => {
  const { editor, view } = goldpan;
  for (const [at, label] of ["headline", "body", "related"].entries()) {
    editor.mark(view.blocks.filter((block, i) => i % 3 === at), label);
  }
}"""
PAINTED = "[...goldpan.view.window.CSS.highlights.values()].reduce((sum, each) => sum + each.size, 0)"
#: Blocks in sight whose text no range of its label holds.
BARE = """() => {
  const { editor, view } = goldpan;
  const numbers = { headline: 1, body: 2, related: 5 };
  return editor.spans.filter(([start, end, label]) => {
    const box = view.range(start, end).getBoundingClientRect();
    if (!box.height || box.bottom < 0 || box.top > view.window.innerHeight) return false;
    const ranges = [...view.window.CSS.highlights.get(`goldpan-${numbers[label]}`)];
    return !ranges.some((range) => {
      const [from, to] = view.offsets(range);
      return from <= start && end <= to;
    });
  });
}"""
SCROLL = "(share) => goldpan.view.window.scrollTo(0, share * goldpan.stage.geometry.height)"
COUNT_RANGES = """() => {
  window.changed = 0;
  for (const name of ["add", "delete"]) {
    const { prototype } = goldpan.view.window.Highlight;
    const before = prototype[name];
    prototype[name] = function (range) { window.changed += 1; return before.call(this, range); };
  }
}"""
# Whatever makes a browser lay the page out before it can answer.
COUNT_LAYOUTS = """() => {
  window.layouts = [];
  let isHandling = false;
  const note = (name) => isHandling && window.layouts.push(name);
  for (const realm of [window, frames[0]]) {
    for (const [type, names] of [["Range", ["getBoundingClientRect", "getClientRects"]],
        ["Element", ["getBoundingClientRect", "getClientRects", "scrollIntoView", "checkVisibility"]],
        ["Document", ["caretPositionFromPoint", "elementFromPoint"]]]) {
      for (const name of names) {
        const before = realm[type].prototype[name];
        realm[type].prototype[name] = function (...given) { note(name); return before.apply(this, given); };
      }
    }
    for (const [owner, names] of [[realm.Element.prototype, ["scrollHeight", "scrollTop", "clientHeight"]],
        [realm.HTMLElement.prototype, ["offsetTop", "offsetHeight", "innerText"]],
        [realm, ["scrollX", "scrollY", "innerHeight"]]]) {
      for (const name of names) {
        const { get, ...rest } = Object.getOwnPropertyDescriptor(owner, name);
        Object.defineProperty(owner, name, { ...rest, get() { note(name); return get.call(this); } });
      }
    }
    realm.addEventListener("keydown", () => { isHandling = true; }, { capture: true });
    realm.addEventListener("keydown", () => { isHandling = false; });
  }
}"""


FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
ANNOUNCED = """() => [...document.querySelectorAll("link[rel=modulepreload], script[src]")]
  .map((each) => each.href || each.src)"""


@pytest.fixture
def long_screen(open_screen: Any) -> Screen:
    """A long page, every block marked, three labels in turn, all of it measured."""
    screen: Screen = open_screen(LONG)
    screen.window.evaluate(MARK_ALL)
    assert len(screen.marks) == BLOCKS
    screen.window.wait_for_selector(".minimap rect + rect", state="attached")
    expect(screen.window.locator("[data-outline-sum]")).to_contain_text(str(BLOCKS))
    draw_frames(screen)
    return screen


def draw_frames(screen: Screen) -> None:
    """What a key, a measurement or a scroll left for the next frame is done then."""
    screen.window.evaluate(FRAMES)


def test_a_long_page_is_painted_where_it_is_looked_at(long_screen: Screen) -> None:
    window = long_screen.window
    assert 0 < window.evaluate(PAINTED) < BLOCKS / 2
    for share in (0, 0.5, 0.9, 0.2):
        window.evaluate(SCROLL, share)
        until(window, f"({BARE})().length === 0")
        assert window.evaluate(PAINTED) < BLOCKS / 2


def test_a_page_of_usual_length_is_painted_where_it_is_looked_at_too(open_screen: Any) -> None:
    screen = open_screen("".join(f"<p>Line {n} of a page.</p>" for n in range(120)))
    screen.window.wait_for_selector(".minimap .window[y]", state="attached")
    screen.window.evaluate(MARK_ALL)
    for share in (0, 0.7):
        screen.window.evaluate(SCROLL, share)
        until(screen.window, f"({BARE})().length === 0 && {PAINTED} < 80")
        assert screen.window.evaluate(PAINTED) > 0


def test_a_screen_is_as_long_as_its_window_however_long_its_lists(long_screen: Screen) -> None:
    assert long_screen.window.locator("[data-outline] li").count() > 100
    lengths = "[document.documentElement.scrollHeight, innerHeight]"
    assert len(set(long_screen.window.evaluate(lengths))) == 1


def test_a_key_replaces_the_ranges_of_its_own_chunk(long_screen: Screen) -> None:
    long_screen.press("j")
    draw_frames(long_screen)
    long_screen.window.evaluate(COUNT_RANGES)
    long_screen.press("0")
    assert len(long_screen.marks) == BLOCKS - 1
    assert 0 < long_screen.window.evaluate("changed") <= 2 * CHUNK


def test_a_key_leaves_rows_and_strokes_that_say_the_same(long_screen: Screen) -> None:
    window = long_screen.window
    window.evaluate(
        """() => {
          window.touched = 0;
          const count = (list) => list.forEach((each) => { window.touched += each.addedNodes.length; });
          for (const name of [".minimap", "[data-outline]"]) {
            new MutationObserver(count).observe(document.querySelector(name), { childList: true });
          }
        }"""
    )
    long_screen.press("j", "0")
    expect(window.locator("[data-outline-sum]")).to_contain_text(str(BLOCKS - 1))
    draw_frames(long_screen)
    assert window.evaluate("touched") <= 6


@pytest.mark.parametrize("key", ["Space", "3", "0", "Control+z"])
def test_a_key_that_marks_reads_no_layout(long_screen: Screen, key: str) -> None:
    long_screen.press("j", "3")
    draw_frames(long_screen)
    long_screen.window.evaluate(COUNT_LAYOUTS)
    long_screen.press(key)
    assert long_screen.window.evaluate("layouts") == []


def test_the_count_of_layouts_can_be_other_than_none(long_screen: Screen) -> None:
    long_screen.window.evaluate(COUNT_LAYOUTS)
    long_screen.window.evaluate(
        """() => [document, frames[0].document].forEach((each) => each.addEventListener("keydown", () => {
          goldpan.view.blockRange(3).getBoundingClientRect();
          void document.documentElement.scrollHeight;
        }))"""
    )
    long_screen.press("z")
    assert long_screen.window.evaluate("layouts") == ["getBoundingClientRect", "scrollHeight"]


def test_a_screen_asks_for_everything_once_and_for_all_modules_at_once(
    open_screen: Any, window: Page
) -> None:
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url.split("/", 3)[-1]))
    open_screen()
    assert sorted(set(asked)) == sorted(asked)
    assert {"views/ferry", "frame/"} <= set(asked)
    announced = {url.split("/", 3)[-1] for url in window.evaluate(ANNOUNCED)}
    assert {name for name in asked if name.endswith(".js")} == announced
