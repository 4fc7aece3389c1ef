"""How fast the workbench opens a page and responds to a key, compared with a bare page of the same size.

A bare page is the DOM that the workbench built, saved as HTML and opened by the same browser right after.
"""

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from playwright.sync_api import Page as Window
from tqdm import tqdm

from annotator.annotations.actions import claim_on
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from benchmarks.offsets import create_page
from benchmarks.results import yes_no
from extraction.sandbox import Parser
from tests import chromium
from tests.browser import workbench
from tests.conftest import FLAGS
from tests.corpora import records
from tests.factories import PASSWORD, make_user
from tests.processes import web

REAL, MIDDLE, LARGE = "real pages", "5,000 text nodes", "20,000 text nodes"
SIZES = {MIDDLE: 5_000, LARGE: 20_000}
GENERATED = 3  # pages of each size
TOGGLES = 4  # of each page, in each state and view
PAUSE = 120  # milliseconds between two keys, as of a fast typist, and before a page is opened again
VIEWS = ("reading", "page")
NEVER, NOTHING, ALL = "never opened before, nothing marked", "nothing marked", "all marked, labels in turn"
STATES = {
    NOTHING: "editor.clear([[0, Infinity]])",
    "all marked, one label": "editor.mark([[0, Infinity]], 'body')",
    ALL: "for (const [at, label] of ['headline', 'body', 'supplemental', "
    "'comments', 'related'].entries()) editor.mark(view.blocks.filter((block, i) => i % 5 === at), label)",
}
OPENED, HEARD = "opened to painted", "opened to input handled"
FRAME, AFTER = "toggle to next frame", "toggle to the frame after"
TARGETS = {(OPENED, REAL): 250, (OPENED, LARGE): 2_000, (FRAME, REAL): 17, (FRAME, MIDDLE): 40}

# Runs in the bare page first. Painted: the second frame after the whole page is loaded.
BARE = """addEventListener("DOMContentLoaded", () => {
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("painted")));
  addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    const boxes = document.querySelectorAll("p, li, h1, h2, td, div");
    boxes[Math.min(5, boxes.length - 1)].classList.toggle("goldpan-bare");
  });
});"""
PAINTED = "performance.getEntriesByName('painted')[0]?.startTime ?? 0"
# When keys and clicks are handled, including earlier ones. A page is ready once it also handles input.
READY = "performance.getEntriesByName('heard')[0]?.startTime ?? 0"
# The page reports that it is painted: polling by the driver would run scripts while it opens.
DONE = "painted, to the benchmark"
SAY_DONE = f"""new PerformanceObserver((list) => {{
  if (list.getEntriesByName("painted").length) console.debug("{DONE}");
}}).observe({{ type: "mark", buffered: true }});"""
# A frame is drawn when a message posted at its start is delivered, after style, layout and paint.
RECORD = """() => {
  window.taken = [];
  const drawn = (then) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(0);
  });
  const record = (event) => {
    if (event.key !== " ") return;
    const start = event.timeStamp + event.view.performance.timeOrigin - performance.timeOrigin;
    const took = () => performance.now() - start;
    drawn(() => { const first = took(); drawn(() => taken.push([first, took()])); });
  };
  for (const target of [window, ...(frames.length ? [frames[0]] : [])]) {
    target.addEventListener("keydown", record, { capture: true });
  }
}"""
SET = """([mode, act]) => {
  const { stage, view, editor } = window.goldpan;
  stage.switchTo(mode);
  editor.clear([[0, Infinity]]);
  ACT
}"""
BARE_DOM = "'<!doctype html>' + goldpan.view.document.documentElement.outerHTML"

Samples = dict[tuple[str, str, str], list[float]]


class Site(NamedTuple):
    """The addresses of the servers, and the annotator."""

    address: str
    bare: str
    folder: Path
    annotator: User


def run(limit: int | None = None) -> str:
    """Measure all pages, each followed by its bare page."""
    corpus = create_corpus(slug="bench-workbench", name="Workbench")
    annotator = make_user("bench-hand", password=PASSWORD)
    grant_role(corpus=corpus, user=annotator, role="annotator")
    pages = list(_pages(corpus, limit))
    own: Samples = defaultdict(list)
    bare: Samples = defaultdict(list)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as kept, _browser() as browser:
        folder = Path(kept)
        with web(folder) as address, _bare_server(folder) as beside:
            site = Site(address, beside, folder, annotator)
            window, blank = _sign_in(browser, site), _bare_window(browser)
            for kind, page in tqdm(pages, desc="workbench", disable=None):
                measure(window, site, kind, page, own)
                measure_bare(blank, site, kind, bare)
    return _report(own, bare, len(pages), (load, os.getloadavg()[0]))


def _pages(corpus: Corpus, limit: int | None) -> Iterator[tuple[str, Page]]:
    generated = GENERATED if limit is None else min(GENERATED, limit)
    with Parser() as parser:
        for record in records(limit):
            yield REAL, create_page(corpus, record.raw, parser)
        for kind, nodes in SIZES.items():
            for number in range(generated):
                yield kind, create_page(corpus, generate(nodes, number).encode(), parser)


def generate(nodes: int, number: int = 0) -> str:
    """Return a page with so many text nodes, in sections of eight nodes and six blocks, one with a link."""
    words = "The council said on Monday that the bridge would open again before the end of the year"
    section = (
        "<h2>Section {n}</h2><p>" + words + " {n}.</p><p>It named <a href=/{n}>a report</a> of its own.</p>"
        "<ul><li>" + words + "</li><li>First {n}</li><li>Second {n}</li></ul>"
    )
    sections = "".join(section.format(n=f"{number}-{at}") for at in range(nodes // 8))
    return f"<!doctype html><title>Page {number}</title><body>{sections}</body>"


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def _bare_server(folder: Path) -> Iterator[str]:
    handler = partial(
        type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": _ignore_message}), directory=folder
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def _ignore_message(*_about: Any) -> None:
    """Suppress the log of the server."""


def _context(browser: Browser) -> BrowserContext:
    return browser.new_context(viewport={"width": 1440, "height": 900})


def _sign_in(browser: Browser, site: Site) -> Window:
    window = _context(browser).new_page()
    window.add_init_script(SAY_DONE)
    workbench.sign_in(window, site.address, site.annotator.username)
    return window


def _bare_window(browser: Browser) -> Window:
    window = _context(browser).new_page()
    window.add_init_script(BARE)
    window.add_init_script(SAY_DONE)
    return window


def measure(window: Window, site: Site, kind: str, page: Page, took: Samples) -> None:
    """Open the page unmarked, press keys in every state and view, and open it fully marked.

    Both are timed right after an identical opening, so that the times are comparable.
    """
    slot = claim_on(page=page, annotator=site.annotator)
    address = f"{site.address}/c/{page.corpus.slug}/slots/{slot.key}/"
    _open(window, address, kind, NEVER, took)
    _open(window, address, kind, NOTHING, took)
    (site.folder / "bare.html").write_text(window.evaluate(BARE_DOM), encoding="utf-8")
    window.evaluate(RECORD)
    for view in VIEWS:
        for state, act in STATES.items():
            window.evaluate(SET.replace("ACT", act), [view, act])
            workbench.saved(window)
            _press(window, kind, f"{view} view, {state}", took)
    _open(window, address, kind, "", defaultdict(list))
    _open(window, address, kind, ALL, took)


def measure_bare(window: Window, site: Site, kind: str, took: Samples) -> None:
    """Measure the page as plain HTML, where the key toggles a class of one element."""
    _go(window, f"{site.bare}/bare.html")
    painted = window.evaluate(PAINTED)
    took[OPENED, kind, ""].append(painted)
    took[HEARD, kind, ""].append(painted)
    window.evaluate(RECORD)
    _press(window, kind, "", took)


def _open(window: Window, address: str, kind: str, state: str, took: Samples) -> None:
    window.wait_for_timeout(PAUSE)
    _go(window, address)
    workbench.ready(window)
    took[OPENED, kind, state].append(float(window.evaluate(PAINTED)))
    took[HEARD, kind, state].append(float(window.evaluate(READY)))


def _go(window: Window, address: str) -> None:
    with window.expect_console_message(lambda message: message.text == DONE):
        window.goto(address, wait_until="commit")
    window.wait_for_load_state()


def _press(window: Window, kind: str, state: str, took: Samples) -> None:
    window.keyboard.press("j")
    for _toggle in range(TOGGLES):
        window.wait_for_timeout(PAUSE)
        window.keyboard.press(" ")
    workbench.until(window, f"taken.length === {TOGGLES}")
    for first, after in window.evaluate("taken.splice(0)"):
        took[FRAME, kind, state].append(first)
        took[AFTER, kind, state].append(after)


def _report(own: Samples, bare: Samples, pages: int, load: tuple[float, float]) -> str:
    lines = [
        "## Workbench",
        "",
        f"{pages} pages in Chromium, each followed by its bare page: the same DOM as static HTML. "
        "Milliseconds from the start of navigation to the second frame after the marks are painted, and from "
        "the time stamp of a key until the next frame is drawn, and the one after it. Input is handled, "
        "including earlier key presses, when all modules are loaded. Pages are opened unmarked and fully "
        "marked right after an identical opening, so that their data are cached as those of a prefetched "
        "page; otherwise they come from the server. "
        f"System load: {load[0]:.1f} at the start, {load[1]:.1f} at the end, on {os.cpu_count()} cores.",
        "",
    ]
    return "\n".join([*lines, *_rows(own, bare)])


def _rows(own: Samples, bare: Samples) -> Iterable[str]:
    yield "| measure | pages | state | median | 95th | bare median | bare 95th | times bare | target | met |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |"
    for (what, kind, state), took in sorted(own.items(), key=_order):
        plain = bare[what, kind, ""]
        wanted = TARGETS.get((what, kind))
        target = f"{wanted:,} ms | {yes_no(median(took) <= wanted)}" if wanted else "|"
        yield (
            f"| {what} | {kind} | {state} | {median(took):.0f} | {high(took):.0f} | {median(plain):.0f} | "
            f"{high(plain):.0f} | {median(took) / median(plain):.1f} | {target} |"
        )


def _order(row: tuple[tuple[str, str, str], list[float]]) -> tuple[int, int]:
    (what, kind, _state), _took = row
    return (OPENED, HEARD, FRAME, AFTER).index(what), (REAL, MIDDLE, LARGE).index(kind)


def high(took: list[float]) -> float:
    """Return the 95th percentile, which is the maximum of few values."""
    return sorted(took)[min(len(took) - 1, int(0.95 * len(took)))]
