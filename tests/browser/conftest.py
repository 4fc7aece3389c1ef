"""A real Chromium, a real web server and, where something is worked out behind it, real workers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import workbench
from tests.processes import periodic, purge_queues, web, worker

SignIn = Callable[..., Page]


@pytest.fixture
def site(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """The address of a Goldpan that answers; what it asks of workers waits, but for `workers`."""
    purge_queues()
    with web(tmp_path) as address:
        yield address


@pytest.fixture
def workers(site: str, tmp_path: Path) -> Iterator[None]:
    """A worker and the periodic process behind the site."""
    with worker(tmp_path), periodic(tmp_path):
        yield


@pytest.fixture
def sign_in(site: str, browser: Browser) -> Iterator[SignIn]:
    """sign_in(user) -> their page, in a browser context of its own, in which every error fails the test."""
    contexts = []
    problems: list[str] = []

    def open_page(user: object, **options: object) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: _note_foreign(request.url, site, problems))
        workbench.sign_in(page, site, user.username)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems


def _note_foreign(url: str, site: str, problems: list[str]) -> None:
    if not url.startswith((site, "data:", "about:", "blob:")):
        problems.append(f"a request left for {url}")
