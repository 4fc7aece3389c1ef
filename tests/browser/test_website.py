"""A release that proves itself: opened from disk, every page verified, a flipped byte found."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from annotator.corpora.models import Corpus
from annotator.gold.versions import add_gold
from annotator.releases.exports.actions import write_folder
from annotator.releases.exports.contents import Contents
from tests.annotator.releases.made import gold_on, release, story
from tests.contexts import new_context
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.browser]

ASTRAL = (
    "<h1>Bridge 🌉 <script>top.run = 1</script>opens</h1>"
    "<p>They said 😀 &lt;img src=x onerror=top.run=2> so.</p><footer>Foot here</footer>"
)


def write_site(corpus: Corpus, make_page: MakePage, folder: Path) -> Path:
    """A release of four pages, one of them with astral characters and markup in its words."""
    for number in range(3):
        gold_on(make_page(story(number), url=f"https://news{number}.example.com/"))
    gold_on(make_page(ASTRAL, url="https://bridges.example.com/"))
    write_folder(Contents(corpus=corpus, format="website", release=release(corpus)), folder)
    return folder


@pytest.fixture
def site(corpus: Corpus, make_page: MakePage, tmp_path: Path) -> Path:
    return write_site(corpus, make_page, tmp_path / "site")


class Seen(NamedTuple):
    """What the browser complained of, and what it asked for."""

    problems: list[str]
    requested: list[str]


@pytest.fixture
def seen() -> Seen:
    return Seen([], [])


@pytest.fixture
def window(browser: Browser, seen: Seen) -> Iterator[Page]:
    context = new_context(browser)
    page = context.new_page()

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            seen.problems.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: seen.problems.append(str(error)))
    page.on("request", lambda request: seen.requested.append(request.url))
    yield page
    context.close()


def opened(window: Page, site: Path, rest: str = "") -> Page:
    window.goto(f"file://{site}/index.html{rest}")
    return window


def test_every_page_is_verified_found_and_shown_without_running_anything(
    window: Page, site: Path, seen: Seen
) -> None:
    opened(window, site)
    expect(window.locator("#status")).to_contain_text("All 4 pages verified")
    expect(window.locator("#datasheet h1")).to_have_text("Dailies, release 1")
    window.fill("#search", "they said 😀")
    expect(window.locator("#count")).to_have_text("1 of 4 pages")
    window.fill("#search", "THÉY SAID")
    expect(window.locator("#count")).to_have_text("1 of 4 pages")
    window.click("#list a")
    expect(window.locator("#page h2")).to_have_text("Bridge 🌉 opens")
    marks = window.locator("#page mark")
    assert marks.all_text_contents() == ["Bridge 🌉 opens", "They said 😀 <img src=x onerror=top.run=2> so."]
    assert marks.first.get_attribute("data-n") == "1"
    expect(window.locator("#page .badge")).to_have_text("Verified")
    assert window.evaluate("top.run") is None
    assert seen.problems == []
    assert all(url.startswith("file://") for url in seen.requested)


def test_headline_of_two_decisions_is_one_headline(
    window: Page, corpus: Corpus, make_page: MakePage, tmp_path: Path
) -> None:
    document = make_page(ASTRAL, url="https://bridges.example.com/").documents.get()
    spans = [(0, 9, "headline", "unanimous"), (9, 14, "headline", "adjudicated")]
    add_gold(document=document, verdict="article", spans=spans, source="adjudicated")
    write_folder(Contents(corpus=corpus, format="website", release=release(corpus)), tmp_path / "site")
    opened(window, tmp_path / "site")
    expect(window.locator("#status")).to_contain_text("verified")
    expect(window.locator("#status")).not_to_contain_text("do not agree")
    window.click("#list a")
    expect(window.locator("#page h2")).to_be_focused()
    expect(window.locator("#page h2")).to_have_text("Bridge 🌉 opens")


def test_on_paper_there_is_a_page_without_the_list_beside_it(window: Page, site: Path) -> None:
    opened(window, site)
    window.locator("nav ol a").first.click()
    window.locator("#page h2").wait_for()
    window.emulate_media(media="print", color_scheme="dark")
    assert not window.locator("nav").is_visible()
    assert not window.locator("#theme").is_visible()
    width, ground = window.evaluate(
        "[document.querySelector('#page').offsetWidth, getComputedStyle(document.body).backgroundColor]"
    )
    assert width == window.viewport_size["width"]
    assert ground == "rgb(255, 255, 255)"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("They said", "They says", "its text differs"),
        ('0,14,\\"headline\\"', '1,14,\\"headline\\"', "its marks differ"),
        ("(0,[{", "(0,,[{", "its file cannot be read"),
    ],
)
def test_a_flipped_byte_is_found(window: Page, site: Path, before: str, after: str, words: str) -> None:
    file = site / "data" / "pages-0000.js"
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), encoding="utf-8")
    opened(window, site)
    status = window.locator("#status .bad")
    expect(status).to_contain_text("do not agree with the manifest")
    window.locator("#list a:has(.state.bad)").first.click()
    expect(window.locator("#page .badge.bad")).to_contain_text(words)


def test_another_manifest_is_found(window: Page, site: Path) -> None:
    file = site / "data" / "manifest.js"
    file.write_text(file.read_text(encoding="utf-8").replace("Dailies", "dailies", 1), encoding="utf-8")
    expect(opened(window, site).locator("#status .bad")).to_contain_text("The manifest differs")


def test_a_title_that_was_changed_in_the_list_is_found(window: Page, site: Path) -> None:
    file = site / "data" / "index.js"
    file.write_text(file.read_text(encoding="utf-8").replace("Title 0", "Title 9"), encoding="utf-8")
    expect(opened(window, site).locator("#status .bad")).to_contain_text("1 of 4 pages do not agree")


def test_its_own_sha_256_is_that_of_everybody_else(window: Page, site: Path) -> None:
    opened(window, site)
    for size in (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 70_001):
        data = bytes(at * 7 % 251 for at in range(size))
        found = window.evaluate("(data) => goldpan.sha256ByHand(new Uint8Array(data))", list(data))
        assert found == hashlib.sha256(data).hexdigest()


def test_without_subtle_crypto_it_verifies_by_its_own_code(window: Page, site: Path) -> None:
    window.add_init_script("Object.defineProperty(globalThis.crypto, 'subtle', {value: undefined})")
    expect(opened(window, site).locator("#status")).to_contain_text("All 4 pages verified")


def test_the_manifest_in_it_is_that_of_the_release(site: Path) -> None:
    script = (site / "data" / "manifest.js").read_text(encoding="utf-8")
    (written,) = re.findall(r"goldpan\.manifest\((.*)\);\n", script, re.DOTALL)
    assert json.loads(written) == (site / "manifest.json").read_text(encoding="utf-8")
