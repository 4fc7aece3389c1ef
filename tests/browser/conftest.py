"""A real Chromium, a real web server and, where something is worked out behind it, real workers."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Browser, Page

from annotator.corpora.models import User
from tests.browser import workbench
from tests.contexts import new_context
from tests.processes import WebServer, periodic, purge_queues, wait_for, worker

SignIn = Callable[..., Page]


@pytest.fixture(scope="session")
def only_server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """The one web server of this process's tests, on its test database: it takes seconds to start."""
    made = WebServer(tmp_path_factory.mktemp("web"))
    yield made
    made.stop()


@pytest.fixture
def server(transactional_db: None, only_server: WebServer) -> Iterator[WebServer]:
    """It, running, for a test that may have it go away; what it asks of workers waits, but for `workers`."""
    purge_queues()
    only_server.start()
    yield only_server
    # The last request of a window that was closed may come late: it waits until these rows are gone.
    wait_for(lambda: _is_still(only_server), "the end of the last request")


@pytest.fixture
def site(server: WebServer) -> str:
    """The address of a Goldpan that answers."""
    return server.address


def _is_still(server: WebServer) -> bool:
    """Pause a server that is at no request; one that is at one goes on."""
    server.pause()
    if _database_is_idle():
        return True
    server.start()
    return False


def _database_is_idle() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "select 1 from pg_stat_activity where datname = current_database()"
            " and pid <> pg_backend_pid() and state <> 'idle'"
        )
        return cursor.fetchone() is None


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

    def open_page(user: User, **options: Any) -> Page:
        context = new_context(browser, **options)
        contexts.append(context)
        workbench.give_session(context, site, user)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: _note_foreign(request.url, site, problems))
        page.goto(f"{site}/")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems


def _note_foreign(url: str, site: str, problems: list[str]) -> None:
    if not url.startswith((site, "data:", "about:", "blob:")):
        problems.append(f"a request left for {url}")
