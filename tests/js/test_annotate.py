"""The annotation screen with real keys and mouse, before a server that only remembers what it was sent."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Route, expect

from annotator.annotations.bench import Choice
from extraction.parse import parse
from extraction.view import build_view
from tests.browser.workbench import until

pytestmark = pytest.mark.browser

SOURCE = (
    "<!doctype html><title>Ferry</title><nav><p>News</p></nav><h1>Ferry line returns 😀</h1>"
    "<p>The first boats leave in December.</p><p>The second boats leave in spring.</p>"
    "<p hidden>Hidden words.</p><p>Read more</p>"
)
NEWS, HEADLINE, FIRST, SECOND, HIDDEN, MORE = range(6)
LABELS = ["headline", "body", "supplemental", "comments", "related"]
VERDICTS = [("article", "y"), ("not_article", "d"), ("several", "m"), ("cannot_tell", "c")]
ALT, SHIFT = 1, 8


def bench_of(view: dict[str, Any], **more: Any) -> dict[str, Any]:
    urls = {name: f"/api/{name}" for name in ("save", "heartbeat", "submit", "skip", "reserve")}
    frames = {"frame": "/frame/", "frame_quirks": "/frame/quirks/"}
    return {
        "urls": {**urls, **frames, "view": "/views/ferry", "home": "/home"},
        "document": {key: view[key] for key in ("sha256", "length", "prefer", "quirks")},
        "labels": tuple(Choice(name=name, title=name.title(), number=n) for n, name in enumerate(LABELS, 1)),
        "verdicts": tuple(Choice(name=name, title=name, key=key) for name, key in VERDICTS),
        "reasons": tuple(Choice(name=name, title=name) for name in ("error_page", "paywall")),
        "skip_reasons": (),
        "suggestion": None,
        "state": {"revision": 0, "spans": [], "verdict": "", "reason": "", "note": "", "saved_at": None,
                  "active_seconds": 0},
        "submitted": False,
        "page": {"title": "Ferry", "site": "gazette.example", "url": "", "language": "en"},
        "user_key": "ada",
        "progress": {"today": 1, "done": 1, "left": 2},
        "lease": {"left": 1800, "length": 1800},
        **more,
    }  # fmt: skip


class Bench:
    """The screen under test, with what an annotator does to it."""

    def __init__(self, window: Page) -> None:
        self.window = window
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.revision = 0

    def answer(self, route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1]
        if name != "reserve":  # comes by itself, in a quiet moment
            self.sent.append((name, json.loads(route.request.post_data or "{}")))
        if name == "save":
            self.revision += 1
            route.fulfill(json={"revision": self.revision, "saved_at": "2026-11-20T12:03:00Z"})
        else:
            route.fulfill(json={"next": "/next"})

    def press(self, *keys: str) -> None:
        for key in keys:
            self.window.keyboard.press(key)

    def choose(self, block: int) -> None:
        """Walk to a block by key."""
        self.press("Escape", *["j"] * (block + 1 - (block > HIDDEN and self.mode == "page")))

    @property
    def mode(self) -> str:
        return str(self.window.evaluate("goldpan.view.mode"))

    @property
    def marks(self) -> list[list[str]]:
        """Label and text of every mark."""
        return list(
            self.window.evaluate(
                "goldpan.editor.spans.map(([s, e, l]) => [l, goldpan.view.text.slice(s, e)])"
            )
        )

    def point(self, block: int, share: float = 0.0) -> tuple[float, float]:
        """A point on a block's first line, in the window."""
        x, y = self.window.evaluate(
            """([block, share]) => {
                const box = goldpan.view.blockRange(block).getClientRects()[0];
                const frame = goldpan.view.frame.getBoundingClientRect();
                const along = 2 + share * (box.width - 4);
                return [frame.left + box.left + along, frame.top + box.top + box.height / 2];
            }""",
            [block, share],
        )
        return x, y

    def drag(self, block: int, start: float, end: float, modifiers: int = 0) -> None:
        """By the protocol: Playwright's own mouse waits for scripts that the sandboxed frame never runs."""
        session = self.window.context.new_cdp_session(self.window)
        steps = [
            ("mousePressed", start),
            ("mouseMoved", (start + end) / 2),
            ("mouseMoved", end),
            ("mouseReleased", end),
        ]
        for kind, share in steps:
            x, y = self.point(block, share)
            session.send(
                "Input.dispatchMouseEvent",
                {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, "modifiers": modifiers,
                 "buttons": int(kind != "mouseReleased")},
            )  # fmt: skip


@pytest.fixture
def open_bench(window: Page, address: str, views: dict[str, dict[str, Any]], plain_addresses: None) -> Any:
    """open_bench(source, suggestion=..., state=...) -> the screen, ready."""

    def opened(source: str = SOURCE, **more: Any) -> Bench:
        views["ferry"] = build_view(parse(source.encode()))
        context = {"bench": bench_of(views["ferry"], **more), "slot": SimpleNamespace(pk=7)}
        html = render_to_string("annotations/annotate.html", context)
        made = Bench(window)
        window.route("**/annotate-screen", lambda route: route.fulfill(body=html, content_type="text/html"))
        window.route("**/api/*", made.answer)
        window.goto(f"{address}/annotate-screen")
        window.wait_for_selector("html[data-ready='1']", state="attached")
        return made

    return opened


def test_a_click_switches_a_block_on_and_off(open_bench: Any) -> None:
    bench = open_bench()
    bench.window.mouse.click(*bench.point(FIRST))
    assert bench.marks == [["body", "The first boats leave in December."]]
    bench.window.mouse.click(*bench.point(FIRST, 0.5))
    assert bench.marks == []


def test_a_click_far_from_text_means_nothing(open_bench: Any) -> None:
    bench = open_bench()
    x, y = bench.point(FIRST, 1)
    bench.window.mouse.click(x + 60, y)
    assert bench.marks == []


def test_shift_click_marks_up_to_there(open_bench: Any) -> None:
    bench = open_bench()
    bench.window.mouse.click(*bench.point(HEADLINE))
    bench.window.keyboard.down("Shift")
    bench.window.mouse.click(*bench.point(SECOND))
    bench.window.keyboard.up("Shift")
    assert [text for _, text in bench.marks] == [
        "Ferry line returns 😀", "The first boats leave in December.", "The second boats leave in spring.",
    ]  # fmt: skip


def test_dragging_marks_characters_and_alt_takes_them_away(open_bench: Any) -> None:
    bench = open_bench()
    bench.drag(FIRST, 0, 1)
    assert bench.marks == [["body", "The first boats leave in December."]]
    bench.drag(FIRST, 0, 0.5, ALT)
    ((label, rest),) = bench.marks
    assert label == "body"
    assert 5 < len(rest) < 30
    assert "The first boats leave in December.".endswith(rest)


def test_a_double_click_is_a_word_and_nothing_else(open_bench: Any) -> None:
    bench = open_bench()
    bench.window.mouse.dblclick(*bench.point(FIRST, 0.01))
    assert bench.marks == [["body", "The"]]
    bench.window.mouse.dblclick(*bench.point(FIRST, 0.01))
    assert bench.marks == []


def test_keys_walk_over_what_can_be_seen_and_mark(open_bench: Any) -> None:
    bench = open_bench()
    bench.choose(HEADLINE)
    bench.press("1", "j", "2", "j", "Space", "k", "0")
    assert bench.marks == [
        ["headline", "Ferry line returns 😀"],
        ["body", "The second boats leave in spring."],
    ]


def test_a_number_relabels_the_choice(open_bench: Any) -> None:
    bench = open_bench()
    bench.choose(FIRST)
    bench.press("2", "5")
    assert bench.marks == [["related", "The first boats leave in December."]]


def test_a_stretched_choice_is_marked_whole(open_bench: Any) -> None:
    bench = open_bench()
    bench.choose(HEADLINE)
    bench.press("J", "J", "3")
    assert [label for label, _ in bench.marks] == ["supplemental"] * 3


PAINTED = """(name) => [...goldpan.view.window.CSS.highlights.get(name)].map(String)"""


def test_marks_are_painted_and_the_page_is_left_alone(open_bench: Any) -> None:
    bench = open_bench()
    before = bench.window.evaluate("goldpan.view.body.outerHTML")
    bench.choose(HEADLINE)
    bench.press("1", "j", "2")
    assert bench.window.evaluate(PAINTED, "goldpan-1") == ["Ferry line returns 😀"]
    assert bench.window.evaluate(PAINTED, "goldpan-2") == ["The first boats leave in December."]
    bench.press("0")
    assert bench.window.evaluate(PAINTED, "goldpan-2") == []
    assert bench.window.evaluate("goldpan.view.body.outerHTML") == before


def test_undo_and_redo_by_key(open_bench: Any) -> None:
    bench = open_bench()
    bench.choose(FIRST)
    bench.press("2", "3", "Control+z")
    assert [label for label, _ in bench.marks] == ["body"]
    bench.press("Control+z")
    assert bench.marks == []
    bench.press("Control+Shift+z", "Control+Shift+z")
    assert [label for label, _ in bench.marks] == ["supplemental"]


def test_edges_move_by_character_and_word(open_bench: Any) -> None:
    bench = open_bench()
    bench.window.mouse.dblclick(*bench.point(FIRST, 0.01))
    bench.press("Control+ArrowRight")
    assert bench.marks == [["body", "The first"]]
    bench.press("ArrowLeft", "e", "ArrowRight")
    assert bench.marks == [["body", "he firs"]]


def test_views_change_under_the_same_marks(open_bench: Any) -> None:
    bench = open_bench()
    bench.choose(FIRST)
    bench.press("2")
    before = bench.marks
    bench.press("v")
    assert bench.mode == "page"
    bench.window.wait_for_selector("[data-hidden]:not([hidden])")
    assert bench.window.inner_text("[data-hidden-count]") == "1 hidden"
    bench.press("h", "3")
    assert bench.mode == "reading"
    assert bench.marks == [*before, ["supplemental", "Hidden words."]]


def test_keys_pass_over_what_page_view_hides(open_bench: Any) -> None:
    bench = open_bench()
    bench.press("v")
    bench.choose(SECOND)
    bench.press("j", "5")
    assert bench.marks == [["related", "Read more"]]


def test_a_suggestion_waits_until_it_is_accepted(open_bench: Any) -> None:
    view = build_view(parse(SOURCE.encode()))
    spans = [[*view["blocks"][block], "content"] for block in (FIRST, SECOND)]
    bench = open_bench(suggestion={"spans": spans})
    assert bench.marks == []
    bench.choose(FIRST)
    bench.press("Enter")
    assert bench.marks == [["body", "The first boats leave in December."]]
    bench.press("a")
    assert len(bench.marks) == 2
    assert bench.window.is_hidden("[data-offer]")


def test_labels_of_a_suggestion_stay_and_those_that_the_corpus_lacks_are_not_offered(open_bench: Any) -> None:
    blocks = build_view(parse(SOURCE.encode()))["blocks"]
    said = {HEADLINE: "headline", FIRST: "body", SECOND: "comments", MORE: "of a later version"}
    bench = open_bench(suggestion={"spans": [[*blocks[block], label] for block, label in said.items()]})
    bench.press("a")
    assert bench.marks == [
        ["headline", "Ferry line returns 😀"],
        ["body", "The first boats leave in December."],
        ["comments", "The second boats leave in spring."],
    ]


RICH = (
    "<!doctype html><title>Ferry</title><nav><p>News</p></nav><h1>Ferry line returns</h1>"
    '<div class="text"><p>The first boats leave in December.</p><p>The second boats leave in spring.</p>'
    '<div class="ad"><p>Autumn boots</p></div><p>Café owners on the island are glad.</p></div>'
    "<p hidden>Café, behind a curtain.</p><p>Read more</p>"
)
NAV, TITLE, ONE, TWO, AD, THREE, CURTAIN, LINK = range(8)


def runs(bench: Bench) -> str:
    """What the foot line says is chosen."""
    return bench.window.inner_text(".status [data-block]")


@pytest.mark.parametrize("mode", ["reading", "page"])
def test_the_choice_grows_to_the_enclosing_run_and_shrinks_back(open_bench: Any, mode: str) -> None:
    bench = open_bench(RICH)
    bench.press(*["v"] * (mode == "page"))
    assert bench.mode == mode
    bench.press(*["j"] * 4)
    assert runs(bench) == "4"
    bench.press("]")
    assert runs(bench) == "3–6"
    bench.press("]")
    assert runs(bench) == "1–8"
    bench.press("]")
    assert bench.window.inner_text("[data-said]") == "This is the whole page"
    bench.press("[", "[")
    assert runs(bench) == "4"
    bench.press("[", "]", "5")
    assert [text for _, text in bench.marks] == [
        "The first boats leave in December.", "The second boats leave in spring.", "Autumn boots",
        "Café owners on the island are glad.",
    ]  # fmt: skip
    bench.press("Control+z")
    assert bench.marks == []


def test_a_run_shrinks_around_where_it_began(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press(*["j"] * 2, *["J"] * 4)
    assert runs(bench) == "2–6"
    bench.press("[", "[")
    assert runs(bench) == "2"
    bench.press("[")
    assert runs(bench) == "2"


def test_walking_on_from_a_grown_run_leaves_at_its_end(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press(*["j"] * 3, "]", "j")
    assert runs(bench) == "7"


@pytest.mark.parametrize("mode", ["reading", "page"])
def test_one_key_marks_all_blocks_like_this_and_one_undo_takes_all_back(open_bench: Any, mode: str) -> None:
    bench = open_bench(RICH)
    bench.press(*["v"] * (mode == "page"), *["j"] * 3)
    assert bench.window.text_content("[data-alike]") == "(3)"
    bench.press("3", "i")
    assert [label for label, _ in bench.marks] == ["supplemental"] * 3
    assert "Autumn boots" not in str(bench.marks)
    assert bench.window.inner_text("[data-said]") == "3 blocks like this marked Supplemental"
    bench.window.click("[data-said-undo]")
    assert len(bench.marks) == 1
    bench.press("i", "i")
    assert bench.marks == []


def test_all_like_a_run_are_all_like_each_of_its_kinds(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press("i")
    assert bench.window.inner_text("[data-said]") == "Choose a block first"
    bench.press(*["j"] * 2, "J", "i")
    assert bench.marks[0] == ["body", "Ferry line returns"]
    assert len(bench.marks) == 4


def test_what_was_just_switched_off_takes_all_like_it_along(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press(*["j"] * 3, "]", "5", *["k"] * 2)
    assert runs(bench) == "4"
    bench.press("Space", "i")
    assert bench.marks == [["related", "Autumn boots"]]
    bench.press("Control+z", "Control+z")
    assert len(bench.marks) == 4


def test_shift_click_after_a_click_that_switched_off_clears_up_to_there(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press(*["j"] * 3, "]", "5")
    bench.window.mouse.click(*bench.point(TWO))
    bench.window.keyboard.down("Shift")
    bench.window.mouse.click(*bench.point(THREE))
    bench.window.keyboard.up("Shift")
    assert [text for _, text in bench.marks] == ["The first boats leave in December."]


def test_point_and_comma_walk_from_mark_to_mark_and_tab_leaves_the_page(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press(*["j"] * 2, "1", "j", "2", "Escape")
    bench.press(".")
    assert runs(bench) == "2"
    bench.press(".")
    assert runs(bench) == "3"
    bench.press(",")
    assert runs(bench) == "2"
    bench.press("Tab", "Tab")
    assert bench.window.evaluate("document.activeElement.closest('#page')") is None


def test_found_words_are_lit_and_stay_chosen(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press("/")
    bench.window.keyboard.type("BOATS LEAVE")
    state = "[data-find-state]"
    assert bench.window.inner_text(state) == "1 of 2"
    assert bench.window.evaluate(PAINTED, "goldpan-hit") == ["boats leave"] * 2
    bench.press("Enter")
    assert bench.window.inner_text(state) == "2 of 2"
    bench.press("Shift+Enter", "Shift+Enter")
    assert bench.window.inner_text(state) == "2 of 2"
    bench.press("Escape", "2")
    assert bench.marks == [["body", "boats leave"]]
    assert bench.window.is_hidden("[data-find]")
    assert bench.window.evaluate(PAINTED, "goldpan-hit") == []


def test_hidden_words_are_found_shown_and_said_to_be_hidden(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press("v", "/")
    bench.window.wait_for_selector("[data-hidden]:not([hidden])")
    bench.window.keyboard.type("cafe")
    assert bench.window.inner_text("[data-find-state]") == "1 of 2"
    assert bench.mode == "page"
    bench.press("Enter")
    assert bench.window.inner_text("[data-find-state]") == "2 of 2 · hidden"
    assert bench.mode == "reading"
    assert bench.window.evaluate(PAINTED, "goldpan-hit") == ["Café", "Café"]
    assert bench.window.evaluate(PAINTED, "goldpan-hidden") == ["Café, behind a curtain."]
    bench.press("Escape", "]", "5")
    assert bench.marks == [["related", "Café, behind a curtain."]]


def test_words_that_are_not_there_leave_the_choice_alone(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press("j", "j", "/")
    bench.window.keyboard.type("zeppelin")
    assert bench.window.inner_text("[data-find-state]") == "Not found"
    bench.press("Escape", "1")
    assert bench.marks == [["headline", "Ferry line returns"]]


def test_hidden_blocks_are_known_before_page_view_was_seen(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.window.wait_for_selector("[data-hidden]:not([hidden])")
    assert bench.window.inner_text("[data-hidden-count]") == "1 hidden"
    bench.press("h", "4")
    assert bench.marks == [["comments", "Café, behind a curtain."]]


def test_verdict_reason_note_and_submit_go_to_the_server(open_bench: Any) -> None:
    bench = open_bench()
    bench.press("Control+Enter")
    assert bench.window.evaluate("document.activeElement.name") == "verdict"
    bench.press("d", "2", "n")
    bench.window.keyboard.type("j 2 in doubt")
    bench.press("Escape")
    bench.choose(MORE)
    bench.press("5", "Control+Enter")
    bench.window.wait_for_url("**/next")
    saves = [body for name, body in bench.sent if name == "save"]
    last = {key: saves[-1][key] for key in ("verdict", "reason", "note")}
    assert last == {"verdict": "not_article", "reason": "paywall", "note": "j 2 in doubt"}
    assert [(span["label"], span["text"]) for span in saves[-1]["spans"]] == [("related", "Read more")]
    assert bench.sent[-1] == ("submit", {"based_on": len(saves)})


def test_a_note_is_undone_like_a_mark(open_bench: Any) -> None:
    bench = open_bench()
    bench.choose(FIRST)
    bench.press("2", "n")
    bench.window.keyboard.type("in doubt")
    bench.press("Escape", "n")
    bench.window.keyboard.type("!")
    bench.press("Escape")
    for left in ("in doubt", ""):
        bench.press("Control+z")
        assert bench.window.input_value("#note") == left
        assert len(bench.marks) == 1
    bench.press("Control+z")
    assert bench.marks == []
    bench.press(*["Control+Shift+z"] * 3)
    assert bench.window.input_value("#note") == "in doubt!"


def test_what_an_earlier_window_left_is_sent(open_bench: Any, window: Page) -> None:
    bench = open_bench()
    window.route("**/api/save", lambda route: route.fulfill(status=503))
    bench.choose(FIRST)
    bench.press("2")
    window.wait_for_selector("[data-saved][data-state=offline]")
    assert "1 change waits in this browser." in window.inner_text("[data-saved]")
    window.unroute("**/api/save")
    window.on("dialog", lambda dialog: dialog.accept())
    bench.sent.clear()
    window.reload()
    window.wait_for_selector("body[data-revision='1']")
    assert bench.marks == [["body", "The first boats leave in December."]]
    assert [span["text"] for span in bench.sent[0][1]["spans"]] == ["The first boats leave in December."]
    assert window.evaluate("Object.keys(localStorage)") == []


def test_a_page_that_was_handed_in_cannot_be_changed(open_bench: Any) -> None:
    bench = open_bench(submitted=True)
    bench.choose(FIRST)
    bench.press("2", "y", "Control+Enter")
    bench.window.wait_for_timeout(800)
    assert bench.marks == []
    assert bench.sent == []


def test_a_frame_that_is_loaded_anew_is_built_anew(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.press(*["j"] * 3, "2")
    bench.window.frames[1].goto(bench.window.frames[1].url)
    bench.window.wait_for_selector(".stage")
    until_built = "document.querySelector('#frame').contentDocument.body.textContent.includes('Ferry line')"
    until(bench.window, until_built)
    assert bench.window.evaluate(PAINTED, "goldpan-2") == ["The first boats leave in December."]
    assert runs(bench) == "3"
    bench.window.mouse.click(*bench.point(TWO))
    bench.window.frames[1].locator("body").evaluate("(body) => body.ownerDocument.defaultView.focus()")
    bench.press("j", "5")
    assert [text for _, text in bench.marks] == [
        "The first boats leave in December.", "The second boats leave in spring.", "Autumn boots",
    ]  # fmt: skip


def test_a_frame_that_cannot_be_loaded_anew_says_so(open_bench: Any) -> None:
    bench = open_bench(RICH)
    bench.window.route("**/frame/", lambda route: route.abort())
    with pytest.raises(PlaywrightError):
        bench.window.frames[1].goto(bench.window.frames[1].url)
    expect(bench.window.locator("[data-notice=refused]")).to_contain_text("The page could not be fetched")


@pytest.mark.parametrize("width", [1440, 1000, 800, 720])
def test_the_line_at_the_foot_takes_one_row(open_bench: Any, width: int) -> None:
    reasons = {"spans": [], "reasons": [[0, "stands as the headline"]]}
    bench = open_bench(RICH, suggestion=reasons)
    bench.window.wait_for_selector("[data-hidden]:not([hidden])")
    bench.window.set_viewport_size({"width": width, "height": 900})
    height = "document.querySelector('.status').offsetHeight"
    before = bench.window.evaluate(height)
    bench.press("j", "3")
    bench.window.wait_for_selector("[data-saved][data-state=saved]")
    assert bench.window.inner_text("[data-said]") == "Block 1 marked Supplemental"
    assert bench.window.evaluate(height) == before < 48
