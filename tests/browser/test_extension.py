"""The extension in a real Chromium: what its reader sees is what the corpus gets, and marks are painted.

Chromium asks people for the permission to read other sites, in a window that no program can press. So the
extension is loaded with the permission for this machine granted.
"""

import json
import re
import shutil
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Playwright
from playwright.sync_api import Page as Tab

from annotator.common import storage
from annotator.common.roles import Scope
from annotator.corpora.tokens.actions import make_token
from annotator.demo.older import PAGES as DEMO
from annotator.pages.models import Capture, Page
from benchmarks import published_corpora
from extraction.assets.data_urls import images_in
from extraction.formats.records import PageRecord
from extraction.parsing.parse import parse
from tests import chromium
from tests.conftest import FLAGS
from tests.contexts import PATIENCE
from tests.databases import ROOT
from tests.extraction.assets.files import png

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EXTENSION = ROOT / "extension"
FEW, MANY = 4, 20

ARTICLE = """<!doctype html><title>Bridge</title>
<link rel=stylesheet href="{other}/main.css"><style>p {{ color: rgb(1, 2, 3) }}</style>
<noscript>Turn on scripts</noscript>
<h1>Bridge opens</h1>
<p>The council said on Monday that the bridge, closed for most of the year, would open again.</p>
<p id=late></p><news-box>light</news-box><closed-box></closed-box>
<img src="{other}/bridge.png" alt=""><canvas width=8 height=8></canvas>
<form><input type=password id=secret><input type=hidden value="csrf-token-1"><input id=typed></form>
<script>
  document.getElementById("late").append("Written by a ", "script &amp; shown: 1 < 2 \\ud835\\udd4f");
  document.styleSheets[document.styleSheets.length - 1].insertRule("h1 {{ letter-spacing: 3px }}");
  const adopted = new CSSStyleSheet();
  adopted.replaceSync(".box {{ color: rgb(9, 9, 9) }}");
  const open = document.querySelector("news-box").attachShadow({{mode: "open"}});
  open.innerHTML = "<p class=box>In an open root, <slot></slot></p><p>After the slot</p>";
  open.adoptedStyleSheets = [adopted];
  document.querySelector("closed-box").attachShadow({{mode: "closed"}}).innerHTML = "<p>In a closed root</p>";
  document.querySelector("canvas").getContext("2d").fillRect(0, 0, 8, 8);
  document.getElementById("secret").value = "typed-secret";
</script>"""
SHEET = b"@import 'more.css'; h1 { background: url(dot.png) } a::after { content: '</style><b>no</b>' }"
BESIDE = {
    "/main.css": ("text/css", SHEET),
    "/more.css": ("text/css", b"h1 { width: 300px }"),
    "/bridge.png": ("image/png", png(123, 45)),
    "/dot.png": ("image/png", png(7, 7)),
}
# What is read in the page's own world, as its reader would select it: no form, picture or hidden title.
READ = """() => {
  const texts = [];
  const walk = (parent) => {
    for (const child of parent.childNodes) {
      if (child.nodeType === 3) texts.push(child.data);
      else if (child.nodeType === 1 && !child.matches(
        "script,style,noscript,template,select,svg,textarea,datalist,iframe,math,audio,video,object,canvas,head"
      )) {
        if (child.shadowRoot) walk(child.shadowRoot); else walk(child);
      }
    }
  };
  walk(document.documentElement);
  return texts.join("");
}"""
SEND = "message => chrome.runtime.sendMessage(message)"
PAINTED = """() => [...CSS.highlights].filter(([name]) => name.startsWith("goldpan-")).map(([name, ranges]) =>
  [name, [...ranges].map(String).join(" ")])"""


class Files(BaseHTTPRequestHandler):
    """Serves the files of its server; no other site may read them, as most say."""

    def do_GET(self) -> None:
        kind, body = self.server.files.get(self.path, ("", b""))  # type: ignore[attr-defined]
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(files: dict[str, tuple[str, bytes]]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    server.files = files  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    socketserver.TCPServer.server_close(server)


class Extended(NamedTuple):
    """A Chromium with the extension, and the address of the extension's pages."""

    context: BrowserContext
    address: str


@pytest.fixture(scope="module")
def started(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Extended]:
    """The one of these tests: it takes seconds to start."""
    folder = tmp_path_factory.mktemp("chromium")
    shutil.copytree(EXTENSION, folder / "extension")
    manifest = json.loads((EXTENSION / "manifest.json").read_text())
    manifest["host_permissions"] = ["http://127.0.0.1/*"]
    (folder / "extension" / "manifest.json").write_text(json.dumps(manifest))
    context = playwright.chromium.launch_persistent_context(
        folder / "profile",
        executable_path=chromium.find(),
        headless=False,
        args=[
            *FLAGS,
            "--headless=new",
            f"--disable-extensions-except={folder / 'extension'}",
            f"--load-extension={folder / 'extension'}",
        ],
    )
    context.set_default_timeout(PATIENCE)
    background = context.service_workers[0] if context.service_workers else None
    background = background or context.wait_for_event("serviceworker")
    yield Extended(context, background.url.removesuffix("background.js"))
    context.close()


@pytest.fixture
def extended(started: Extended) -> Iterator[BrowserContext]:
    """It, for one test, whose windows are closed; the first stays, as without a window it would end."""
    yield started.context
    started.context.unroute_all()
    for tab in started.context.pages[1:]:
        tab.close()


@pytest.fixture
def control(started: Extended, extended: BrowserContext, site: str, cast: SimpleNamespace) -> Tab:
    """A page of the extension, set up with the token of an admin."""
    _token, text = make_token(
        user=cast.hanne, name="extension", scopes=[Scope.READ, Scope.IMPORT], lifetime=timedelta(days=1)
    )
    tab = extended.new_page()
    tab.goto(f"{started.address}options.html")
    tab.evaluate("chrome.storage.local.clear()")
    tab.evaluate("settings => chrome.storage.local.set(settings)", {"server": f"{site}/", "token": text})
    return tab


def visit(context: BrowserContext, address: str) -> Tab:
    tab = context.new_page()
    tab.goto(address, wait_until="load")
    return tab


def ask(control: Tab, tab: Tab, action: str, **more: str) -> dict[str, Any]:
    """Do what a button of the popup does, for such a tab."""
    number = control.evaluate("async url => (await chrome.tabs.query({url}))[0].id", tab.url.split("#")[0])
    answer: dict[str, Any] = control.evaluate(SEND, {"action": action, "tab": number, **more})
    return answer


def letters(text: str) -> str:
    return re.sub(r"[\s\x00-\x1f]", "", text)


def is_as_its_reader_saw_it(address: str, elsewhere: str) -> None:
    """The one page that was sent, from `address`; what belongs to it is `elsewhere`."""
    page = Page.objects.get()
    assert (page.url, page.capture) == (address, Capture.RENDERED)
    assert page.note == "goldpan: lost its byline"
    raw = storage.get(page.sha256)
    assert parse(raw).text.split("\n\n") == [
        "Bridge opens",
        "The council said on Monday that the bridge, closed for most of the year, would open again.",
        "Written by a script &amp; shown: 1 < 2 \U0001d54f",
        "In an open root, light",
        "After the slot",
        "In a closed root",
    ]
    for kept in (b"letter-spacing: 3px", b"rgb(9, 9, 9)", b"width: 300px", b"rgb(1, 2, 3)"):
        assert kept in raw
    for left_out in (b"<script", b"Turn on scripts", b"typed-secret", b"typed-words", b"csrf-token-1"):
        assert left_out not in raw
    assert len(list(images_in(raw))) == 3, "the picture, the background, and what was drawn"
    assert elsewhere.encode() not in raw


def is_painted(shown: dict[str, Any], painted: list[tuple[str, str]]) -> None:
    """All that its reader sees, where an extractor takes everything."""
    assert (shown["state"], shown["message"]) == ("done", "everything takes what is marked.")
    [(name, words)] = painted
    assert name == "goldpan-other"
    seen = ["Bridge opens", "&amp; shown: 1 < 2 \U0001d54f", "In an open root,", "light"]
    seen += ["After the slot", "In a closed root"]
    assert [each for each in seen if each not in words] == []


def test_a_page_is_sent_as_its_reader_sees_it(extended: BrowserContext, control: Tab) -> None:
    with serving(BESIDE) as elsewhere:
        html = ARTICLE.format(other=elsewhere).encode()
        with serving({"/bridge": ("text/html; charset=utf-8", html)}) as here:
            tab = visit(extended, f"{here}/bridge")
            tab.locator("#typed").fill("typed-words")
            sent = ask(control, tab, "send", corpus="dailies", note="goldpan: lost its byline")
            assert (sent["state"], sent["message"]) == ("done", "Sent."), sent
            again = ask(control, tab, "send", corpus="dailies")
            assert again["message"] == "The corpus has this page already."
    is_as_its_reader_saw_it(f"{here}/bridge", elsewhere)


def test_a_page_with_large_sheets_goes_out_with_fewer_images(extended: BrowserContext, control: Tab) -> None:
    image = png(1, 1) + bytes(2_900_000)
    beside = {f"/{n}.png": ("image/png", image) for n in range(2)}
    beside["/main.css"] = ("text/css", b"/*" + b" " * 3_000_000 + b"*/")
    with serving(beside) as elsewhere:
        images = "".join(f'<img src="{elsewhere}{name}">' for name in beside)
        html = f'<link rel=stylesheet href="{elsewhere}/main.css"><p>The bridge opens.</p>{images}'
        with serving({"/bridge": ("text/html; charset=utf-8", html.encode())}) as here:
            sent = ask(control, visit(extended, f"{here}/bridge"), "send", corpus="dailies")
    assert sent["message"] == "Sent. Images and style sheets that could not be fetched: 2."


def test_what_an_extractor_takes_is_painted(extended: BrowserContext, control: Tab) -> None:
    html = ARTICLE.format(other="").encode()
    with serving({"/bridge": ("text/html; charset=utf-8", html)}) as here:
        tab = visit(extended, f"{here}/bridge")
        shown = ask(control, tab, "show", extractor="everything")
        is_painted(shown, tab.evaluate(PAINTED))
        ask(control, tab, "clear")
        assert tab.evaluate(PAINTED) == []


def test_what_is_saved_leaves_the_server_open_to_the_extension(control: Tab, site: str) -> None:
    """Chromium takes the permission for a server away with that for all sites, which nobody gave here."""
    control.reload()
    server = control.get_by_label("Address of your Goldpan server")
    assert server.input_value() == f"{site}/"
    server.fill(f"{site}/c/dailies/?state=gold")  # as it stands above the screen from which it was copied
    control.get_by_role("button", name="Save").click()
    control.get_by_text("Saved. Corpora open to you: 1.").wait_for()


def test_without_a_valid_token_the_reason_is_said(extended: BrowserContext, control: Tab) -> None:
    control.evaluate("chrome.storage.local.set({token: 'gp_wrong'})")
    with serving({"/bridge": ("text/html", b"<h1>Bridge</h1>")}) as here:
        refused = ask(control, visit(extended, f"{here}/bridge"), "send", corpus="dailies")
    assert refused == {"state": "failed", "message": "The token is unknown, revoked or expired."}
    assert not Page.objects.exists()


def test_the_popup_offers_corpora_and_extractors_and_sends(extended: BrowserContext, control: Tab) -> None:
    with serving({"/bridge": ("text/html", b"<h1>Bridge</h1><p>It opens on Monday.")}) as here:
        tab = visit(extended, f"{here}/bridge")
        popup = extended.new_page()
        tab.bring_to_front()  # as under a popup, which is no tab
        popup.goto(control.url.replace("options", "popup"))
        popup.locator("#extractor option", has_text="goldpan").wait_for(state="attached")
        assert popup.locator("#corpus").input_value() == "dailies"
        assert popup.locator("html").get_attribute("lang") == "en", "as its words are, whatever the browser's"
        popup.get_by_role("button", name="Send to corpus").click()
        popup.get_by_text("Sent.").wait_for()
        link = popup.get_by_role("link", name="Open it in Goldpan").get_attribute("href")
        assert link.endswith("/c/dailies/")
        popup.locator("#note").focus()
        popup.keyboard.insert_text("x" * 1000)
        popup.get_by_role("button", name="Send with this note").click()
        popup.get_by_text("The corpus has this page already.").wait_for()
    page = Page.objects.get()
    assert (page.title, page.note) == ("", f"goldpan: {'x' * 900}")


@pytest.mark.parametrize("most", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_real_pages_are_sent_and_painted(extended: BrowserContext, control: Tab, most: int) -> None:
    pages = real_pages(most)
    files = {f"/{n}": ("text/html", raw) for n, raw in enumerate(pages)}
    extended.route(re.compile(r"https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
    with serving(files) as here:
        for address in files:
            tab = visit(extended, f"{here}{address}")
            read = [tab.evaluate(READ)]
            sent = ask(control, tab, "send", corpus="dailies")
            assert sent["state"] == "done", (address, sent)
            read.append(tab.evaluate(READ))  # a script of the page may have written into it meanwhile
            document = parse(storage.get(Page.objects.latest("pk").sha256))
            assert letters(document.text) in map(letters, read), address
            shown = ask(control, tab, "show", extractor="goldpan")
            assert re.fullmatch(r"goldpan takes (what is marked|nothing of this page)\.", shown["message"]), (
                shown
            )
            tab.close()


def real_pages(most: int) -> list[bytes]:
    """Published pages where they lie beside the project, or our own."""
    each = -(-most // max(1, len(published_corpora.found())))
    published = [
        record.raw
        for corpus in published_corpora.found()
        for record in islice(published_corpora.records(corpus), 3, 3 + each)
        if isinstance(record, PageRecord)
    ]
    own = [path.read_bytes() for path in sorted(DEMO.glob("*.html"))]
    return [*published, *own][:most]


def test_every_word_of_the_extension_is_there_in_both_languages() -> None:
    catalogues = {
        folder.name: json.loads((folder / "messages.json").read_text())
        for folder in sorted((EXTENSION / "_locales").iterdir())
    }
    assert set(catalogues) == {"en", "es"}
    assert set(catalogues["en"]) == set(catalogues["es"])
    assert all(words["language"]["message"] == name for name, words in catalogues.items())
    sources = "".join(
        path.read_text() for path in EXTENSION.glob("*.*") if path.suffix in (".js", ".html", ".json")
    )
    used = set(re.findall(r'(?:data-message(?:-label)?=|message\(|__MSG_)"?(\w+?)(?:__|"|,|\))', sources))
    used |= set(re.findall(r'"(sent|known)"', sources))
    assert not set(catalogues["en"]) - used
    assert used - set(catalogues["en"]) <= {"name", "is_new", "element"}, "what is no literal"
