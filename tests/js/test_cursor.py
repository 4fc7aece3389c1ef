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
ROW = "<table><tr><td>Home<td>News<td>Sports<td>Weather</table>"


@pytest.mark.parametrize("gap", ["margin-top: 80px", "margin: 0 0 80px", "margin: 80px 0"])
def test_the_tag_of_a_block_hides_no_words_where_there_is_room(
    open_bench: Any, window: Page, gap: str
) -> None:
    window.add_init_script(f"({OPENED})()")
    bench = open_bench(f"<h1>Ferry</h1><div style='{gap}'>{ROW}</div><p>The ferry is back, they said.</p>")
    bench.window.evaluate("goldpan.stage.switchTo('page')")
    for _block in range(6):
        bench.window.keyboard.press("j")
        bench.window.keyboard.press("2")
        bench.window.wait_for_timeout(100)
        assert bench.window.evaluate(HIDDEN_WORDS) == ["Body", []]
