"""What one chooses on the annotation screen: runs that grow, blocks alike, marks in turn, words."""

from typing import Any

import pytest

from tests.js.bench import PAINTED, RICH, THREE, TWO, runs

pytestmark = pytest.mark.browser


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
