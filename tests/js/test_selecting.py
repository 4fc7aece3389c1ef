"""Selecting on the annotation screen: larger elements, similar blocks, marks in turn, search."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.workbench import until
from tests.js.screen import FIRST, ONE, PAINTED, RICH, THREE, TITLE, TWO, runs

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("mode", ["reading", "page"])
def test_the_selection_grows_to_the_enclosing_run_and_shrinks_back(open_screen: Any, mode: str) -> None:
    screen = open_screen(RICH)
    screen.press(*["v"] * (mode == "page"))
    assert screen.mode == mode
    screen.press(*["j"] * 4)
    assert runs(screen) == "4"
    screen.press("]")
    assert runs(screen) == "3–6"
    screen.press("]")
    assert runs(screen) == "1–8"
    screen.press("]")
    assert screen.window.inner_text("[data-message]") == "The whole page is selected"
    screen.press("[", "[")
    assert runs(screen) == "4"
    screen.press("[", "]", "5")
    assert [text for _, text in screen.marks] == [
        "The first boats leave in December.", "The second boats leave in spring.", "Autumn boots",
        "Café owners on the island are glad.",
    ]  # fmt: skip
    screen.press("Control+z")
    assert screen.marks == []


def test_a_run_shrinks_around_where_it_began(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press(*["j"] * 2, *["J"] * 4)
    assert runs(screen) == "2–6"
    screen.press("[", "[")
    assert runs(screen) == "2"
    screen.press("[")
    assert runs(screen) == "2"


def test_walking_on_from_a_grown_run_leaves_at_its_end(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press(*["j"] * 3, "]", "j")
    assert runs(screen) == "7"


IN_SIGHT = """(block) => {
  const { view } = goldpan;
  const [box] = view.blockRange(block).getClientRects();
  const inside = ({ left, right, top, bottom }) =>
    box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
  const within = (holder) => {
    const { left, top } = holder.getBoundingClientRect();
    const [x, y] = [left + holder.clientLeft, top + holder.clientTop];
    return { left: x, right: x + holder.clientWidth, top: y, bottom: y + holder.clientHeight };
  };
  const holder = view.document.querySelector("[data-tag=section], section");
  const { innerWidth, innerHeight } = view.window;
  return inside({ left: 0, right: innerWidth, top: 0, bottom: innerHeight }) &&
    (!holder || inside(within(holder)));
}"""
LINES = [f"<p>Boat {number} leaves.</p>" for number in range(80)]


@pytest.mark.parametrize(
    "source",
    [
        f"<section style='height: 150px; overflow: auto'>{''.join(LINES)}</section>",
        f"<section style='height: 150px; overflow: auto; border: 30px solid'>{''.join(LINES)}</section>",
        f"<style>html {{ writing-mode: vertical-rl }}</style>{''.join(LINES)}",
        f"<section style='writing-mode: vertical-rl; overflow: auto'>{''.join(LINES)}</section>",
    ],
    ids=["a box that scrolls", "one with a border", "vertical text", "vertical text in a box"],
)
def test_keys_bring_in_sight_what_a_page_scrolls_by_itself_or_sideways(open_screen: Any, source: str) -> None:
    screen = open_screen(f"<!doctype html><title>Ferry</title><h1>Ferry</h1>{source}<p>Read more</p>")
    screen.window.evaluate("goldpan.stage.switchTo('page')")
    until(screen.window, "goldpan.stage.geometry.isMeasured")
    screen.press("End", *["k"] * 3, "2")
    assert [text for _, text in screen.marks] == ["Boat 77 leaves."]
    until(screen.window, f"({IN_SIGHT})(78)")
    until(screen.window, f"({PAINTED})('goldpan-2').includes('Boat 77 leaves.')")
    screen.press(*["k"] * 3)
    until(screen.window, f"({IN_SIGHT})(75)")
    screen.press("Home", "j", "2")
    until(screen.window, f"({IN_SIGHT})(1)")
    until(screen.window, f"({PAINTED})('goldpan-2').includes('Boat 0 leaves.')")


@pytest.mark.parametrize("mode", ["reading", "page"])
def test_one_key_marks_all_blocks_like_this_and_one_undo_reverts_all(open_screen: Any, mode: str) -> None:
    screen = open_screen(RICH)
    screen.press(*["v"] * (mode == "page"), *["j"] * 3)
    assert screen.window.text_content("[data-alike]") == "(3)"
    screen.press("3", "i")
    assert [label for label, _ in screen.marks] == ["supplemental"] * 3
    assert "Autumn boots" not in str(screen.marks)
    assert screen.window.inner_text("[data-message]") == "3 similar blocks marked Supplemental"
    screen.window.click("[data-message-undo]")
    assert len(screen.marks) == 1
    screen.press("i", "i")
    assert screen.marks == []


@pytest.mark.parametrize("key", [" ", "0"])
def test_a_key_for_the_selection_says_that_there_is_none(open_screen: Any, key: str) -> None:
    screen = open_screen()
    screen.press(key)
    assert screen.window.inner_text("[data-message]") == "Select a block first"
    assert screen.sent == []


def test_keys_pass_over_blank_blocks_and_a_click_on_one_says_that_it_is_blank(open_screen: Any) -> None:
    blank = "<p>&nbsp;</p>"
    screen = open_screen(f"<!doctype html><title>Ferry</title><p>One.</p>{blank}<p>Two.</p>{blank}")
    screen.press("j", "j", "1")
    assert screen.marks == [["headline", "Two."]]
    screen.press("Home", "End")
    assert runs(screen) == "3"
    screen.window.mouse.click(*screen.point(1, 0.1))
    assert screen.window.inner_text("[data-message]") == "No text to mark here"
    screen.press("2")
    assert len(screen.marks) == 1


def test_all_like_a_run_are_all_like_each_of_its_kinds(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press("i")
    assert screen.window.inner_text("[data-message]") == "Select a block first"
    screen.press(*["j"] * 2, "J", "i")
    assert screen.marks[0] == ["body", "Ferry line returns"]
    assert len(screen.marks) == 4


def test_what_was_just_switched_off_takes_all_like_it_along(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press(*["j"] * 3, "]", "5", *["k"] * 2)
    assert runs(screen) == "4"
    screen.press("Space", "i")
    assert screen.marks == [["related", "Autumn boots"]]
    screen.press("Control+z", "Control+z")
    assert len(screen.marks) == 4


def test_shift_click_after_a_click_that_switched_off_clears_up_to_there(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press(*["j"] * 3, "]", "5")
    screen.window.mouse.click(*screen.point(TWO))
    screen.window.keyboard.down("Shift")
    screen.window.mouse.click(*screen.point(THREE))
    screen.window.keyboard.up("Shift")
    assert [text for _, text in screen.marks] == ["The first boats leave in December."]


def test_point_and_comma_walk_from_mark_to_mark_and_tab_leaves_the_page(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press(*["j"] * 2, "1", "j", "2", "Escape")
    screen.press(".")
    assert runs(screen) == "2"
    screen.press(".")
    assert runs(screen) == "3"
    screen.press(",")
    assert runs(screen) == "2"
    screen.press("Tab", "Tab")
    assert screen.window.evaluate("document.activeElement.closest('#page')") is None


def test_hits_are_highlighted_and_stay_selected(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press("/")
    screen.window.keyboard.type("BOATS LEAVE")
    state = "[data-find-state]"
    assert screen.window.inner_text(state) == "1 of 2"
    assert screen.window.evaluate(PAINTED, "goldpan-hit") == ["boats leave"] * 2
    screen.press("Enter")
    assert screen.window.inner_text(state) == "2 of 2"
    screen.press("Shift+Enter", "Shift+Enter")
    assert screen.window.inner_text(state) == "2 of 2"
    screen.press("Escape", "2")
    assert screen.marks == [["body", "boats leave"]]
    assert screen.window.is_hidden("[data-find]")
    assert screen.window.evaluate(PAINTED, "goldpan-hit") == []


def test_hidden_words_are_found_shown_and_said_to_be_hidden(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press("v", "/")
    screen.window.wait_for_selector("[data-hidden]:not([hidden])")
    screen.window.keyboard.type("cafe")
    assert screen.window.inner_text("[data-find-state]") == "1 of 2"
    assert screen.mode == "page"
    screen.press("Enter")
    assert screen.window.inner_text("[data-find-state]") == "2 of 2 · hidden"
    assert screen.mode == "reading"
    assert screen.window.evaluate(PAINTED, "goldpan-hit") == ["Café", "Café"]
    assert screen.window.evaluate(PAINTED, "goldpan-hidden") == ["Café, behind a curtain."]
    screen.press("Escape", "]", "5")
    assert screen.marks == [["related", "Café, behind a curtain."]]


def test_words_that_are_not_there_leave_the_selection_alone(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press("j", "j", "/")
    screen.window.keyboard.type("zeppelin")
    assert screen.window.inner_text("[data-find-state]") == "No results"
    screen.press("Escape", "1")
    assert screen.marks == [["headline", "Ferry line returns"]]


def test_hidden_blocks_are_known_before_page_view_was_seen(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.window.wait_for_selector("[data-hidden]:not([hidden])")
    assert screen.window.inner_text("[data-hidden-count]") == "1 hidden"
    screen.press("h", "4")
    assert screen.marks == [["comments", "Café, behind a curtain."]]


def test_block_like_no_other_says_so_and_keeps_its_mark(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.choose(TITLE)
    screen.press("1", "i")
    assert screen.marks == [["headline", "Ferry line returns"]]
    assert screen.window.inner_text("[data-message]") == "No other block of this page is similar"


def test_mouse_outlines_what_a_click_would_take(open_screen: Any, window: Page) -> None:
    # The shadow root is closed: the test has it opened.
    window.add_init_script(
        "const attach = Element.prototype.attachShadow;"
        "Element.prototype.attachShadow = function () { return attach.call(this, { mode: 'open' }); };"
    )
    screen = open_screen(RICH)

    def wait_for_outline(first: int, last: int) -> None:
        window.wait_for_function(
            """([first, last]) => {
              const { view } = goldpan;
              const box = view.range(view.blocks[first][0], view.blocks[last][1]).getBoundingClientRect();
              const { hidden, style } = view.document.querySelector("goldpan-hover").shadowRoot.firstChild;
              const isNear = (size, pixels) => Math.abs(parseFloat(size) - pixels) <= 1;
              return !hidden && isNear(style.top, box.top + view.window.scrollY - 3)
                && isNear(style.height, box.height + 6);
            }""",
            arg=[first, last],
        )

    window.mouse.move(*screen.point(ONE))
    wait_for_outline(ONE, ONE)
    window.mouse.click(*screen.point(ONE))
    window.keyboard.down("Shift")
    window.mouse.move(*screen.point(THREE))
    wait_for_outline(ONE, THREE)
    window.keyboard.up("Shift")


def test_coach_marks_go_as_they_are_done_and_never_come_back(open_screen: Any, window: Page) -> None:
    first = {"progress": {"today": 0, "done": 0, "left": 2}}
    screen = open_screen(RICH, **first)
    coach = window.locator("[data-coach]")
    expect(coach).to_be_visible()
    window.mouse.click(*screen.point(ONE))
    expect(window.locator("[data-coach-step=click][data-done]")).to_be_visible()
    window.keyboard.down("Shift")
    window.mouse.click(*screen.point(TWO))
    window.keyboard.up("Shift")
    screen.drag(THREE, 0, 0.5)
    expect(coach).to_be_hidden()
    open_screen(RICH, **first)
    expect(coach).to_be_hidden()


def test_coach_does_not_come_after_a_first_page(open_screen: Any, window: Page) -> None:
    open_screen(RICH)
    expect(window.locator("[data-coach]")).to_be_hidden()


def test_telephone_has_its_labels_under_the_thumb(open_screen: Any, window: Page) -> None:
    window.set_viewport_size({"width": 390, "height": 780})
    screen = open_screen(RICH)
    chips, stage = (window.locator(name).bounding_box() for name in (".chips", ".stage"))
    assert chips["y"] + chips["height"] == pytest.approx(780, abs=1)
    assert stage["height"] > 380
    assert window.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")
    window.mouse.click(*screen.point(ONE))
    window.click("[data-label=headline]")
    assert [label for label, _text in screen.marks] == ["body"]


@pytest.mark.parametrize("window_options", [{"has_touch": True, "is_mobile": True}])
def test_a_held_word_takes_the_label_that_is_tapped_then(open_screen: Any, window: Page) -> None:
    """Chromium on Linux selects nothing for a finger that holds a word, so a script does."""
    screen = open_screen(RICH, progress={"today": 0, "done": 0, "left": 2})
    window.touchscreen.tap(*screen.point(ONE))
    expect(window.locator("[data-coach-step=click][data-done]")).to_be_visible()
    window.locator("[data-undo]").tap()
    assert screen.marks == []
    window.evaluate(
        """([block]) => {
          const { view } = goldpan;
          const [start] = view.blocks[block];
          const selection = view.document.getSelection();
          selection.removeAllRanges();
          selection.addRange(view.range(start + 4, start + 9));
        }""",
        [ONE],
    )
    expect(window.locator("[data-coach]")).to_be_hidden()
    assert screen.marks == []
    window.locator("[data-label=supplemental]").tap()
    assert screen.marks == [["supplemental", "first"]]
    window.locator("[data-none]").tap()
    assert screen.marks == []


def test_words_are_chosen_wherever_in_a_letter_a_drag_begins(open_screen: Any) -> None:
    """From between two pixels of a letter's middle Chromium selects nothing."""
    screen = open_screen()
    left, _ = screen.point(FIRST)
    near, _ = screen.point(FIRST, 0.1)
    right, _ = screen.point(FIRST, 1)
    for quarter in range(60):
        x = round(near) + quarter / 4
        screen.drag(FIRST, (x - left) / (right - left), 0.9)
        ((_label, words),) = screen.marks
        assert words in "The first boats leave in December."[1:-1], x
        screen.press("Control+z")
    screen.drag(FIRST, 0.9, 0.1)
    ((_label, words),) = screen.marks
    assert words in "The first boats leave in December."[1:-1]


def test_a_still_mouse_chooses_a_block_though_the_page_moves_below_it(open_screen: Any, window: Page) -> None:
    window.set_viewport_size({"width": 1000, "height": 330})
    screen = open_screen()
    session = window.context.new_cdp_session(window)
    x, y = screen.point(FIRST, 0.1)
    for kind in ("mousePressed", "mouseReleased"):
        session.send(
            "Input.dispatchMouseEvent",
            {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1},
        )
        moved = window.evaluate(
            "goldpan.view.window.scrollBy({top: 40, behavior: 'instant'}), goldpan.view.window.scrollY"
        )
        assert moved
    ((_label, words),) = screen.marks
    assert words in ("The first boats leave in December.", "The second boats leave in spring.")
