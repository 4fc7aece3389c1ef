"""The tag beside the chosen block, which says its label: it hides no words where there is room."""

from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

# The cursor's shadow root is closed to the page; a test may look.
OPENED = """() => {
  const before = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (how) { return before.call(this, { ...how, mode: "open" }); };
}"""
HIDDEN_WORDS = """() => {
  const { document } = goldpan.view;
  const host = [...document.documentElement.children].find((each) => each.shadowRoot?.querySelector("span"));
  const tag = host.shadowRoot.querySelector("span");
  const { left, right, top, bottom } = tag.getBoundingClientRect();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const hidden = [];
  while (walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const meets = (box) => box.left < right && box.right > left
      && box.top < bottom - 1 && box.bottom > top + 1;
    if ([...range.getClientRects()].some(meets)) hidden.push(walker.currentNode.data.trim());
  }
  return [tag.textContent, hidden.filter(Boolean)];
}"""
CELLS = "<tr><td>Home<td>News<td>Sports<td>Weather"


@pytest.mark.parametrize(
    ("margin", "size"),  # words lie elsewhere with other fonts, so several sizes
    [("80px 0 0", 12), ("0 0 80px", 14), ("80px 0", 16)],
)
def test_the_tag_of_a_block_hides_no_words_where_there_is_room(
    open_screen: Any, window: Page, margin: str, size: int
) -> None:
    window.add_init_script(f"({OPENED})()")
    row = f"<table style='margin: {margin}; font-size: {size}px'>{CELLS}</table>"
    screen = open_screen(f"<h1>Ferry</h1>{row}<p>The ferry is back, they said.</p>")
    screen.window.evaluate("goldpan.stage.switchTo('page')")
    for _block in range(6):
        screen.window.keyboard.press("j")
        screen.window.keyboard.press("2")
        screen.window.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        assert screen.window.evaluate(HIDDEN_WORDS) == ["Body", []]
