"""Figures and times in scripts are written as the language of the screen writes them."""

import pytest
from playwright.sync_api import Page

from annotator.common import catalogue

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("shared_window")]

SAY = """async (language) => {
  document.documentElement.lang = language;
  const { duration, figure, time } = await import("/static/js/elements/format.js");
  const today = new Date().setHours(12, 3);
  return [figure(1088), figure(1234567), time(today), time("2020-11-20T12:03:00"), duration(3734)];
}"""


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["1,088", "1,234,567", "12:03", "Nov 20, 12:03", "1:02:14"]),
        ("es", ["1\xa0088", "1\xa0234\xa0567", "12:03", "20 nov, 12:03", "1:02:14"]),
    ],
)
def test_figures_are_written_as_the_language_writes_them(
    window: Page, address: str, language: str, written: list[str]
) -> None:
    window.goto(f"{address}/screen")
    # As a screen has it; here the policy lets no test add a script.
    window.evaluate(f"() => (function () {{ {catalogue.script(language).decode()} }}).call(globalThis)")
    assert window.evaluate(SAY, language) == written
