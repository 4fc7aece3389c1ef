"""Page view with a page's own sheets: what stands in for a control takes the room that browsers give it."""

from typing import Any

import pytest
from playwright.sync_api import Page

from extraction.documents.view.build import build_view
from extraction.documents.view.captured_assets import CapturedAssets
from extraction.parsing.parse import parse

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("shared_window")]

# Each line ends in a mark, of which the place is compared: what stands before and above it must be as large.
LINES = """
<input> <input size=40> <input type=email size=9> <input type=checkbox> <input type=radio>
<input type=range> <input type=search> <input type=submit value="Subscribe now"> <input type=reset>
<input type=button value=Go> <input style="height: 60px"> <input class=wide> <input type=tel class=wide>
<input type=submit class=wide value=x>
<select><option>A<option>The longest of all options<option>B</select>
<select size=5><option>one<option>two</select> <select class=wide><option>x</select>
<textarea></textarea> <textarea cols=40 rows=5></textarea> <button>Go</button>
<button><svg width=24 height=24></svg></button> <button class=cut>Cut off</button> <button></button>
<button><i class=bar></i><i class=bar></i></button> <button style="height: 70px">Tall</button>
<button class=block>Block</button> <button class=flex><b>a</b><b>b</b></button>
<button type=submit>Sent</button> <div class=column><button class=block>Stretched</button></div>
<svg width=1em height=2em></svg> <svg class=icon width=1em height=1em></svg>
<div class=row><svg class=icon></svg></div> <form>f</form>
<details><summary>Closed</summary><p>hidden</p></details>
<details open><summary>Open</summary><p>shown</p></details> <p style="padding: 9px !important">p</p>
<p data-id=7>data</p> <p data-id=8>data</p> <u data-says=attr></u> <a href=x>link</a>
<img alt="Words that stand in for a picture"> <video></video> <iframe></iframe>
""".replace("> <", ">\n<").split("\n")
CSS = """
body { font: 16px/1.5 Arial, sans-serif; margin: 8px } p { padding: 1px !important }
.wide { width: 200px; padding: 6px; border: 1px solid; height: 34px } input[type=tel] { margin-top: 11px }
.glyph::before { content: "x" }
.cut { overflow: hidden } .bar { display: block; height: 4px; width: 20px } .block { display: block }
.flex { display: flex; flex-wrap: wrap; height: 60px } .icon { width: 24px; height: 24px; fill: red }
.column { display: flex; flex-direction: column } .row { display: flex; width: 10px }
[data-id="7"] { margin-left: 30px; height: 44px } [data-says]::before { content: attr(data-says) }
a[href] { margin: 0 19px } button[type=submit] { margin-left: 12px } details[open] { padding: 5px }
"""
PLACES = """(document) => [...document.querySelectorAll("[title=mark]")].map((mark) => {
  const {left, top} = mark.getBoundingClientRect();
  return [Math.round(left), Math.round(top)];
})"""
# Pixels. Widths of fields are those of the font's mean character, which no rule knows exactly: Liberation
# Sans says more than Arial, for which it stands in.
NEAR, WIDE, WIDE_SHARE = 3, 12, 0.17


@pytest.mark.parametrize("doctype", ["<!doctype html>", ""], ids=["standards", "quirks"])
def test_stand_ins_take_the_room_of_what_they_stand_for(
    window: Page, address: str, views: dict[str, dict[str, Any]], doctype: str
) -> None:
    lines = [line for line in LINES if line.strip()]
    marked = "\n".join(f"<div>{line}<span title=mark>m</span></div>" for line in lines)
    html = f"{doctype}<meta charset=utf-8><title>t</title><style>{CSS}</style>{marked}"
    theirs = _places_in_browser(window, html)
    document = parse(html.encode())
    views["controls"] = build_view(document, CapturedAssets("https://news.example/", {}, {}))
    facts = {"sha256": document.sha256, "quirks": document.quirks, "isDressed": True, "chosen": "page"}
    window.goto(f"{address}/stage")
    window.wait_for_selector("html[data-ready]", state="attached")
    window.evaluate("facts => testing.show('controls', facts)", facts)
    ours = window.evaluate(f"() => ({PLACES})(stage.view.document)")
    steps = [(b[0], b[1] - a[1]) for a, b in zip([[0, 0], *theirs], theirs, strict=False)]
    own = [(b[0], b[1] - a[1]) for a, b in zip([[0, 0], *ours], ours, strict=False)]
    wrong = {
        line: (expected, found)
        for line, expected, found in zip(lines, steps, own, strict=True)
        if abs(expected[0] - found[0]) > max(WIDE, WIDE_SHARE * expected[0])
        or abs(expected[1] - found[1]) > NEAR
    }
    assert wrong == {}


def _places_in_browser(window: Page, html: str) -> list[list[int]]:
    """Where the marks are in the page itself, in a frame of the same size."""
    window.goto("about:blank")
    window.set_viewport_size({"width": 1000, "height": 700})
    window.set_content(html)
    places: list[list[int]] = window.evaluate(f"() => ({PLACES})(document)")
    window.set_viewport_size({"width": 1200, "height": 800})
    return places
