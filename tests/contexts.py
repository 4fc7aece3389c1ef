"""Contexts of the tests' Chromium, which wait as long as a busy machine may take."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext

# Milliseconds until something that does not come is a failure.
PATIENCE = 120_000


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """A context with a window of 1440 pixels, unless the options say otherwise."""
    made = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
    made.set_default_timeout(PATIENCE)
    return made
