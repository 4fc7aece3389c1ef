"""The pure modules, and those that need no page of ours, in a real Chromium."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

FILES = sorted(path.name for path in Path(__file__).parent.glob("*.test.js"))

# Playwright's own evaluation is outside the page's policy, so the module is imported, not evaluated as text.
RUN = """async (name) => {
    await import(`/tests/js/${name}`);
    const { run } = await import("/tests/js/harness.js");
    return run();
}"""


@pytest.mark.parametrize("name", FILES)
def test_modules_keep_their_promises(window: Page, address: str, name: str) -> None:
    window.goto(f"{address}/blank")
    result = window.evaluate(RUN, name)
    assert result["ran"] > 0
    assert not result["failures"], "\n".join(result["failures"])
