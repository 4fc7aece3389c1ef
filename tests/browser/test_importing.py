"""An admin drops files, looks at the preview, imports, reads the report, undoes it: no terminal."""

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Page as Window
from playwright.sync_api import expect

from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.pages.imports.models import Import
from annotator.pages.models import Page
from tests.annotator.pages.imports.made import zipped
from tests.browser.conftest import SignIn
from tests.factories import ARTICLE, make_user
from tests.processes import A_WHILE, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SECONDS = 1000 * A_WHILE

DROP = """async ([files]) => {
  const transfer = new DataTransfer();
  for (const [name, data] of files) {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    transfer.items.add(new File([bytes], name));
  }
  const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
  const target = document.querySelector("[data-drop]");
  for (const name of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(name, options));
}"""


@pytest.fixture
def dailies(transactional_db: None) -> Corpus:
    return create_corpus(slug="dailies", name="Dailies", languages=["en"])


def drop(window: Window, files: dict[str, bytes]) -> None:
    """Drop files onto the screen."""
    coded = [[name, base64.b64encode(data).decode()] for name, data in files.items()]
    window.evaluate(DROP, [coded])


def articles(*numbers: int) -> dict[str, bytes]:
    return {f"story-{number}.html": ARTICLE.format(number=number).encode() for number in numbers}


def test_files_come_in_by_drag_and_drop_and_go_again(
    site: str, workers: None, dailies: Corpus, sign_in: SignIn
) -> None:
    hanne = make_user("hanne")
    grant_role(corpus=dailies, user=hanne, role="admin")
    window = sign_in(hanne)
    window.goto(f"{site}/c/dailies/")
    window.keyboard.press("g")
    window.keyboard.press("i")
    window.wait_for_url("**/imports/")
    # More than one request may carry.
    padded = {"long.html": ARTICLE.format(number=9).encode() + b"<!--" + b"x" * (5 << 19) + b"-->"}
    drop(window, {"set.zip": zipped(articles(1, 2)), **padded, "notes.pdf": b"%PDF-1.7"})
    window.wait_for_selector("text=Import 3 pages", timeout=SECONDS)
    assert Import.objects.get().files.get(name="long.html").parts == 3
    assert not Page.objects.exists()
    window.get_by_text("1 refused: why").click()
    expect(window.get_by_text("save it as HTML")).to_be_visible()
    window.click("#run .btn.primary")
    window.wait_for_selector("text=Undo import", timeout=SECONDS)
    rows = window.locator(".errors tbody tr")
    expect(rows).to_have_count(1)
    wide = window.viewport_size
    assert wide
    window.set_viewport_size({"width": 800, "height": 900})
    expect(rows.get_by_text("save it as HTML")).to_be_visible()
    window.set_viewport_size(wide)
    window.get_by_role("link", name="All 4").click()
    expect(rows).to_have_count(4)
    window.wait_for_load_state()
    assert [row.split()[1] for row in rows.all_inner_texts()] == [
        *("long.html", "notes.pdf", "set.zip/story-1.html", "set.zip/story-2.html"),
    ]
    wait_for(lambda: not Page.objects.open().exists(), "the documents")
    with window.expect_download() as report:
        window.keyboard.press("x")
    assert report.value.path().read_text().count("added") == 3
    window.get_by_role("button", name="Undo import").click()
    window.wait_for_selector("text=its new pages were deleted", timeout=SECONDS)
    assert not Page.objects.exists()
    paste(window)


def paste(window: Window) -> None:
    """Paste a page with its address; import it."""
    window.wait_for_load_state()
    window.get_by_text("Paste HTML", exact=True).click()
    window.fill("[name=html]", ARTICLE.format(number=7))
    window.fill("[name=url]", "https://gazette.example/bridge")
    window.locator("form[data-paste] button").click()
    window.wait_for_selector("text=Import 1 page", timeout=SECONDS)
    window.click("#run .btn.primary")
    window.wait_for_selector("text=Undo import", timeout=SECONDS)
    assert Page.objects.get().url == "https://gazette.example/bridge"


def test_what_the_server_refuses_is_said_beside_the_box(site: str, dailies: Corpus, sign_in: SignIn) -> None:
    hanne = make_user("hanne")
    grant_role(corpus=dailies, user=hanne, role="admin")
    window = sign_in(hanne)
    window.goto(f"{site}/c/dailies/imports/")
    drop(window, {"..": b"<p>"})
    window.wait_for_selector("[data-problem]:not([hidden])")
    assert "leads out" in window.inner_text("[data-problem]")


def test_a_text_file_of_addresses_is_a_list_and_no_page(
    site: str, dailies: Corpus, sign_in: SignIn, tmp_path: Path
) -> None:
    hanne = make_user("hanne")
    grant_role(corpus=dailies, user=hanne, role="admin")
    window = sign_in(hanne)
    window.goto(f"{site}/c/dailies/imports/")
    window.fill("#addresses", "https://gazette.example/bridge")
    drop(window, {"..": b"<p>"})
    window.wait_for_selector("[data-problem]:not([hidden])")
    listed = tmp_path / "more.txt"
    listed.write_text("https://gazette.example/ferry\n")
    window.set_input_files("#address-file", listed)
    window.get_by_role("button", name="Preview").first.click()
    window.wait_for_selector("text=Fetch 2 pages")
    assert Import.objects.exclude(uploaded_at=None).get().source_kind == "addresses"
