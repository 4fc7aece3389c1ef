"""What an extractor did, 800 pixels wide and on paper: no figure runs into another, nothing is left out."""

import json
from types import SimpleNamespace

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotator.corpora.models import Corpus
from annotator.pages.models import Page
from annotator.releases.actions import save_terms
from annotator.runs.models import Run
from tests.annotator.releases.made import release
from tests.annotator.runs.test_runs import finish
from tests.annotator.runs.test_uploads import upload
from tests.annotator.scored import give_gold, make_gold
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.factories import MakePage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTH = 800
# A4 between the margins that browsers leave, in pixels.
SHEET = 718
TOUCHING = """[...document.querySelectorAll(".scores > div")].map((each) => each.getBoundingClientRect())
  .filter(({right}, n, all) => right > (all[n + 1]?.left ?? innerWidth) - 4).length"""


@pytest.fixture
def page(make_page: MakePage) -> Page:
    made = make_page()
    make_gold(made)
    return made


@pytest.fixture
def failed(corpus: Corpus, page: Page) -> Run:
    """A run of a name as long as that of a model, whose only output does not fit its page."""
    beyond = json.dumps({"sha256": page.sha256, "spans": [[0, 90_000, "body"]]}).encode()
    return finish(upload(corpus, beyond, name="another-reader-of-pages", version="5+model-12-a1368a7b"))


def test_figures_stand_apart(
    site: str, cast: SimpleNamespace, page: Page, failed: Run, sign_in: SignIn
) -> None:
    window = sign_in(cast.rhea, locale="es-MX", viewport={"width": WIDTH, "height": 900})
    window.goto(site + reverse("error-view", args=["dailies", failed.extractor_id, page.pk]))
    workbench.ready(window)
    assert window.evaluate("document.documentElement.scrollWidth") == WIDTH
    assert window.evaluate(TOUCHING) == 0


def test_a_page_without_a_title_leaves_room_for_its_state(
    site: str, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    make_page("<p>A page without a title", url="https://gazette.example/" + "harbour" * 40)
    window = sign_in(cast.rhea, viewport={"width": WIDTH, "height": 900})
    window.goto(site + reverse("corpus", args=["dailies"]))
    captured = window.get_by_role("columnheader", name="Captured").bounding_box()
    assert captured
    assert captured["x"] + captured["width"] < WIDTH


def test_a_failure_says_why(site: str, cast: SimpleNamespace, failed: Run, sign_in: SignIn) -> None:
    window = sign_in(cast.rhea, viewport={"width": WIDTH, "height": 900})
    window.goto(site + reverse("run", args=["dailies", failed.pk]))
    expect(window.get_by_text("its spans go beyond the")).to_be_visible()
    assert window.evaluate("document.documentElement.scrollWidth") == WIDTH


def test_the_leaderboard_fits_an_upright_sheet(
    site: str, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    for _ in range(2):
        give_gold(make_page())
    window = sign_in(cast.rhea, locale="es-MX", viewport={"width": SHEET, "height": 1000})
    window.goto(site + reverse("leaderboard", args=["dailies"]))
    expect(window.locator(".board tbody").first).to_be_visible()
    window.emulate_media(media="print")
    table = window.locator(".board").bounding_box()
    assert table
    assert table["x"] + table["width"] <= SHEET


def test_a_release_with_long_words_is_as_wide_as_the_window(
    page: Page, corpus: Corpus, cast: SimpleNamespace, site: str, sign_in: SignIn
) -> None:
    save_terms(corpus=corpus, licence="l" * 300, collection="", limitations="")
    made = release(corpus, note="n" * 500)
    window = sign_in(cast.rhea, viewport={"width": WIDTH, "height": 900})
    window.goto(site + reverse("release", args=["dailies", made.number]))
    assert window.evaluate("document.documentElement.scrollWidth") == WIDTH
