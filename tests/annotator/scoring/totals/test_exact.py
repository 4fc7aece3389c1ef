"""Every figure of boards of real pages by twelve extractors, beside a computation that shares no code."""

from itertools import islice, product

import pytest

from annotator.common import storage, work
from annotator.corpora.models import Corpus
from annotator.gold.versions import add_gold
from annotator.pages.actions import add_page, build_document
from annotator.pages.models import Page
from annotator.runs.actions import enable
from annotator.runs.models import Extraction
from annotator.scoring import actions as scoring
from annotator.scoring.leaderboard.leaderboard import ALL, BLIND, COMMON, MACRO, MICRO, OWN, Choice
from annotator.scoring.models import Score
from annotator.scoring.totals.counting import count_some
from annotator.scoring.totals.queries import slices_of
from annotator.scoring.totals.slices import EVERYTHING, Slice
from extraction.documents.document import Document
from extraction.formats import READERS, BadRecord, GoldError, PageRecord, place
from extraction.sandbox import Parser
from tests import corpora
from tests.annotator.scoring.totals import independent
from tests.annotator.scoring.totals.comparing import assert_board_is_right
from tests.factories import extract_all

pytestmark = pytest.mark.django_db

# Beside the six that are enabled by default.
MORE_EXTRACTORS = (
    "boilerpipe-largest", "boilerpipe-canola", "boilerpipe-num-words", "bte", "mss", "cetd",
)  # fmt: skip
METRICS = ("character", "words", "shingle", "cleaneval")
CHOICES = ((ALL, MACRO, OWN), (BLIND, MICRO, OWN), (ALL, MICRO, COMMON), (BLIND, MACRO, COMMON))


def records(of_scrapinghub: int | None, of_wcxb: int | None) -> list[PageRecord]:
    """Real pages where they lie beside the project, our own demo pages otherwise."""
    found = corpora.records(of_scrapinghub)
    folder = corpora.SCRAPINGHUB.parent / "wcxb"
    if folder.is_dir():
        read = (each for each in READERS["wcxb"].read(folder) if not isinstance(each, BadRecord))
        found += islice(read, of_wcxb)
    return [record for record in found if record.gold]


def add(corpus: Corpus, number: int, record: PageRecord, parser: Parser) -> Page:
    """The page with its gold, extracted and scored; of some gold, somebody saw a suggestion."""
    page = add_page(
        corpus=corpus, raw=record.raw, url=record.url or f"https://site{number % 4}.example/"
    ).page
    claimed = work.claim(Page, page.pk)
    document = build_document(claimed, parser) if claimed else page.document
    assert document
    Page.objects.filter(pk=page.pk).update(language=("en", "es", "de")[number % 3])
    extract_all(page)
    assert record.gold
    try:
        placed = place(record.gold, Document.unpack(storage.get(document.packed_sha256)))
    except GoldError:
        return page
    gold = add_gold(
        document=document,
        verdict=("article", "several")[number % 5 == 4],
        spans=[(*span, "imported") for span in placed.spans],
        source="imported",
        distinguishable_labels=record.gold.labels,
        exposed_families=[["boilerpipe"], [], []][number % 3],
        characters=placed.total,
        placed=placed.total - placed.unplaced,
    )
    for row in scoring.request_scores(scoring.pairs_of_gold(gold)):
        cell = work.claim(Score, row.pk)
        assert cell
        scoring.score(cell)
    return page


def assert_boards_are_right(corpus: Corpus) -> int:
    """On six slices, by every combination of metric, gold, average and pages; how many figures."""
    while count_some(corpus):
        pass
    cells = independent.cells(corpus, independent.measured_figures)
    largest = slices_of(corpus, most=2)
    slices = [EVERYTHING, *(rows[0][0] for rows in largest.values() if rows), Slice("language", "es")]
    labels = sorted(
        {name for cell in cells for _metric, name in cell.figures if not name.startswith("label:")}
    )
    compared = 0
    for of, metric, name in product(slices[:6], METRICS, labels):
        for gold, mean, page_set in CHOICES:
            choice = Choice(metric, gold, mean, page_set)
            compared += assert_board_is_right(corpus, cells, metric=metric, labels=name, of=of, choice=choice)
    return compared


def run(
    corpus: Corpus, parser: Parser, monkeypatch: pytest.MonkeyPatch, pages: tuple[int | None, int | None]
) -> int:
    def tuned(extraction: Extraction, page: Page) -> bool:
        return extraction.extractor.name == "bte" and page.pk % 7 == 0

    monkeypatch.setattr(scoring, "was_tuned_on", tuned)
    for name in MORE_EXTRACTORS:
        enable(corpus=corpus, name=name)
    for number, record in enumerate(records(*pages)):
        add(corpus, number, record, parser)
    return assert_boards_are_right(corpus)


def test_boards_of_real_pages_are_right(
    corpus: Corpus, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(corpus, parser, monkeypatch, (18, 20)) > 5_000


@pytest.mark.long
def test_boards_of_all_real_pages_are_right(
    corpus: Corpus, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(corpus, parser, monkeypatch, (None, None)) > 5_000
