"""Invariant 6 in real browsers, before a server that really goes away: nothing that was done is ever lost."""

import os
import re
import signal
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotator.annotations import actions
from annotator.annotations.models import Annotation, Slot
from annotator.pages.models import Page as NewsPage
from tests import chromium
from tests.browser import workbench
from tests.browser.nothing_lost.conftest import SignInTo
from tests.browser.nothing_lost.made import kept, mark, marks, offline, steps_kept, stored
from tests.conftest import FLAGS
from tests.contexts import PATIENCE
from tests.processes import WebServer, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_forty_changes_made_without_a_server_all_arrive(
    adas: Page, people: SimpleNamespace, server: WebServer
) -> None:
    mark(adas, 1)
    workbench.saved(adas)
    expect(adas.locator("[data-saved]")).to_contain_text(re.compile(r"Saved \d\d:\d\d"))
    server.stop()
    mark(adas, 40)
    offline(adas, 40)
    tries: list[object] = []
    wait_for(lambda: _count_tries(adas, tries) > 2, "several tries")
    adas.keyboard.press("y")
    adas.keyboard.press("Control+Enter")
    expect(adas.get_by_text("Not submitted: no connection")).to_be_visible()
    assert stored(people.ada) == 1
    server.start()
    workbench.saved(adas)
    assert stored(people.ada) == marks(adas) == 41
    workbench.submit(adas)
    assert Annotation.objects.get().submitted_at
    assert actions.latest_revision(Annotation.objects.get()).verdict == "article"


def _count_tries(window: Page, seen: list[object]) -> int:
    seen.append(window.evaluate("goldpan.saver.retryAt"))
    return len(set(seen))


def test_no_part_of_the_screen_is_fetched_once_one_can_work(
    adas: Page, people: SimpleNamespace, server: WebServer
) -> None:
    """What is fetched after the first paint has come by then: without a server every key still works."""
    links = adas.evaluate(
        "[...document.querySelectorAll('link[rel=modulepreload]')].map((each) => each.href)"
    )
    there = adas.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")
    assert set(links) <= set(there)
    asked: list[str] = []
    adas.on("request", lambda request: asked.append(request.url))
    server.stop()
    mark(adas, 3)
    for key in (
        "]",
        "[",
        "i",
        "i",
        ".",
        ",",
        "e",
        "ArrowLeft",
        "v",
        "h",
        "r",
        "u",
        "p",
        "?",
        "Escape",
        "s",
    ):
        adas.keyboard.press(key)
    expect(adas.locator("#skip")).to_be_visible()
    adas.keyboard.press("Escape")
    adas.keyboard.press("/")
    adas.keyboard.type("number 7")
    adas.keyboard.press("Enter")
    adas.keyboard.press("Escape")
    adas.keyboard.press("2")
    adas.keyboard.press("n")
    adas.keyboard.type("Seen without a server.")
    adas.keyboard.press("Escape")
    adas.keyboard.press("m")
    before = workbench.spans_in_browser(adas)
    kept(adas)
    assert before
    server.start()
    workbench.saved(adas)
    newest = actions.latest_revision(Annotation.objects.get())
    assert (len(newest.spans), newest.verdict) == (len(before), "several")
    assert newest.note == "Seen without a server."
    assert [url for url in asked if not url.endswith(("/save/", "/reserve/", "/heartbeat/"))] == []


def test_a_killed_browser_has_lost_nothing_when_it_is_opened_again(
    browser: Browser,
    page: NewsPage,
    people: SimpleNamespace,
    server: WebServer,
    sign_in: SignInTo,
    tmp_path: Path,
) -> None:
    profile = tmp_path / "profile"
    with_profile = _profile(browser, profile)
    window = sign_in(with_profile, people.ada)
    window.click("main .btn.primary")
    workbench.ready(window)
    mark(window, 3)
    workbench.saved(window)
    server.stop()
    mark(window, 6)
    window.keyboard.press("Control+z")
    offline(window, 7)
    kept(window)
    steps_kept(window, 9, done=8)
    before = workbench.spans_in_browser(window)
    _kill(profile)
    server.start()

    again = _profile(browser, profile)
    # Half a minute after it signed in, the browser has written the session to its disk.
    again.clear_cookies()
    try:
        window = sign_in(again, people.ada)
        window.click("main .btn.primary")
        workbench.ready(window)
        assert workbench.spans_in_browser(window) == before
        workbench.saved(window)
        assert stored(people.ada) == 8
        window.keyboard.press("Control+Shift+z")
        assert marks(window) == 9
        for left in range(8, -1, -1):
            window.keyboard.press("Control+z")
            assert marks(window) == left
        workbench.saved(window)
        assert stored(people.ada) == 0
    finally:
        again.close()


def _profile(browser: Browser, folder: Path) -> BrowserContext:
    made = browser.browser_type.launch_persistent_context(
        folder, executable_path=chromium.find(), args=FLAGS, viewport={"width": 1440, "height": 900}
    )
    made.set_default_timeout(PATIENCE)
    return made


def _kill(profile: Path) -> None:
    """SIGKILL every process of the browser that has this profile."""
    killed = 0
    for folder in Path("/proc").iterdir():
        try:
            command = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
        except OSError:
            continue
        if str(profile).encode() in command:
            os.kill(int(folder.name), signal.SIGKILL)
            killed += 1
    assert killed


def test_a_window_that_is_closed_at_once_takes_its_last_change_along(
    adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer
) -> None:
    mark(adas, 2)
    address = adas.url
    # The change and the end of the window in one task: nothing that waits has a moment.
    adas.evaluate(
        "(home) => { goldpan.editor.judge('several'); location.href = home; }", server.address + "/health/"
    )
    adas.wait_for_url("**/health/")
    wait_for(lambda: stored(people.ada) == 2, "what was sent as the window went")
    adas.goto(address)
    workbench.ready(adas)
    assert adas.evaluate("goldpan.editor.verdict") == "several"
    server.stop()
    mark(adas, 3)  # two are there
    adas.close(run_before_unload=False)
    server.start()
    window = context.new_page()
    window.goto(address)
    workbench.ready(window)
    workbench.saved(window)
    assert (marks(window), stored(people.ada)) == (3, 3)


def test_a_page_that_was_on_its_way_as_a_draft_was_saved_opens_with_the_newest_marks(
    adas: Page, people: SimpleNamespace
) -> None:
    older = adas.context.request.get(adas.url)
    mark(adas, 2)
    workbench.saved(adas)
    adas.route(adas.url, lambda route: route.fulfill(response=older), times=1)
    adas.reload()
    workbench.ready(adas)
    assert (marks(adas), stored(people.ada)) == (2, 2)


def test_home_sends_what_a_closed_window_left(
    adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer
) -> None:
    server.stop()
    mark(adas, 3)
    offline(adas, 3)
    kept(adas)
    adas.close(run_before_unload=False)
    server.start()
    home = context.new_page()
    home.goto(server.address)
    wait_for(lambda: stored(people.ada) == 3, "what home sends")
    expect(home.locator("[data-unsynced]")).to_have_text("none")


def test_a_draft_outlives_its_lease_and_a_page_given_to_another(
    adas: Page, people: SimpleNamespace, page: NewsPage, server: WebServer
) -> None:
    mark(adas, 2)
    workbench.saved(adas)
    server.stop()
    mark(adas, 2)
    kept(adas)
    lost = Slot.objects.get(annotator=people.ada)
    Slot.objects.filter(pk=lost.pk).update(lease_until=timezone.now() - timedelta(minutes=1))
    assert actions.claim_on(page=page, annotator=people.ben).pk == lost.pk
    server.start()
    notice = adas.locator("[data-notice=lost]")
    expect(notice).to_contain_text("This page was reassigned. Your draft is kept.")
    assert notice.inner_text().count("Your draft is kept") == 1
    assert marks(adas) == 4
    notice.get_by_role("button", name="Home").click()
    waiting = adas.locator("[data-unsynced]").first
    expect(waiting).to_contain_text("2 changes")
    waiting.get_by_role("link", name="Ferry line returns").click()
    workbench.ready(adas)
    assert marks(adas) == 4
    notice.get_by_role("button", name="Edit").click()
    adas.wait_for_url(lambda url: f"/slots/{lost.key}/" not in url)
    workbench.ready(adas)
    assert marks(adas) == 2, "what the server had"
    adas.locator("[data-notice=left]").get_by_role("button", name="Apply them").click()
    workbench.saved(adas)
    assert stored(people.ada) == 4
    assert not Annotation.objects.get(slot=lost, annotator=people.ben).revisions.exists()


def test_a_browser_that_keeps_nothing_says_so_and_still_saves(
    page: NewsPage, people: SimpleNamespace, context: BrowserContext, server: WebServer, sign_in: SignInTo
) -> None:
    context.add_init_script(
        "Object.defineProperty(window, 'indexedDB', { value: { open() { throw new Error('private'); } } })"
    )
    window = sign_in(context, people.ada)
    window.click("main .btn.primary")
    workbench.ready(window)
    mark(window, 2)
    workbench.saved(window)
    assert stored(people.ada) == 2
    server.stop()
    mark(window, 1)
    expect(window.locator("[data-saved]")).to_contain_text(
        "These changes are kept by this page alone: keep it open."
    )
    server.start()
    workbench.saved(window)
    assert stored(people.ada) == 3
