"""Law 6 in real browsers, before a server that really goes away: nothing that was done is ever lost."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotator.annotations import actions
from annotator.annotations.models import Annotation, Slot
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import User
from annotator.pages.models import Page as NewsPage
from extraction.sandbox import Parser
from launcher import chromium
from tests.browser import workbench as bench
from tests.conftest import FLAGS
from tests.factories import PASSWORD, draft, make_user, page_maker
from tests.processes import WebServer, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BLOCKS = 45
SOURCE = "<!doctype html><title>Ferry line returns</title><h1>Ferry line returns</h1>" + "".join(
    f"<p>Boat number {n} leaves the harbour in the morning, if the weather lets it.</p>"
    for n in range(BLOCKS)
)
# What the browser's database holds of one user, and of all.
KEPT = """async (user) => {
  const open = indexedDB.open("goldpan");
  const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const all = (name) => new Promise((resolve) => {
    const request = database.transaction(name).objectStore(name).getAll();
    request.onsuccess = () => resolve(request.result);
  });
  const found = (await Promise.all(["drafts", "heads", "steps", "texts"].map(all))).flat();
  database.close();
  return found.filter((record) => !user || record.user === user).length;
}"""

STEPS = """async () => {
  const open = indexedDB.open("goldpan");
  const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
  const request = database.transaction("steps").objectStore("steps").count();
  await new Promise((resolve) => { request.onsuccess = resolve; });
  database.close();
  return request.result;
}"""

SignInTo = Callable[[BrowserContext, User], Page]


@pytest.fixture
def server(transactional_db: None, tmp_path: Path) -> Iterator[WebServer]:
    made = WebServer(tmp_path)
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture
def people(transactional_db: None) -> SimpleNamespace:
    corpus = create_corpus(slug="dailies", name="Dailies")
    made = {name: make_user(name, password=PASSWORD) for name in ("ada", "ben")}
    for user in made.values():
        grant_role(corpus=corpus, user=user, role="annotator")
    return SimpleNamespace(corpus=corpus, **made)


@pytest.fixture
def page(people: SimpleNamespace, parser: Parser) -> NewsPage:
    return page_maker(people.corpus, parser)(SOURCE)


@pytest.fixture
def sign_in(server: WebServer) -> Iterator[SignInTo]:
    problems: list[str] = []

    def signed_in(context: BrowserContext, user: User) -> Page:
        window = context.new_page()
        window.on("dialog", lambda dialog: dialog.accept())
        window.on("pageerror", lambda error: problems.append(str(error)))
        window.goto(f"{server.address}/sign-in/")
        window.fill("[name=username]", user.username)
        window.fill("[name=password]", PASSWORD)
        window.click("form button.primary")
        window.wait_for_url(f"{server.address}/")
        return window

    yield signed_in
    assert not problems


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1440, "height": 900})
    yield made
    made.close()


@pytest.fixture
def adas(page: NewsPage, people: SimpleNamespace, context: BrowserContext, sign_in: SignInTo) -> Page:
    """Ada's window, with the page open."""
    window = sign_in(context, people.ada)
    window.click("main .btn.primary")
    bench.ready(window)
    return window


def mark(window: Page, times: int) -> None:
    """Go to the next block and give it a label, again and again."""
    for _ in range(times):
        window.keyboard.press("j")
        window.keyboard.press("2")


def kept(window: Page) -> None:
    """Wait until the screen may say that all that waits is on the disk."""
    bench.until(window, "goldpan.saver.isSafe && goldpan.saver.keptChanges === goldpan.saver.changes")


def offline(window: Page, changes: int) -> None:
    """The screen says how many changes wait, and since when."""
    words = "1 change waits" if changes == 1 else f"{changes} changes wait"
    state = window.locator("[data-saved]")
    expect(state).to_contain_text(
        re.compile(rf"{words} in this browser\. No connection since \d\d:\d\d"), timeout=20_000
    )


def stored(user: User) -> int:
    """Marks of the newest revision on the server."""
    newest = actions.latest(Annotation.objects.filter(annotator=user).latest("opened_at"))
    return len(newest.spans) if newest else 0


def marks(window: Page) -> int:
    return len(bench.spans_in_browser(window))


def test_forty_changes_made_without_a_server_all_arrive(
    adas: Page, people: SimpleNamespace, server: WebServer
) -> None:
    mark(adas, 1)
    bench.saved(adas)
    expect(adas.locator("[data-saved]")).to_contain_text(re.compile(r"Saved \d\d:\d\d"))
    server.stop()
    mark(adas, 40)
    offline(adas, 40)
    tries: list[object] = []
    wait_for(lambda: _count_tries(adas, tries) > 4, 60, "several tries")
    adas.keyboard.press("y")
    adas.keyboard.press("Control+Enter")
    expect(adas.get_by_text("Not handed in: not all is saved yet")).to_be_visible(timeout=20_000)
    assert stored(people.ada) == 1
    server.start()
    bench.saved(adas)
    assert stored(people.ada) == marks(adas) == 41
    bench.submit(adas)
    assert Annotation.objects.get().submitted_at
    assert actions.latest(Annotation.objects.get()).verdict == "article"


def _count_tries(window: Page, seen: list[object]) -> int:
    seen.append(window.evaluate("goldpan.saver.retryAt"))
    return len(set(seen))


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
    bench.ready(window)
    mark(window, 3)
    bench.saved(window)
    server.stop()
    mark(window, 6)
    window.keyboard.press("Control+z")
    offline(window, 7)
    kept(window)
    before = bench.spans_in_browser(window)
    _kill(profile)
    server.start()

    again = _profile(browser, profile)
    try:
        window = sign_in(again, people.ada)
        window.click("main .btn.primary")
        bench.ready(window)
        assert bench.spans_in_browser(window) == before
        bench.saved(window)
        assert stored(people.ada) == 8
        window.keyboard.press("Control+Shift+z")
        assert marks(window) == 9
        for left in range(8, -1, -1):
            window.keyboard.press("Control+z")
            assert marks(window) == left
        bench.saved(window)
        assert stored(people.ada) == 0
    finally:
        again.close()


def _profile(browser: Browser, folder: Path) -> BrowserContext:
    return browser.browser_type.launch_persistent_context(
        folder, executable_path=chromium.find(), args=FLAGS, viewport={"width": 1440, "height": 900}
    )


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
    wait_for(lambda: stored(people.ada) == 2, 20, "what was sent as the window went")
    adas.goto(address)
    bench.ready(adas)
    assert adas.evaluate("goldpan.editor.verdict") == "several"
    server.stop()
    mark(adas, 3)  # two are there
    adas.close(run_before_unload=False)
    server.start()
    window = context.new_page()
    window.goto(address)
    bench.ready(window)
    bench.saved(window)
    assert (marks(window), stored(people.ada)) == (3, 3)


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
    wait_for(lambda: stored(people.ada) == 3, 20, "what home sends")
    expect(home.locator("[data-waiting]")).to_have_text("nothing")


def test_two_tabs_lose_neither_draft_and_offer_both_versions(
    adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer
) -> None:
    mark(adas, 1)
    bench.saved(adas)
    second = context.new_page()
    second.goto(adas.url)
    bench.ready(second)
    expect(second.locator("[data-notice=windows]")).to_contain_text("open in another window too")
    server.stop()
    mark(adas, 3)
    mark(second, 1)
    second.keyboard.press("m")
    for window in (adas, second):
        kept(window)
    second.route("**/save/", lambda route: route.abort())  # the first window comes first, whoever asks first
    server.start()
    adas.evaluate("goldpan.saver.retry()")
    bench.saved(adas)
    second.unroute("**/save/")
    second.evaluate("goldpan.saver.retry()")
    expect(second.locator("[data-notice=stale]")).to_contain_text("both versions are kept", timeout=30_000)
    assert stored(people.ada) == 4
    second.get_by_role("button", name="See both").click()
    expect(second.locator("#both [data-mine]")).to_contain_text("Several articles")
    expect(second.locator("#both [data-other]")).to_contain_text("Boat number 2")
    second.keyboard.press("Escape")
    second.locator("[data-notice=stale]").get_by_role("button", name="Keep mine").click()
    bench.saved(second)
    revisions = Annotation.objects.get().revisions.order_by("number")
    assert [(len(each.spans), each.verdict) for each in revisions][-2:] == [(4, ""), (1, "several")]


def test_the_second_window_takes_over_with_all_that_the_first_did(
    adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer
) -> None:
    mark(adas, 2)
    second = context.new_page()
    second.goto(adas.url)
    bench.ready(second)
    notice = second.locator("[data-notice=windows]")
    expect(notice).to_be_visible()
    mark(adas, 2)
    notice.get_by_role("button", name="Go on here").click()
    expect(adas.locator("[data-notice=windows]")).to_contain_text("goes on in another window")
    expect(notice).to_be_hidden()
    bench.until(second, "goldpan.editor.spans.length === 4 && goldpan.editor.canUndo")
    mark(adas, 1)
    assert marks(adas) == 4, "the first window has stopped"
    for left in (3, 2, 1, 0):
        second.keyboard.press("Control+z")
        assert marks(second) == left
    second.keyboard.press("Control+Shift+z")
    bench.saved(second)
    assert stored(people.ada) == 1
    second.close()
    adas.locator("[data-notice=windows]").get_by_role("button", name="Go on here").click()
    bench.until(adas, "goldpan.editor.spans.length === 1 && goldpan.editor.canRedo")


def test_two_windows_that_both_edit_keep_the_steps_of_each(
    adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer
) -> None:
    second = context.new_page()
    second.goto(adas.url)
    bench.ready(second)
    mark(adas, 2)
    bench.saved(adas)
    mark(second, 3)
    second.locator("[data-notice=stale]").get_by_role("button", name="Keep mine").click(timeout=20_000)
    bench.saved(second)
    wait_for(lambda: second.evaluate(STEPS) == 5, 20, "the steps of both on the disk")
    second.reload()
    bench.ready(second)
    for left in (2, 1, 0):
        second.keyboard.press("Control+z")
        assert marks(second) == left
    second.keyboard.press("Control+Shift+z")
    bench.saved(second)
    assert stored(people.ada) == 1
    adas.reload()
    bench.ready(adas)
    assert marks(adas) == 1
    for left in (2, 1, 0):
        adas.keyboard.press("Control+z")
        assert marks(adas) == left, "hers, below what the other window saved"


def test_another_machine_is_offered_both_versions_though_it_was_offline(
    browser: Browser, adas: Page, people: SimpleNamespace, sign_in: SignInTo
) -> None:
    mark(adas, 1)
    bench.saved(adas)
    other = browser.new_context(viewport={"width": 1440, "height": 900})
    elsewhere = sign_in(other, people.ada)
    elsewhere.goto(adas.url)
    bench.ready(elsewhere)
    other.set_offline(True)
    mark(elsewhere, 5)
    kept(elsewhere)
    mark(adas, 1)
    bench.saved(adas)
    other.set_offline(False)
    expect(elsewhere.locator("[data-notice=stale]")).to_be_visible(timeout=20_000)
    elsewhere.locator("[data-notice=stale]").get_by_role("button", name="Take the other").click()
    assert (marks(elsewhere), stored(people.ada)) == (2, 2)
    elsewhere.keyboard.press("Control+z")
    bench.saved(elsewhere)
    assert stored(people.ada) == 5
    other.close()
    adas.reload()
    bench.ready(adas)
    assert marks(adas) == 5
    adas.keyboard.press("Control+z")
    assert marks(adas) == 2, "what another machine saved is one step of this one's"


def test_a_draft_outlives_its_lease_and_a_page_given_to_another(
    adas: Page, people: SimpleNamespace, page: NewsPage, server: WebServer
) -> None:
    mark(adas, 2)
    bench.saved(adas)
    server.stop()
    mark(adas, 2)
    kept(adas)
    lost = Slot.objects.get(annotator=people.ada)
    Slot.objects.filter(pk=lost.pk).update(lease_until=timezone.now() - timedelta(minutes=1))
    assert actions.claim_on(page=page, annotator=people.ben).pk == lost.pk
    server.start()
    notice = adas.locator("[data-notice=lost]")
    expect(notice).to_contain_text("Your draft is kept", timeout=30_000)
    assert marks(adas) == 4
    notice.get_by_role("button", name="Home").click()
    waiting = adas.locator("[data-waiting]").first
    expect(waiting).to_contain_text("2 changes waiting")
    waiting.get_by_role("link", name="Ferry line returns").click()
    bench.ready(adas)
    assert marks(adas) == 4
    notice.get_by_role("button", name="Take it up again").click()
    adas.wait_for_url(lambda url: f"/slots/{lost.pk}/" not in url)
    bench.ready(adas)
    assert marks(adas) == 2, "what the server had"
    adas.locator("[data-notice=left]").get_by_role("button", name="Take these").click()
    bench.saved(adas)
    assert stored(people.ada) == 4
    assert not Annotation.objects.get(slot=lost, annotator=people.ben).revisions.exists()


def test_a_second_user_of_the_computer_sees_nothing_of_the_first(
    adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer, sign_in: SignInTo
) -> None:
    server.stop()
    mark(adas, 3)
    offline(adas, 3)
    kept(adas)
    context.clear_cookies()  # her session ends, and she has gone home without signing out
    server.start()
    bens = sign_in(context, people.ben)
    expect(bens.locator("[data-waiting]")).to_have_text("nothing")
    assert bens.locator("form[data-sign-out]").get_attribute("data-user-key") == people.ben.browser_key
    bens.click("main .btn.primary")
    bench.ready(bens)
    assert (marks(bens), bens.evaluate("goldpan.editor.canUndo"), bens.evaluate("goldpan.saver.changes")) == (
        0,
        False,
        0,
    )
    assert bens.evaluate(KEPT, people.ben.browser_key) <= 1  # where his own steps stand
    adas.evaluate("goldpan.saver.retry()")
    expect(adas.locator("[data-notice=signed-out]")).to_be_visible(timeout=20_000)
    assert not Annotation.objects.get(annotator=people.ben).revisions.exists(), (
        "her marks went under his name"
    )
    bens.goto(server.address)
    bens.click("form[data-sign-out] button")
    bens.wait_for_url("**/sign-in/")
    assert bens.evaluate(KEPT, people.ben.browser_key) == 0
    assert bens.evaluate(KEPT, people.ada.browser_key) > 0
    again = sign_in(context, people.ada)
    adas.evaluate("goldpan.saver.retry()")
    wait_for(lambda: stored(people.ada) == 3, 20, "her marks, under her name")
    again.click("form[data-sign-out] button")
    again.wait_for_url("**/sign-in/")
    assert again.evaluate(KEPT, None) == 0
    adas.wait_for_url("**/sign-in/**")


def test_signing_out_shows_what_cannot_be_sent_before_it_is_wiped(
    adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer
) -> None:
    mark(adas, 1)
    bench.saved(adas)
    server.stop()
    mark(adas, 1)
    kept(adas)
    adas.close(run_before_unload=False)
    server.start()
    slot = Slot.objects.get(annotator=people.ada)
    actions.save(slot=slot, annotator=people.ada, draft=draft(slot, people.ada, note="from elsewhere"))
    home = context.new_page()
    home.goto(server.address)
    expect(home.locator("[data-waiting]")).to_contain_text("1 change waiting", timeout=20_000)
    home.click("form[data-sign-out] button")
    expect(home.locator("#unsent").get_by_role("link", name="Ferry line returns")).to_be_visible(
        timeout=20_000
    )
    home.click("[data-sign-out-anyway]")
    home.wait_for_url("**/sign-in/")
    assert home.evaluate(KEPT, None) == 0


def test_a_browser_that_keeps_nothing_says_so_and_still_saves(
    page: NewsPage, people: SimpleNamespace, context: BrowserContext, server: WebServer, sign_in: SignInTo
) -> None:
    context.add_init_script(
        "Object.defineProperty(window, 'indexedDB', { value: { open() { throw new Error('private'); } } })"
    )
    window = sign_in(context, people.ada)
    window.click("main .btn.primary")
    bench.ready(window)
    mark(window, 2)
    bench.saved(window)
    assert stored(people.ada) == 2
    server.stop()
    mark(window, 1)
    expect(window.locator("[data-saved]")).to_contain_text(
        "This browser keeps nothing for later: leave this page open.", timeout=20_000
    )
    server.start()
    bench.saved(window)
    assert stored(people.ada) == 3
