"""Nothing is told by colour alone: what must be told apart differs by a pattern, a shape or how dark it is.

Asked of the browser with our style sheets; `tests.screens` has the pictures of what they are used for.
"""

from itertools import combinations
from typing import Literal

import pytest
from playwright.sync_api import Page

from tests.annotator.administration.test_colours import contrast

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("shared_window")]

SHEETS = ("tokens", "base", "figures", "workbench")
# What greys have to differ by: less than this is one grey to most eyes.
LEAST_CONTRAST = 1.3

DRESS = """(names) => Promise.all(names.map((name) => new Promise((done) => {
  const sheet = document.createElement("link");
  Object.assign(sheet, {rel: "stylesheet", href: `/static/css/${name}.css`, onload: done});
  document.head.append(sheet);
})))"""
# What the browser computes for an element; a shape lies in an SVG.
LOOK = """([around, tag, attributes, pseudo, properties]) => {
  const space = around === null ? "http://www.w3.org/1999/xhtml" : "http://www.w3.org/2000/svg";
  const made = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  const outer = document.createElementNS(space, around === null ? "div" : "svg");
  outer.setAttribute("class", around ?? "");
  outer.append(made);
  document.body.append(outer);
  const computed = getComputedStyle(made, pseudo);
  return properties.map((each) => computed.getPropertyValue(each));
}"""
PAINTED = """async (isReading) => {
  const { paint } = await import("/static/js/dom/sheets.js");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(paint("light", isReading));
  const rules = [...sheet.cssRules].filter((rule) => rule.selectorText);
  return Object.fromEntries(rules.map(({selectorText, style}) => {
    const name = selectorText.slice("::highlight(goldpan-".length, -1);
    return [name, [style.textDecorationLine, style.textDecorationStyle]];
  }));
}"""
LABELS = "123456789"
KINDS = ("found", "missed", "wrong")
LINE = ("text-decoration-line", "text-decoration-style")
FILL = ("mask-image", "stroke-dasharray", "fill")


@pytest.fixture
def dressed(window: Page, address: str) -> Page:
    """An empty page with our style sheets."""
    window.goto(f"{address}/screen")
    window.evaluate(DRESS, list(SHEETS))
    return window


def look(page: Page, tag: str, name: str, *properties: str, pseudo: str = "") -> tuple[str, ...]:
    """The look of an element of our screens by its class, or by the digit of its label."""
    attributes = {"class": "label", "data-n": name} if name.isdigit() else {"class": name}
    return tuple(page.evaluate(LOOK, [None, tag, attributes, pseudo, list(properties)]))


def look_of_shape(page: Page, drawing: str, tag: str, name: str, *properties: str) -> tuple[str, ...]:
    """The look of a shape in a drawing, both by their classes."""
    return tuple(page.evaluate(LOOK, [drawing, tag, {"class": name}, "", list(properties)]))


def grey(colour: str) -> str:
    """rgb(r, g, b), as computed, in the way that `contrast` reads it."""
    channels = colour.removeprefix("rgb(").removesuffix(")").split(",")
    return "#" + "".join(f"{int(channel):02x}" for channel in channels)


def alike(looks: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """The pairs that look the same."""
    return [(one, other) for one, other in combinations(looks, 2) if looks[one] == looks[other]]


def alike_in_grey(looks: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """The pairs with the same pattern and hardly another grey; the fill is last in each look."""
    return [
        (one, other)
        for one, other in combinations(looks, 2)
        if looks[one][:-1] == looks[other][:-1]
        and contrast(grey(looks[one][-1]), grey(looks[other][-1])) < LEAST_CONTRAST
    ]


def test_labels_and_marks_differ_by_their_lines(dressed: Page) -> None:
    assert not alike({n: look(dressed, "span", n, *LINE) for n in LABELS})
    assert not alike({kind: look(dressed, "mark", kind, *LINE) for kind in KINDS})


@pytest.mark.parametrize("is_reading", [True, False])
def test_marks_on_the_page_differ_by_their_lines(window: Page, address: str, is_reading: bool) -> None:
    window.goto(f"{address}/screen")
    painted = window.evaluate(PAINTED, is_reading)
    for names in (LABELS, [f"ghost-{n}" for n in LABELS], [f"agreed-{n}" for n in LABELS], KINDS):
        assert not alike({name: tuple(painted[name]) for name in names})


@pytest.mark.parametrize(
    "names", [("line l1", "line l2", "line l3", "line l4", "line l5", "ceiling"), ("release", "version")]
)
def test_lines_of_charts_differ_by_their_dashes(dressed: Page, names: tuple[str, ...]) -> None:
    dashes = {name: look_of_shape(dressed, "trend", "path", name, "stroke-dasharray") for name in names}
    assert not alike(dashes)


def test_the_two_of_a_comparison_differ_by_their_shapes(dressed: Page) -> None:
    keys = {name: look(dressed, "span", f"key-{name}", "border-radius", pseudo="::before") for name in "ab"}
    dots = {name: look_of_shape(dressed, "scatter", "path", name, "stroke-linecap") for name in "ab"}
    assert not alike(keys)
    assert not alike(dots)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("bar", "parts"),
    [
        ("states", ("s-gold", "s-due", "s-half", "s-wait", "s-new", "s-bad")),
        ("states", ("s-a", "s-new", "s-b")),
        ("shares", KINDS),
    ],
)
def test_parts_of_bars_differ_by_their_patterns_or_greys(
    dressed: Page, scheme: Literal["light", "dark"], bar: str, parts: tuple[str, ...]
) -> None:
    dressed.emulate_media(color_scheme=scheme)
    assert not alike_in_grey({part: look_of_shape(dressed, bar, "rect", part, *FILL) for part in parts})
