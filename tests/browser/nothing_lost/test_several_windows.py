"""Invariant 6 with more than one window on a page: each keeps what was done in it, and its steps."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, Page, expect

from annotator.annotations.models import Annotation
from tests.browser import workbench
from tests.browser.nothing_lost.conftest import SignInTo
from tests.browser.nothing_lost.made import kept, mark, marks, offline, records, steps_kept, stored
from tests.contexts import new_context
from tests.processes import WebServer, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def beside(adas: Page, window: Page | None = None) -> Page:
    """The page that ada has open, in another window, too: a second one of theirs, or that one."""
    window = window or adas.context.new_page()
    window.goto(adas.url)
    workbench.ready(window)
    return window


def leave_older_draft(adas: Page) -> None:
    """Close a second window with changes that nobody has decided on; the first saves more after it."""
    closed = beside(adas)
    mark(adas, 2)
    workbench.saved(adas)
    mark(closed, 3)
    expect(closed.locator("[data-notice=stale]")).to_be_visible()
    kept(closed)
    closed.close()
    mark(adas, 2)
    workbench.saved(adas)


@pytest.fixture
def elsewhere(browser: Browser, people: SimpleNamespace, sign_in: SignInTo) -> Iterator[Page]:
    """Ada's window on another machine."""
    with new_context(browser) as context:
        yield sign_in(context, people.ada)


def test_two_tabs_lose_neither_draft_and_offer_both_versions(
    adas: Page, people: SimpleNamespace, server: WebServer
) -> None:
    mark(adas, 1)
    workbench.saved(adas)
    second = beside(adas)
    expect(second.locator("[data-notice=windows]")).to_contain_text("also open in another window")
    server.stop()
    mark(adas, 3)
    mark(second, 1)
    second.keyboard.press("m")
    for window in (adas, second):
        kept(window)
    second.route("**/save/", lambda route: route.abort())  # the first window comes first, whoever asks first
    server.start()
    adas.evaluate("goldpan.saver.retry()")
    workbench.saved(adas)
    second.unroute("**/save/")
    second.evaluate("goldpan.saver.retry()")
    expect(second.locator("[data-notice=stale]")).to_contain_text("both versions are kept")
    assert stored(people.ada) == 4
    second.get_by_role("button", name="Compare").click()
    expect(second.locator("#both [data-mine]")).to_contain_text("Several articles")
    expect(second.locator("#both [data-other]")).to_contain_text("Boat number 2")
    second.keyboard.press("Escape")
    second.locator("[data-notice=stale]").get_by_role("button", name="Keep mine").click()
    workbench.saved(second)
    revisions = Annotation.objects.get().revisions.order_by("number")
    assert [(len(each.spans), each.verdict) for each in revisions][-2:] == [(4, ""), (1, "several")]


def test_the_second_window_takes_over_with_all_that_the_first_did(
    adas: Page, people: SimpleNamespace
) -> None:
    mark(adas, 2)
    second = beside(adas)
    notice = second.locator("[data-notice=windows]")
    expect(notice).to_be_visible()
    workbench.saved(adas)
    adas.route("**/save/", lambda route: route.abort())
    mark(adas, 2)
    offline(adas, 2)
    notice.get_by_role("button", name="Continue here").click()
    expect(adas.locator("[data-notice=windows]")).to_contain_text("continues in another window")
    expect(adas.locator("[data-saved]")).not_to_contain_text("unsynced")
    expect(notice).to_be_hidden()
    workbench.until(second, "goldpan.editor.spans.length === 4 && goldpan.editor.canUndo")
    mark(adas, 1)
    assert marks(adas) == 4, "the first window has stopped"
    for left in (3, 2, 1, 0):
        second.keyboard.press("Control+z")
        assert marks(second) == left
    second.keyboard.press("Control+Shift+z")
    workbench.saved(second)
    assert stored(people.ada) == 1
    second.close()
    adas.unroute("**/save/")
    adas.locator("[data-notice=windows]").get_by_role("button", name="Continue here").click()
    workbench.until(adas, "goldpan.editor.spans.length === 1 && goldpan.editor.canRedo")


def test_a_window_that_waited_goes_on_with_what_the_other_did_last(
    adas: Page, people: SimpleNamespace
) -> None:
    second = beside(adas)
    expect(second.locator("[data-notice=windows]")).to_be_visible()
    mark(adas, 2)
    workbench.saved(adas)
    adas.close()
    workbench.until(second, "window.goldpan && goldpan.editor.spans.length === 2")
    workbench.ready(second)
    mark(second, 3)
    workbench.saved(second)
    assert stored(people.ada) == 3


def test_a_window_that_waited_stays_as_it_is_where_the_other_did_nothing(
    adas: Page, people: SimpleNamespace
) -> None:
    second = beside(adas)
    expect(second.locator("[data-notice=windows]")).to_be_visible()
    second.evaluate("window.isTheSame = true")
    with second.expect_response("**/heartbeat/"):
        adas.close()
    mark(second, 1)
    workbench.saved(second)
    assert second.evaluate("window.isTheSame")
    assert stored(people.ada) == 1


def test_a_window_that_waited_is_not_loaded_again_without_a_server(
    adas: Page, people: SimpleNamespace, server: WebServer
) -> None:
    second = beside(adas)
    mark(adas, 2)
    workbench.saved(adas)
    server.stop()
    adas.close()
    expect(second.locator("[data-notice=windows]")).to_be_hidden()
    mark(second, 1)
    offline(second, 1)
    server.start()
    second.evaluate("goldpan.saver.retry()")
    expect(second.locator("[data-notice=stale]")).to_contain_text("both versions are kept")
    assert stored(people.ada) == 2


def test_a_window_that_waited_is_loaded_again_when_the_server_is_back(
    adas: Page, people: SimpleNamespace, server: WebServer
) -> None:
    second = beside(adas)
    expect(second.locator("[data-notice=windows]")).to_be_visible()
    mark(adas, 2)
    workbench.saved(adas)
    server.stop()
    with second.expect_event("requestfailed", lambda request: request.url.endswith("/heartbeat/")):
        adas.close()
    server.start()
    workbench.until(second, "window.goldpan && goldpan.editor.spans.length === 2")


def test_a_window_that_waited_is_not_loaded_again_for_a_draft_that_it_offers(
    adas: Page, people: SimpleNamespace
) -> None:
    """Two windows would load one another again in turn, as long as nobody decides."""
    leave_older_draft(adas)
    second = beside(adas)
    expect(second.locator("[data-notice=left]")).to_be_visible()
    expect(second.locator("[data-notice=windows]")).to_be_visible()
    second.evaluate("window.isTheSame = true")
    with second.expect_response("**/heartbeat/"):
        adas.close()
    mark(second, 1)
    workbench.saved(second)
    assert second.evaluate("window.isTheSame")


def test_two_windows_that_both_edit_keep_the_steps_of_each(adas: Page, people: SimpleNamespace) -> None:
    second = beside(adas)
    mark(adas, 2)
    workbench.saved(adas)
    mark(second, 3)
    second.locator("[data-notice=stale]").get_by_role("button", name="Keep mine").click()
    workbench.saved(second)
    wait_for(lambda: len(records(second, "steps")) == 5, "the steps of both on the disk")
    second.reload()
    workbench.ready(second)
    for left in (2, 1, 0):
        second.keyboard.press("Control+z")
        assert marks(second) == left
    second.keyboard.press("Control+Shift+z")
    workbench.saved(second)
    assert stored(people.ada) == 1
    adas.reload()
    workbench.ready(adas)
    assert marks(adas) == 1
    for left in (2, 1, 0):
        adas.keyboard.press("Control+z")
        assert marks(adas) == left, "the own marks, below what the other window saved"


def test_a_draft_that_a_closed_window_left_is_offered_and_does_not_replace_newer_work(
    adas: Page, people: SimpleNamespace
) -> None:
    leave_older_draft(adas)
    adas.reload()
    workbench.ready(adas)
    assert (marks(adas), stored(people.ada)) == (4, 4)
    expect(adas.locator("[data-notice=stale]")).to_be_hidden()
    adas.locator("[data-notice=left]").get_by_role("button", name="Apply them").click()
    workbench.saved(adas)
    assert stored(people.ada) == 3
    adas.keyboard.press("Control+z")
    workbench.saved(adas)
    assert stored(people.ada) == 4


def test_another_machine_is_offered_both_versions_though_it_was_offline(
    adas: Page, elsewhere: Page, people: SimpleNamespace
) -> None:
    mark(adas, 1)
    workbench.saved(adas)
    beside(adas, elsewhere)
    elsewhere.context.set_offline(True)
    mark(elsewhere, 5)
    kept(elsewhere)
    mark(adas, 1)
    workbench.saved(adas)
    steps_kept(adas, 2, done=2)
    elsewhere.context.set_offline(False)
    expect(elsewhere.locator("[data-notice=stale]")).to_be_visible()
    elsewhere.locator("[data-notice=stale]").get_by_role("button", name="Use the other").click()
    assert (marks(elsewhere), stored(people.ada)) == (2, 2)
    elsewhere.keyboard.press("Control+z")
    workbench.saved(elsewhere)
    assert stored(people.ada) == 5
    elsewhere.close()
    adas.reload()
    workbench.ready(adas)
    assert marks(adas) == 5
    adas.keyboard.press("Control+z")
    assert marks(adas) == 2, "what another machine saved is one step of this one's"


def test_both_versions_are_compared_as_they_are_by_then(adas: Page, elsewhere: Page) -> None:
    beside(adas, elsewhere)
    mark(adas, 1)
    workbench.saved(adas)
    mark(elsewhere, 2)
    expect(elsewhere.locator("[data-notice=stale]")).to_be_visible()
    mark(elsewhere, 1)
    elsewhere.locator("[data-notice=stale]").get_by_role("button", name="Compare").click()
    expect(elsewhere.locator("#both [data-mine]")).to_contain_text("Boat number 1")


def test_versions_that_differ_in_the_reason_alone_look_different(adas: Page, elsewhere: Page) -> None:
    beside(adas, elsewhere)
    for key in ("d", "1"):
        adas.keyboard.press(key)
    workbench.saved(adas)
    for key in ("d", "2"):
        elsewhere.keyboard.press(key)
    elsewhere.locator("[data-notice=stale]").get_by_role("button", name="Compare").click()
    expect(elsewhere.locator("#both [data-mine]")).to_contain_text("Not an article, Paywall or consent wall")
    expect(elsewhere.locator("#both [data-other]")).to_contain_text("Not an article, Error page")
