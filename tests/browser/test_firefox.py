"""What a Goldpan's files do in Firefox: a release that proves itself, and the extension.

The extension is a temporary add-on with the permission for this machine granted, as in `test_extension.py`.
"""

import json
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from annotator.common import storage
from annotator.common.roles import Scope
from annotator.corpora.models import Corpus
from annotator.corpora.tokens.actions import make_token
from annotator.pages.models import Page
from extraction.parsing.parse import parse
from tests.browser.bidi import BidiError, Firefox, Tab
from tests.browser.test_extension import (
    ARTICLE,
    BESIDE,
    EXTENSION,
    MANY,
    PAINTED,
    READ,
    is_as_its_reader_saw_it,
    is_painted,
    letters,
    real_pages,
    serving,
)
from tests.browser.test_website import write_site
from tests.factories import MakePage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MANIFEST = json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """The one Firefox of these tests: it takes seconds to start."""
    found = Firefox(tmp_path_factory.mktemp("firefox"), MANIFEST["browser_specific_settings"]["gecko"]["id"])
    yield found
    found.close()


# ---- a release that proves itself ----


@pytest.fixture
def folder(corpus: Corpus, make_page: MakePage, tmp_path: Path) -> Path:
    return write_site(corpus, make_page, tmp_path / "site")


def status(tab: Tab) -> str:
    """What the site says once it has verified its pages."""
    shown = "document.getElementById('status').innerText"
    return str(tab.wait_for(f"/pages (verified|do not agree)/.test({shown}) && {shown}"))


def test_every_page_of_a_release_is_verified_and_a_flipped_byte_is_found(
    started: Firefox, folder: Path
) -> None:
    tab = started.open(f"file://{folder}/index.html")
    assert "All 4 pages verified" in status(tab)
    search = "document.getElementById('search')"
    tab.evaluate(f"({search}.value = 'they said 😀', {search}.dispatchEvent(new Event('input')))")
    tab.wait_for("document.getElementById('count').textContent === '1 of 4 pages'")
    tab.evaluate("document.querySelector('#list a').click()")
    tab.wait_for("document.querySelector('#page h2')?.textContent === 'Bridge 🌉 opens'")
    assert tab.evaluate("document.querySelector('#page .badge').textContent") == "Verified"
    assert tab.evaluate("top.run") is None
    file = folder / "data" / "pages-0000.js"
    file.write_text(file.read_text("utf-8").replace("They said", "They says", 1), encoding="utf-8")
    tab = started.open(f"file://{folder}/index.html")
    assert "1 of 4 pages do not agree" in status(tab)


# ---- the extension ----


@pytest.fixture
def control(started: Firefox, site: str, cast: SimpleNamespace, tmp_path: Path) -> Tab:
    """A page of the extension, set up with the token of an admin."""
    copy = shutil.copytree(EXTENSION, tmp_path / "extension")
    allowed = json.dumps(MANIFEST | {"host_permissions": ["http://127.0.0.1/*"]})
    (copy / "manifest.json").write_text(allowed, encoding="utf-8")
    _token, text = make_token(
        user=cast.hanne, name="extension", scopes=[Scope.READ, Scope.IMPORT], lifetime=timedelta(days=1)
    )
    tab = started.open(f"{started.install(copy)}options.html")
    settings = json.dumps({"server": f"{site}/", "token": text})
    tab.evaluate(f"chrome.storage.local.set({settings})")
    # What goes on in the background is started beside the page: before it listens, messages are refused.
    tab.wait_for("chrome.runtime.sendMessage({action: 'none'}).then(() => true, () => false)")
    return tab


def test_the_popup_offers_corpora_and_extractors(started: Firefox, control: Tab) -> None:
    popup = started.open(str(control.evaluate("chrome.runtime.getURL('popup.html')")))
    popup.wait_for("document.getElementById('corpus').value === 'dailies'")
    popup.wait_for("document.getElementById('extractor').value === 'goldpan'")


def ask(control: Tab, address: str, action: str, **more: str) -> dict[str, Any]:
    """Do what a button of the popup does, for the tab with such an address."""
    tabs = control.evaluate("chrome.tabs.query({})")
    (number,) = [tab["id"] for tab in tabs if tab.get("url") == address]
    asked = json.dumps({"action": action, "tab": number, **more})
    answer: dict[str, Any] = control.evaluate(f"chrome.runtime.sendMessage({asked})")
    return answer


def test_the_extension_sends_what_its_reader_sees_and_paints_what_is_taken(
    started: Firefox, control: Tab
) -> None:
    with serving(BESIDE) as elsewhere:
        html = ARTICLE.format(other=elsewhere).encode()
        with serving({"/bridge": ("text/html; charset=utf-8", html)}) as here:
            tab = started.open(f"{here}/bridge")
            sent = ask(control, f"{here}/bridge", "send", corpus="dailies", note="goldpan: lost its byline")
            shown = ask(control, f"{here}/bridge", "show", extractor="everything")
            painted = tab.evaluate(f"({PAINTED})()")
            ask(control, f"{here}/bridge", "clear")
            assert tab.evaluate(f"({PAINTED})()") == []
    assert (sent["state"], sent["message"]) == ("done", "Sent."), sent
    is_as_its_reader_saw_it(f"{here}/bridge", elsewhere)
    is_painted(shown, painted)


@pytest.mark.parametrize("most", [1, pytest.param(MANY, marks=pytest.mark.long)])
def test_real_pages_are_sent_and_painted(started: Firefox, control: Tab, most: int) -> None:
    files = {f"/{number}": ("text/html", raw) for number, raw in enumerate(real_pages(most))}
    elsewhere = []
    with serving(files) as here:
        for path in files:
            address = f"{here}{path}"
            try:
                tab = started.open(address)
            except BidiError:  # its script goes to its own server, which is not there
                elsewhere.append(path)
                continue
            read = [tab.evaluate(f"({READ})()")]
            sent = ask(control, address, "send", corpus="dailies")
            assert sent["state"] == "done", (path, sent)
            read.append(tab.evaluate(f"({READ})()"))  # its script may have written into it meanwhile
            document = parse(storage.get(Page.objects.latest("pk").sha256))
            assert letters(document.text) in map(letters, read), path
            shown = ask(control, address, "show", extractor="everything")
            assert (shown["state"], shown["message"]) == ("done", "everything takes what is marked."), path
            assert tab.evaluate(f"({PAINTED})()"), path
    assert len(elsewhere) <= most / 10
