"""A page that Chromium saved as MHTML goes in with its look, and annotators see it as it looked."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, Route

from annotator.annotations.actions import claim_on
from annotator.common import work
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page
from annotator.pages.assets import actions
from annotator.pages.assets.models import Look
from extraction.asset_sandbox import AssetSandbox
from extraction.formats import mhtml
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.contexts import new_context
from tests.extraction.assets.files import png
from tests.factories import MakePage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

URL = "http://news.example/bridge"
ANSWERS = {
    URL: (
        "text/html",
        b"""<!doctype html><link rel=stylesheet href=/main.css><title>Bridge</title><h1>Bridge opens</h1>
        <p>The council said on Monday that the bridge, closed for most of the year, would open again.</p>
        <img src=/bridge.png><form><input size=9></form>""",
    ),
    "http://news.example/main.css": (
        "text/css",
        b"@import 'colours.css'; h1 { width: 300px; background: url(dot.png) } form { height: 77px }",
    ),
    "http://news.example/colours.css": ("text/css", b"h1 { color: rgb(1, 2, 3) }"),
    "http://news.example/bridge.png": ("image/png", png(123, 45)),
    "http://news.example/dot.png": ("image/png", png(7, 7)),
}
SEEN = """async () => {
  const {document, getComputedStyle: style} = window.goldpan.view.window;
  const image = document.querySelector("img[data-asset]");
  await image.decode();
  const address = /url\\("(.*)"\\)/.exec(style(document.querySelector("h1")).backgroundImage)[1];
  return {
    mode: window.goldpan.view.mode,
    colour: style(document.querySelector("h1")).color,
    width: style(document.querySelector("h1")).width,
    form: style(document.querySelector("[data-tag=form]")).height,
    image: [image.naturalWidth, image.naturalHeight],
    background: (await fetch(address)).headers.get("content-type"),
  };
}"""


def saved_by_chromium(browser: Browser) -> bytes:
    """The page as Chromium saves it."""

    def answer(route: Route) -> None:
        kind, body = ANSWERS.get(route.request.url, ("", b""))
        route.fulfill(status=200 if kind else 404, content_type=kind, body=body)

    context = new_context(browser)
    window = context.new_page()
    window.route("**/*", answer)
    # The background may come after the load of the page.
    window.goto(URL, wait_until="networkidle")
    snapshot = window.context.new_cdp_session(window).send("Page.captureSnapshot", {"format": "mhtml"})
    context.close()
    return str(snapshot["data"]).encode()


def test_a_page_saved_as_mhtml_looks_as_it_looked(
    browser: Browser, site: str, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    record = mhtml.record_of("bridge.mhtml", saved_by_chromium(browser))
    page = make_page(record.raw, url=record.url)
    assert not add_page(corpus=corpus, raw=record.raw, assets=record.assets).new
    assert page.document
    actions.request_look(document=page.document)
    look = work.claim(Look, Look.objects.get().pk)
    assert look
    with AssetSandbox() as sandbox:
        assert actions.build_look(look, sandbox)
    slot = claim_on(page=page, annotator=cast.ada)
    window = sign_in(cast.ada)
    window.goto(f"{site}/c/{corpus.slug}/slots/{slot.key}/")
    workbench.ready(window)
    assert window.evaluate(SEEN) == {
        "mode": "page",
        "colour": "rgb(1, 2, 3)",
        "width": "300px",
        "form": "77px",
        "image": [123, 45],
        "background": "image/webp",
    }
