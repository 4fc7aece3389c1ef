"""Why a block was suggested: a line under the page, by mouse and by key, which can be hidden."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from extraction.documents.view.build import build_view
from extraction.parsing.parse import parse
from tests.js.screen import FIRST, HEADLINE, LABELS, MORE, NEWS, SECOND, SOURCE, Screen

pytestmark = pytest.mark.browser

LINE, WORDS, SWITCH = "[data-explanation]", "[data-explanation-text]", "[data-explanation-switch]"
BODY, HEAD = "Body, 97 %: 6 words, 0 % of it in links", "Headline: stands as the headline"
OTHERWISE = "No label, below 5 % body"
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
AXE = "(levels) => axe.run({exclude: [['#frame']]}, {runOnly: levels, iframes: false})"

Open = Callable[..., Screen]


@pytest.fixture
def blocks() -> list[list[int]]:
    return [list(block) for block in build_view(parse(SOURCE.encode()))["blocks"]]


@pytest.fixture
def suggestion(blocks: list[list[int]]) -> dict[str, Any]:
    """Headline and first paragraph, with their reasons."""
    return {
        "spans": [[*blocks[HEADLINE], "headline"], [*blocks[FIRST], "body"]],
        "reasons": [[blocks[HEADLINE][0], HEAD], [blocks[FIRST][0], BODY]],
    }


def hover(screen: Screen, block: int) -> None:
    screen.window.mouse.move(*screen.point(block, 0.4))


def test_a_hovered_block_is_explained(open_screen: Open, suggestion: dict[str, Any]) -> None:
    screen = open_screen(suggestion=suggestion)
    words = screen.window.locator(WORDS)
    expect(words).to_have_text("")
    hover(screen, FIRST)
    expect(words).to_have_text(BODY)
    hover(screen, SECOND)
    expect(words).to_have_text("")
    hover(screen, HEADLINE)
    expect(words).to_have_text(HEAD)
    screen.window.mouse.move(*middle(screen.window, "footer"))
    expect(words).to_have_text("")


def middle(window: Page, selector: str) -> tuple[float, float]:
    box = window.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_block_selected_by_key_is_explained(open_screen: Open, suggestion: dict[str, Any]) -> None:
    screen = open_screen(suggestion=suggestion)
    words = screen.window.get_by_role("region", name="Why suggested").get_by_role("status")
    screen.choose(FIRST)
    expect(words).to_have_text(BODY)
    screen.press("k")
    expect(words).to_have_text(HEAD)
    screen.press("j", "j")
    expect(words).to_have_text("")


def test_the_last_of_key_and_pointer_decides(open_screen: Open, suggestion: dict[str, Any]) -> None:
    screen = open_screen(suggestion=suggestion)
    words = screen.window.locator(WORDS)
    hover(screen, HEADLINE)
    expect(words).to_have_text(HEAD)
    screen.choose(FIRST)
    expect(words).to_have_text(BODY)
    hover(screen, HEADLINE)
    screen.window.mouse.move(*screen.point(HEADLINE, 0.6))
    expect(words).to_have_text(HEAD)
    hover(screen, MORE)
    expect(words).to_have_text(BODY)


@pytest.mark.parametrize(
    ("later", "words"),
    [("frame.dispatchEvent(new PointerEvent('pointerleave'))", ""), ("press('j'), press('j')", HEAD)],
)
def test_a_pointer_that_moved_before_what_came_later_does_not_count(
    open_screen: Open, suggestion: dict[str, Any], later: str, words: str
) -> None:
    """Both come within one frame, which a busy machine may be long in drawing."""
    screen = open_screen(suggestion=suggestion)
    screen.window.evaluate(
        f"""() => {{
          const {{ frame, document: page }} = goldpan.view;
          const {{ left, top }} = goldpan.view.blockRange({FIRST}).getClientRects()[0];
          const press = (key) =>
            document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
          page.dispatchEvent(new PointerEvent("pointermove", {{ clientX: left + 5, clientY: top + 5 }}));
          {later};
        }}"""
    )
    screen.window.evaluate(FRAMES)
    assert screen.window.inner_text(WORDS) == words


def test_the_explanation_stays_after_the_suggestion_was_accepted(
    open_screen: Open, suggestion: dict[str, Any]
) -> None:
    screen = open_screen(suggestion=suggestion)
    screen.press("a")
    screen.choose(FIRST)
    expect(screen.window.locator(WORDS)).to_have_text(BODY)


def test_the_line_is_visible_while_it_has_text_and_moves_nothing(
    open_screen: Open, suggestion: dict[str, Any]
) -> None:
    screen = open_screen(suggestion=suggestion)
    before = screen.window.locator("#frame").bounding_box()
    expect(screen.window.locator(LINE)).to_have_css("opacity", "0")
    hover(screen, FIRST)
    expect(screen.window.locator(LINE)).to_have_css("opacity", "1")
    assert screen.window.locator("#frame").bounding_box() == before
    hover(screen, SECOND)
    expect(screen.window.locator(LINE)).to_have_css("opacity", "0")


LONG = "".join(f"<p>Line {n} of the page</p>" for n in range(80))
BESIDE = """(x) => {
  const { left, right } = document.querySelector("[data-explanation]").getBoundingClientRect();
  return x < left || right < x;
}"""


def test_the_line_leaves_the_pointer_free_and_lets_clicks_through(open_screen: Open) -> None:
    blocks = [list(block) for block in build_view(parse(LONG.encode()))["blocks"]]
    reasons = [[start, BODY] for start, _end in blocks]
    screen = open_screen(LONG, suggestion={"spans": [], "reasons": reasons})
    line, frame = screen.window.locator(LINE), screen.window.locator("#frame").bounding_box()
    assert frame
    bottom = frame["y"] + frame["height"]
    for x in (0.1, 0.9):
        screen.window.mouse.move(frame["x"] + frame["width"] * x, frame["y"] + 60)
        screen.window.mouse.move(frame["x"] + frame["width"] * x, bottom - 12)
        screen.window.wait_for_function(BESIDE, arg=frame["x"] + frame["width"] * x)
    box = line.bounding_box()
    assert box
    under = "([x, y]) => document.elementFromPoint(x, y).id"
    assert screen.window.evaluate(under, [box["x"] + 5, box["y"] + 5]) == "frame"


def test_the_line_is_hidden_by_key_and_button_and_stays_hidden(
    open_screen: Open, suggestion: dict[str, Any]
) -> None:
    screen = open_screen(suggestion=suggestion)
    line, switch = screen.window.locator(LINE), screen.window.locator(SWITCH)
    expect(switch).to_have_attribute("aria-pressed", "true")
    screen.press("w")
    expect(line).to_be_hidden()
    expect(switch).to_have_attribute("aria-pressed", "false")
    screen.window.reload()
    screen.window.wait_for_selector("html[data-ready='1']", state="attached")
    expect(line).to_be_hidden()
    switch.click()
    expect(line).to_be_visible()


@pytest.mark.parametrize("shown", [None, {"spans": [], "reasons": []}])
def test_without_reasons_there_is_no_line(open_screen: Open, shown: dict[str, Any] | None) -> None:
    screen = open_screen(suggestion=shown)
    screen.press("w")
    hover(screen, FIRST)
    screen.choose(FIRST)
    assert screen.window.locator(f"{LINE}, {SWITCH}").count() == 0


def test_a_submitted_page_has_no_line(open_screen: Open, suggestion: dict[str, Any]) -> None:
    screen = open_screen(suggestion=suggestion, submitted=True)
    screen.choose(FIRST)
    assert screen.window.locator(LINE).count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_against_the_line(open_screen: Open, suggestion: dict[str, Any], scheme: Any) -> None:
    screen = open_screen(suggestion=suggestion)
    screen.window.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    screen.choose(FIRST)
    screen.window.evaluate(f"{AXE_SCRIPT};0")
    for width in (1440, 800, 360):
        screen.window.set_viewport_size({"width": width, "height": 900})
        assert screen.window.evaluate(AXE, LEVELS)["violations"] == [], width


# ---- the error view ----


def missed(span: list[Any]) -> dict[str, Any]:
    start, end, _label = span
    size = {"start": start, "end": end, "size": end - start}
    return {"kind": "missed", "cause": "Running text", "by": "a", **size}


def error_view_payload(
    view: dict[str, Any], gold: list[Any], found: list[Any], reasons: list[Any]
) -> dict[str, Any]:
    return {
        "urls": {"view": "/views/ferry", "frame": "/frame/", "frame_quirks": "/frame/quirks/",
                 "home": "/home", "back": "/back", "causes": "/causes", "next": None, "previous": None},
        "document": {key: view[key] for key in ("sha256", "length", "quirks")},
        "labels": [{"name": name, "number": n} for n, name in enumerate(LABELS, 1)],
        "gold": gold,
        "extraction": found,
        "errors": [missed(span) for span in gold if span not in found],
        "second": None,
        "reasons": reasons,
        "no_reason": OTHERWISE if reasons else "",
        "label_set": "main",
        "set_labels": ["body", "headline"],
        "scores": {"precision": 0.5, "recall": 0.5, "f1": 0.5},
        "failed": "",
        "others": [],
        "page": {"title": "Ferry", "site": "gazette.example", "url": "", "language": "en"},
    }  # fmt: skip


@pytest.fixture
def error_view(
    open_screen: Open, window: Page, address: str, blocks: list[list[int]], suggestion: dict[str, Any]
) -> Callable[..., Screen]:
    """error_view(reasons) -> the error view of a page whose second paragraph is missed."""
    open_screen()

    def opened(reasons: list[Any] | None = None) -> Screen:
        view = build_view(parse(SOURCE.encode()))
        gold = [*suggestion["spans"], [*blocks[SECOND], "body"]]
        given = suggestion["reasons"] if reasons is None else reasons
        context = {"payload": error_view_payload(view, gold, suggestion["spans"], given)}
        html = render_to_string("leaderboard/error_view.html", context)
        window.route("**/error-view", lambda route: route.fulfill(body=html, content_type="text/html"))
        window.goto(f"{address}/error-view")
        window.wait_for_selector("html[data-ready='1']", state="attached")
        return Screen(window)

    return opened


def test_the_error_view_explains_the_hovered_block(error_view: Callable[..., Screen]) -> None:
    screen = error_view()
    words = screen.window.locator(WORDS)
    hover(screen, FIRST)
    expect(words).to_have_text(BODY)
    hover(screen, NEWS)
    expect(words).to_have_text(OTHERWISE)


def test_the_error_view_explains_the_error_and_the_selected_block(error_view: Callable[..., Screen]) -> None:
    screen = error_view()
    words = screen.window.get_by_role("region", name="Explanation").get_by_role("status")
    screen.press("n")
    expect(words).to_have_text(OTHERWISE)
    screen.press("K")
    expect(words).to_have_text(BODY)
    screen.press("K")
    expect(words).to_have_text(HEAD)
    screen.press("Escape")
    expect(words).to_have_text("")


def test_the_error_view_keeps_its_selection_when_the_view_changes(error_view: Callable[..., Screen]) -> None:
    screen = error_view()
    screen.press("n", "K", "v")
    expect(screen.window.locator(WORDS)).to_have_text(BODY)


def test_the_error_view_of_an_extractor_without_reasons_has_no_line(
    error_view: Callable[..., Screen],
) -> None:
    screen = error_view([])
    screen.press("n", "K", "i")
    assert screen.window.locator(f"{LINE}, {SWITCH}").count() == 0
    assert screen.window.inner_text("[data-position]") == "1 of 1"


def test_axe_has_nothing_against_the_error_view(error_view: Callable[..., Screen]) -> None:
    screen = error_view()
    # Half way between two colours, words may have too little contrast.
    screen.window.emulate_media(reduced_motion="reduce")
    screen.press("n", "K")
    screen.window.evaluate(f"{AXE_SCRIPT};0")
    assert screen.window.evaluate(AXE, LEVELS)["violations"] == []
