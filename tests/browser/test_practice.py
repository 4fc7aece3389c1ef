"""Practice as she sees it: from home to the first real page, with what gold says on the page itself."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from annotator.annotations.models import Purpose, Slot
from annotator.corpora.models import Corpus
from annotator.practice.models import PracticeTry
from extraction.sandbox import Parser
from tests.annotator.practice.made import ask, newcomer, settled_corpus
from tests.browser import workbench as bench
from tests.browser.conftest import SignIn
from tests.factories import PASSWORD, MakePage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAINTED = """(name) => [...(goldpan.view.window.CSS.highlights.get(name) ?? [])].map(String).join(" ")"""


def mark(page: Page, *labels: str) -> None:
    """Give the heading, and the first paragraphs after it, these labels; then hand in as an article."""
    bench.ready(page)
    blocks = bench.visible_blocks(page, longer_than=11)
    for label, block in zip(labels, blocks, strict=False):
        bench.click_block(page, block)
        page.keyboard.press(label)
    page.keyboard.press("y")
    bench.saved(page)
    bench.submit(page)
    bench.ready(page)


def test_from_home_through_practice_to_a_real_page(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, parser: Parser, sign_in: SignIn
) -> None:
    make_page()
    ask(corpus, cast.hanne, settled_corpus(parser, cast.hanne), pages=1, least_verdicts=1)
    page = sign_in(newcomer(corpus, password=PASSWORD))
    page.get_by_role("link", name="To practice").click()
    page.get_by_role("button", name="Begin").click()
    # The heading as body, and the paragraph not at all.
    mark(page, "2")
    rows = page.locator("[data-differences] > li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("another label")
    expect(rows.nth(1)).to_contain_text("The council said on Monday")
    expect(rows.nth(0)).to_have_attribute("aria-current", "true")
    assert page.evaluate(PAINTED, "goldpan-open") == "Bridge opens"
    assert page.evaluate(PAINTED, "goldpan-missed").startswith("The council said")
    page.keyboard.press("n")
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-place]")).to_have_text("2 of 2")
    page.keyboard.press("]")
    page.get_by_role("heading", name="Not reached yet: try again").wait_for()
    page.get_by_role("button", name="Begin another try").click()
    mark(page, "1", "2")
    expect(page.get_by_text("Nowhere: your marks are gold's.")).to_be_visible()
    expect(page.get_by_text("Practice passed.")).to_be_visible()
    assert [each.passed for each in PracticeTry.objects.order_by("number")] == [False, True]
    page.keyboard.press("]")
    page.get_by_role("button", name="To the real pages").click()
    bench.ready(page)
    slot = Slot.objects.get(pk=page.url.rstrip("/").rpartition("/")[2])
    assert (slot.round.purpose, slot.round.page.corpus) == (Purpose.MAIN, corpus)
