"""One server for all tests of the browser's modules."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.template import engines
from playwright.sync_api import Browser, Page

from tests.js.server import serving


@pytest.fixture(scope="package")
def views() -> dict[str, dict[str, Any]]:
    """What `/views/<name>` answers; tests put theirs in."""
    return {}


@pytest.fixture(scope="package")
def address(views: dict[str, dict[str, Any]]) -> Iterator[str]:
    with serving(views) as running:
        yield running


@pytest.fixture
def plain_addresses(settings: Any) -> Iterator[None]:
    """Static files by their own names, as the little server has them.

    Templates keep parts of a screen, with addresses in them: before and after, none are kept.
    """
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.STATIC_URL = "/static/"
    _forget_kept_parts()
    yield
    _forget_kept_parts()


def _forget_kept_parts() -> None:
    for loader in engines["django"].engine.template_loaders:
        loader.reset()


@pytest.fixture
def window(browser: Browser) -> Iterator[Page]:
    """A fresh page of a fresh context, which fails the test on any error of a script."""
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors
