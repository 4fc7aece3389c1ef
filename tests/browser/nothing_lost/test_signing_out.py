"""Invariant 6 where a session ends: what waits goes under nobody else's name, and is wiped only when told."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from annotator.annotations import actions
from annotator.annotations.models import Annotation, Slot
from tests.browser import workbench
from tests.browser.nothing_lost.conftest import SignInTo
from tests.browser.nothing_lost.made import kept, mark, marks, offline, records, records_of, stored
from tests.factories import draft
from tests.processes import WebServer, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_second_user_of_the_computer_sees_nothing_of_the_first(
    adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer, sign_in: SignInTo
) -> None:
    server.stop()
    mark(adas, 3)
    offline(adas, 3)
    kept(adas)
    context.clear_cookies()  # the session ends: ada has gone home without signing out
    server.start()
    bens = sign_in(context, people.ben)
    expect(bens.locator("[data-unsynced]")).to_have_text("none")
    assert bens.locator("meta[name=goldpan-user]").get_attribute("content") == people.ben.browser_key
    bens.click("main .btn.primary")
    workbench.ready(bens)
    assert (marks(bens), bens.evaluate("goldpan.editor.canUndo"), bens.evaluate("goldpan.saver.changes")) == (
        0,
        False,
        0,
    )
    assert records_of(bens, people.ben) <= 1  # where his own steps stand
    adas.evaluate("goldpan.saver.retry()")
    expect(adas.locator("[data-notice=signed-out]")).to_be_visible()
    assert not Annotation.objects.get(annotator=people.ben).revisions.exists(), (
        "ada's marks went under ben's name"
    )
    bens.goto(server.address)
    bens.click("[popovertarget=user-menu]")
    bens.click("form[data-sign-out] button")
    bens.wait_for_url("**/sign-in/")
    assert records_of(bens, people.ben) == 0
    assert records_of(bens, people.ada) > 0
    again = sign_in(context, people.ada)
    adas.evaluate("goldpan.saver.retry()")
    wait_for(lambda: stored(people.ada) == 3, "ada's marks, under the own name")
    wait_for(lambda: records(again, "drafts") == [], "the answer in ada's window")
    again.click("[popovertarget=user-menu]")
    again.click("form[data-sign-out] button")
    again.wait_for_url("**/sign-in/")
    assert records(again) == []
    adas.wait_for_url("**/sign-in/**")


@pytest.fixture
def home(adas: Page, context: BrowserContext, people: SimpleNamespace, server: WebServer) -> Page:
    """A window for home, where a closed one left a change that cannot be sent: another one was saved."""
    server.stop()
    mark(adas, 1)
    kept(adas)
    adas.close(run_before_unload=False)
    server.start()
    slot = Slot.objects.get(annotator=people.ada)
    actions.save(slot=slot, annotator=people.ada, draft=draft(slot, people.ada, note="from elsewhere"))
    return context.new_page()


def test_signing_out_shows_what_cannot_be_sent_before_it_is_wiped(home: Page, server: WebServer) -> None:
    home.goto(server.address)
    expect(home.locator("[data-unsynced]")).to_contain_text("1 change")
    home.click("[popovertarget=user-menu]")
    home.click("form[data-sign-out] button")
    expect(home.locator("#unsent").get_by_role("link", name="Ferry line returns")).to_be_visible()
    home.click("[data-sign-out-anyway]")
    home.wait_for_url("**/sign-in/")
    assert records(home) == []


def test_what_home_is_told_while_it_signs_out_is_not_stored(home: Page, server: WebServer) -> None:
    saves: list[Route] = []
    endings: list[Route] = []
    home.route("**/save/", lambda route: saves.append(route))
    home.route("**/sign-out/", lambda route: endings.append(route))
    home.goto(server.address)
    expect(home.locator("[data-unsynced]")).to_contain_text("1 change")
    _until(home, saves)
    home.click("[popovertarget=user-menu]")
    home.click("form[data-sign-out] button")
    home.click("[data-sign-out-anyway]")
    _until(home, endings)
    with home.expect_response("**/save/"):
        saves[0].continue_()
    home.wait_for_timeout(500)
    endings[0].continue_()
    home.wait_for_url("**/sign-in/")
    assert records(home) == []


def _until(window: Page, routes: list[Route]) -> None:
    """Wait for a request that is held."""
    wait_for(lambda: window.wait_for_timeout(1) or bool(routes), "a request")
