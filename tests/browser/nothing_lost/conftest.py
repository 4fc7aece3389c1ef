"""Ada and Ben before a page of many boats, and a server that really goes away."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import User
from annotator.pages.models import Page as NewsPage
from extraction.sandbox import Parser
from tests.browser import workbench
from tests.contexts import new_context
from tests.factories import PASSWORD, make_user, page_maker
from tests.processes import WebServer

BLOCKS = 45
SOURCE = "<!doctype html><title>Ferry line returns</title><h1>Ferry line returns</h1>" + "".join(
    f"<p>Boat number {n} leaves the harbour in the morning, if the weather lets it.</p>"
    for n in range(BLOCKS)
)

SignInTo = Callable[[BrowserContext, User], Page]


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
        workbench.sign_in(window, server.address, user.username)
        return window

    yield signed_in
    assert not problems


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = new_context(browser)
    yield made
    made.close()


@pytest.fixture
def adas(page: NewsPage, people: SimpleNamespace, context: BrowserContext, sign_in: SignInTo) -> Page:
    """Ada's window, with the page open."""
    window = sign_in(context, people.ada)
    window.click("main .btn.primary")
    workbench.ready(window)
    return window
