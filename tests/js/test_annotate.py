"""The annotation screen with real keys and mouse: marks, views, suggestions, verdicts, the frame."""

from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

from extraction.parse import parse
from extraction.view import build_view
from tests.browser.workbench import until
from tests.js.bench import ALT, FIRST, HEADLINE, MORE, PAINTED, RICH, SECOND, SOURCE, TWO, runs

pytestmark = pytest.mark.browser


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
