"""An admin changes the labels of a corpus, and an annotator meets them on the page."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import Page

from annotator.annotations.models import Revision
from annotator.corpora.actions import create_corpus, grant_role
from extraction.sandbox import Parser
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.factories import make_user, page_maker
from tests.processes import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def people(transactional_db: None, parser: Parser) -> SimpleNamespace:
    corpus = create_corpus(slug="dailies", name="Dailies")
    found = SimpleNamespace(corpus=corpus, hanne=make_user("hanne"))
    found.ada = make_user("ada")
    grant_role(corpus=corpus, user=found.hanne, role="admin")
    grant_role(corpus=corpus, user=found.ada, role="annotator")
    page_maker(corpus, parser)()
    return found


def chips(page: Page) -> list[str]:
    """The labels of the annotation screen: key, name, colour."""
    found: list[str] = page.eval_on_selector_all(
        ".chips [data-label]",
        """all => all.map(each => `${each.querySelector("kbd").textContent}
            ${each.querySelector(".label").textContent} ${each.querySelector(".label").dataset.n}`)""",
    )
    return [" ".join(each.split()) for each in found]


def test_labels_are_renamed_reordered_added_and_retired_and_met_on_the_page(
    people: SimpleNamespace, sign_in: SignIn, site: str
) -> None:
    admin, annotator = sign_in(people.hanne), sign_in(people.ada)
    annotator.click("button.primary, .btn.primary")
    workbench.ready(annotator)
    annotator.keyboard.press("j")
    annotator.keyboard.press("1")  # a block is marked as headline, which is retired below
    wait_for(lambda: Revision.objects.filter(spans__contains=[["headline"]]).exists(), "a headline")

    admin.goto(f"{site}/c/dailies/settings/labels/")
    admin.fill("[data-label]:has([data-chip]) >> nth=1 >> [data-title]", "Prose")
    assert admin.locator("[data-preview] mark >> nth=1").inner_text().endswith("Prose")
    admin.locator("[data-label] >> nth=1").locator("[data-move='-1']").press("Enter")
    assert admin.evaluate("document.activeElement.dataset.move") == "-1"
    # The colour that another label has changes hands.
    admin.locator("[data-label] >> nth=0").locator("[data-swap=number]").select_option("3")
    assert (
        admin.locator("[data-label]", has_text="Supplemental").locator("[data-swap=number]").input_value()
        == "2"
    )
    admin.fill("[name=added]", "Tags")
    admin.click("button[name=add]")
    admin.wait_for_selector("text=Labels saved.")
    admin.click("tr:has-text('Headline') button[name=retire]")
    admin.wait_for_selector("tr.retired:has-text('Headline')")

    annotator.reload()
    workbench.ready(annotator)
    assert chips(annotator) == ["2 Prose 3", "3 Supplemental 2", "4 Comments 4", "5 Related 5", "6 Tags 6"]
    assert annotator.locator(".outline .label >> nth=0").get_attribute("title") == "Headline"  # it is kept
    annotator.keyboard.press("j")
    annotator.keyboard.press("j")
    annotator.keyboard.press("6")
    wait_for(lambda: Revision.objects.filter(spans__contains=[["tags"]]).exists(), "a tag")
    newest = Revision.objects.latest("pk")
    assert {label for _start, _end, label in newest.spans} == {"headline", "tags"}
    assert annotator.locator(".outline .label >> nth=1").get_attribute("data-n") == "6"


def test_a_label_from_right_to_left_ends_where_it_reads_to_the_end(
    people: SimpleNamespace, sign_in: SignIn, site: str
) -> None:
    admin = sign_in(people.hanne)
    admin.goto(f"{site}/c/dailies/settings/labels/")
    admin.fill("[data-label] [data-title] >> nth=0", "عنوان!")
    first, last = admin.locator("[data-chip] >> nth=0").evaluate(
        """chip => [0, chip.firstChild.length - 1].map((at) => {
          const range = new Range();
          range.setStart(chip.firstChild, at);
          range.setEnd(chip.firstChild, at + 1);
          return range.getBoundingClientRect().x;
        })"""
    )
    assert last < first
