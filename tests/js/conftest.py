"""One server for all tests of the browser's modules, and the annotation screen before it."""

from collections.abc import Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.template.backends.django import DjangoTemplates
from django.template.loader import render_to_string
from django.test import override_settings
from playwright.sync_api import Browser, Error, Page, ViewportSize

from extraction.documents.view.build import build_view
from extraction.parsing.parse import parse
from tests.browser.workbench import until
from tests.contexts import new_context
from tests.js.screen import SOURCE, Screen, payload_of
from tests.js.server import serving

VIEWPORT: ViewportSize = {"width": 1200, "height": 800}


@pytest.fixture(scope="package")
def views() -> dict[str, dict[str, Any]]:
    """What `/views/<name>` answers; tests put theirs in."""
    return {}


@pytest.fixture(scope="package")
def address(views: dict[str, dict[str, Any]]) -> Iterator[str]:
    with serving(views) as running:
        yield running


@pytest.fixture(scope="module")
def plain_addresses() -> Iterator[None]:
    """Static files by their own names, as the little server has them.

    Templates keep parts of a screen, with addresses in them: before and after, none are kept.
    """
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}, STATIC_URL="/static/"):
        _forget_kept_parts()
        yield
        _forget_kept_parts()


def _forget_kept_parts() -> None:
    backend = engines["django"]
    assert isinstance(backend, DjangoTemplates)
    for loader in backend.engine.template_loaders:
        loader.reset()


@pytest.fixture(scope="module")
def shared_window(browser: Browser) -> Iterator[Page]:
    """The window of a module that has this in use, and whose tests each open a page and store nothing."""
    with new_context(browser, viewport=VIEWPORT) as context:
        yield context.new_page()


@pytest.fixture
def window_options() -> dict[str, Any]:
    """How a fresh window differs from the usual one."""
    return {}


@pytest.fixture
def window(
    browser: Browser, request: pytest.FixtureRequest, window_options: dict[str, Any]
) -> Iterator[Page]:
    """A fresh page of a fresh context, or that of the module; any error of a script fails the test."""
    with ExitStack() as stack:
        if "shared_window" in request.fixturenames:
            page: Page = request.getfixturevalue("shared_window")
        else:
            page = stack.enter_context(new_context(browser, viewport=VIEWPORT, **window_options)).new_page()
        errors: list[Error] = []

        def note(error: Error) -> None:
            errors.append(error)

        page.on("pageerror", note)
        yield page
        page.remove_listener("pageerror", note)
    assert not errors, errors


@pytest.fixture
def open_screen(window: Page, address: str, views: dict[str, dict[str, Any]], plain_addresses: None) -> Any:
    """open_screen(source, suggestion=..., state=...) -> the screen, ready, or else painted only."""

    def opened(source: str = SOURCE, *, is_ready: bool = True, **more: Any) -> Screen:
        views["ferry"] = build_view(parse(source.encode()))
        context = {
            "payload": payload_of(views["ferry"], **more),
            "slot": SimpleNamespace(pk=7),
            "user": SimpleNamespace(browser_key="ada"),
        }
        html = render_to_string("annotations/annotate.html", context)
        made = Screen(window)
        window.route("**/annotate-screen", lambda route: route.fulfill(body=html, content_type="text/html"))
        window.route("**/api/*", made.answer)
        window.goto(f"{address}/annotate-screen")
        if is_ready:
            window.wait_for_selector("html[data-ready='1']", state="attached")
        else:
            until(window, "performance.getEntriesByName('painted').length > 0")
        return made

    return opened
