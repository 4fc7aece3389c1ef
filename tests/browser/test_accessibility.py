"""axe on every screen, in both languages, light and dark, wide and narrow: no violation of WCAG 2.2 A, AA.

Each rule looks where its finding can differ: those of colours in both schemes, the others in one; in a
popover, at what is in it. The short form is in Spanish, whose words may be longer or forgotten.

And what axe does not see: screens as narrow as at 400 %, stops of the Tab key that are hidden, movement.
"""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django import DjangoDbBlocker

from annotator.corpora.models import Corpus
from extraction.sandbox import Parser
from tests import factories, scene
from tests.annotator.corpora.test_authentication import set_up as set_up_second_factor
from tests.browser import workbench
from tests.contexts import new_context
from tests.processes import WebServer

WindowOf = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# What can differ between light and dark: nothing but colours is said for one of them alone.
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
# How a screen is looked at: width, scheme, rules; its popovers are opened in the last.
Looks = tuple[tuple[int, Literal["light", "dark"], object], ...]
NARROWEST = 800
FEW_LOOKS: Looks = ((1440, "light", RULES), (NARROWEST, "dark", COLOURS))
ALL_LOOKS: Looks = (
    (1440, "light", RULES),
    (1440, "dark", COLOURS),
    (NARROWEST, "light", RULES),
    (NARROWEST, "dark", COLOURS),
)
WORKBENCHES = ("annotate", "adjudicate", "error-view", "feedback", "gold of a page")

# Hidden fields hold where somebody came from, and a token: another on every screen.
POPOVERS = """[...document.querySelectorAll("[popover]")].map(({id, outerHTML}) =>
  [id, outerHTML.replace(/<input type="hidden"[^>]*>/g, "")])"""

# Stops of the Tab key that are looked at on a screen, and how many presses go by between two questions.
STOPS, PRESSES = 60, 12

TOO_WIDE = "document.documentElement.scrollWidth > innerWidth + 1 ? document.documentElement.scrollWidth : 0"
# The panel beside a page scrolls by itself, and only down.
CUT = """[...document.querySelectorAll(".panel")].filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.scrollWidth} in ${each.clientWidth}`)"""
OVERLAPPING = """[...document.querySelectorAll("svg.axis")].filter((axis) => {
  const ticks = [...axis.querySelectorAll("text")].map((each) => each.getBoundingClientRect());
  const shown = ticks.filter(({width}) => width);
  return shown.some(({left}, n) => n && left < shown[n - 1].right);
}).map((each) => each.innerHTML)"""
MOVING = """[...document.querySelectorAll("*")].filter((each) => {
  const {transitionDuration, animationName, scrollBehavior} = getComputedStyle(each);
  return parseFloat(transitionDuration) > 0 || animationName !== "none" || scrollBehavior === "smooth";
}).map((each) => each.outerHTML.slice(0, 80))"""
# The list of blocks is heard, and its place is the outline on the page; the frame scrolls by itself.
# The key that leads on is pressed once all that follows the focus has happened, as scrolling does.
WATCH_STOPS = """window.stops ??= (() => {
  const stops = {covered: [], isOver: false};
  const look = () => {
    const at = document.activeElement;
    if (!at || at === document.body) return;
    const box = at.getBoundingClientRect();
    const x = Math.min(box.right, innerWidth) - Math.min(box.width, 4) - 1;
    const top = document.elementFromPoint(Math.max(0, x), box.top + Math.min(box.height, innerHeight) / 2);
    const shown = at.closest("label") ?? at;
    const {outlineStyle, boxShadow} = getComputedStyle(at);
    const isApart = at.matches("[role=listbox], iframe, .sr, .seg input");
    const isCovered = !(top && (shown.contains(top) || top.contains(at)));
    const isPlain = outlineStyle === "none" && boxShadow === "none";
    if (!isApart && (isCovered || isPlain)) stops.covered.push(at.outerHTML.slice(0, 120));
  };
  let pressed = 0;
  addEventListener("keydown", () => {
    if (pressed++ && document.activeElement === document.body) stops.isOver = true;
    if (!stops.isOver) look();
  }, {capture: true});
  return stops;
})()"""

# Once the focus has been in a field, Tab goes on from there, also after `blur`.
FROM_THE_TOP = "document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute('tabindex')"

# axe judges no contrast where the ground has several colours, as at the sides of a table that scrolls.
ONE_GROUND = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".scroll { background: none !important; }");
  document.adoptedStyleSheets = [sheet];
})()"""

BACKGROUND = "getComputedStyle(document.body).backgroundColor"
NAMELESS = """(() => {
  const popover = document.createElement("div");
  popover.id = "made";
  popover.popover = "auto";
  popover.append(document.createElement("button"));
  document.body.append(popover);
})()"""

UNFIT = """(() => {
  const make = (className, style, inside) => {
    const made = document.body.appendChild(document.createElement("div"));
    made.className = className;
    made.style.cssText = style;
    if (inside) made.appendChild(document.createElement("div")).style.cssText = inside;
  };
  make("", "width: 900px; height: 9px");
  make("", "transition-duration: 1s !important");
  make("panel", "width: 200px; overflow: hidden", "width: 300px; height: 9px");
  const axis = '<svg class="axis"><text>.90</text><text x="9">1</text></svg>';
  document.body.insertAdjacentHTML("beforeend", axis);
  make("", "position: fixed; inset: 0; z-index: 9");
})()"""


@pytest.fixture(scope="module")
def rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Committed rows, which the web server sees; gone after the module. The tests only look at them."""
    with django_db_blocker.unblock():
        try:
            yield
        finally:
            call_command("flush", interactive=False, verbosity=0)


@pytest.fixture(scope="module")
def corpus(rows: None) -> Corpus:
    return factories.make_corpus()


@pytest.fixture(scope="module")
def cast(corpus: Corpus) -> SimpleNamespace:
    made = factories.make_cast(corpus)
    made.root = factories.make_user("root", is_superuser=True)
    return made


@pytest.fixture(scope="module")
def screens(corpus: Corpus, cast: SimpleNamespace, parser: Parser) -> list[scene.Screen]:
    made = scene.furnish(corpus, cast, factories.page_maker(corpus, parser)).screens
    return [screen for screen in made if screen.name not in scene.PARTS]


@pytest.fixture(scope="module")
def served(rows: None, only_server: WebServer) -> Iterator[str]:
    """Of a server that does nothing any more before the rows go."""
    only_server.start()
    yield only_server.address
    only_server.pause()


@pytest.fixture(scope="module")
def sessions(screens: list[scene.Screen], cast: SimpleNamespace) -> dict[str, str]:
    """The session's key of everybody, by their names; "" for a stranger's."""
    keys = {"": ""}
    for name in {screen.who for screen in screens if screen.who}:
        client = Client()
        client.force_login(getattr(cast, name))
        keys[name] = client.cookies["sessionid"].value
    return keys


@pytest.fixture(scope="module")
def steps(rows: None) -> dict[str, Client]:
    """The steps around a second factor, and who stands before each."""
    nina, otto = (factories.make_user(name, password=factories.PASSWORD) for name in ("nina", "otto"))
    new, enrolled, half_in, later = (Client() for _ in range(4))
    new.force_login(nina)
    enrolled.force_login(otto)
    set_up_second_factor(enrolled)
    half_in.post("/sign-in/", {"username": "otto", "password": factories.PASSWORD})
    later.force_login(otto)
    return {
        "account_reauthenticate": new,
        "mfa_view_recovery_codes": enrolled,
        "mfa_generate_recovery_codes": enrolled,
        "mfa_deactivate_totp": enrolled,
        "mfa_authenticate": half_in,
        "mfa_reauthenticate": later,
    }


@pytest.fixture
def window_of(served: str, sessions: dict[str, str], browser: Browser) -> Iterator[WindowOf]:
    """window_of(name, language) -> the one window, theirs now, or a stranger's; it asks for less movement.

    One for all, as the browser keeps in it what every screen needs.
    """
    with new_context(browser, reduced_motion="reduce") as context:
        page = context.new_page()

        def window(name: str, language: str = "en") -> Page:
            cookies = {"django_language": language, "sessionid": sessions[name]}
            context.add_cookies([{"name": key, "value": cookies[key], "url": served} for key in cookies])
            return page

        yield window


@pytest.mark.parametrize(
    ("language", "looks"),
    [
        ("es", FEW_LOOKS),
        pytest.param("en", ALL_LOOKS, marks=pytest.mark.long),
        pytest.param("es", ALL_LOOKS, marks=pytest.mark.long),
    ],
)
def test_every_screen_fits_a_narrow_window_shows_its_focus_and_passes_axe(
    screens: list[scene.Screen], served: str, window_of: WindowOf, language: str, looks: Looks
) -> None:
    """One visit for all of it, as to open a screen takes as long as to look at it."""
    found: dict[str, object] = {}
    popovers: set[str] = set()
    for screen in screens:
        page = window_of(screen.who, language)
        page.set_viewport_size({"width": 320, "height": 720})
        _open(page, served, screen)
        assert page.get_attribute("html", "lang") == language
        for what, faults in (*_narrow(page), *_looks(page, looks, popovers), *_cut(page)):
            found |= {f"{screen.name}, {what}": faults} if faults else {}
    assert not found, "\n".join(f"{where}: {faults}" for where, faults in found.items())


def test_no_part_of_a_workbench_is_covered_in_a_short_window(
    screens: list[scene.Screen], served: str, window_of: WindowOf
) -> None:
    """A window of 1280 by 1024 at 400 %: what has no room beside the page is scrolled to."""
    found = {}
    for screen in screens:
        if screen.name in WORKBENCHES:
            page = window_of(screen.who)
            page.set_viewport_size({"width": 320, "height": 256})
            _open(page, served, screen)
            found[screen.name] = _covered_stops(page)
    assert not any(found.values()), found


def test_axe_finds_nothing_on_the_steps_of_a_second_factor(
    steps: dict[str, Client], served: str, browser: Browser
) -> None:
    found: dict[str, list[str]] = {}
    popovers: set[str] = set()
    with new_context(browser) as context:
        page = context.new_page()
        for name, client in steps.items():
            session = client.cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": session, "url": served}])
            page.goto(served + reverse(name))
            assert page.url == served + reverse(name)
            found |= {
                f"{name}, {what}": faults for what, faults in _looks(page, FEW_LOOKS, popovers) if faults
            }
    assert not found, "\n".join(f"{where}: {each}" for where, all_ in found.items() for each in all_)


def test_axe_finds_nothing_on_pages_of_errors(
    screens: list[scene.Screen], cast: SimpleNamespace, served: str, window_of: WindowOf
) -> None:
    """After a form that somebody submitted when they were signed out, and after addresses that are none."""
    page = window_of("hanne")
    page.goto(f"{served}/c/dailies/guideline/write/")
    page.fill("[name=note]", "Captions are marked")
    page.context.clear_cookies()
    page.click("main form button[name=preview]")
    assert page.input_value("textarea[readonly] >> nth=-1") == "Captions are marked"
    found = {"401": list(_looks(page, ALL_LOOKS))}
    for name, address in (("404", "/c/nowhere/"), ("403", reverse("people", args=["dailies"]))):
        page = window_of("rhea")
        answer = page.goto(served + address)
        assert answer is not None
        assert answer.status == int(name)
        found[name] = list(_looks(page, FEW_LOOKS))
    assert not [each for all_ in found.values() for each in all_ if each[1]], found


def _open(page: Page, site: str, screen: scene.Screen) -> None:
    page.goto(site + screen.address)
    if screen.name in WORKBENCHES:
        workbench.ready(page)


def _narrow(page: Page) -> Iterator[tuple[str, object]]:
    """320 CSS pixels are a window of 1280 at 400 %: only tables and pages may be scrolled sideways."""
    yield "too wide", page.evaluate(TOO_WIDE)
    yield "moving", page.evaluate(MOVING)
    page.set_viewport_size({"width": 1280, "height": 720})
    yield "covered", _covered_stops(page)
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")


def _cut(page: Page) -> Iterator[tuple[str, object]]:
    """In the width of the last look, in which panels and axes are narrowest."""
    assert page.viewport_size["width"] == NARROWEST
    yield "cut", page.evaluate(CUT)
    yield "overlapping", page.evaluate(OVERLAPPING)


def _covered_stops(page: Page) -> list[str]:
    """What takes the focus and cannot be seen then, or shows nothing of it."""
    page.evaluate(FROM_THE_TOP)
    page.evaluate(WATCH_STOPS)
    for _ in range(0, STOPS, PRESSES):
        for _ in range(PRESSES):
            page.keyboard.press("Tab")
        stops = page.evaluate("window.stops")
        if stops["isOver"]:
            break
    return list(stops["covered"])


def _looks(page: Page, looks: Looks, seen: set[str] | None = None) -> Iterator[tuple[str, list[str]]]:
    """The screen in each width and scheme, then each of its popovers, and what axe has against it.

    A popover that was seen, letter by letter, is not judged again: every screen has those of the header.
    """
    seen = set() if seen is None else seen
    page.evaluate(f"{AXE_SCRIPT};0")
    page.evaluate(ONE_GROUND)
    for width, scheme, rules in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        yield f"{width} {scheme}", _violations(page, rules)
    for popover, html in page.evaluate(POPOVERS):
        if html in seen:
            continue
        seen.add(html)
        page.evaluate("(id) => document.getElementById(id).showPopover()", popover)
        yield f"with #{popover} open", _violations(page, within=f"#{popover}")
        page.evaluate("(id) => document.getElementById(id).hidePopover()", popover)


def _violations(page: Page, rules: object = RULES, *, within: str = "html") -> list[str]:
    # The captured page in the frame is not ours to judge, and is looked at for its colours by nobody.
    result: dict[str, Any] = page.evaluate(
        """([runOnly, within]) => axe.run({include: [[within]], exclude: [['#frame']]},
            {runOnly, resultTypes: ["violations"], iframes: false})""",
        [rules, within],
    )
    return [
        f"{violation['id']} at {node['target']}: {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def test_axe_sees_what_is_wrong(served: str, window_of: WindowOf) -> None:
    """The control: on a screen of ours made worse, in the dark and in a popover, axe speaks up."""
    stranger = window_of("")
    stranger.goto(f"{served}/sign-in/")
    looks = _looks(stranger, ALL_LOOKS)
    assert next(looks) == ("1440 light", [])
    light = stranger.evaluate(BACKGROUND)
    assert next(looks) == ("1440 dark", [])
    assert stranger.evaluate(BACKGROUND) != light
    stranger.evaluate("document.querySelector('[name=username]').labels[0].remove()")
    stranger.evaluate("document.documentElement.removeAttribute('lang')")
    stranger.evaluate("document.querySelector('main .primary').style.color = 'gray'")
    stranger.evaluate(NAMELESS)
    found = {what: {each.split(" ")[0] for each in violations} for what, violations in looks}
    wrong = {"label", "html-has-lang", "color-contrast"}
    assert found == {"800 light": wrong, "800 dark": {"color-contrast"}, "with #made open": {"button-name"}}


def test_what_axe_does_not_see_is_seen(served: str, window_of: WindowOf) -> None:
    """The control: on a screen that is too wide, moves, covers all, and cuts a panel and ticks off."""
    stranger = window_of("")
    stranger.set_viewport_size({"width": 320, "height": 720})
    stranger.goto(f"{served}/sign-in/")
    stranger.evaluate(UNFIT)
    faults: dict[str, Any] = dict(_narrow(stranger))
    stranger.set_viewport_size({"width": NARROWEST, "height": 900})
    faults |= _cut(stranger)
    assert faults["too wide"] == 900
    assert len(faults["moving"]) == len(faults["cut"]) == len(faults["overlapping"]) == 1
    assert any("username" in stop for stop in faults["covered"])
