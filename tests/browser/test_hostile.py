"""Hostile pages, annotated through the real app: nothing of theirs runs, and nobody learns who reads them.

The controls show that these tests would see it: the same bytes, served as they are, do run and do call home.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Route
from playwright.sync_api import Error as PlaywrightError

from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, Slot
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.pages import models
from annotator.pages.actions import add_page, build_document
from annotator.pages.views import FRAME_POLICY
from extraction.sandbox import Parser
from tests.browser import workbench as bench
from tests.browser.conftest import SignIn
from tests.browser.hostile import CANARY, PAGES, RAN, Hostile
from tests.factories import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

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


class Watch:
    """What happens in a browser context that should not."""

    def __init__(self, page: Page, ours: str) -> None:
        self.scripts: list[str] = []
        self.asked: list[str] = []
        self.moves: list[str] = []
        self.stopped: list[str] = []  # by a policy, which is to be the second lock and not the first
        self._ours = (ours, "about:", "data:", "blob:")
        page.on("popup", self._opened)
        self._listen(page)

    def _opened(self, page: Page) -> None:
        self.moves.append(f"a window opened for {page.url}")
        self._listen(page)

    def _listen(self, page: Page) -> None:
        page.on("dialog", self._asks)
        page.on("console", lambda message: self._says(message.text))
        page.on("request", lambda request: self._leaves(self.asked, request.url))
        page.on("websocket", lambda socket: self._leaves(self.asked, socket.url))
        page.on("framenavigated", lambda frame: self._leaves(self.moves, frame.url))

    def _asks(self, dialog: Dialog) -> None:
        self.scripts.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _says(self, text: str) -> None:
        if RAN in text:
            self.scripts.append(text)
        if "Content Security Policy" in text:
            self.stopped.append(text)

    def _leaves(self, where: list[str], url: str) -> None:
        if not url.startswith(self._ours):
            where.append(url)

    def look(self, page: Page) -> None:
        """The marks that a script would have left in this page."""
        if page.evaluate("Boolean(window.ran)") or RAN in page.title():
            self.scripts.append("a mark in the page")

    @property
    def findings(self) -> list[str]:
        return [*self.scripts, *self.asked, *self.moves, *self.stopped]


# ---- through the app ----


@pytest.fixture
def slots(corpus: Corpus, cast: SimpleNamespace, parser: Parser) -> dict[str, Slot]:
    """Every page that can be shown, claimed by ada, by its name; the others are refused as expected."""
    claimed = {}
    for hostile in PAGES:
        page = _imported(corpus, hostile, parser)
        assert page.refusal == hostile.refusal, f"{hostile.name}: {page.error}"
        if not page.refusal:
            document = page.documents.get()
            assert hostile.says in document.text, hostile.name
            annotating.open_round(page=page)
            claimed[hostile.name] = annotating.claim_on(page=page, annotator=cast.ada)
    cast.ada.set_password(PASSWORD)
    cast.ada.save()
    return claimed


def _imported(corpus: Corpus, hostile: Hostile, parser: Parser) -> models.Page:
    """As a worker does it; the address is as hostile as the page."""
    added = add_page(corpus=corpus, raw=hostile.raw, url=f"javascript:top.ran=1//{hostile.name}")
    claimed = work.claim(models.Page, added.page.pk)
    assert claimed
    build_document(claimed, parser)
    return models.Page.objects.get(pk=claimed.pk)


def test_hostile_pages_do_nothing_and_can_be_annotated(
    corpus: Corpus, cast: SimpleNamespace, slots: dict[str, Slot], site: str, sign_in: SignIn
) -> None:
    assert len(slots) == sum(not hostile.refusal for hostile in PAGES)
    page = sign_in(cast.ada)
    watch = Watch(page, site)
    for name, slot in slots.items():
        page.goto(f"{site}/c/{corpus.slug}/slots/{slot.pk}/")
        bench.ready(page)
        address = page.url
        for view in ("page", "reading"):
            page.evaluate(f"window.goldpan.stage.switchTo('{view}')")
            _try_everything(page)
            watch.look(page)
        assert page.evaluate("document.documentElement.dataset.ready") == "1", name
        assert page.url == address, name
        _annotate(page)
        assert bench.saved(page) > 0, name
        assert not watch.findings, f"{name}: {watch.findings}"
    _marks_arrived(cast)
    for attempt in INJECTIONS:
        assert page.evaluate(TRIED % attempt) == "TypeError", attempt


def _try_everything(page: Page) -> None:
    """All that can be pressed, from without and by hand."""
    page.evaluate(f"({PRESS_EVERYTHING})(window.goldpan.view.document)")
    blocks = bench.visible_blocks(page, 20)
    if blocks:
        bench.click_block(page, blocks[0])
    for key in ("Tab", "Enter", "Escape"):
        page.keyboard.press(key)
    assert not page.evaluate("Boolean(window.goldpan.view.window.ran)")
    page.evaluate("window.goldpan.stage.focus()")


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
def served(policy: str = "") -> Iterator[str]:
    """The hostile pages as they are, by their number, under a policy or none."""

    class Raw(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            number = urlsplit(self.path).path.strip("/")
            body = PAGES[int(number)].raw if number.isdigit() else b""
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
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


Seen = dict[str, tuple[list[str], list[str]]]


def _visit_all(browser: Browser, address: str, *, presses: bool) -> Seen:
    """Open each raw page for a moment: the signs of its scripts, and what truly left for the canary."""
    context = browser.new_context()
    seen = {}
    for number, hostile in enumerate(PAGES):
        if not hostile.refusal:
            seen[hostile.name] = _visit(context, f"{address}/{number}", presses=presses)
    context.close()
    return seen


def _visit(context: BrowserContext, address: str, *, presses: bool) -> tuple[list[str], list[str]]:
    left: list[str] = []

    def answer(route: Route) -> None:
        left.append(route.request.url)
        route.fulfill(body="", content_type="text/html")

    page = context.new_page()
    page.route(f"{CANARY}**", answer)
    watch = Watch(page, address.rpartition("/")[0])
    try:
        page.goto(address, timeout=10_000)
        page.wait_for_timeout(60)
        watch.look(page)
        if presses:
            page.evaluate(f"({PRESS_EVERYTHING})(document)")
            page.wait_for_timeout(60)
            watch.look(page)
    except PlaywrightError:
        pass  # it led the browser away while we looked: what was seen until then counts
    finally:
        page.close()
    return watch.scripts, left


def test_control_the_same_pages_do_harm_undefended(browser: Browser) -> None:
    with served() as address:
        seen = _visit_all(browser, address, presses=True)
    for hostile in PAGES:
        if not hostile.refusal:
            scripts, left = seen[hostile.name]
            assert bool(scripts) == hostile.runs, f"{hostile.name} ran: {scripts}"
            assert bool(left) == hostile.asks, f"{hostile.name} asked for: {left}"


def test_the_frames_policy_alone_holds_the_same_pages(browser: Browser) -> None:
    """The second lock: even parsed by the browser, under the frame's policy they run and fetch nothing."""
    with served(FRAME_POLICY) as address:
        seen = _visit_all(browser, address, presses=False)
    for name, (scripts, left) in seen.items():
        assert not scripts, name
        assert not left, name
