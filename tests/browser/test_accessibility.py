"""axe on every screen, light and dark, wide and narrow: no violation of WCAG 2.2 at levels A and AA."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from annotator.corpora.models import Corpus
from tests import scene
from tests.browser import workbench as bench
from tests.browser.conftest import SignIn
from tests.factories import PASSWORD, MakePage, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
WIDTHS = (1440, 800)
SCHEMES = ("light", "dark")
WORKBENCHES = ("annotate", "adjudicate", "glass")
# A part of a screen, fetched into it: looked at where it stands.
PARTS = ("leaderboard-table", "corpus-pages")

BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def screens(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> list[scene.Screen]:
    cast.root = make_user("root", is_superuser=True)
    made = scene.furnish(corpus, cast, make_page).screens
    for name in {screen.who for screen in made} - {""}:
        user = getattr(cast, name)
        user.set_password(PASSWORD)
        user.save()
    return [screen for screen in made if screen.name not in PARTS]


@pytest.fixture
def stranger(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_axe_finds_nothing_on_any_screen(
    cast: SimpleNamespace, screens: list[scene.Screen], site: str, sign_in: SignIn, stranger: Page
) -> None:
    pages = {"": stranger}
    found: dict[str, list[str]] = {}
    for screen in screens:
        if screen.who not in pages:
            pages[screen.who] = sign_in(getattr(cast, screen.who))
        page = pages[screen.who]
        page.goto(site + screen.address)
        if screen.name in WORKBENCHES:
            bench.ready(page)
        for what, violations in _looks(page):
            found |= {f"{screen.name}, {what}": violations} if violations else {}
    assert not found, "\n".join(f"{where}: {each}" for where, all_ in found.items() for each in all_)


def _looks(page: Page) -> Iterator[tuple[str, list[str]]]:
    """The screen in each width and scheme, and what axe has against it."""
    page.evaluate(f"{AXE_SCRIPT};0")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            yield f"{width} {scheme}", _violations(page)
    for popover in page.evaluate("[...document.querySelectorAll('[popover]')].map(({id}) => id)"):
        page.evaluate("(id) => document.getElementById(id).showPopover()", popover)
        yield f"with #{popover} open", _violations(page)
        page.evaluate("(id) => document.getElementById(id).hidePopover()", popover)


def _violations(page: Page) -> list[str]:
    # The captured page in the frame is not ours to judge, and is looked at for its colours by nobody.
    result: dict[str, Any] = page.evaluate(
        "([rules]) => axe.run({exclude: [['#frame']]}, {...rules, iframes: false})", [RULES]
    )
    return [
        f"{violation['id']} at {node['target']}: {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def test_axe_sees_what_is_wrong(site: str, stranger: Page) -> None:
    """The control: on a screen of ours made worse, in the dark, axe speaks up."""
    stranger.goto(f"{site}/sign-in/")
    looks = _looks(stranger)
    assert next(looks) == ("1440 light", [])
    light = stranger.evaluate(BACKGROUND)
    assert next(looks) == ("1440 dark", [])
    assert stranger.evaluate(BACKGROUND) != light
    stranger.evaluate("document.querySelector('[name=username]').labels[0].remove()")
    stranger.evaluate("document.documentElement.removeAttribute('lang')")
    stranger.evaluate("document.querySelector('main .primary').style.color = 'gray'")
    found = {each.split(" ")[0] for each in _violations(stranger)}
    assert found == {"label", "html-has-lang", "color-contrast"}
