"""One page all the way: in, annotated twice and blind, compared, adjudicated, scored, seen, out.

All of it in real browsers, with real workers; every figure is worked out a second time here, by other code.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page
from sklearn.metrics import cohen_kappa_score

from annotator.agreement.models import Agreement
from annotator.annotations.models import Slot
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus
from annotator.gold.models import Adjudication, Gold
from annotator.home.actions import create_corpus
from annotator.pages.models import StoredDocument
from annotator.runs.models import Extraction, Extractor
from annotator.scoring.models import Score
from extraction import extractors, parse
from extraction.formats import PageRecord
from extraction.spans import CONTENT, LABEL_SETS
from tests.browser import workbench
from tests.browser.conftest import SignIn
from tests.corpora import records
from tests.factories import CAST, make_user
from tests.processes import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Marks = list[tuple[int, int, str]]

# Characters of a block worth a click.
LONG = 120


@pytest.fixture
def browser(whole_browser: Browser) -> Browser:
    return whole_browser


@pytest.fixture
def three_pages(tmp_path: Path) -> Corpus:
    """A corpus with the first three pages of some length, brought in by the command."""
    made = create_corpus(slug="dailies", name="Dailies", languages=["en"])
    path = tmp_path / "three.jsonl"
    lines = [json.dumps({"url": each.url, "html_base64": _base64(each.raw)}) for each in _long_pages(3)]
    path.write_text("\n".join(lines), encoding="utf-8")
    call_command("import_pages", "dailies", "jsonl", str(path))
    return made


def _long_pages(count: int) -> list[PageRecord]:
    """Pages with at least six blocks that are worth a click."""
    blocks = ((each, parse(each.raw).blocks) for each in records())
    long = (each for each, blocks in blocks if sum(end - start > LONG for start, end in blocks) >= 6)
    return list(islice(long, count))


def _base64(raw: bytes) -> str:
    return b64encode(raw).decode()


@pytest.fixture
def people(three_pages: Corpus) -> SimpleNamespace:
    made = {name: make_user(name) for name in CAST}
    for name, role in CAST.items():
        grant_role(corpus=three_pages, user=made[name], role=role)
    return SimpleNamespace(**made)


def test_one_page_all_the_way(
    site: str, workers: None, three_pages: Corpus, people: SimpleNamespace, sign_in: SignIn
) -> None:
    wait_for(lambda: Slot.objects.count() == 6, "the rounds")
    wanted = 3 * three_pages.enabled.count()
    wait_for(lambda: Extraction.objects.exclude(finished_at=None).count() == wanted, "the extractions")

    board = sign_in(people.rhea)
    board.goto(f"{site}/c/dailies/leaderboard/")
    board.evaluate("window.notReloaded = true")

    ada, ben = sign_in(people.ada), sign_in(people.ben)
    _annotate_alike(ada)
    _annotate_alike(ben)
    wait_for(lambda: Gold.objects.count() == 1, "gold on which both agree")
    assert Gold.objects.get().source == "unanimous"
    _figures_hold(board, three_pages, pages=1)

    of_ada = _annotate_disputed(ada, takes_first=True)
    of_ben = _annotate_disputed(ben, takes_first=False)
    wait_for(lambda: Adjudication.objects.count() == 1, "a dispute")
    _agreement_holds(of_ada, of_ben)

    taken = _adjudicate(sign_in(people.cleo), site)
    wait_for(lambda: Gold.objects.count() == 2, "adjudicated gold")
    gold = Gold.objects.get(source="adjudicated")
    assert {tuple(span[:3]) for span in gold.spans} == _expected(of_ada, of_ben, taken)
    _figures_hold(board, three_pages, pages=2)
    assert board.evaluate("window.notReloaded") is True
    _every_figure_leads_to_its_page(board)


def _open_next(page: Page) -> None:
    """The home screen's one primary button."""
    if "/slots/" not in page.url:
        page.click("main .btn.primary")
    workbench.ready(page)
    if page.evaluate("window.goldpan.stage.mode") != "reading":
        page.keyboard.press("v")


def _annotate_alike(page: Page) -> None:
    """The headline by key, a range of blocks by shift-click, the verdict, submit."""
    _open_next(page)
    blocks = workbench.visible_blocks(page, LONG)
    workbench.click_block(page, blocks[0])
    page.keyboard.press("1")
    workbench.click_block(page, blocks[1])
    page.keyboard.press("2")
    workbench.click_block(page, blocks[4], shift=True)
    page.keyboard.press("y")
    workbench.saved(page)
    assert {label for _s, _e, label in workbench.spans_in_browser(page)} == {"headline", "body"}
    workbench.submit(page)


def _annotate_disputed(page: Page, *, takes_first: bool) -> Marks:
    """Both take two blocks; one takes a third, the other a part of a fourth by dragging; undo is tried."""
    _open_next(page)
    blocks = workbench.visible_blocks(page, LONG)
    workbench.click_block(page, blocks[1])
    workbench.click_block(page, blocks[2])
    workbench.click_block(page, blocks[0])
    page.keyboard.press("Control+z")
    if takes_first:
        workbench.click_block(page, blocks[0])
    else:
        start = blocks[4][0]
        workbench.drag(page, start + 10, start + 30)
    page.keyboard.press("y")
    workbench.saved(page)
    marks = workbench.spans_in_browser(page)
    assert len(marks) == 3
    workbench.submit(page)
    return marks


def _agreement_holds(of_ada: Marks, of_ben: Marks) -> None:
    """Kappa by scikit-learn over the expanded characters; F1 by counting sets."""
    wait_for(lambda: Agreement.objects.exclude(finished_at=None).count() == 2, "the comparison")
    agreement = Agreement.objects.exclude(kappa=1.0).get()
    text = agreement.round.page.document.text
    inked = [at for at, char in enumerate(text) if not char.isspace()]
    labels = [[_label_at(marks, at) for at in inked] for marks in (of_ada, of_ben)]
    assert agreement.kappa == pytest.approx(cohen_kappa_score(*labels), abs=1e-9)
    marked = [{at for at in inked if _label_at(marks, at)} for marks in (of_ada, of_ben)]
    both = len(marked[0] & marked[1])
    assert agreement.f1 == pytest.approx(2 * both / (len(marked[0]) + len(marked[1])), abs=1e-9)


def _label_at(marks: Marks, at: int) -> str:
    return next((label for start, end, label in marks if start <= at < end), "")


def _adjudicate(page: Page, site: str) -> str:
    """Take A for every segment, by its key; which annotator that was."""
    page.goto(f"{site}/")
    page.click("main .btn.primary")
    workbench.ready(page)
    segments = Adjudication.objects.get().segments.count()
    for _segment in range(segments):
        page.keyboard.press("a")
        page.wait_for_timeout(300)
    wait_for(lambda: not Adjudication.objects.get().segments.filter(choice="").exists(), "all decisions")
    workbench.submit(page)
    adjudication = Adjudication.objects.get()
    first = adjudication.round.slots.order_by("number")[adjudication.order[0]]
    return first.annotator.username


def _expected(of_ada: Marks, of_ben: Marks, taken: str) -> set[tuple[int, int, str]]:
    """What both have, and what the one whose letter was taken has alone."""
    return set(of_ada if taken == "ada" else of_ben)


def _figures_hold(board: Page, corpus: Corpus, *, pages: int) -> None:
    """The board shows, without reloading, what counting character by character gives."""
    cells = pages * corpus.enabled.count()
    wait_for(lambda: Score.objects.exclude(finished_at=None).count() == cells, "all scores")
    for enabled in corpus.enabled.select_related("extractor"):
        used = extractors.get(enabled.extractor.name).tuned_on
        fair = Gold.objects.exclude(page__sha256__in=used)
        row = board.locator("table.board tbody tr").filter(has_text=enabled.extractor.name)
        if fair:
            expected = _macro_f1(enabled.extractor, fair)
            shown = f"{expected:.3f}".replace("0.", ".", 1) if expected < 1 else "1.000"
            row.filter(has_text=str(len(fair))).get_by_text(shown, exact=True).first.wait_for()
        else:  # published pages, all of which it was learned from
            row.get_by_text("training data only").wait_for()
            assert not row.get_by_text(re.compile(r"^(\.|1\.)\d{3}")).count()


def _macro_f1(extractor: Extractor, golds: Iterable[Gold]) -> float:
    precisions, recalls = [], []
    counted = LABEL_SETS["main"] | {CONTENT}
    for gold in golds:
        document = gold.document
        wanted = _characters(document, [(s, e) for s, e, label, _source in gold.spans if label in counted])
        extraction = Extraction.objects.get(document=document, extractor=extractor)
        found = _characters(document, [(s, e) for s, e, label in extraction.spans if label in counted])
        true = len(wanted & found)
        precisions.append(true / len(found) if found else 0.0)
        recalls.append(true / len(wanted))
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _characters(document: StoredDocument, intervals: list[tuple[int, int]]) -> set[int]:
    return {at for start, end in intervals for at in range(start, end) if not document.text[at].isspace()}


def _every_figure_leads_to_its_page(board: Page) -> None:
    """From the board to the pages of an extractor, and from there to gold and extraction side by side."""
    board.locator("table.board tbody th a").first.click()
    board.wait_for_load_state()
    board.locator("main table tbody a").first.click()
    workbench.ready(board)
    assert board.locator("#frame").count() == 1
