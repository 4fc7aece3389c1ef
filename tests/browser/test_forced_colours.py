"""Where the system chooses the colours, what a colour tells is told still: things of one kind look apart."""

from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.contexts import new_context
from tests.factories import MakePage

pytestmark = pytest.mark.browser

CSS = Path(__file__).resolve().parents[2] / "annotator" / "static" / "css"
STATES = ("gold", "due", "half", "wait", "new", "bad", "gone")
KINDS = {
    "badges": [
        f'<i class="badge {kind}"></i>'
        for kind in ("", "half", "done", "paused", "due", "gold", "bad", "live", "wait")
    ],
    "swatches": [f'<i class="swatch s-{state}" style="display: block"></i>' for state in STATES],
    "keys": ['<i class="key-a"></i>', '<i class="key-b"></i>'],
    "steps of a matrix": [
        f'<table class="matrix"><tr><td class="{step}">.9</table>'
        for step in ("", "q1", "q2", "q3", "q4", "q5", "withheld")
    ],
    "steps of a key": [f'<p class="ramp"><i class="q{step}"></i></p>' for step in range(1, 6)],
    "marked words": [f'<p class="meta">{mark}</p>' for mark in ("", "<mark>a</mark>", "<mark>b</mark>")],
    "progress": [f'<progress value="{value}"></progress>' for value in (0, 0.2, 0.8, 1)],
    "links of the bar": [
        f'<div class="top"><nav><a href="x"{current}>Home</a></nav></div>'
        for current in ("", ' aria-current="page"')
    ],
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_things_of_a_kind_look_apart(browser: Browser, kind: str, scheme: Literal["light", "dark"]) -> None:
    with new_context(browser, forced_colors="active", color_scheme=scheme) as context:
        page = context.new_page()
        page.set_content(
            "".join(
                f'<div style="width: 8rem; height: 4rem; padding: 4px">{each}</div>' for each in KINDS[kind]
            )
        )
        for name in ("tokens", "base", "figures"):
            page.add_style_tag(path=CSS / f"{name}.css")
        looks = [each.screenshot(animations="disabled") for each in page.locator("body > div").all()]
        assert len(set(looks)) == len(KINDS[kind])


@pytest.mark.django_db(transaction=True)
def test_a_page_and_the_outline_of_its_block_keep_their_colours(
    site: str, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    """A page is light whatever the system chooses: an outline in the system's ink would be white on white."""
    make_page()
    page = sign_in(cast.ada, color_scheme="dark")
    page.click("form[action$='/next/'] button")
    workbench.ready(page)
    page.keyboard.press("j")
    expect(page.locator(".status [data-block]")).not_to_have_text("–")
    ours = page.locator("#frame").screenshot()
    page.emulate_media(forced_colors="active")
    assert page.locator("#frame").screenshot() == ours
