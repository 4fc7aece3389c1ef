"""The annotation screen with real keys and mouse: marks, views, suggestions, verdicts, the frame."""

from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Route, expect

from extraction.documents.view.build import build_view
from extraction.parsing.parse import parse
from tests.browser.workbench import until
from tests.js.screen import ALT, FIRST, HEADLINE, MORE, PAINTED, RICH, SECOND, SOURCE, TWO, runs

pytestmark = pytest.mark.browser

NO_PAUSES = """() => {
  const later = window.setTimeout.bind(window);
  window.setTimeout = (act, pause = 0) => pause < 2000 ? later(act, pause) : 0;
}"""


def test_a_click_switches_a_block_on_and_off(open_screen: Any) -> None:
    screen = open_screen()
    screen.window.mouse.click(*screen.point(FIRST))
    assert screen.marks == [["body", "The first boats leave in December."]]
    screen.window.mouse.click(*screen.point(FIRST, 0.5))
    assert screen.marks == []


def test_a_click_far_from_text_means_nothing(open_screen: Any) -> None:
    screen = open_screen()
    x, y = screen.point(FIRST, 1)
    screen.window.mouse.click(x + 60, y)
    assert screen.marks == []


def test_shift_click_marks_up_to_there(open_screen: Any) -> None:
    screen = open_screen()
    screen.window.mouse.click(*screen.point(HEADLINE))
    screen.window.keyboard.down("Shift")
    screen.window.mouse.click(*screen.point(SECOND))
    screen.window.keyboard.up("Shift")
    assert [text for _, text in screen.marks] == [
        "Ferry line returns 😀", "The first boats leave in December.", "The second boats leave in spring.",
    ]  # fmt: skip


def test_dragging_marks_characters_and_alt_removes_marks(open_screen: Any) -> None:
    screen = open_screen()
    screen.drag(FIRST, 0, 1)
    assert screen.marks == [["body", "The first boats leave in December."]]
    screen.drag(FIRST, 0, 0.5, ALT)
    ((label, rest),) = screen.marks
    assert label == "body"
    assert 5 < len(rest) < 30
    assert "The first boats leave in December.".endswith(rest)


def test_what_is_said_is_of_the_blocks_that_were_changed(open_screen: Any) -> None:
    screen = open_screen()
    screen.window.mouse.click(*screen.point(HEADLINE))
    screen.drag(SECOND, 0, 0.5)
    assert screen.window.inner_text("[data-message]") == "Block 4 marked Body"
    screen.choose(HEADLINE)
    screen.press("J", "J", "J")
    screen.drag(SECOND, 0, 0.2, ALT)
    assert screen.window.inner_text("[data-message]") == "Block 4: mark removed"
    screen.choose(FIRST)
    screen.press("J", "0")
    expect(screen.window.locator("[data-message]")).to_have_text("Block 4: mark removed")
    screen.press("Control+z")
    screen.choose(HEADLINE)
    screen.press("J", "J", "0")
    assert screen.window.inner_text("[data-message]") == "2 marks removed"


def test_a_double_click_is_a_word_and_nothing_else(open_screen: Any) -> None:
    screen = open_screen()
    screen.window.mouse.dblclick(*screen.point(FIRST, 0.01))
    assert screen.marks == [["body", "The"]]
    screen.window.mouse.dblclick(*screen.point(FIRST, 0.01))
    assert screen.marks == []


def test_a_double_click_beside_text_takes_nothing_back(open_screen: Any) -> None:
    screen = open_screen()
    screen.window.mouse.click(*screen.point(SECOND))
    before = screen.marks
    x, y = screen.point(FIRST)
    screen.window.mouse.dblclick(x - 40, y)
    assert screen.marks == before


def test_a_click_after_all_was_selected_is_a_click(open_screen: Any) -> None:
    screen = open_screen()
    screen.window.evaluate("goldpan.view.document.getSelection().selectAllChildren(goldpan.view.body)")
    screen.window.mouse.click(*screen.point(FIRST))
    assert screen.marks == [["body", "The first boats leave in December."]]


def test_keys_walk_over_what_can_be_seen_and_mark(open_screen: Any) -> None:
    screen = open_screen()
    screen.choose(HEADLINE)
    screen.press("1", "j", "2", "j", "Space", "k", "0")
    assert screen.marks == [
        ["headline", "Ferry line returns 😀"],
        ["body", "The second boats leave in spring."],
    ]


def test_a_number_relabels_the_selection(open_screen: Any) -> None:
    screen = open_screen()
    screen.choose(FIRST)
    screen.press("2", "5")
    assert screen.marks == [["related", "The first boats leave in December."]]


def test_an_extended_selection_is_marked_whole(open_screen: Any) -> None:
    screen = open_screen()
    screen.choose(HEADLINE)
    screen.press("J", "J", "3")
    assert [label for label, _ in screen.marks] == ["supplemental"] * 3


def test_marks_are_painted_and_the_page_is_left_alone(open_screen: Any) -> None:
    screen = open_screen()
    before = screen.window.evaluate("goldpan.view.body.outerHTML")
    screen.choose(HEADLINE)
    screen.press("1", "j", "2")
    assert screen.window.evaluate(PAINTED, "goldpan-1") == ["Ferry line returns 😀"]
    assert screen.window.evaluate(PAINTED, "goldpan-2") == ["The first boats leave in December."]
    screen.press("0")
    assert screen.window.evaluate(PAINTED, "goldpan-2") == []
    assert screen.window.evaluate("goldpan.view.body.outerHTML") == before


def test_quoted_words_are_in_the_language_of_the_page(open_screen: Any) -> None:
    page = {"title": "Ferry", "site": "gazette.example", "url": "", "language": "es"}
    screen = open_screen(page=page)
    screen.window.mouse.click(*screen.point(FIRST))
    expect(screen.window.locator("[data-outline] .quote")).to_have_attribute("lang", "es")


def test_undo_and_redo_by_key(open_screen: Any) -> None:
    screen = open_screen()
    screen.choose(FIRST)
    screen.press("2", "3", "Control+z")
    assert [label for label, _ in screen.marks] == ["body"]
    screen.press("Control+z")
    assert screen.marks == []
    screen.press("Control+Shift+z", "Control+Shift+z")
    assert [label for label, _ in screen.marks] == ["supplemental"]


def test_edges_move_by_character_and_word(open_screen: Any) -> None:
    screen = open_screen()
    screen.window.mouse.dblclick(*screen.point(FIRST, 0.01))
    screen.press("Control+ArrowRight")
    assert screen.marks == [["body", "The first"]]
    screen.press("ArrowLeft", "e", "ArrowRight")
    assert screen.marks == [["body", "he firs"]]


def test_edges_move_where_the_arrow_points_in_text_from_right_to_left(open_screen: Any) -> None:
    screen = open_screen("<!doctype html><title>עבורת</title><p dir=rtl>קו המעבורת חוזר")
    screen.press("j", "2", "Control+ArrowRight")
    assert screen.marks == [["body", "קו המעבורת"]]
    screen.press("Control+ArrowLeft", "ArrowRight")
    assert screen.marks == [["body", "קו המעבורת חוז"]]
    screen.press("e", "ArrowLeft")
    assert screen.marks == [["body", "ו המעבורת חוז"]]


def test_views_change_under_the_same_marks(open_screen: Any) -> None:
    screen = open_screen()
    screen.choose(FIRST)
    screen.press("2")
    before = screen.marks
    screen.press("v")
    assert screen.mode == "page"
    screen.window.wait_for_selector("[data-hidden]:not([hidden])")
    assert screen.window.inner_text("[data-hidden-count]") == "1 hidden"
    screen.press("h", "3")
    assert screen.mode == "reading"
    assert screen.marks == [*before, ["supplemental", "Hidden words."]]


def test_the_view_that_was_chosen_is_remembered_for_the_page(open_screen: Any) -> None:
    assert open_screen().mode == "reading"
    open_screen().press("v")
    assert open_screen().mode == "page"
    other = SOURCE.replace("December", "November")
    assert open_screen(other).mode == "reading"
    open_screen().press("v")
    assert open_screen().mode == "reading"


def test_keys_pass_over_what_page_view_hides(open_screen: Any) -> None:
    screen = open_screen()
    screen.press("v")
    screen.choose(SECOND)
    screen.press("j", "5")
    assert screen.marks == [["related", "Read more"]]


def test_a_suggestion_waits_until_it_is_accepted(open_screen: Any) -> None:
    view = build_view(parse(SOURCE.encode()))
    spans = [[*view["blocks"][block], "content"] for block in (FIRST, SECOND)]
    screen = open_screen(suggestion={"spans": spans})
    assert screen.marks == []
    screen.choose(FIRST)
    screen.press("Enter")
    assert screen.marks == [["body", "The first boats leave in December."]]
    screen.press("a")
    assert len(screen.marks) == 2
    assert screen.window.is_hidden("[data-offer]")


def test_labels_of_a_suggestion_stay_and_those_that_the_corpus_lacks_are_not_offered(
    open_screen: Any,
) -> None:
    blocks = build_view(parse(SOURCE.encode()))["blocks"]
    labels = {HEADLINE: "headline", FIRST: "body", SECOND: "comments", MORE: "of a later version"}
    screen = open_screen(suggestion={"spans": [[*blocks[block], label] for block, label in labels.items()]})
    screen.press("a")
    assert screen.marks == [
        ["headline", "Ferry line returns 😀"],
        ["body", "The first boats leave in December."],
        ["comments", "The second boats leave in spring."],
    ]


def test_verdict_reason_note_and_submit_go_to_the_server(open_screen: Any) -> None:
    screen = open_screen()
    screen.press("Control+Enter")
    assert screen.window.evaluate("document.activeElement.name") == "verdict"
    screen.press("d", "2", "n")
    screen.window.keyboard.type("j 2 in doubt")
    screen.press("Escape")
    screen.choose(MORE)
    screen.press("5", "Control+Enter")
    screen.window.wait_for_url("**/next")
    saves = [body for name, body in screen.sent if name == "save"]
    last = {key: saves[-1][key] for key in ("verdict", "reason", "note")}
    assert last == {"verdict": "not_article", "reason": "paywall", "note": "j 2 in doubt"}
    assert [(span["label"], span["text"]) for span in saves[-1]["spans"]] == [("related", "Read more")]
    assert screen.sent[-1] == ("submit", {"based_on": len(saves)})


def test_an_article_without_a_mark_is_asked_about_once(open_screen: Any, window: Page) -> None:
    screen = open_screen()
    screen.press("y")
    window.keyboard.down("Control")
    for _ in range(3):  # held down
        window.keyboard.down("Enter")
    window.keyboard.up("Enter")
    window.keyboard.up("Control")
    assert window.inner_text("[data-alert]") == "Nothing is marked. If that is right, submit again"
    assert [name for name, _body in screen.sent if name == "submit"] == []
    screen.press("Control+Enter")
    window.wait_for_url("**/next")
    assert screen.sent[-1][0] == "submit"


def test_a_double_click_does_not_answer_whether_nothing_is_to_be_marked(
    open_screen: Any, window: Page
) -> None:
    screen = open_screen()
    screen.press("y")
    window.dblclick("[data-submit]")
    assert "Nothing is marked" in window.inner_text("[data-alert]")
    assert "submit" not in dict(screen.sent)
    window.click("[data-submit]")
    window.wait_for_url("**/next")


def test_an_article_of_which_all_marks_were_undone_is_asked_about_again(
    open_screen: Any, window: Page
) -> None:
    screen = open_screen()
    screen.press("y", "Control+Enter")
    screen.choose(FIRST)
    screen.press("2", "Control+z")
    assert window.inner_text("[data-alert]") == ""
    screen.press("Control+Enter")
    assert "Nothing is marked" in window.inner_text("[data-alert]")
    assert "submit" not in dict(screen.sent)


@pytest.mark.parametrize("keys", [("d", "1"), ("c",), ("2", "y"), ("2", "m")])
def test_a_page_whose_marks_suit_its_verdict_is_submitted_at_once(
    open_screen: Any, window: Page, keys: tuple[str, ...]
) -> None:
    screen = open_screen()
    screen.choose(FIRST)
    screen.press(*keys, "Control+Enter")
    window.wait_for_url("**/next")


def test_a_page_is_submitted_once_however_often_it_is_asked_for_while_it_is_saved(
    open_screen: Any, window: Page
) -> None:
    screen = open_screen()
    held: list[Route] = []
    window.route("**/api/save", lambda route: held.append(route))
    with window.expect_request("**/api/save"):
        screen.press("c", "Control+Enter", "Control+Enter")
    window.unroute("**/api/save")
    for route in held:
        screen.answer(route)
    window.wait_for_url("**/next")
    assert [name for name, _body in screen.sent].count("submit") == 1


def test_nothing_is_changed_while_a_page_is_submitted_and_all_can_be_if_it_is_not(
    open_screen: Any, window: Page
) -> None:
    screen = open_screen()
    held: list[Route] = []
    window.route("**/api/submit", lambda route: held.append(route))
    with window.expect_request("**/api/submit"):
        screen.press("c", "Control+Enter")
    screen.choose(FIRST)
    screen.press("2")
    assert screen.marks == []
    held[0].fulfill(status=409, json={"error": "It was changed."})
    expect(window.get_by_text("It was changed.")).to_be_visible()
    screen.press("2")
    assert len(screen.marks) == 1


def test_what_the_server_lacks_of_a_skipped_page_is_kept(open_screen: Any, window: Page) -> None:
    screen = open_screen()
    window.on("dialog", lambda dialog: dialog.accept())
    current = {
        "revision": 5,
        "saved_at": "2026-11-20T12:03:00Z",
        "spans": [],
        "verdict": "",
        "reason": "",
        "note": "",
    }
    window.route("**/api/save", lambda route: route.fulfill(status=409, json={"current": current}))
    screen.choose(FIRST)
    screen.press("2")
    expect(window.locator("[data-notice=stale]")).to_be_visible()
    screen.press("s")
    window.locator("[data-skip-form] [type=submit]").click()
    window.wait_for_url("**/next")
    window.go_back()
    kept = """async () => {
      const [{ draftsOf }, { userKey }] = await Promise.all(
        ["drafts", "api"].map((name) => import(`/static/js/net/${name}.js`)));
      return (await draftsOf(userKey())).length;
    }"""
    assert window.evaluate(kept) == 1


def test_marks_that_the_server_lacks_are_not_called_saved(open_screen: Any, window: Page) -> None:
    screen = open_screen()
    window.route("**/api/save", lambda route: route.abort())
    screen.choose(FIRST)
    screen.press("2", "s")
    window.route("**/api/skip", lambda route: route.abort())
    window.locator("[data-skip-form] [type=submit]").click()
    until(window, "document.querySelector('[data-alert]').textContent")
    assert window.inner_text("[data-alert]") == "No connection. Try again in a moment"
    assert not window.evaluate("goldpan.editor.isReadOnly")


@pytest.mark.parametrize(
    ("status", "why"),
    [(0, "no connection"), (401, "see the message over the page"), (409, "see the message over the page"),
     (422, "see the message over the page")],
)  # fmt: skip
def test_a_refusal_to_submit_says_what_keeps_the_page(
    open_screen: Any, window: Page, status: int, why: str
) -> None:
    screen = open_screen()
    window.on("dialog", lambda dialog: dialog.accept())
    current = {"revision": 5, "saved_at": "2026-11-20T12:03:00Z", "spans": [], "verdict": "", "reason": "",
               "note": ""}  # fmt: skip
    answer = {"current": current} if status == 409 else {"error": "No."}

    def refuse(route: Route) -> None:
        if status:
            route.fulfill(status=status, json=answer)
        else:
            route.abort()

    window.route("**/api/save", refuse)
    screen.choose(FIRST)
    screen.press("2", "y", "Control+Enter")
    until(window, "document.querySelector('[data-alert]').textContent")
    assert window.inner_text("[data-alert]") == f"Not submitted: {why}"


def test_the_undo_beside_a_message_is_of_what_it_says(open_screen: Any, window: Page) -> None:
    screen = open_screen()
    screen.choose(FIRST)
    screen.press("2")
    assert window.is_visible("[data-message-undo]")
    screen.press("n", "x")
    assert not window.is_visible("[data-message-undo]")
    screen.press("Escape", "Control+z")
    assert window.input_value("#note") == ""
    assert len(screen.marks) == 1


def test_a_note_is_undone_like_a_mark(open_screen: Any) -> None:
    screen = open_screen()
    # What is typed without a pause is one step, and a busy machine may pause between any two letters.
    screen.window.evaluate(NO_PAUSES)
    screen.choose(FIRST)
    screen.press("2", "n")
    screen.window.keyboard.type("in doubt")
    screen.press("Escape", "n")
    screen.window.keyboard.type("!")
    screen.press("Escape")
    for note in ("in doubt", ""):
        screen.press("Control+z")
        assert screen.window.input_value("#note") == note
        assert len(screen.marks) == 1
    screen.press("Control+z")
    assert screen.marks == []
    screen.press(*["Control+Shift+z"] * 3)
    assert screen.window.input_value("#note") == "in doubt!"


# The browser's database answers when the test says so, and its locks after four seconds.
SLOW_DATABASE = """
    const database = new Promise((resolve) => { window.answer = resolve; });
    Object.defineProperty(IDBOpenDBRequest.prototype, "onsuccess", {
        set(heard) {
            this.addEventListener("success", (event) => database.then(() => heard.call(this, event)));
        },
    });
"""
SLOW_LOCKS = """
    const query = navigator.locks.query.bind(navigator.locks);
    navigator.locks.query = async () => {
        await new Promise((resolve) => setTimeout(resolve, 4000));
        return query();
    };
"""


def _leave_unsynced(screen: Any) -> None:
    """Mark a block that the server does not take, and open the page again."""
    window = screen.window
    window.route("**/api/save", lambda route: route.fulfill(status=503))
    screen.choose(FIRST)
    screen.press("2")
    window.wait_for_selector("[data-saved][data-state=offline]")
    assert "1 unsynced change." in window.inner_text("[data-saved]")
    screen.sent.clear()
    window.on("dialog", lambda dialog: dialog.accept())
    window.reload()
    # Not earlier: the first window would have sent it.
    window.unroute("**/api/save")


def test_unsynced_changes_of_an_earlier_window_are_sent(open_screen: Any, window: Page) -> None:
    screen = open_screen()
    _leave_unsynced(screen)
    window.wait_for_selector("body[data-revision='1']")
    assert screen.marks == [["body", "The first boats leave in December."]]
    assert [span["text"] for span in screen.sent[0][1]["spans"]] == ["The first boats leave in December."]
    assert window.evaluate("Object.keys(localStorage)") == []


def test_they_are_sent_when_the_browser_is_slow_to_find_them(open_screen: Any, window: Page) -> None:
    screen = open_screen()
    window.add_init_script(SLOW_LOCKS)
    _leave_unsynced(screen)
    expect(window.locator("[data-message]")).to_have_text("Looking for unsynced changes of other windows …")
    window.wait_for_selector("body[data-revision='1']")
    expect(window.locator("[data-message]")).to_have_text("Unsynced changes restored")
    assert screen.marks == [["body", "The first boats leave in December."]]


def test_what_the_browser_finds_too_late_is_offered(open_screen: Any, window: Page) -> None:
    screen = open_screen()
    window.add_init_script(SLOW_DATABASE)
    _leave_unsynced(screen)
    window.wait_for_selector("html[data-ready='1']", state="attached")
    screen.choose(SECOND)
    screen.press("2")
    window.wait_for_selector("body[data-revision='1']")
    window.evaluate("answer()")
    window.get_by_role("button", name="Apply them").click()
    window.wait_for_selector("body[data-revision='2']")
    assert screen.marks == [["body", "The first boats leave in December."]]
    window.reload()
    window.evaluate("answer()")
    window.wait_for_selector("html[data-ready='1']", state="attached")
    assert not window.locator("[data-notice=left]").is_visible()


def test_active_time_goes_on_where_the_clock_of_the_computer_is_set_back(
    open_screen: Any, window: Page
) -> None:
    screen = open_screen()
    screen.press("j")
    window.evaluate("Date.now = () => 0")
    window.wait_for_timeout(1500)
    screen.press("2")
    window.wait_for_selector("body[data-revision='1']")
    assert screen.sent[0][1]["active_seconds"] > 0


@pytest.mark.parametrize("source", ["<frameset><frame src=a.html></frameset>", "<p>\u200b</p><p>\u200b</p>"])
def test_a_page_without_text_says_so(open_screen: Any, source: str) -> None:
    screen = open_screen(f"<!doctype html><title>Ferry</title>{source}")
    notice = screen.window.locator("[data-notice=empty]")
    expect(notice).to_contain_text("This page has no text that could be marked")
    open_screen(f"<!doctype html><title>Ferry</title>{source}", submitted=True)
    expect(screen.window.locator("[data-notice=submitted]")).to_be_visible()
    expect(notice).to_have_count(0)


def test_a_submitted_page_cannot_be_changed(open_screen: Any) -> None:
    screen = open_screen(submitted=True)
    screen.choose(FIRST)
    screen.press("2", "y", "Control+Enter")
    screen.window.wait_for_timeout(800)
    assert screen.marks == []
    assert screen.sent == []


def test_a_reloaded_frame_is_built_again(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.press(*["j"] * 3, "2")
    screen.window.frames[1].goto(screen.window.frames[1].url)
    screen.window.wait_for_selector(".stage")
    until_built = "document.querySelector('#frame').contentDocument.body.textContent.includes('Ferry line')"
    until(screen.window, until_built)
    assert screen.window.evaluate(PAINTED, "goldpan-2") == ["The first boats leave in December."]
    assert runs(screen) == "3"
    screen.window.mouse.click(*screen.point(TWO))
    screen.window.frames[1].locator("body").evaluate("(body) => body.ownerDocument.defaultView.focus()")
    screen.press("j", "5")
    assert [text for _, text in screen.marks] == [
        "The first boats leave in December.", "The second boats leave in spring.", "Autumn boots",
    ]  # fmt: skip


def test_a_frame_that_cannot_be_reloaded_says_so(open_screen: Any) -> None:
    screen = open_screen(RICH)
    screen.window.route("**/frame/", lambda route: route.abort())
    with pytest.raises(PlaywrightError):
        screen.window.frames[1].goto(screen.window.frames[1].url)
    expect(screen.window.locator("[data-notice=refused]")).to_contain_text("The page could not be loaded")


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_status_bar_takes_one_row(open_screen: Any, language: str) -> None:
    reasons = {"spans": [], "reasons": [[0, "stands as the headline"]]}
    with translation.override(language):
        screen = open_screen(RICH, suggestion=reasons)
    window = screen.window
    window.wait_for_selector("[data-hidden]:not([hidden])")
    height = "document.querySelector('.status').offsetHeight"
    right = "(selector) => document.querySelector(selector).getBoundingClientRect().right"
    widths = (1440, 1280, 1220, 1030, 1000, 800, 720)
    before = [
        window.set_viewport_size({"width": each, "height": 900}) or window.evaluate(height) for each in widths
    ]
    screen.press("j", "3")
    window.wait_for_selector("[data-saved][data-state=saved]")
    assert window.inner_text("[data-message]") == "Block 1 marked Supplemental"
    for width, empty in zip(widths, before, strict=True):
        window.set_viewport_size({"width": width, "height": 900})
        assert window.evaluate(height) == empty < 48, width
        assert window.is_visible("[data-hidden]"), width
        assert window.evaluate("document.querySelector('.status').scrollWidth") <= width
        assert window.evaluate(right, "[data-message-undo]") <= window.evaluate(right, ".message"), width


@pytest.mark.parametrize("width", [1280, 800])
def test_submit_stands_beside_the_tools(open_screen: Any, width: int) -> None:
    suggestion = {"spans": [[0, 4, "body"]], "reasons": []}
    with translation.override("es"):
        screen = open_screen(RICH, suggestion=suggestion)
    screen.window.set_viewport_size({"width": width, "height": 900})
    middle = """(selector) => {
      const { top, height } = document.querySelector(selector).getBoundingClientRect();
      return Math.round(top + height / 2);
    }"""
    assert screen.window.evaluate(middle, "[data-submit]") == screen.window.evaluate(middle, "[data-skip]")
