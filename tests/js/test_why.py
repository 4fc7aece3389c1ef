"""Why a block was suggested: a line under the page, by mouse and by key, which can be put away."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from extraction.parse import parse
from extraction.view import build_view
from tests.js.bench import FIRST, HEADLINE, LABELS, MORE, NEWS, SECOND, SOURCE, Bench

pytestmark = pytest.mark.browser

LINE, WORDS, SWITCH = "[data-why]", "[data-why-words]", "[data-why-switch]"
BODY, HEAD = "Body, 97 %: 6 words, 0 % of it in links", "Headline: stands as the headline"
OTHERWISE = "No label, below 5 % body"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
AXE = "(levels) => axe.run({exclude: [['#frame']]}, {runOnly: levels, iframes: false})"

Open = Callable[..., Bench]


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


def hover(bench: Bench, block: int) -> None:
    bench.window.mouse.move(*bench.point(block, 0.4))


def test_a_suggested_block_that_is_pointed_at_says_why(open_bench: Open, suggestion: dict[str, Any]) -> None:
    bench = open_bench(suggestion=suggestion)
    words = bench.window.locator(WORDS)
    expect(words).to_have_text("")
    hover(bench, FIRST)
    expect(words).to_have_text(BODY)
    hover(bench, SECOND)
    expect(words).to_have_text("")
    hover(bench, HEADLINE)
    expect(words).to_have_text(HEAD)
    bench.window.mouse.move(*middle(bench.window, "footer"))
    expect(words).to_have_text("")


def middle(window: Page, selector: str) -> tuple[float, float]:
    box = window.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_suggested_block_that_is_gone_to_by_key_says_why(
    open_bench: Open, suggestion: dict[str, Any]
) -> None:
    bench = open_bench(suggestion=suggestion)
    words = bench.window.get_by_role("region", name="Why suggested").get_by_role("status")
    bench.choose(FIRST)
    expect(words).to_have_text(BODY)
    bench.press("k")
    expect(words).to_have_text(HEAD)
    bench.press("j", "j")
    expect(words).to_have_text("")


def test_the_key_has_the_last_word_and_the_pointer_the_next(
    open_bench: Open, suggestion: dict[str, Any]
) -> None:
    bench = open_bench(suggestion=suggestion)
    words = bench.window.locator(WORDS)
    hover(bench, HEADLINE)
    expect(words).to_have_text(HEAD)
    bench.choose(FIRST)
    expect(words).to_have_text(BODY)
    hover(bench, HEADLINE)
    bench.window.mouse.move(*bench.point(HEADLINE, 0.6))
    expect(words).to_have_text(HEAD)
    hover(bench, MORE)
    expect(words).to_have_text(BODY)


def test_the_line_says_why_after_the_suggestion_was_accepted(
    open_bench: Open, suggestion: dict[str, Any]
) -> None:
    bench = open_bench(suggestion=suggestion)
    bench.press("a")
    bench.choose(FIRST)
    expect(bench.window.locator(WORDS)).to_have_text(BODY)


def test_the_line_is_seen_while_it_says_something_and_moves_nothing(
    open_bench: Open, suggestion: dict[str, Any]
) -> None:
    bench = open_bench(suggestion=suggestion)
    before = bench.window.locator("#frame").bounding_box()
    expect(bench.window.locator(LINE)).to_have_css("opacity", "0")
    hover(bench, FIRST)
    expect(bench.window.locator(LINE)).to_have_css("opacity", "1")
    assert bench.window.locator("#frame").bounding_box() == before
    hover(bench, SECOND)
    expect(bench.window.locator(LINE)).to_have_css("opacity", "0")


LONG = "".join(f"<p>Line {n} of the page</p>" for n in range(80))


def test_the_line_leaves_what_is_pointed_at_free_and_lets_clicks_through(open_bench: Open) -> None:
    blocks = [list(block) for block in build_view(parse(LONG.encode()))["blocks"]]
    reasons = [[start, BODY] for start, _end in blocks]
    bench = open_bench(LONG, suggestion={"spans": [], "reasons": reasons})
    line, frame = bench.window.locator(LINE), bench.window.locator("#frame").bounding_box()
    assert frame
    bottom = frame["y"] + frame["height"]
    for x in (0.1, 0.9):
        bench.window.mouse.move(frame["x"] + frame["width"] * x, frame["y"] + 60)
        bench.window.mouse.move(frame["x"] + frame["width"] * x, bottom - 12)
        bench.window.wait_for_timeout(100)
        box = line.bounding_box()
        assert box
        assert not box["x"] <= frame["x"] + frame["width"] * x <= box["x"] + box["width"]
    under = "([x, y]) => document.elementFromPoint(x, y).id"
    assert bench.window.evaluate(under, [box["x"] + 5, box["y"] + 5]) == "frame"


def test_the_line_is_put_away_by_key_and_button_and_stays_away(
    open_bench: Open, suggestion: dict[str, Any]
) -> None:
    bench = open_bench(suggestion=suggestion)
    line, switch = bench.window.locator(LINE), bench.window.locator(SWITCH)
    expect(switch).to_have_attribute("aria-pressed", "true")
    bench.press("w")
    expect(line).to_be_hidden()
    expect(switch).to_have_attribute("aria-pressed", "false")
    bench.window.reload()
    bench.window.wait_for_selector("html[data-ready='1']", state="attached")
    expect(line).to_be_hidden()
    switch.click()
    expect(line).to_be_visible()


@pytest.mark.parametrize("shown", [None, {"spans": [], "reasons": []}])
def test_without_reasons_there_is_no_line(open_bench: Open, shown: dict[str, Any] | None) -> None:
    bench = open_bench(suggestion=shown)
    bench.press("w")
    hover(bench, FIRST)
    bench.choose(FIRST)
    assert bench.window.locator(f"{LINE}, {SWITCH}").count() == 0


def test_a_page_that_was_handed_in_says_nothing(open_bench: Open, suggestion: dict[str, Any]) -> None:
    bench = open_bench(suggestion=suggestion, submitted=True)
    bench.choose(FIRST)
    assert bench.window.locator(LINE).count() == 0


@pytest.mark.parametrize("width", [1440, 800, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_against_the_line(
    open_bench: Open, suggestion: dict[str, Any], width: int, scheme: Any
) -> None:
    bench = open_bench(suggestion=suggestion)
    bench.window.set_viewport_size({"width": width, "height": 900})
    bench.window.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    bench.choose(FIRST)
    bench.window.evaluate(f"{AXE_SCRIPT};0")
    assert bench.window.evaluate(AXE, LEVELS)["violations"] == []


# ---- the glass ----


def glass_of(view: dict[str, Any], gold: list[Any], found: list[Any], reasons: list[Any]) -> dict[str, Any]:
    return {
        "urls": {"view": "/views/ferry", "frame": "/frame/", "frame_quirks": "/frame/quirks/",
                 "home": "/home", "back": "/back", "next": None},
        "document": {key: view[key] for key in ("sha256", "length", "prefer", "quirks")},
        "labels": [{"name": name, "number": n} for n, name in enumerate(LABELS, 1)],
        "gold": gold,
        "extraction": found,
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
def glass(
    open_bench: Open, window: Page, address: str, blocks: list[list[int]], suggestion: dict[str, Any]
) -> Callable[..., Bench]:
    """glass(reasons) -> the glass over a page of which the second paragraph is missed."""
    open_bench()

    def opened(reasons: list[Any] | None = None) -> Bench:
        view = build_view(parse(SOURCE.encode()))
        gold = [*suggestion["spans"], [*blocks[SECOND], "body"]]
        given = suggestion["reasons"] if reasons is None else reasons
        context = {"bench": glass_of(view, gold, suggestion["spans"], given)}
        html = render_to_string("leaderboard/glass.html", context)
        window.route("**/glass-screen", lambda route: route.fulfill(body=html, content_type="text/html"))
        window.goto(f"{address}/glass-screen")
        window.wait_for_selector("html[data-ready='1']", state="attached")
        return Bench(window)

    return opened


def test_the_glass_says_why_of_every_block_pointed_at(glass: Callable[..., Bench]) -> None:
    bench = glass()
    words = bench.window.locator(WORDS)
    hover(bench, FIRST)
    expect(words).to_have_text(BODY)
    hover(bench, NEWS)
    expect(words).to_have_text(OTHERWISE)


def test_the_glass_says_why_of_the_error_and_of_each_block_gone_to(glass: Callable[..., Bench]) -> None:
    bench = glass()
    words = bench.window.get_by_role("region", name="What the extractor saw").get_by_role("status")
    bench.press("n")
    expect(words).to_have_text(OTHERWISE)
    bench.press("K")
    expect(words).to_have_text(BODY)
    bench.press("K")
    expect(words).to_have_text(HEAD)
    bench.press("Escape")
    expect(words).to_have_text("")


def test_the_outline_of_the_glass_stays_when_the_view_changes(glass: Callable[..., Bench]) -> None:
    bench = glass()
    bench.press("n", "K", "v")
    expect(bench.window.locator(WORDS)).to_have_text(BODY)


def test_the_glass_of_an_extractor_without_reasons_is_as_it_was(glass: Callable[..., Bench]) -> None:
    bench = glass([])
    bench.press("n", "K", "i")
    assert bench.window.locator(f"{LINE}, {SWITCH}").count() == 0
    assert bench.window.inner_text("[data-place]") == "1 of 1"


def test_axe_has_nothing_against_the_glass(glass: Callable[..., Bench]) -> None:
    bench = glass()
    bench.press("n", "K")
    bench.window.evaluate(f"{AXE_SCRIPT};0")
    assert bench.window.evaluate(AXE, LEVELS)["violations"] == []
