"""Whether pages look as they looked: captured by Chromium as MHTML, and shown in page view.

For each text line of a page, where Chromium has it and where page view has it. GOLDPAN_PICTURES names a
folder for pictures of both.
"""

import gzip
import json
import os
import random
import tempfile
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page as Window
from tqdm import tqdm

from benchmarks import published_corpora
from benchmarks.captured_site import Served, ServedSite, playing_the_web
from benchmarks.published_corpora import PublishedCorpus
from extraction.asset_sandbox import AssetSandbox, CapturedSheet, PreparedAsset
from extraction.assets.data_urls import images_in
from extraction.assets.errors import AssetRefused
from extraction.documents.document import Document
from extraction.documents.view.captured_assets import Picture
from extraction.formats import mhtml
from extraction.formats.records import PageRecord
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from tests import chromium
from tests.conftest import FLAGS
from tests.js.server import serving

PAGES, SEED = 60, 20
CORPORA = ("scrapinghub", "wcxb")
SHORTEST = 1_500  # characters of a page that has something to show
NEAR = 8  # CSS pixels
VIEWPORT = (1280, 900)

# Of each text node that takes room: its words, and where its lines are.
LINES = """(document) => {
  const DROPPED = "script, style, noscript, template, textarea, select, svg";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const {scrollX, scrollY} = document.defaultView;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.replace(/\\s+/g, " ").trim();
    if (!text || node.parentElement.closest(DROPPED) || !node.parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter(({width, height}) => width > 1 && height > 1)
      .map(({left, top}) => [left + scrollX, top + scrollY]);
    found.push([text, lines]);
  }
  return found;
}"""
LAID_OUT = """async () => {
  const {document} = window.stage.view;
  const pictures = [...document.images].map((image) => image.decode().catch(() => null));
  await Promise.race([Promise.all(pictures), new Promise((resolve) => setTimeout(resolve, 5000))]);
}"""

Lines = list[tuple[str, list[tuple[float, float]]]]


class Compared(NamedTuple):
    """Lines of text in Chromium, those of them that page view has too, and those that it has nearby."""

    lines: int
    matched: int
    near: int

    @property
    def in_place(self) -> float:
        return self.near / self.matched

    @property
    def found(self) -> float:
        return self.matched / self.lines


class Looked(NamedTuple):
    """What one page showed, and the view that it opened in.

    Chromium shows the page twice: as it is served, and from the file that it saved.
    """

    location: str
    saved: Compared
    live: Compared
    mode: str
    sheets: int
    images: int


def run(limit: int | None = None) -> str:
    """Capture real pages, import them, and compare line by line."""
    if not _corpora():
        return "## As it looked\n\nNot measured: neither Scrapinghub nor WCXB lies beside the project."
    site = ServedSite()
    found: list[Looked] = []
    left_out: list[str] = []
    with playing_the_web(site) as flags, sync_playwright() as playwright, AssetSandbox() as sandbox:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=[*FLAGS, *flags])
        for record in tqdm(_chosen(limit or PAGES), desc="look", total=limit or PAGES, disable=None):
            try:
                found.append(_look(browser, site, record, sandbox))
            except BrowserError as error:
                left_out.append(f"{record.location}: {str(error).splitlines()[0][:100]}")
        browser.close()
    return _report(found, left_out)


def _corpora() -> list[PublishedCorpus]:
    return [corpus for corpus in published_corpora.found() if corpus.folder in CORPORA]


def _chosen(number: int) -> Iterator[PageRecord]:
    """Pages that name a style sheet, in an order by the seed."""
    records = [record for corpus in _corpora() for record in published_corpora.records(corpus)]
    pages = [record for record in records if isinstance(record, PageRecord)]
    random.Random(SEED).shuffle(pages)
    for record in pages:
        if not number:
            return
        if b"stylesheet" in record.raw and record.url and _is_long(record):
            number -= 1
            yield record


def _is_long(record: PageRecord) -> bool:
    try:
        return len(parse(record.raw, record.charset).text) >= SHORTEST
    except ParseError:
        return False


def _look(browser: Browser, site: ServedSite, record: PageRecord, sandbox: AssetSandbox) -> Looked:
    window = browser.new_page(viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]})
    try:
        saved, live = _capture(window, site, record)
        lines = _reopened(window, saved, record)
        imported = mhtml.record_of(record.location, saved)
        document = parse(imported.raw, imported.charset)
        view, images, sheets = _dressed(document, imported, sandbox)
        mode, ours = _shown(window, view, images, document)
        _picture(window, record.location, "ours")
    finally:
        window.close()
    return Looked(record.location, compared(lines, ours), compared(live, ours), mode, sheets, len(images))


def _capture(window: Window, site: ServedSite, record: PageRecord) -> tuple[bytes, Lines]:
    """The page as Chromium saves it, and where its lines are."""
    document = parse(record.raw, record.charset)
    site.show(Served(record.url, record.raw, document.encoding))
    window.goto(record.url, wait_until="load", timeout=60_000)
    lines = window.evaluate(f"() => ({LINES})(document)")
    _picture(window, record.location, "live")
    session = window.context.new_cdp_session(window)
    data = session.send("Page.captureSnapshot", {"format": "mhtml"})["data"]
    return data.encode(), lines


def _reopened(window: Window, saved: bytes, record: PageRecord) -> Lines:
    """Where Chromium has the lines when it opens the file."""
    with tempfile.NamedTemporaryFile(suffix=".mhtml") as file:
        file.write(saved)
        file.flush()
        window.goto(f"file://{file.name}", wait_until="load", timeout=60_000)
        lines: Lines = window.evaluate(f"() => ({LINES})(document)")
        _picture(window, record.location, "chromium")
    return lines


def _dressed(
    document: Document, record: PageRecord, sandbox: AssetSandbox
) -> tuple[bytes, dict[str, tuple[bytes, str]], int]:
    """The view and its images, made as a worker makes them."""
    sheets, pictures, images = [], {}, {}
    files = [record.raw, *(asset.raw for asset in record.assets if asset.media_type == "text/css")]
    embedded = [asset for file in files for asset in images_in(file)]
    for asset, digest in zip([*record.assets, *embedded], count(1), strict=False):
        prepared = _prepared(asset.raw, asset.media_type, sandbox)
        if prepared and prepared.kind == "sheet":
            sheets.append(CapturedSheet(asset.url, asset.raw))
        elif prepared:
            name = f"{digest:064x}"
            pictures[asset.url] = Picture(name, prepared.width, prepared.height)
            images[name] = prepared.data, prepared.media_type
    dressed = sandbox.build_view(
        document.pack(), url=record.url, encoding=document.encoding, sheets=sheets, pictures=pictures
    )
    return dressed.view, images, dressed.sheets


def _prepared(raw: bytes, media_type: str, sandbox: AssetSandbox) -> PreparedAsset | None:
    try:
        return sandbox.prepare(raw, media_type)
    except AssetRefused:
        return None


def _shown(
    window: Window, view: bytes, images: dict[str, tuple[bytes, str]], document: Document
) -> tuple[str, Lines]:
    """Which view the page opens in, and where page view has its lines."""
    views: dict[str, dict[str, Any]] = {"page": json.loads(gzip.decompress(view))}
    about = {"sha256": document.sha256, "quirks": document.quirks, "isDressed": True}
    with serving(views, images) as address:
        window.goto(f"{address}/stage")
        window.wait_for_selector("html[data-ready]", state="attached")
        window.evaluate(
            "([w, h]) => { const f = document.querySelector('#frame'); f.width = w; f.height = h; "
            "f.style.cssText = 'position:fixed;inset:0;border:0'; }",
            VIEWPORT,
        )
        mode = window.evaluate("about => window.testing.show('page', about)", about)
        if mode != "page":
            window.evaluate("window.stage.switchTo('page')")
        window.evaluate(LAID_OUT)
        lines = window.evaluate(f"() => ({LINES})(window.stage.view.document)")
        return mode, lines


def compared(theirs: Lines, ours: Lines) -> Compared:
    """How many lines there are, how many of them both have, and how many of these are near each other."""
    matcher = SequenceMatcher(None, [text for text, _ in theirs], [text for text, _ in ours], autojunk=False)
    near = matched = 0
    for start, other, size in matcher.get_matching_blocks():
        for at in range(size):
            lines, places = theirs[start + at][1], ours[other + at][1]
            matched += len(lines)
            near += sum(
                abs(x - u) <= NEAR and abs(y - v) <= NEAR
                for (x, y), (u, v) in zip(lines, places, strict=False)
            )
    return Compared(sum(len(lines) for _text, lines in theirs), matched, near)


def _picture(window: Window, location: str, name: str) -> None:
    folder = os.environ.get("GOLDPAN_PICTURES")
    if folder:
        stem = location.replace("/", "-").removesuffix(".gz").removesuffix(".html")[:24]
        window.screenshot(path=str(Path(folder) / f"{stem}-{name}.png"))


def _report(found: list[Looked], left_out: list[str]) -> str:
    read = [page for page in found if page.mode != "page"]
    known = [page for page in found if page.saved.matched and page.live.matched]
    worst = sorted(known, key=lambda page: page.saved.in_place)[:8]
    lines = [
        "## As it looked",
        "",
        f"{len(found)} pages of Scrapinghub and WCXB (seed {SEED}; those that name a style sheet and have "
        f"{SHORTEST:,} characters), served at their own addresses by a local server that makes their style "
        "sheets and images by rule, as the corpora have none; scripts off, no web fonts. Chromium saved each "
        "as MHTML, which was read, cleaned and shown in page view at the same size "
        f"({VIEWPORT[0]} × {VIEWPORT[1]}). A line of text counts as in place within {NEAR} px, across and "
        "down, of where Chromium has it: when it opens the saved file, and when it opened the page. The two "
        "differ where a page has `style` elements, since Chromium saves them before all other sheets.",
        "",
        "Only lines that both have can be in place: first comes how many of Chromium's page view has too. "
        "Pages without any are left out.",
        "",
        "| | of the saved file | of the page as served |",
        "| --- | ---: | ---: |",
        *_rows("lines found", [page.saved.found for page in known], [page.live.found for page in known]),
        *_rows("in place", [page.saved.in_place for page in known], [page.live.in_place for page in known]),
        "",
        f"{len(found) - len(read)} of {len(found)} open in page view. "
        f"{sum(page.sheets for page in found):,} style sheets and {sum(page.images for page in found):,} "
        "images were shown.",
    ]
    if worst:
        lines += ["", "The least alike:", ""]
        lines += [
            f"- {page.location}: {page.saved.in_place:.1%} of {page.saved.matched:,} lines" for page in worst
        ]
    for title, listed in (
        ("Without a line that both have", [page.location for page in found if page not in known]),
        ("Opened in reading view", [page.location for page in read]),
        ("Not captured", left_out),
    ):
        if listed:
            lines += ["", f"{title}:", "", *(f"- {line}" for line in listed)]
    return "\n".join(lines)


def _rows(what: str, saved: list[float], live: list[float]) -> Iterator[str]:
    if saved:
        yield f"| {what}, median page | {median(saved):.1%} | {median(live):.1%} |"
        yield f"| {what}, tenth percentile | {_tenth(saved):.1%} | {_tenth(live):.1%} |"
        good = (f"{_good(shares)} of {len(shares)}" for shares in (saved, live))
        yield f"| {what}, pages with 95 % or more | {' | '.join(good)} |"


def _tenth(shares: list[float]) -> float:
    return quantiles(shares, n=10, method="inclusive")[0] if len(shares) > 1 else shares[0]


def _good(shares: list[float]) -> int:
    return sum(share >= 0.95 for share in shares)
