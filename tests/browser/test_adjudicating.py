"""An adjudicator at work: one key a segment, the same for all that is left, own marks, an audit."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page as Window
from playwright.sync_api import expect

from annotator.corpora.actions import set_audit_share
from annotator.corpora.models import Corpus
from annotator.gold.actions import claim_next, letters_of
from annotator.gold.models import Adjudication, Gold
from annotator.pages.models import Page
from tests.annotator.gold.test_adjudication import FIRST, HEADLINE, SECOND, THIRD, finalise, paragraph
from tests.annotator.gold.test_audits import agree
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.factories import MakePage, annotate, label_block, span_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOME = re.compile(r"^https?://[^/]+/$")
Opened = Callable[..., tuple[Window, Adjudication]]

FIRST_LETTER_IS_SHOWN = """(box) => {
  const letter = document.createRange();
  letter.setStart(box.firstChild, 0);
  letter.setEnd(box.firstChild, 1);
  const [first, shown] = [letter, box].map((each) => each.getBoundingClientRect());
  return first.left >= shown.left && first.right <= shown.right;
}"""

LAST_IS_LEFT_OF_FIRST = """(title) => {
  const [text] = title.childNodes;
  const at = (offset) => {
    const letter = document.createRange();
    letter.setStart(text, offset);
    letter.setEnd(text, offset + 1);
    return letter.getBoundingClientRect();
  };
  return at(text.data.trimEnd().length - 1).right <= at(text.data.search(/\\S/)).left;
}"""


@pytest.fixture
def disputed(cast: SimpleNamespace, make_page: MakePage) -> Page:
    """Ada marks its first paragraph, ben nothing."""
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body")])
    annotate(page, cast.ben)
    finalise(page)
    return page


@pytest.fixture
def audited(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> Page:
    """Ada and ben mark the same, and it is looked at all the same."""
    set_audit_share(corpus=corpus, share=1)
    page = make_page()
    agree(page, cast)
    finalise(page)
    return page


@pytest.fixture
def opened(site: str, corpus: Corpus, cast: SimpleNamespace, sign_in: SignIn) -> Opened:
    """Take the next page as cleo and show it."""

    def open_next(**options: Any) -> tuple[Window, Adjudication]:
        held = claim_next(corpus=corpus, user=cast.cleo)
        assert held
        window = sign_in(cast.cleo, **options)
        window.goto(site + reverse("adjudicate", args=["dailies", held.pk]))
        workbench.ready(window)
        return window, held

    return open_next


def sent(window: Window) -> None:
    workbench.until(window, "window.goldpan.sender.isEmpty")


def settled(window: Window) -> None:
    """Wait until room is made for the answers: they follow the page when it is measured, and in a frame."""
    measured = "window.goldpan.stage.geometry.isMeasured"
    frames = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
    workbench.until(window, f"{measured} && {frames}.then(() => {measured})")


def test_one_key_for_all_that_is_left_and_one_to_take_it_back(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body"), paragraph(page, THIRD, "body")])
    annotate(page, cast.ben, [paragraph(page, THIRD, "related")])
    finalise(page)
    window, held = opened()
    window.keyboard.press("Shift+A")
    sent(window)
    slot = str(held.order[0])
    assert list(held.segments.values_list("choice", flat=True)) == [slot, slot]
    window.keyboard.press("Control+z")
    sent(window)
    assert list(held.segments.values_list("choice", flat=True)) == ["", ""]
    window.keyboard.press("b")
    window.keyboard.press("n")
    sent(window)
    assert list(held.segments.values_list("choice", flat=True)) == [str(held.order[1]), "neither"]


def test_as_many_characters_are_in_dispute_as_the_queue_says(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body"), paragraph(page, SECOND, "body")])
    annotate(page, cast.ben)
    finalise(page)
    window, held = opened()
    expect(window.locator("[data-segments-sum]")).to_have_text(f"{held.weight} characters in dispute")


def test_what_was_said_goes_with_what_it_was_said_of(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body")])
    annotate(page, cast.ben, verdict="several")
    finalise(page)
    window, _held = opened()
    message = window.locator("[data-message]")
    window.keyboard.press("a")
    expect(message).to_contain_text("Select a verdict first")
    window.keyboard.press("y")
    expect(message).to_have_text("")
    window.keyboard.press("a")
    expect(message).to_contain_text("All segments decided")
    window.keyboard.press("Control+z")
    expect(message).to_have_text("")


def test_a_page_is_adjudicated_by_touch_and_no_key_is_named(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body")])
    annotate(page, cast.ben, verdict="several")
    finalise(page)
    narrow = {"width": 800, "height": 1100}
    window, _held = opened(has_touch=True, is_mobile=True, viewport=narrow)
    told = []
    article, relabel, finish = "[name=verdict][value=article]", "[data-choice=relabel]", "[data-act=finish]"
    for step in (article, relabel, "[data-give='1']", finish):
        window.locator(step).tap()
        sent(window)
        told.append(window.inner_text("body"))
    assert "choose Done" in told[1]
    assert "All segments decided" in told[3]
    assert not re.search(r"Ctrl|↵|Esc|digit|press|1 to 9", " ".join(told))
    window.locator("[data-submit]").tap()
    expect(window).to_have_url(HOME)
    assert Gold.objects.exists()


@pytest.mark.parametrize("width", [1000, 800, 720])
@pytest.mark.usefixtures("disputed")
def test_of_what_is_refused_nothing_is_cut_off(opened: Opened, width: int) -> None:
    window, _held = opened(viewport={"width": width, "height": 700})
    height = window.locator(".status").bounding_box()["height"]
    window.keyboard.press("o")
    message = window.locator("[data-message]")
    expect(message).to_have_text(re.compile("^Cannot take both"))
    assert message.evaluate(
        "(box) => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight"
    )
    assert message.bounding_box()["width"] > 200
    assert window.locator(".status").bounding_box()["height"] == height


def test_a_window_does_not_submit_what_another_one_decided(opened: Opened, disputed: Page) -> None:
    window, held = opened()
    window.keyboard.press("n")
    sent(window)
    other = window.context.new_page()
    other.goto(window.url)
    workbench.ready(other)
    letter = letters_of(held)[held.order.index(0)]
    other.keyboard.press(letter.lower())
    sent(other)
    window.keyboard.press("Control+Enter")
    notice = window.locator("[data-notice=refused]")
    expect(notice).to_contain_text("decided in another window")
    assert not Gold.objects.exists()
    notice.get_by_role("button", name="Reload").click()
    workbench.ready(window)
    window.keyboard.press("Control+Enter")
    expect(window).to_have_url(HOME)
    assert Gold.objects.get().spans == [[*paragraph(disputed, FIRST, "body"), "adjudicated"]]


def test_nothing_is_decided_between_submit_and_its_answer(opened: Opened, disputed: Page) -> None:
    window, held = opened()
    letter = letters_of(held)[held.order.index(0)]
    window.keyboard.press(letter.lower())
    sent(window)
    window.context.set_offline(True)
    window.keyboard.press("Control+Enter")
    for key in ("Control+z", "n", "m"):
        window.keyboard.press(key)
        expect(window.locator("[data-message]")).to_have_text("Not changed: waiting for the server")
    window.context.set_offline(False)
    expect(window).to_have_url(HOME)
    assert Gold.objects.get().spans == [[*paragraph(disputed, FIRST, "body"), "adjudicated"]]


def test_an_adjudicator_reads_within_a_minute_that_somebody_else_has_the_page(
    site: str, corpus: Corpus, cast: SimpleNamespace, disputed: Page, sign_in: SignIn
) -> None:
    held = claim_next(corpus=corpus, user=cast.cleo)
    assert held
    window = sign_in(cast.cleo)
    window.clock.install()
    window.goto(site + reverse("adjudicate", args=["dailies", held.pk]))
    workbench.ready(window)
    Adjudication.objects.update(adjudicator=cast.rhea)
    window.clock.fast_forward("01:00")
    notice = window.get_by_role("alert")
    expect(notice).to_contain_text("assigned to someone else. Your decisions are kept.")
    window.keyboard.press("n")
    sent(window)
    expect(notice).to_have_count(1)
    notice.get_by_role("button", name="Home").click()
    expect(window).to_have_url(HOME)


def test_an_adjudicator_who_is_signed_out_is_led_to_sign_in_and_goes_on(
    opened: Opened, site: str, cast: SimpleNamespace, disputed: Page
) -> None:
    window, held = opened()
    window.context.clear_cookies(name="sessionid")
    window.keyboard.press("n")
    notice = window.get_by_role("alert")
    expect(notice).to_contain_text("You are signed out. Sign in again in another tab")
    with window.context.expect_page() as opening:
        notice.get_by_role("button", name="Sign in").click()
    expect(opening.value).to_have_url(re.compile("/sign-in/"))
    workbench.give_session(window.context, site, cast.cleo)
    notice.get_by_role("button", name="Retry").click()
    sent(window)
    expect(notice).to_have_count(0)
    assert list(held.segments.values_list("choice", flat=True)) == ["neither"]


def test_a_verdict_that_is_refused_is_not_shown_as_decided(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body")])
    annotate(page, cast.ben, verdict="several")
    finalise(page)
    window, held = opened()
    window.keyboard.press("y")
    sent(window)
    window.keyboard.press("a")
    sent(window)
    # Not `check`, which fails where the refusal comes before it looks.
    window.locator("[name=verdict][value=several]").click()
    expect(window.locator("[data-notice=refused]")).to_contain_text("Segments are decided")
    expect(window.locator("[name=verdict][value=article]")).to_be_checked()
    held.refresh_from_db()
    assert held.verdict == "article"


def test_a_segment_is_relabelled_by_keys_and_by_dragging_and_not_beyond_it(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    first, second = paragraph(page, FIRST, "body"), paragraph(page, SECOND, "body")
    annotate(page, cast.ada, [first, second])
    annotate(page, cast.ben)
    finalise(page)
    window, held = opened()
    window.keyboard.press("m")
    expect(window.locator("[data-relabelling]")).to_be_visible()
    window.keyboard.press("j")
    window.keyboard.press("3")
    settled(window)
    workbench.click_block(window, paragraph(page, THIRD, "body")[:2])
    quote = span_of(page, "closed for most of the year", "body")
    window.locator("[data-give='2']").click()
    settled(window)
    workbench.drag(window, quote.start, quote.end)
    window.keyboard.press("Enter")
    sent(window)
    marks = held.segments.get().marks
    assert marks[-1] == [second.start, second.end, "supplemental"]
    assert all(first.start <= start and end <= second.end for start, end, _label in marks)
    assert [quote.start, quote.end, "body"] in marks
    expect(window.locator("[data-segments]")).to_contain_text("Relabelled")
    window.keyboard.press("Control+Enter")
    expect(window).to_have_url(HOME)
    assert {source for *_span, source in Gold.objects.get().spans} == {"adjudicated"}


def test_relabelling_can_be_left_and_undone(opened: Opened, disputed: Page) -> None:
    window, held = opened()
    for key in ("m", "2", "Escape"):
        window.keyboard.press(key)
    expect(window.locator("[data-answers]")).to_be_visible()
    for key in ("m", "2", "Control+z", "Control+z", "b"):
        window.keyboard.press(key)
    sent(window)
    assert held.segments.get().choice == str(held.order[1])


def test_undo_and_submit_are_of_the_marks_while_a_segment_is_relabelled(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body"), paragraph(page, THIRD, "body")])
    annotate(page, cast.ben)
    finalise(page)
    window, held = opened()
    window.keyboard.press("b")
    window.keyboard.press("m")
    window.keyboard.press("2")
    window.locator("[data-undo]").click()
    expect(window.locator("[data-relabelling]")).to_be_visible()
    assert window.evaluate("window.goldpan.adjudication.segments[0].choice") == "B"
    window.evaluate("window.goldpan.stage.focus()")
    window.keyboard.press("2")
    window.keyboard.press("Enter")
    window.keyboard.press("m")
    window.locator("[data-submit]").click(force=True)
    sent(window)
    assert not Gold.objects.exists()
    assert list(held.segments.values_list("choice", flat=True)) == [str(held.order[1]), "relabel"]


def test_a_verdict_that_lacks_its_reason_is_not_passed_over(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, verdict="several")
    annotate(page, cast.ben, verdict="cannot_tell")
    finalise(page)
    window, _held = opened()
    window.keyboard.press("c")
    sent(window)
    window.locator("[name=verdict][value=not_article]").check()
    window.keyboard.press("Control+Enter")
    expect(window.locator("[name=reason]").first).to_be_focused()
    assert not Gold.objects.exists()
    window.keyboard.press("1")
    sent(window)
    window.keyboard.press("Control+Enter")
    expect(window).to_have_url(HOME)
    assert Gold.objects.get().verdict == "not_article"


# Blocks of which something is seen under the answers, and how the page's words stand.
UNDER_THE_ANSWERS = """() => {
  const {view} = window.goldpan;
  const frame = document.querySelector("#frame").getBoundingClientRect();
  const box = document.querySelector("[data-decide]").getBoundingClientRect();
  const [top, bottom] = [box.top - frame.top, box.bottom - frame.top];
  const [left, right] = [box.left - frame.left, box.right - frame.left];
  const isCovered = (rect) =>
    rect.height > 0 && rect.top < bottom && top < rect.bottom && rect.left < right && left < rect.right;
  const isUnder = (n) => [...view.blockRange(n).getClientRects()].some(isCovered);
  return view.blocks.map((_block, n) => n).filter(isUnder);
}"""
WORDS = """() => {
  const {view} = window.goldpan;
  return [view.body.textContent, ...view.blocks.map(([start, end]) => [
    String(view.range(start, end)), ...view.offsets(view.range(start, end)),
  ])];
}"""
SPACERS = "window.goldpan.view.document.querySelectorAll('goldpan-spacer').length"
IS_DOCKED = "document.querySelector('[data-decide]').classList.contains('docked')"


# Words that stand in no box of their own, in cells, links and columns.
AWKWARD = """<!doctype html><title>Bridge opens</title><body><h1>Bridge opens</h1>
<div>The first lines of it stand bare.<br>So do these lines after a break.
<p>Here a paragraph follows, <a href=/x><b>and it ends in a link</b></a></p></div>
<table><tr><td>A cell with some words</td></tr><tr><td>Another cell with more words</td></tr></table>
<div style="display: flex"><a style="display: flex" href=/y>A link that is a row</a></div>
<p style="columns: 2">Words in the first column and in the second one, as long as they are here.</p>
<p>The end.</p>"""


@pytest.mark.parametrize("view", ["page", "reading"])
def test_room_is_made_wherever_words_stand(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage, view: str
) -> None:
    page = make_page(AWKWARD)
    blocks = page.documents.get().blocks
    annotate(page, cast.ada, [label_block(block) for block in blocks[1:-1:2]])
    annotate(page, cast.ben)
    finalise(page)
    window, held = opened()
    window.locator(f"[name=view][value={view}]").check(force=True)
    workbench.until(window, f"window.goldpan.view.mode === {view!r} && {SPACERS} === 1")
    before = window.evaluate(WORDS)
    assert held.segments.count() > 2
    for segment in held.segments.all():
        settled(window)
        beside = [n for n, (start, _end) in enumerate(blocks) if start < segment.end]
        assert set(window.evaluate(UNDER_THE_ANSWERS)) <= set(beside), segment.number
        assert window.evaluate(WORDS) == before
        window.keyboard.press("j")


@pytest.mark.parametrize("view", ["page", "reading"])
def test_the_lines_after_a_segment_make_room_for_its_answers(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage, view: str
) -> None:
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body"), paragraph(page, THIRD, "body")])
    annotate(page, cast.ben, [span_of(page, "closed for most", "related")])
    finalise(page)
    window, held = opened()
    window.locator(f"[name=view][value={view}]").check(force=True)
    workbench.until(window, f"window.goldpan.view.mode === {view!r} && {SPACERS} === 1")
    before = window.evaluate(WORDS)
    for _segment in held.segments.all():
        settled(window)
        assert not window.evaluate(IS_DOCKED)
        assert window.evaluate(UNDER_THE_ANSWERS) == []
        assert window.evaluate(SPACERS) == 1
        assert window.evaluate(WORDS) == before
        window.keyboard.press("m")
        settled(window)
        assert window.evaluate(UNDER_THE_ANSWERS) == []
        window.keyboard.press("Escape")
        window.keyboard.press("j")
    assert window.locator(".state .notice").count() == 0


@pytest.mark.parametrize("vertical", ["html", "article"])
def test_vertical_lines_make_room_beside_them(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage, vertical: str
) -> None:
    style = f"<style>{vertical} {{ writing-mode: vertical-rl }}</style><article>"
    page = make_page(style + "".join(f"<p>{word} {'word ' * 30}</p>" for word in ("One", "Two", "Three")))
    annotate(page, cast.ada, [paragraph(page, "Two", "body")])
    annotate(page, cast.ben)
    finalise(page)
    window, _held = opened()
    settled(window)
    assert not window.evaluate(IS_DOCKED)
    assert window.evaluate(UNDER_THE_ANSWERS) == []


def test_what_somebody_writes_into_the_room_is_noticed(opened: Opened, disputed: Page) -> None:
    window, _held = opened()
    workbench.until(window, f"{SPACERS} === 1")
    window.evaluate("window.goldpan.view.document.querySelector('goldpan-spacer').textContent = 'Translated'")
    expect(window.locator(".state")).to_contain_text("it was rebuilt")
    assert "Translated" not in window.evaluate(WORDS)[0]


def test_an_audit_is_confirmed_by_one_key(opened: Opened, audited: Page) -> None:
    window, _held = opened()
    expect(window.locator("[data-decide]")).to_contain_text("Unchanged")
    window.keyboard.press("Control+Enter")
    expect(window).to_have_url(HOME)
    marks = [span_of(audited, HEADLINE, "headline"), paragraph(audited, FIRST, "body")]
    assert Gold.objects.get().spans == [[*mark, "unanimous"] for mark in marks]


def test_keys_of_disputes_mean_nothing_and_are_not_listed_in_an_audit(opened: Opened, audited: Page) -> None:
    window, _held = opened()
    window.keyboard.press("o")
    expect(window.locator("[data-message]")).to_have_text("")
    window.keyboard.press("?")
    keys = window.locator("#keys")
    expect(keys).to_contain_text("Unchanged")
    for absent in ("Both", "Same choice", "Several articles"):
        expect(keys).not_to_contain_text(absent)


def test_an_audit_is_corrected_from_what_stands(opened: Opened, audited: Page) -> None:
    window, _held = opened()
    window.keyboard.press("m")
    settled(window)
    workbench.click_block(window, paragraph(audited, FIRST, "body")[:2])
    window.keyboard.press("0")
    window.keyboard.press("Enter")
    window.keyboard.press("Control+Enter")
    expect(window).to_have_url(HOME)
    assert Gold.objects.get().spans == [[*span_of(audited, HEADLINE, "headline"), "unanimous"]]


def test_keys_get_past_a_blank_block_while_a_page_is_relabelled(
    opened: Opened, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    set_audit_share(corpus=corpus, share=1)
    page = make_page("<!doctype html><title>Ferry</title><p>One.</p><p>&nbsp;</p><p>Two.</p>")
    for annotator in (cast.ada, cast.ben):
        annotate(page, annotator, [span_of(page, "One.", "body")])
    finalise(page)
    window, _held = opened()
    window.keyboard.press("m")
    settled(window)
    for key in ("j", "1", "Enter", "Control+Enter"):
        window.keyboard.press(key)
    expect(window).to_have_url(HOME)
    assert [span[2] for span in Gold.objects.get().spans] == ["body", "headline"]


def test_of_words_from_right_to_left_the_end_is_cut_off(
    opened: Opened, cast: SimpleNamespace, make_page: MakePage
) -> None:
    words = "فقرة من الخبر المحلي " * 9
    page = make_page(f"<!doctype html><html lang=ar dir=rtl><title>{words}</title><p>{words}</p>")
    annotate(page, cast.ada, [span_of(page, words.strip(), "body")])
    annotate(page, cast.ben)
    finalise(page)
    window, _ = opened()
    window.set_viewport_size({"width": 900, "height": 700})
    for place in (".headline .page-title", ".segments .quote"):
        assert window.locator(place).evaluate(FIRST_LETTER_IS_SHOWN), place


def test_titles_in_lists_run_as_they_begin(
    site: str, corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, sign_in: SignIn
) -> None:
    make_page("<!doctype html><html lang=ar dir=rtl><title>فقرة من الخبر المحلي!</title><p>فقرة</p>")
    window = sign_in(cast.hanne)
    window.goto(f"{site}/c/{corpus.slug}/")
    assert window.locator(".page-title").first.evaluate(LAST_IS_LEFT_OF_FIRST), "an end is at the left"
