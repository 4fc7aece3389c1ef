"""Practice as annotators see it: from home to the first real page, with what gold says on the page itself."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from annotator.annotations.models import Purpose, Slot
from annotator.corpora.models import Corpus
from annotator.practice.models import PracticeAttempt
from extraction.sandbox import Parser
from tests.annotator.practice.made import ask, corpus_with_gold, newcomer
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.factories import MakePage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAINTED = """(name) => [...(goldpan.view.window.CSS.highlights.get(name) ?? [])].map(String).join(" ")"""


def mark(page: Page, *labels: str) -> None:
    """Give the heading, and the first paragraphs after it, these labels; then submit as an article."""
    workbench.ready(page)
    blocks = workbench.visible_blocks(page, longer_than=11)
    for label, block in zip(labels, blocks, strict=False):
        workbench.click_block(page, block)
        page.keyboard.press(label)
    page.keyboard.press("y")
    workbench.saved(page)
    workbench.submit(page)
    workbench.ready(page)


def test_from_home_through_practice_to_a_real_page(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, parser: Parser, sign_in: SignIn
) -> None:
    make_page()
    ask(corpus, cast.hanne, corpus_with_gold(parser, cast.hanne), pages=1, min_verdicts=1)
    page = sign_in(newcomer(corpus))
    page.get_by_role("link", name="Practice").click()
    page.get_by_role("button", name="Start practice").click()
    # The heading as body, and the paragraph not at all.
    mark(page, "2")
    rows = page.locator("[data-differences] > li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("relabelled")
    expect(rows.nth(1)).to_contain_text("The council said on Monday")
    expect(rows.nth(0)).to_have_attribute("aria-current", "true")
    assert page.evaluate(PAINTED, "goldpan-open") == "Bridge opens"
    assert page.evaluate(PAINTED, "goldpan-missed").startswith("The council said")
    page.keyboard.press("n")
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-position]")).to_have_text("2 of 2")
    page.keyboard.press("]")
    page.get_by_role("heading", name="Not passed yet: try again").wait_for()
    page.get_by_role("button", name="Start another attempt").click()
    mark(page, "1", "2")
    expect(page.get_by_text("None: your marks match gold.")).to_be_visible()
    expect(page.get_by_text("Practice passed.")).to_be_visible()
    assert [each.passed for each in PracticeAttempt.objects.order_by("number")] == [False, True]
    page.keyboard.press("]")
    page.get_by_role("button", name="Start annotating").click()
    page.wait_for_url("**/slots/**")
    workbench.ready(page)
    slot = Slot.objects.get(key=page.url.rstrip("/").rpartition("/")[2])
    assert (slot.round.purpose, slot.round.page.corpus) == (Purpose.MAIN, corpus)
