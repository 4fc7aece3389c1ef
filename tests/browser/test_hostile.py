"""Hostile pages, annotated through the real app: nothing of theirs runs, and nobody learns who reads them.

The controls show that these tests would see it: the same bytes, served as they are, do run and do call home.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Route
from playwright.sync_api import Error as PlaywrightError

from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.pages import models
from annotator.pages.actions import add_page, build_document
from annotator.pages.views import FRAME_POLICY
from extraction.sandbox import Parser
from tests.browser import hostile as first
from tests.browser import hostile_features, hostile_shapes, workbench
from tests.browser.conftest import SignIn
from tests.browser.hostile import CANARY, Hostile
from tests.browser.watch import HOST, Canary, Watch, hosts_in, wild
from tests.contexts import PATIENCE, new_context
from tests.processes import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = [*first.PAGES, *hostile_features.PAGES, *hostile_shapes.PAGES]
LEAST = 60  # pages that a collection worth the name holds

# What our own modules could do by mistake; trusted types forbid it on the screens with captured pages.
INJECTIONS = (
    "document.body.innerHTML = '<p>x</p>'",
    "document.querySelector('#frame').srcdoc = '<p>x</p>'",
    "document.createElement('script').src = '/static/js/theme.js'",
    "new DOMParser().parseFromString('<p>x</p>', 'text/html')",
    "trustedTypes.createPolicy('ours', {})",
)
TRIED = "(() => { try { %s } catch (error) { return error.name } })()"
# Everything that a page may have hidden behind a name is called from the prototypes.
PRESS_EVERYTHING = """(document) => {
  for (const element of Document.prototype.querySelectorAll.call(document, "*")) {
    for (const type of ["pointerdown", "mouseover", "mouseenter", "focus", "toggle"]) {
      EventTarget.prototype.dispatchEvent.call(element, new Event(type, {bubbles: true}));
    }
    if (typeof element.click === "function") HTMLElement.prototype.click.call(element);
  }
}"""


# Pressed in both views. Not those that lead on by design: to submit, to skip, to go home.
KEYS = "Tab Enter Space Tab Shift+Tab j k J x Escape Alt+a Alt+Shift+j Alt+1 ContextMenu Shift+F10 F2 Escape"
GRID = [(x, y) for y in (60, 180, 330, 520, 700) for x in (40, 260, 620)]


@pytest.fixture(
    params=[
        pytest.param(PAGES[::5], id="every fifth"),
        pytest.param(PAGES, id="all", marks=pytest.mark.long),
    ]
)
def pages(request: pytest.FixtureRequest) -> list[Hostile]:
    return request.param


@pytest.fixture
def canary() -> Iterator[Canary]:
    listening = Canary()
    yield listening
    listening.close()


@pytest.fixture
def browser(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """For a test with a canary a browser of its own, whose network is logged: all that it even looked up."""
    if "canary" not in request.fixturenames:
        yield browser
        return
    log = tmp_path / "network.json"
    canary = request.getfixturevalue("canary")
    with wild(browser, canary, log) as started:
        yield started
    hosts = hosts_in(log)
    is_wild = "undefended" in request.node.name
    assert "127.0.0.1" in hosts, "the log must hold at least the visits to us"
    assert (HOST in hosts, bool(canary.calls)) == (is_wild, is_wild), (hosts, canary.calls)


# ---- through the app ----


@pytest.fixture
def shown(
    corpus: Corpus, cast: SimpleNamespace, parser: Parser, pages: list[Hostile]
) -> dict[str, models.Page]:
    """Every page that can be shown, by its name; the others are refused as expected, and say why."""
    made = {}
    for hostile in pages:
        page = _imported(corpus, hostile, parser)
        assert page.refusal == hostile.refusal, f"{hostile.name}: {page.error}"
        if page.refusal:
            assert page.error, hostile.name
        else:
            document = page.documents.get()
            assert hostile.says in document.text, hostile.name
            annotating.open_round(page=page)
            made[hostile.name] = page
    return made


def _imported(corpus: Corpus, hostile: Hostile, parser: Parser) -> models.Page:
    """As a worker does it; the address is as hostile as the page."""
    added = add_page(corpus=corpus, raw=hostile.raw, url=f"javascript:top.ran=1//{hostile.name}")
    claimed = work.claim(models.Page, added.page.pk)
    assert claimed
    build_document(claimed, parser)
    return models.Page.objects.get(pk=claimed.pk)


def test_there_are_pages_enough_and_no_two_alike() -> None:
    assert len({hostile.name for hostile in PAGES}) == len({hostile.raw for hostile in PAGES}) == len(PAGES)
    assert sum(hostile.runs or hostile.asks for hostile in PAGES) >= LEAST


def test_hostile_pages_do_nothing_and_can_be_annotated(
    corpus: Corpus,
    cast: SimpleNamespace,
    pages: list[Hostile],
    shown: dict[str, models.Page],
    site: str,
    canary: Canary,
    sign_in: SignIn,
) -> None:
    """Nor does the network of the browser know the canary's name afterwards: see `browser`."""
    assert len(shown) == sum(not hostile.refusal for hostile in pages)
    page = sign_in(cast.ada)
    watch = Watch(page, site)
    watch.listen_to_protocol(page)
    session = page.context.new_cdp_session(page)
    for name, captured in shown.items():
        slot = annotating.claim_on(page=captured, annotator=cast.ada)
        page.goto(f"{site}/c/{corpus.slug}/slots/{slot.key}/")
        workbench.ready(page)
        address = page.url
        watch.forget()
        for view in ("page", "reading"):
            page.evaluate(f"window.goldpan.stage.switchTo('{view}')")
            _try_everything(page, session)
            watch.look(page)
        assert page.evaluate("document.documentElement.dataset.ready") == "1", name
        assert page.url == address, name
        _annotate(page)
        assert workbench.saved(page) > 0, name
        assert not watch.findings, f"{name}: {watch.findings}"
    _marks_arrived(cast)
    for attempt in INJECTIONS:
        assert page.evaluate(TRIED % attempt) == "TypeError", attempt


def _try_everything(page: Page, session: CDPSession) -> None:
    """All that can be pressed, from without and by hand."""
    page.evaluate(f"({PRESS_EVERYTHING})(window.goldpan.view.document)")
    frame = page.evaluate("(({x, y}) => [x, y])(document.querySelector('#frame').getBoundingClientRect())")
    for index, (x, y) in enumerate(GRID):
        _click(session, frame[0] + x, frame[1] + y, ("left", "left", "middle", "right")[index % 4])
    _drag(session, (frame[0] + 60, frame[1] + 70), (frame[0] + 500, frame[1] + 420))
    page.evaluate("window.goldpan.stage.focus()")
    for key in KEYS.split():
        page.keyboard.press(key)
    assert not page.evaluate("Boolean(window.goldpan.view.window.ran)")
    page.evaluate("window.goldpan.stage.focus()")


def _click(session: CDPSession, x: float, y: float, button: str) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        _mouse(session, kind, x, y, button)


def _drag(session: CDPSession, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Past the distance at which a browser begins to drag a link or a picture, and drop."""
    _mouse(session, "mousePressed", *start, "left")
    for part in (0.02, 0.1, 0.5, 1):
        x, y = (a + part * (b - a) for a, b in zip(start, end, strict=True))
        _mouse(session, "mouseMoved", x, y, "left")
    _mouse(session, "mouseReleased", *end, "left")


def _mouse(session: CDPSession, kind: str, x: float, y: float, button: str) -> None:
    held = {"left": 1, "right": 2, "middle": 4}[button] if kind != "mouseReleased" else 0
    event = {"type": kind, "x": x, "y": y, "button": button, "buttons": held, "clickCount": 1}
    session.send("Input.dispatchMouseEvent", event)


def _annotate(page: Page) -> None:
    """All blocks as body, by keys, and a verdict."""
    for key in ("j", "2", "j", "J", "2", "y"):
        page.keyboard.press(key)


def _marks_arrived(cast: SimpleNamespace) -> None:
    for annotation in Annotation.objects.filter(annotator=cast.ada).select_related("document"):
        newest = annotation.revisions.latest("number")
        assert newest.verdict == "article"
        assert bool(newest.spans) == bool(annotation.document.blocks), annotation.document.text[:80]


# ---- controls: without our defence ----


@contextmanager
def served(pages: list[Hostile], policy: str = "") -> Iterator[str]:
    """The hostile pages as they are, by their number, under a policy or none."""

    class Raw(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            number = urlsplit(self.path).path.strip("/")
            body = pages[int(number)].raw if number.isdigit() else b""
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            if policy:
                self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """A test's output is its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Raw)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Signs(NamedTuple):
    """Of a raw page: what its scripts left, and which of its calls reached the canary."""

    scripts: list[str]
    calls: list[str]


def _visit_all(browser: Browser, address: str, pages: list[Hostile], *, presses: bool) -> dict[str, Signs]:
    """Open each raw page for a moment."""
    context = new_context(browser)
    seen = {}
    for number, hostile in enumerate(pages):
        if not hostile.refusal:
            awaited = hostile if presses else None
            seen[hostile.name] = _visit(context, f"{address}/{number}", awaited)
    context.close()
    return seen


def _visit(context: BrowserContext, address: str, awaited: Hostile | None) -> Signs:
    """A moment, or until the page has done what is awaited of it."""
    calls: list[str] = []

    def answer(route: Route) -> None:
        calls.append(route.request.url)
        route.fulfill(body="", content_type="text/html")

    page = context.new_page()
    page.route(f"{CANARY}**", answer)
    target = context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]["targetId"]
    watch = Watch(page, address.rpartition("/")[0])
    deadline = time.monotonic() + PATIENCE / 1000
    try:
        page.goto(address)
        page.wait_for_timeout(60)
        watch.look(page)
        if awaited:
            page.evaluate(f"({PRESS_EVERYTHING})(document)")
            page.wait_for_timeout(60)
            watch.look(page)
            while awaited.runs and not watch.scripts and time.monotonic() < deadline:
                page.wait_for_timeout(60)
                watch.look(page)
    except PlaywrightError:
        pass  # it led the browser away while we looked: what was seen until then counts
    finally:
        while awaited and not _has_done(awaited, watch, calls) and time.monotonic() < deadline:
            context.cookies()  # meanwhile what the browser says is heard
        # Not by `page.close`, which waits for an undefended page, and sometimes for ever.
        assert context.browser is not None
        closing = context.browser.new_browser_cdp_session()
        closing.send("Target.closeTarget", {"targetId": target})
        closing.detach()
    return Signs(watch.scripts, calls)


def _has_done(awaited: Hostile, watch: Watch, calls: list[str]) -> bool:
    return bool(watch.scripts or not awaited.runs) and bool(calls or not awaited.asks)


def test_control_the_same_pages_do_harm_undefended(browser: Browser, pages: list[Hostile]) -> None:
    with served(pages) as address:
        seen = _visit_all(browser, address, pages, presses=True)
    wrong = [
        f"{hostile.name}: {seen[hostile.name]}"
        for hostile in pages
        if not hostile.refusal
        and (bool(seen[hostile.name].scripts), bool(seen[hostile.name].calls)) != (hostile.runs, hostile.asks)
    ]
    assert not wrong, "\n".join(wrong)


def test_control_the_network_log_knows_a_page_undefended(browser: Browser, canary: Canary) -> None:
    """The other half of the proof: what `browser` finds in the log and at the canary afterwards."""
    with served(PAGES) as address:
        page = browser.new_page()
        page.goto(f"{address}/{[hostile.name for hostile in PAGES].index('connections beforehand')}")
        wait_for(lambda: page.wait_for_timeout(1) or bool(canary.calls), "a call")
        page.close()


def test_the_frames_policy_alone_holds_the_same_pages(browser: Browser, pages: list[Hostile]) -> None:
    """The second lock: even parsed by the browser, under the frame's policy they run and fetch nothing."""
    policy = "; ".join(f"{name} {' '.join(values)}" for name, values in FRAME_POLICY.items())
    with served(pages, policy) as address:
        seen = _visit_all(browser, address, pages, presses=False)
    assert {name: signs for name, signs in seen.items() if signs.scripts or signs.calls} == {}
