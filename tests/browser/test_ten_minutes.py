"""The first ten minutes of a new admin, all of it in browsers: from no corpus to gold in a file.

A corpus is made; twelve addresses and a WARC come in with their look; two people are invited and annotate a
page; the admin adjudicates and exports.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Window
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from extraction import parse
from tests.annotator.fetching.sites import Site, response
from tests.annotator.fetching.sites import site as served_site
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.contexts import new_context
from tests.extraction.assets.files import png
from tests.factories import PASSWORD, make_user
from tests.processes import A_WHILE, WebServer, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SECONDS = 1000 * A_WHILE
SHEET = b"h1 { color: rgb(1, 2, 3); border-bottom: 4px solid } body { max-width: 40em; margin: auto }"
STORIES = range(1, 13)
ARCHIVED = range(21, 24)
LOOK = """async () => {
  const {view} = window.goldpan;
  const image = view.window.document.querySelector("img[data-asset]");
  await image.decode();
  const {color} = view.window.getComputedStyle(view.window.document.querySelector("h1"));
  return [view.mode, color, image.naturalWidth];
}"""
WORDS = "it would have {number} cranes, the council said, and be ready by the day of the regatta in August"


def story(number: int) -> bytes:
    words = WORDS.format(number=number)
    paragraphs = "".join(f"<p>Of the quay, paragraph {n}, {words}.</p>" for n in range(1, 4))
    return f"""<!doctype html><html lang="en"><title>Quay {number}</title>
    <link rel="stylesheet" href="/main.css"><nav><a href="/">Home</a></nav>
    <h1>Quay number {number} will be rebuilt before the regatta</h1>
    <img src="/quay.png" width="120" height="60" alt="">{paragraphs}""".encode()


@pytest.fixture
def gazette(monkeypatch: pytest.MonkeyPatch, only_server: WebServer) -> Iterator[Site]:
    """A newspaper on this machine, which the servers of the test may ask, without pauses."""
    with served_site() as served:
        served.answers |= {f"/story/{number}": response(story(number)) for number in STORIES}
        served.answers |= {
            "/main.css": response(SHEET, content_type="text/css"),
            "/quay.png": response(png(120, 60), content_type="image/png"),
        }
        monkeypatch.setenv("GOLDPAN_FETCH_LOOPBACK_PORTS", str(served.port))
        monkeypatch.setenv("GOLDPAN_FETCH_PAUSE", "0")
        # It starts for the test with these settings, and for the next one without them.
        only_server.stop()
        yield served
        only_server.stop()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Three other stories with their look, as warcio writes them."""
    path = tmp_path / "gazette.warc.gz"
    files = {f"story/{number}": ("text/html", story(number)) for number in ARCHIVED}
    files |= {"main.css": ("text/css", SHEET), "quay.png": ("image/png", png(120, 60))}
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for name, (kind, body) in files.items():
            headers = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
            address = f"https://gazette.example/{name}"
            record = writer.create_warc_record(
                address, "response", payload=io.BytesIO(body), http_headers=headers
            )
            writer.write_record(record)
    return path


@pytest.fixture
def newcomers(browser: Browser) -> Iterator[tuple[Window, Window]]:
    """Two browsers of people who have no account yet."""
    contexts = [new_context(browser) for _ in range(2)]
    yield contexts[0].new_page(), contexts[1].new_page()
    for context in contexts:
        context.close()


def test_from_nothing_to_gold_in_a_file(
    gazette: Site,
    archive: Path,
    workers: None,
    sign_in: SignIn,
    newcomers: tuple[Window, Window],
) -> None:
    admin = sign_in(make_user("hanne", password=PASSWORD, is_superuser=True))
    make_corpus(admin)
    import_addresses(admin, gazette)
    import_archive(admin, archive)
    links = [invite(admin, name) for name in ("Ada", "Ben")]
    titles = [
        annotate(window, link, name, takes_headline=name == "Ada")
        for window, link, name in zip(newcomers, links, ("Ada", "Ben"), strict=True)
    ]
    assert titles[0] == titles[1], "the second annotator got another page"
    adjudicate(admin)
    (page,) = export(admin)
    number = int(titles[0].removeprefix("Quay "))
    assert page["html"].encode() == story(number)
    text = parse(story(number)).text
    assert [(label, text[start:end]) for start, end, label in page["gold"]["spans"]] == [
        ("headline", f"Quay number {number} will be rebuilt before the regatta"),
        ("body", f"Of the quay, paragraph 1, {WORDS.format(number=number)}."),
    ]


def make_corpus(admin: Window) -> None:
    admin.keyboard.press("o")
    admin.fill("[name=name]", "Harbour")
    admin.get_by_role("checkbox", name="English").check()
    admin.get_by_role("button", name="Create corpus").click()
    expect(admin.get_by_text("Next, import pages and invite people")).to_be_visible()


def import_addresses(admin: Window, gazette: Site) -> None:
    admin.click("main .btn.primary")  # what comes next, says the empty corpus
    addresses = [gazette.url(f"/story/{number}") for number in STORIES]
    admin.get_by_label("or addresses of pages").fill("\n".join([*addresses, "http://10.0.0.1/router"]))
    admin.get_by_role("button", name="Preview").first.click()
    expect(admin.get_by_text("no address of the public internet")).to_be_visible()
    assert not gazette.log
    admin.get_by_role("button", name="Fetch 12 pages").click()
    admin.get_by_text("12 of 12 pages have their styles").wait_for(timeout=SECONDS)
    admin.get_by_text("12 pages can be annotated").wait_for(timeout=SECONDS)


def import_archive(admin: Window, archive: Path) -> None:
    admin.set_input_files("#files", archive)
    admin.get_by_role("button", name="Import 3 pages").click(timeout=SECONDS)
    admin.get_by_text("3 of 3 pages have their styles").wait_for(timeout=SECONDS)


def invite(admin: Window, name: str) -> str:
    """Make an invite link for an annotator, from the menu; the link."""
    admin.get_by_role("link", name="People", exact=True).first.click()
    form = admin.get_by_role("region", name="Invite", exact=True)
    form.get_by_label("annotator").check()
    form.get_by_label("Note").fill(name)
    form.get_by_role("button").click()
    return admin.get_by_label("Link", exact=True).input_value()


def annotate(window: Window, link: str, name: str, *, takes_headline: bool) -> str:
    """Accept the invitation, mark the next page as it looked, submit; its title."""
    window.goto(link)
    window.get_by_label("Display name").fill(name)
    window.get_by_label("Username").fill(name.lower())
    window.get_by_label("Password", exact=True).fill(PASSWORD)
    window.get_by_label("Password confirmation").fill(PASSWORD)
    window.get_by_role("button", name="Create account").click()
    title = window.locator(".next .page-title").inner_text()
    window.click("main .btn.primary")
    workbench.ready(window)
    assert window.evaluate(LOOK) == ["page", "rgb(1, 2, 3)", 120]
    headline, first = workbench.visible_blocks(window, 40)[:2]
    workbench.click_block(window, first)
    if takes_headline:
        workbench.click_block(window, headline)
        window.keyboard.press("1")
    window.keyboard.press("y")
    workbench.saved(window)
    workbench.submit(window)
    return title


def adjudicate(admin: Window) -> None:
    """Take the role, find the dispute on home, take the headline where one of the two had it."""
    member = admin.get_by_role("row", name="hanne")
    member.get_by_label("adjudicator").check()
    member.get_by_role("button", name="Save roles").click()
    expect(admin.get_by_text("saved")).to_be_visible()
    wait_for(lambda: _queue_is_filled(admin), "the dispute on home")
    admin.get_by_role("button", name="Adjudicate").click()
    workbench.ready(admin)
    admin.locator("[data-answers] button").filter(has_text="Headline").click()
    workbench.until(admin, "window.goldpan.sender.isEmpty")
    workbench.submit(admin)


def _queue_is_filled(admin: Window) -> bool:
    admin.get_by_role("link", name="Home", exact=True).first.click()
    return admin.get_by_role("button", name="Adjudicate").count() > 0


def export(admin: Window) -> list[dict[str, Any]]:
    admin.get_by_role("link", name="Exports").first.click()
    admin.get_by_role("radio", name="JSON Lines").check()
    admin.get_by_role("button", name="Export").click()
    with admin.expect_download(timeout=SECONDS) as download:
        admin.get_by_role("link", name="Download").click(timeout=SECONDS)
    return [json.loads(line) for line in download.value.path().read_text().splitlines()]
